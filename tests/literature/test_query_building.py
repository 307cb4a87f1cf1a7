"""Concepts, headings and filters to query strings."""

import datetime as dt
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from biofact.dialects.eutils import SearchAnswer
from biofact.literature.query import concepts, counts, explanations, filters, subjects, synonyms, terms, wording
from biofact.literature.query.counts import CheckedQuery
from biofact.literature.query.drafts import draft, strategy_drafts, widen, with_fewer_subjects
from biofact.literature.query.records import QueryRequest
from biofact.sources.pubmed import search
from biofact.sources.pubmed.parse import Descriptor
from tests.each_of import each_of
from tests.marks import requirement

pytestmark = pytest.mark.quick

TODAY = dt.date(2026, 11, 22)
STRATEGIES = ("comprehensive", "focused", "exploratory")
MESH = [
    Descriptor("D000069550", "Machine Learning", ("Transfer Learning", "Learning, Machine"), "", ("G17.035.250.500",)),
    Descriptor("D003933", "Diagnosis", ("Diagnoses and Examinations", "Postmortem Diagnosis"), "", ("E01",)),
    Descriptor("D006333", "Heart Failure", ("Congestive Heart Failure", "Cardiac Failure"), "", ("C14.280.434",)),
    Descriptor("D003924", "Diabetes Mellitus, Type 2", ("Type 2 Diabetes", "NIDDM", "MODY"), "", ("C18.452",)),
    Descriptor("D008687", "Metformin", ("Glucophage",), "", ("D02.078",)),
    Descriptor("D003695", "Delivery of Health Care", ("Healthcare", "Health Care Systems"), "", ("N04.590",)),
    Descriptor("D004989", "Ethics", ("Egoism",), "", ("N05.350",)),
]


class AnyMapping(dict):
    """All of MeSH as the answer to any question."""

    def get(self, _words, _default=()):
        return MESH


def concepts_and_filters(request):
    """The subjects of a request, if MeSH had only these descriptors."""
    parsed_goal = concepts.read(request.research_goal, today=TODAY, domain=request.domain, keywords=request.keywords)
    parts = [
        part for concept in parsed_goal.concepts for part in subjects.subjects_of(concept, AnyMapping(), request.domain)
    ]
    return parts, filters.filters_of(request, parsed_goal, TODAY)


def queries(goal, **options):
    """All queries that a strategy would try."""
    request = QueryRequest(research_goal=goal, **options)
    return [
        str(strategy_draft)
        for strategy_draft in strategy_drafts(request.query_strategy, *concepts_and_filters(request))
    ]


@requirement("004 Q-strategy")
def test_a_comprehensive_query_has_headings_and_every_name_in_every_form():
    first, *_ = queries("type 2 diabetes in heart failure")

    assert first == (
        '("Diabetes Mellitus, Type 2"[MeSH Terms] OR "type 2 diabet*"[Title/Abstract] OR "T2DM"[Title/Abstract]'
        ' OR "type II diabet*"[Title/Abstract] OR "NIDDM"[Title/Abstract]'
        ' OR "Type 2 Diabetes Mellitus"[Title/Abstract] OR "MODY"[Title/Abstract])'
        ' AND ("Heart Failure"[MeSH Terms] OR "heart failure*"[Title/Abstract] OR "cardiac failure*"[Title/Abstract]'
        ' OR "Congestive Heart Failure*"[Title/Abstract])'
    )


def test_a_focused_query_asks_for_main_points():
    first, *_ = queries("metformin in heart failure", query_strategy="focused")

    assert first == (
        '("Metformin"[MeSH Major Topic] OR "metformin*"[Title] OR "Glucophage*"[Title])'
        ' AND ("Heart Failure"[MeSH Major Topic] OR "heart failure*"[Title] OR "cardiac failure*"[Title])'
    )


def test_exploratory_queries_swap_a_concept_for_what_is_related():
    result = queries("gut microbiome and mental health", query_strategy="exploratory")

    assert any('"dysbiosis"[Title/Abstract]' in query and "gut microbiome" not in query for query in result)
    assert any('"depression"[Title/Abstract]' in query and "mental health" not in query for query in result)


