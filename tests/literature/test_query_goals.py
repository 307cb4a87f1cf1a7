"""202 goals, each to queries on the sandbox: no syntax error, no lost subject, and no optional subject required."""

import datetime as dt

import pytest

from biofact.core import call
from biofact.literature.query import concepts, filters, subjects
from biofact.literature.query.drafts import strategy_drafts
from biofact.literature.query.generation import generate_queries
from biofact.literature.query.records import QueryRequest
from tests.literature import query_syntax
from tests.literature.query_goals import GOALS
from tests.sandboxed import on_sandbox

TODAY = dt.date(2026, 11, 22)
OF_EVERY_SHAPE = """
BRCA1/2 mutations and ovarian cancer
Breast and ovarian cancer risk in BRCA2 carriers
C. elegans models of ageing
Can probiotics prevent necrotising enterocolitis in preterm infants?
Case reports of scurvy in the last 10 years
ChatGPT in medical education
Chronic fatigue syndrome (CFS) and graded exercise therapy (GET)
Cohort studies of glyphosate and lymphoma
Deep learning for detecting diabetic retinopathy
Do school-based interventions reduce childhood obesity?
E coli O157:H7 in beef
Early versus late tracheostomy in ventilated patients
Escherichia coli urinary tract infection recurrence
Gut microbiota and obesity in mice
Has telemedicine improved diabetes care?
Hospital mortality after hip fracture
How accurate is CT for diagnosing appendicitis?
M. tuberculosis drug resistance in South Africa
Metformin in PCOS (polycystic ovary syndrome)
Non-alcoholic fatty liver disease and vitamin E
Omega-3 (EPA/DHA) and depression
PTSD in veterans: EMDR
Prognosis of amyotrophic lateral sclerosis, excluding case reports
Randomized controlled trials of yoga for low back pain since 2015
Robot-assisted v conventional prostatectomy
Single-cell RNA-seq of the human pancreas
St. Louis encephalitis in the U.S.
Stroke in patients without atrial fibrillation
Vitamin D supplementation for fractures in older adults
Zika virus and microcephaly in Brazil
""".strip().splitlines()
"""Goals that together take every branch of the code, and those that were once read wrongly."""
OTHER_VALUES = [goal for goal in GOALS if goal not in OF_EVERY_SHAPE]
STRATEGIES = ("comprehensive", "focused", "exploratory")

every_goal = pytest.mark.parametrize(
    "goals",
    [
        pytest.param(OF_EVERY_SHAPE, id="of every shape", marks=pytest.mark.quick),
        pytest.param(OTHER_VALUES, id="all others", marks=pytest.mark.sweep),
    ],
)


def answers(goals):
    """The generated queries of some goals."""

    async def run(pubmed, _):
        result = {}
        for goal in goals:
            with call.session():
                request = QueryRequest(research_goal=goal)
                result[goal] = await generate_queries(request, pubmed.questions, today=TODAY)
        return result

    return on_sandbox("pubmed", run)


def faults(goal, queries):
    """The faults in the queries of a goal, by kind; kinds without a fault are absent."""
    first = queries[0].query_string
    texts = [query.query_string for query in queries]
    blocks = [line.text for query in queries for line in query.lines if line.kind == "block"]
    optional = [expected[1:] for expected in GOALS[goal] if expected.startswith("!")]
    subjects_asked_for = [expected for expected in GOALS[goal] if not expected.startswith("!")]
    result = {
        "broken": {text: query_syntax.problems(text) for text in (*texts, *blocks) if query_syntax.problems(text)},
        "lost": [item for item in subjects_asked_for if not query_syntax.is_searched(item, first)],
        "required": [item for item in optional if query_syntax.is_searched(item, first)],
    }
    return {kind: value for kind, value in result.items() if value}


@every_goal
def test_queries_of_a_goal_are_whole_and_ask_for_its_subjects_and_no_more(goals):
    result = {goal: faults(goal, answer.generated_queries) for goal, answer in answers(goals).items()}

    assert list(result) == goals
    assert {goal: wrong for goal, wrong in result.items() if wrong} == {}


def drafts(goal, strategy):
    """All queries that a strategy would try for a goal, if MeSH had no heading for it."""
    request = QueryRequest(research_goal=goal, query_strategy=strategy)
    parsed_goal = concepts.read(goal, today=TODAY)
    parts = [part for concept in parsed_goal.concepts for part in subjects.subjects_of(concept, {}, None)]
    return strategy_drafts(strategy, parts, filters.filters_of(request, parsed_goal, TODAY))


@every_goal
def test_no_draft_of_any_strategy_has_a_syntax_error_for_any_state_of_pubmed(goals):
    pairs = [(strategy, draft) for goal in goals for strategy in STRATEGIES for draft in drafts(goal, strategy)]
    texts = [
        (strategy, str(text))
        for strategy, draft in pairs
        for text in (draft, draft.without_unknown(frozenset(query_syntax.texts(str(draft)))))
    ]

    assert len(pairs) >= len(goals) * len(STRATEGIES)
    assert [(*text, query_syntax.problems(text[1])) for text in texts if query_syntax.problems(text[1])] == []


@pytest.mark.quick
def test_the_goals_of_every_shape_are_of_the_table():
    assert set(OF_EVERY_SHAPE) <= set(GOALS)
    assert len(OF_EVERY_SHAPE) + len(OTHER_VALUES) == len(GOALS) == 202
