"""Extraction by rules: the specification's schemas, nested ones, and types that keep the meaning."""

from typing import Any

import pytest

from biofact.core.errors import UpstreamError
from biofact.literature.extraction.coercion import coerce
from biofact.literature.extraction.extractor import ExtractionRequest, Mode, extract_features
from biofact.literature.extraction.records import Extractions
from biofact.literature.extraction.rule_reading import RuleReader
from biofact.literature.extraction.schema import ExtractionSchema, SchemaField
from biofact.sources.pubmed.records import CanonicalPubMedArticle
from tests import virtual_time
from tests.each_of import each_of
from tests.literature.made_articles import BARE, COHORT, REVIEW, TRIAL, article_stating
from tests.literature.spec_examples import MEDICAL, TECHNOLOGY, USAGE
from tests.marks import requirement

pytestmark = pytest.mark.quick

HR = {"measure": "HR", "value": 0.74, "low": 0.52, "high": 1.05, "level": 95}
MD = {"measure": "MD", "value": -1, "low": -2, "high": 0.5, "level": 90}


def read(
    schema: dict[str, Any], *articles: CanonicalPubMedArticle, mode: Mode = "strict", **options: Any
) -> Extractions:
    request = ExtractionRequest(ExtractionSchema.read(schema), mode=mode, **options)
    return virtual_time.run(extract_features(articles or (TRIAL,), request, model=None))


def values(schema: dict[str, Any], article: CanonicalPubMedArticle = TRIAL) -> dict[str, Any]:
    return read(schema, article).extractions[0].extraction


@requirement("004 TPL-medical")
def test_the_medical_template() -> None:
    answer = read(MEDICAL, TRIAL, COHORT)

    assert answer.extractions[0].extraction == {
        "study_type": "randomized controlled trial",
        "participant_count": 822,
        "primary_outcome": "hip fracture at 24 months",
        "statistical_significance": False,
        "effect_size": 0.74,
    }
    assert answer.extractions[1].extraction_metadata.missing == ["primary_outcome"]
    statistics = answer.extraction_metadata
    assert (statistics.total_processed, statistics.successful_extractions, statistics.partial_extractions) == (2, 1, 1)
    assert (statistics.failed_extractions, statistics.tokens_used, statistics.method) == (0, 0, "rules")
    assert statistics.model is None
    assert answer.notices == []


@requirement("004 E-stats")
def test_the_counters_distinguish_whole_partial_and_empty_extractions() -> None:
    schema = {"study_type": "string", "participant_count": "number", "effect_size": "number"}
    answer = read(schema, TRIAL, COHORT, BARE, mode="best_effort")
    field_counts = [len(row.extraction) for row in answer.extractions]
    counts = answer.extraction_metadata

    assert (counts.total_processed, counts.tokens_used) == (3, 0)
    assert counts.successful_extractions == field_counts.count(3) > 0
    assert counts.failed_extractions == field_counts.count(0) > 0
    assert counts.partial_extractions == 3 - field_counts.count(3) - field_counts.count(0)


@requirement("004 E-evidence")
def test_every_value_has_evidence_that_stands_in_the_article() -> None:
    extraction = read(MEDICAL).extractions[0]

    assert set(extraction.extraction_metadata.evidence) == set(MEDICAL)
    for spans in extraction.extraction_metadata.evidence.values():
        for piece in spans:
            if piece.start is not None:
                assert (TRIAL.abstract if piece.where == "abstract" else TRIAL.title)[
                    piece.start : piece.end
                ] == piece.quote
    assert extraction.original_article == TRIAL


def test_fields_that_rules_cannot_read_are_named_in_one_notice() -> None:
    unreadable = ["methodology_quality", "relevance"]
    answer = read({**dict.fromkeys(unreadable, "string"), "code_availability": "boolean"})

    assert answer.extraction_metadata.fields_not_read_by_rules == unreadable
    assert answer.extractions[0].extraction == {"code_availability": True}
    (notice,) = answer.notices
    assert notice.code == "NOT_COVERED"
    assert ", ".join(unreadable) in notice.message


def test_silence_about_code_is_not_a_no() -> None:
    assert "code_availability" not in values(TECHNOLOGY, COHORT)


def test_a_denial_is_a_no_with_the_sentence_that_says_it() -> None:
    abstract = "Six models were compared. The code is not available."
    extraction = read({"has_code": "boolean", "code": "string"}, article_stating(abstract)).extractions[0]

    assert extraction.extraction == {"has_code": False, "code": "The code is not available."}
    assert [piece.quote for piece in extraction.extraction_metadata.evidence["has_code"]] == [
        "The code is not available."
    ]


def test_an_object_about_code_has_its_parts() -> None:
    schema = {"code": {"is_available": "boolean", "url": "string"}}

    assert values(schema)["code"] == {"is_available": True, "url": "https://github.com/example/falls"}
    assert values(schema, article_stating("The code is not available."))["code"] == {"is_available": False}