def test_a_focused_query_has_one_subject_at_a_time_as_the_main_point():
    result = queries("metformin in heart failure", query_strategy="focused")

    for leading, other in (("Metformin", "Heart Failure"), ("Heart Failure", "Metformin")):
        assert any(f'"{leading}"[MeSH Major Topic]' in text and f'"{other}"[MeSH Terms]' in text for text in result)


def test_exploratory_queries_pair_concepts():
    result = queries("zinc and copper and iron", query_strategy="exploratory")

    assert '("zinc"[Title/Abstract]) AND ("iron"[Title/Abstract])' in result


def test_words_about_the_aim_are_in_the_focused_variant_alone():
    broad, narrower, *_ = queries("prevention of heart failure")

    assert "prevent" not in broad
    assert '("prevent*"[Title/Abstract])' in narrower


def test_a_concept_that_mesh_splits_becomes_a_heading_and_an_optional_block():
    broad, narrower, *_ = queries("metformin treatment of heart failure")

    assert '"metformin*"[Title/Abstract]' in broad
    assert "treatment" not in broad
    assert '("treatment*"[Title/Abstract])' in narrower


def test_a_qualifier_does_not_hide_a_heading():
    assert '"Diagnosis"[MeSH Terms] OR "medical diagnos*"[Title/Abstract]' in queries("medical diagnosis")[0]


def test_filters_stand_in_every_query():
    result = queries(
        "machine learning in heart failure",
        time_frame="last_5_years",
        study_types=["Case Study", "Meta-Analysis"],
        exclude_terms=["children", "review"],
    )

    assert result
    for query in result:
        assert query.endswith(
            ' AND ("2021/11/22"[Date - Publication] : "3000"[Date - Publication])'
            ' AND ("Case Reports"[Publication Type] OR "Meta-Analysis"[Publication Type])'
            ' NOT ("children"[Title/Abstract] OR "Review"[Publication Type] OR "review"[Title])'
        )


def test_a_parameter_wins_over_the_goals_words():
    assert "Date" not in queries("recent trials of metformin", time_frame="all_time")[0]
    assert '"2025/11/22"' in queries("metformin since 2010", time_frame="last_year")[0]


def test_animals_are_excluded_where_no_people_are():
    query = queries("metformin", exclude_terms=["animal studies"])[0]

    assert query.endswith('NOT (("Animals"[MeSH Terms] NOT "Humans"[MeSH Terms]))')


def test_an_asterisk_at_the_end_of_a_keyword_stays():
    assert '("radiolog*"[Title/Abstract])' in queries("metformin", keywords=["radiolog*"])[0]
    assert '("ra"[Title/Abstract]' in queries("metformin", keywords=["ra*"])[0]


def test_british_and_american_spelling_are_both_searched_for():
    assert queries("leukaemia")[0] == '("leukaemia*"[Title/Abstract] OR "leukemia*"[Title/Abstract])'


def test_a_phrase_outside_of_pubmeds_index_is_searched_for_by_proximity():
    request = QueryRequest(research_goal="'clinical sound archives' in heart failure")
    draft = strategy_drafts("focused", *concepts_and_filters(request))[0]

    mended_query = str(draft.without_unknown(frozenset({"cardiac failure*[title]", "clinical sound archive*"})))

    assert '"cardiac failure"[Title:~0] OR "cardiac failures"[Title:~0]' in mended_query
    assert '"clinical sound archives"[Title:~0]' in mended_query
    assert '"heart failure*"[Title]' in mended_query


def test_a_word_that_pubmed_does_not_know_stays():
    draft = strategy_drafts("comprehensive", *concepts_and_filters(QueryRequest(research_goal="metformin")))[0]

    assert str(draft.without_unknown(frozenset({"glucophage*[title/abstract]"}))) == str(draft)


def test_a_query_is_widened_by_what_is_optional_alone():
    result, kept_values = concepts_and_filters(QueryRequest(research_goal="prevention of heart failure with metformin"))
    whole = draft(result, "plain", kept_values)

    wider = widen(whole)

    assert [subject.concept.name for subject in wider.subjects] == ["heart failure", "metformin"]
    assert widen(wider) is None


