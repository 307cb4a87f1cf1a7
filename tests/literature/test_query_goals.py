"""202 goals, each to queries on the sandbox: nothing broken, no subject lost, nothing required that is only offered."""

import datetime as dt
import functools
import itertools

import pytest

from biofact.core import call
from biofact.literature.query import concepts, filters, strategies, subjects
from biofact.literature.query.generation import generate_queries
from biofact.literature.query.request import QueryRequest
from tests import virtual_time
from tests.literature import query_syntax
from tests.literature.query_goals import GOALS
from tests.sandboxed import sandboxed

pytestmark = pytest.mark.quick

TODAY = dt.date(2026, 11, 22)


GOALS_AT_ONCE = 12


@functools.cache
def answers(start):
    """What is generated for some goals: a few at a time, so that no process makes those of all."""

    async def run():
        found = {}
        async with sandboxed("pubmed") as (pubmed, _):
            for goal in itertools.islice(GOALS, start, start + GOALS_AT_ONCE):
                with call.opened():
                    request = QueryRequest(research_goal=goal)
                    found[goal] = await generate_queries(request, pubmed.questions, today=TODAY)
        return found

    return virtual_time.run(run())


@pytest.mark.parametrize("place", range(len(GOALS)), ids=list(GOALS))
def test_queries_of_a_goal_are_whole_and_ask_for_its_subjects_and_no_more(place):
    goal = list(GOALS)[place]
    answer = answers(place - place % GOALS_AT_ONCE)[goal]
    queries = answer.generated_queries
    first = queries[0].query_string
    blocks = [line.text for query in queries for line in query.lines if line.kind == "block"]
    optional = [wanted[1:] for wanted in GOALS[goal] if wanted.startswith("!")]
    subjects_asked_for = [wanted for wanted in GOALS[goal] if not wanted.startswith("!")]

    assert {text: query_syntax.problems(text) for text in (first, *blocks) if query_syntax.problems(text)} == {}
    assert [query.query_string for query in queries if query_syntax.problems(query.query_string)] == []
    assert [one for one in subjects_asked_for if not query_syntax.is_searched(one, first)] == []
    assert [one for one in optional if query_syntax.is_searched(one, first)] == []


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