def test_a_gain_in_performance_is_a_number_in_percent_its_words_or_both() -> None:
    schema = {"performance_improvement": "number", "performance_gain": "string"}
    objects = {"performance_gains": [{"value": "number", "text": "string"}]}
    article = article_stating("The model is 5 times faster than its teacher.")
    extraction = read(schema | objects, article).extractions[0]

    assert extraction.extraction == {
        "performance_improvement": 400,
        "performance_gain": "5 times faster",
        "performance_gains": [{"value": 400, "text": "5 times faster"}],
    }
    assert extraction.extraction_metadata.derived == list(extraction.extraction)


def test_the_usage_example_with_instructions_that_rules_do_not_read() -> None:
    answer = read(USAGE, COHORT, instructions="- methodology: The main approach")

    assert "dataset_size" not in answer.extractions[0].extraction  # it counts people, no data
    assert answer.extractions[0].extraction["limitations"]
    assert [notice.code for notice in answer.notices] == ["TERM_IGNORED"]
    assert "not used by rules" in answer.notices[0].message


def test_nested_fields_are_filled_and_have_dotted_evidence() -> None:
    schema = {
        "effect": {"value": "number", "measure": "string", "ci": ["number"], "p_value": "number"},
        "study": {"design": {"enum": ["RCT", "cohort"]}, "size": "integer"},
        "outcome": {"name": "string"},
        "participants": {"total": "number", "description": "string"},
    }
    extraction = read(schema).extractions[0]

    assert extraction.extraction == {
        "effect": {"value": 0.74, "measure": "HR", "ci": [0.52, 1.05], "p_value": 0.09},
        "study": {"design": "RCT", "size": 822},
        "outcome": {"name": "hip fracture at 24 months"},
        "participants": {"total": 822, "description": "patients with osteoporosis"},
    }
    assert {"effect.value", "effect.ci", "study.size"} <= set(extraction.extraction_metadata.evidence)


def test_lists_of_objects_have_an_entry_for_each_finding() -> None:
    schema = {"effects": [{"measure": "string", "value": "number"}], "interventions": [{"name": "string"}]}

    extraction = values(schema)

    assert extraction["effects"] == [{"measure": "HR", "value": 0.74}]
    assert [entry["name"].lower() for entry in extraction["interventions"]] == ["vitamin d"]


def test_fields_of_the_record_need_no_rules() -> None:
    schema = {"year": "integer", "keywords": "array[string]", "title": "string", "journal": "string", "doi": "number"}
    answer = read(schema)

    extraction = answer.extractions[0]
    assert extraction.extraction == {"year": 2021, "keywords": ["falls", "vitamin D"], "title": TRIAL.title}
    assert [piece.quote for piece in extraction.extraction_metadata.evidence["keywords"]] == ["falls", "vitamin D"]
    assert answer.extraction_metadata.fields_not_read_by_rules == ["doi"]


def test_an_object_that_narrows_what_is_meant_is_not_filled() -> None:
    reader = RuleReader(ExtractionSchema.read({"women": {"sample_size": "number"}, "outcome": {"p_value": "number"}}))

    assert reader.not_read == ("women.sample_size", "outcome.p_value")
    assert reader.read(TRIAL).extraction == {}


def test_a_name_that_says_the_measure_gets_no_other() -> None:
    assert values({"hazard_ratio": "number", "odds_ratio": "number"}) == {"hazard_ratio": 0.74}
    assert values({"hazard_ratio": "number", "odds_ratio": "number"}, COHORT) == {"odds_ratio": 0.61}


def test_studies_of_a_review_are_no_participants() -> None:
    assert values({"sample_size": "number", "participant_count": "number"}, REVIEW) == {
        "sample_size": 24,
        "participant_count": 10345,
    }
    assert values({"number_of_studies": "integer"}, REVIEW) == {"number_of_studies": 24}
    assert values({"number_of_studies": "integer"}) == {}


def test_follow_up_is_a_number_only_where_the_unit_is_named() -> None:
    schema = {"follow_up_months": "number", "follow_up_years": "number", "follow_up": "string", "duration": "number"}
    reader = RuleReader(ExtractionSchema.read(schema))

    assert reader.not_read == ("duration",)
    assert reader.read(TRIAL).extraction == {"follow_up_months": 24, "follow_up_years": 2, "follow_up": "24 months"}