def test_required_keywords_are_in_every_query_on_fewer_subjects():
    result, kept_values = concepts_and_filters(
        QueryRequest(research_goal="heart failure", keywords=["metformin", "zinc"])
    )

    fewer_subjects = list(with_fewer_subjects(draft(result, "broad", kept_values)))

    assert [[subject.concept.name for subject in draft.subjects] for draft in fewer_subjects] == [["metformin", "zinc"]]


def test_a_long_query_gives_up_synonyms_before_it_grows_too_long():
    words = [f"{'x' * 12}{number} failure of the artificial heart and its valves" for number in range(8)]

    assert max(map(len, queries("machine learning in heart failure", keywords=words))) <= 10_000


def test_entry_terms_are_chosen():
    choose_synonyms = synonyms.choose_synonyms(
        ["type 2 diabetes"],
        [
            "Diabetes Mellitus, Type 2",  # in a card index's order
            "Type 2 Diabetes Mellitus",  # the name finds it
            "Diabetes, Adult-Onset",
            "Adult-Onset Diabetes",
            "Adult Onset Diabetes",  # one of two spellings
            "Adult-Onset Diabetes Mellitus",
            "NIDDM",
            "xyz",
            "AI (Artificial Intelligence)",
        ],
    )

    assert choose_synonyms == ["Adult-Onset Diabetes", "NIDDM"]


def test_acronyms_of_mesh_come_last():
    entry_terms = synonyms.entry_terms(["zinc"], "Zinc", ["ZNX", "Zinc Metal"])

    assert entry_terms == ["Zinc", "Zinc Metal", "ZNX"]


def test_a_heading_is_taken_only_for_its_own_name():
    assert subjects.exact("type 2 diabetes", MESH, None).ui == "D003924"
    assert subjects.exact("learning", MESH, None) is None


def test_a_domain_decides_between_headings_of_one_name():
    cold = [
        Descriptor("D1", "Cold Weather", ("Cold",), "", ("G16.500",)),
        Descriptor("D2", "Common Cold", ("Cold",), "", ("C01.748",)),
    ]

    assert subjects.exact("cold", cold, "medical").ui == "D2"
    assert subjects.exact("cold", cold, "technology").ui == "D1"


@each_of("changed", [{"research_goal": "?!"}, {"max_queries": 0}, {"keywords": ["**"]}, {"keywords": ["a"] * 9}])
def test_a_request_that_cannot_be_meant_is_refused(changed):
    with pytest.raises(ValidationError):
        QueryRequest(**{"research_goal": "asthma", **changed})


def test_a_query_that_is_read_as_written_needs_no_notice():
    query = '("x"[Title/Abstract]) AND ("2021/11/22"[Date - Publication] : "3000"[Date - Publication])'
    answer = SearchAnswer(
        count=5, query_translation='"x"[Title/Abstract] AND 2021/11/22:3000/12/31[Date - Publication]'
    )

    query_check = counts.query_check(query, answer)

    assert (query_check.is_as_written, query_check.notices) == (True, [])


def test_a_query_that_pubmed_reads_otherwise_has_a_notice():
    answer = SearchAnswer(
        count=5, query_translation='"y"[All Fields]', quoted_phrases_not_found=('"x"[Title/Abstract]',)
    )

    query_check = counts.query_check('("x"[Title/Abstract])', answer)

    assert not query_check.is_as_written
    assert query_check.unknown == {"x[title/abstract]"}
    assert [notice.code for notice in query_check.notices] == ["QUERY_UNDERSTOOD"]
    assert '"y"[All Fields]' in query_check.notices[0].message


