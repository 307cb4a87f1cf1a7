"""202 goals, each to queries on the sandbox: nothing broken, no subject lost, nothing required that is only offered."""

import datetime as dt

import pytest

from biofact.core import call
from biofact.literature.query import concepts, filters, strategies, subjects
from biofact.literature.query.generation import generate_queries
from biofact.literature.query.request import QueryRequest
from tests import virtual_time
from tests.literature import query_syntax
from tests.literature.query_goals import GOALS
from tests.sandboxed import sandboxed

TODAY = dt.date(2026, 11, 22)


@pytest.fixture(scope="module")
def answers():
    """What is generated for every goal."""

    async def run():
        found = {}
        async with sandboxed("pubmed") as (pubmed, _):
            for goal in GOALS:
                with call.opened():
                    request = QueryRequest(research_goal=goal)
                    found[goal] = await generate_queries(request, pubmed.questions, today=TODAY)
        return found

    return virtual_time.run(run())


def first(answer):
    return answer.generated_queries[0].query_string


@pytest.mark.parametrize("goal", GOALS)
def test_no_query_or_line_of_a_goal_is_broken(answers, goal):
    for query in answers[goal].generated_queries:
        assert query_syntax.problems(query.query_string) == [], query.query_string
        for line in query.lines:
            if line.kind == "block":
                assert query_syntax.problems(line.text) == []


@pytest.mark.parametrize("goal", GOALS)
def test_the_first_query_of_a_goal_asks_for_its_subjects(answers, goal):
    query = first(answers[goal])

    assert [one for one in GOALS[goal] if not one.startswith("!") and not query_syntax.is_searched(one, query)] == []


@pytest.mark.parametrize("goal", [goal for goal, wanted in GOALS.items() if any(one.startswith("!") for one in wanted)])
def test_the_first_query_of_a_goal_requires_no_more_than_that(answers, goal):
    query = first(answers[goal])

    assert [one for one in GOALS[goal] if one.startswith("!") and query_syntax.is_searched(one[1:], query)] == []


def drafts(goal, strategy):
    """All that a strategy would try for a goal, had MeSH no heading for it."""
    request = QueryRequest(research_goal=goal, query_strategy=strategy)
    reading = concepts.read(goal, today=TODAY)
    found = [part for one in reading.concepts for part in subjects.subjects_of(one, {}, None)]
    return strategies.drafts(strategy, found, filters.filters_of(request, reading, TODAY))


@pytest.mark.parametrize("strategy", ["comprehensive", "focused", "exploratory"])
@pytest.mark.parametrize("goal", GOALS)
def test_no_draft_of_any_strategy_is_broken_whatever_pubmed_knows(goal, strategy):
    for draft in drafts(goal, strategy):
        nothing_known = frozenset(query_syntax.texts(str(draft)))

        assert query_syntax.problems(str(draft)) == []
        assert query_syntax.problems(str(draft.mended(nothing_known))) == []
