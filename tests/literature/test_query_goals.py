"""202 goals, each to queries on the sandbox: nothing broken, no subject lost, nothing required that is only offered."""

import datetime as dt

import pytest

from biofact.core import call
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