@each_of(
    ("query", "rest"),
    [
        ('("x"[Title] OR "y"[Title])', '("y"[Title])'),
        ('("y"[Title] OR "x"[Title] OR "z"[Title])', '("y"[Title] OR "z"[Title])'),
        ('("x"[Title]) AND ("y"[Title])', '("y"[Title])'),
        ('("y"[Title] OR ("x"[Title] AND "z"[Title]))', '("y"[Title] OR ("z"[Title]))'),
        ('("y"[Title]) NOT ("x"[Title])', '("y"[Title])'),
        ('("x"[Title])', ""),
    ],
)
def test_a_query_is_compared_without_the_terms_that_pubmed_does_not_know(query, rest):
    assert counts.without_terms(query, frozenset({"x[title]"})) == rest


def test_a_word_that_pubmed_does_not_know_is_no_other_reading():
    query = '("x"[Title] OR "y"[Title])'
    answer = SearchAnswer(count=5, query_translation='"y"[Title]', phrases_not_found=('"x"[Title]',))

    query_check = counts.query_check(query, answer)

    assert query_check.is_as_written
    assert query_check.unknown == {"x[title]"}


@each_of(("count", "fit"), [(100, 1), (10_000, 1), (10, 0.5), (100_000, 0.5), (1, 0), (10_000_000, 0)])
def test_the_size_counts_by_its_order_of_magnitude(count, fit):
    assert explanations.size_fit(count, "comprehensive") == pytest.approx(fit)


def test_confidence_is_the_sum_of_what_it_says():
    checked_query = CheckedQuery('("x"[Title]) AND ("y"[Title])', 500, frozenset({"y[title]"}), is_as_written=True)

    confidence_in = explanations.confidence_in(
        checked_query, has_heading=[True, False], phrases=2, strategy="comprehensive"
    )

    assert confidence_in.score == pytest.approx(0.15 + 0.1 + 0.35 + 0.15)
    assert "1 of 2 concepts" in confidence_in.in_words
    assert "500 articles are within the 100-10,000" in confidence_in.in_words


def test_a_query_without_results_has_no_confidence():
    assert (
        explanations.confidence_in(CheckedQuery("x", 0), has_heading=[True], phrases=1, strategy="focused").score == 0
    )


ANY = st.text(min_size=1, max_size=40)
SYNTAX = st.sampled_from(['" OR 1[Title]', ") NOT (", "x[MeSH Terms]", 'AND "', "((", "a]b[", "#1", "OR", "'", "zinc"])
TEXT = st.lists(ANY | SYNTAX, min_size=1, max_size=4).map(" ".join)
WORDS = TEXT.filter(wording.clean)
SKELETON = re.compile(
    r"\(*\"\"\[(?:MeSH Terms|MeSH Major Topic|Title/Abstract|Title|Publication Type|Date - Publication)\]\)*"
    r"(?: (?:AND|OR|NOT|:) \(*\"\"\[(?:MeSH Terms|MeSH Major Topic|Title/Abstract|Title|Publication Type"
    r"|Date - Publication)\]\)*)*"
)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    derandomize=True,
)
@given(
    goal=st.tuples(TEXT, st.just(" for zinc")).map("".join),
    keywords=st.lists(WORDS.map(lambda text: text[:90]).filter(wording.clean), max_size=3),
    excluded=st.lists(WORDS.map(lambda text: text[:90]).filter(wording.clean), max_size=3),
    strategy=st.sampled_from(STRATEGIES),
)
def test_no_text_of_a_caller_is_read_as_syntax(goal, keywords, excluded, strategy):
    request = QueryRequest(
        research_goal=goal, keywords=keywords, exclude_terms=excluded, query_strategy=strategy,
        time_frame="last_year", study_types=["Review"],
    )  # fmt: skip

    for query in map(str, strategy_drafts(strategy, *concepts_and_filters(request))):
        search.check(query)
        assert len(query) <= 10_000
        assert SKELETON.fullmatch(re.sub(r'"[^"]*"', '""', query)), query
        assert '("2025/11/22"[Date - Publication] : "3000"[Date - Publication])' in query
        assert '("Review"[Publication Type])' in query
        answer = " ".join(terms.phrases(query))
        required = [word for text in request.keywords for word in re.findall(r"\w+", wording.keyword(text))]
        assert all(word in answer or word.lower() in wording.STOP_WORDS for word in required)
        assert all(wording.keyword(text) in answer for text in request.exclude_terms)