def test_a_broken_limit_fails_strict_and_is_logged_in_other_modes() -> None:
    schema = {"sample_size": {"type": "number", "maximum": 100}, "study_type": "string"}

    with pytest.raises(UpstreamError, match=r"PMID:90000001 .*sample_size: 822 is more than 100") as failure:
        read(schema)
    answer = read(schema, mode="partial")

    assert "partial" in failure.value.hint
    assert answer.extractions[0].extraction == {"study_type": "randomized controlled trial"}
    assert answer.extractions[0].extraction_metadata.errors == ["sample_size: 822 is more than 100"]
    assert answer.extraction_metadata.partial_extractions == 1


@each_of("mode", ["strict", "partial", "best_effort"])
def test_a_fact_that_is_not_stated_is_absent_in_every_mode(mode: Mode) -> None:
    answer = read(MEDICAL, BARE, mode=mode)

    assert answer.extractions[0].extraction.keys() <= {"study_type"}
    assert answer.extractions[0].extraction_metadata.errors == []
    is_empty = not answer.extractions[0].extraction
    counts = answer.extraction_metadata
    assert (counts.failed_extractions, counts.partial_extractions) == (int(is_empty), int(not is_empty))
    assert "PMID:90000005" in answer.notices[0].message


def test_articles_can_be_omitted_and_the_clock_replaced() -> None:
    ticks = iter((1.0, 1.25))
    request = ExtractionRequest(ExtractionSchema.read(MEDICAL), keeps_articles=False)
    answer = virtual_time.run(extract_features([TRIAL, TRIAL], request, model=None, clock=lambda: next(ticks)))

    assert [row.item_id for row in answer.extractions] == [TRIAL.id, TRIAL.id]
    assert answer.extractions[0].original_article is None
    assert answer.extraction_metadata.processing_time_ms == 250


@each_of(
    ("canonical", "value", "kind", "expected"),
    [
        ("effect_size", HR, "string", "HR 0.74 (95% CI 0.52-1.05)"),
        ("effect_size", MD, "string", "MD -1 (90% CI -2 to 0.5)"),
        ("effect_size", {"measure": "AUC", "value": 0.9}, "string", "AUC 0.9"),
        ("effect_size", HR, "number", 0.74),
        ("effect_size", HR, "integer", None),
        ("p_value", {"operator": "<", "value": 0.001, "text": "p<0.001"}, "string", "p<0.001"),
        ("p_value", {"operator": "<", "value": 0.001, "text": "p<0.001"}, "number", 0.001),
        ("confidence_interval", {"low": 0.52, "high": 1.05, "level": 95}, "string", "95% CI 0.52-1.05"),
        ("confidence_interval", {"low": 0.52, "high": 1.05, "level": 95}, "number", None),
        ("sample_size", 822, "string", "822"),
        ("study_type", "cohort study", "number", None),
        ("study_type", "cohort study", "boolean", None),
        ("statistical_significance", False, "boolean", False),
        ("statistical_significance", False, "string", "not significant"),
        ("code_availability", {"text": "Code is available."}, "boolean", True),
        ("code_availability", {"text": "Code is available."}, "string", "Code is available."),
        ("registration", ["NCT1", "NCT2"], "string", "NCT1; NCT2"),
        ("registration", ["NCT1"], "boolean", True),
        (None, "1,234", "number", 1234),
        (None, "about 12", "number", None),
        (None, "yes", "boolean", True),
        (None, "maybe", "boolean", None),
        (None, 0, "boolean", None),
        (None, "2019-11", "date", "2019-11"),
        (None, "November", "date", None),
    ],
)  # fmt: skip
def test_a_type_is_changed_only_where_the_meaning_is_kept(canonical: str, value: Any, kind: Any, expected: Any) -> None:
    assert coerce(value, SchemaField("x", "x", kind), canonical) == expected


@each_of(
    ("value", "members", "expected"),
    [
        ("randomized controlled trial", ("RCT", "cohort"), "RCT"),
        ("randomized controlled trial", ("Randomised Controlled Trial",), "Randomised Controlled Trial"),
        ("randomized controlled trial", ("trial", "observational"), "trial"),
        ("cohort study", ("interventional", "Observational"), "Observational"),
        ("case report", ("RCT", "cohort"), None),
        ("meta-analysis", ("Meta-Analysis", "review"), "Meta-Analysis"),
    ],
)
def test_enums_match_by_spelling_synonym_or_broader_kind(value: str, members: tuple[str, ...], expected: Any) -> None:
    assert coerce(value, SchemaField("x", "x", "string", enum=members), "study_type") == expected


@each_of(
    ("results", "not_read"),
    [
        ("Pain fell (P = 0.01). Sleep did not change (P = 0.8).", ["p_value"]),
        ("Pain fell, and sleep did not change.", []),
    ],
)
def test_what_a_second_reading_finds_is_not_read_rather_than_not_stated(results, not_read) -> None:
    features = RuleReader(ExtractionSchema.read({"p_value": "number"})).read(article_stating(f"RESULTS: {results}"))

    assert features.values == {}
    assert features.not_read == not_read
