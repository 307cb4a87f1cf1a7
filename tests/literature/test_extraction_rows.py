"""Lists: of phrases with a quote each, of arms, and of outcomes with the facts in their own clauses."""

import json
from typing import Any

import pytest

from biofact.literature.extraction.findings import ArticleFeatures, Finding, in_one_place, span
from biofact.literature.extraction.rule_reading import RuleReader
from biofact.literature.extraction.schema import ExtractionSchema, SchemaField
from biofact.literature.pipeline import Pipeline
from tests import virtual_time
from tests.each_of import each_of
from tests.interfaces.ask import ERAS, body
from tests.interfaces.terminal import ask_in_virtual_time, biofact
from tests.literature.made_articles import article_stating
from tests.marks import requirement
from tests.served import served

pytestmark = pytest.mark.quick

ZINC = article_stating(
    "BACKGROUND: Colds are common. METHODS: We randomly assigned 135 adults with colds to zinc (n = 67) or placebo"
    " (n = 68). The primary outcome was duration of colds. Secondary outcomes were cough and fever. RESULTS: Duration"
    " of colds was shorter with zinc than with placebo (mean difference, -1.5 days; 95% CI, -2.5 to -0.5; P = 0.004)."
    " There was no difference in cough (risk ratio 0.97, 95% CI 0.80-1.18; P = 0.76); nausea was more frequent with"
    " zinc (OR 2.1, 95% CI 1.2 to 3.7). CONCLUSIONS: Zinc shortens colds.",
    title="Zinc for colds: a randomised trial",
)
ROW = {
    "name": "string", "primary": "boolean", "effect": "number", "interval": ["number"], "p_value": "number",
    "comparator": "string",
}  # fmt: skip


def read(schema: dict[str, Any], article=ZINC) -> ArticleFeatures:
    return RuleReader(ExtractionSchema.read(schema)).read(article)


def result(sentence: str, **parts: Any) -> list[dict[str, Any]]:
    rows = read({"outcomes": [parts or ROW]}, article_stating(f"RESULTS: {sentence}")).extraction.get("outcomes", [])
    return [row for row in rows if len(row) > 1]


@requirement("004 E-evidence")
def test_outcomes_have_what_their_own_clause_states() -> None:
    rows = read({"outcomes": [ROW]}).extraction["outcomes"]

    assert rows == [
        {
            "name": "Duration of colds",
            "primary": True,
            "effect": -1.5,
            "interval": [-2.5, -0.5],
            "p_value": 0.004,
            "comparator": "placebo",
        },
        {"name": "nausea", "effect": 2.1, "interval": [1.2, 3.7]},
        {"name": "cough", "primary": False, "effect": 0.97, "interval": [0.8, 1.18], "p_value": 0.76},
        {"name": "fever", "primary": False},
    ]


@requirement("004 E-evidence")
@each_of(
    "schema",
    [
        {"outcomes": [ROW]},
        {"arms": [{"name": "string", "n": "integer"}]},
        {"arms": "array[string]"},
        {"effects": [{"measure": "string", "value": "number"}]},
        {"p_values": "array[number]"},
    ],
)
def test_the_quote_of_an_entry_has_its_place(schema) -> None:
    features = read(schema)
    (name,) = schema
    values, quotes = features.values[name], features.evidence[name]

    assert len(values) == len(quotes) > 1
    for value, evidence in zip(values, quotes, strict=True):
        whole = ZINC.title if evidence.where == "title" else ZINC.abstract or ""
        assert whole[evidence.start : evidence.end] == evidence.quote
        texts = [value] if not isinstance(value, dict) else [part for key, part in value.items() if key == "name"]
        assert all(text in evidence.quote for text in texts if isinstance(text, str))


@each_of(
    ("sentence", "name"),
    [
        ("Mortality was lower with zinc (HR 0.7, 95% CI 0.5-0.9).", "Mortality"),
        ("Zinc significantly reduced pain scores (p = 0.01).", "pain scores"),
        ("There was no significant difference in length of stay (p = 0.4).", "length of stay"),
        ("The hazard ratio for death was 0.7 (95% CI 0.5-0.9).", "death"),
        ("The zinc group had fewer sick days than the placebo group (p = 0.03).", "sick days"),
        ("In the zinc group, the mean cough score fell by half (p < 0.001).", "cough score"),
        ("Zinc was associated with a lower risk of pneumonia (OR 0.5, 95% CI 0.3-0.8).", "pneumonia"),
    ],
)
def test_a_clause_names_its_outcome_in_many_ways(sentence: str, name: str) -> None:
    assert [row["name"] for row in result(sentence)] == [name]


def test_statistics_of_one_clause_are_not_given_to_another() -> None:
    rows = result("Fever was rarer with zinc (OR 0.5, 95% CI 0.3-0.8) but cough was as frequent (p = 0.6).")

    assert rows == [{"name": "Fever", "effect": 0.5, "interval": [0.3, 0.8]}, {"name": "cough", "p_value": 0.6}]


@each_of(
    "sentence",
    ["Patients who took zinc did well (p = 0.01).", "The zinc group was better (p = 0.01).", "It was alike (p = 0.9)."],
)
def test_people_and_groups_are_no_outcomes(sentence: str) -> None:
    assert result(sentence) == []


def test_primary_is_stated_only_where_the_text_states_it() -> None:
    assert result("The primary end point, relapse, was rarer with zinc (p = 0.01).")[0]["primary"] is True
    assert "primary" not in result("Mortality was lower with zinc (p = 0.01).")[0]


def test_parts_may_be_objects_or_have_other_names() -> None:
    parts = {
        "endpoint": "string",
        "type": "string",
        "effect_size": {"measure": "string", "value": "number", "direction": "string"},
        "ci": "string",
        "p": "string",
        "significant": "boolean",
        "confidence_interval": {"lower": "number", "upper": "number"},
    }
    first, *_ = read({"endpoints": [parts]}).extraction["endpoints"]

    assert first == {
        "endpoint": "Duration of colds",
        "type": "primary",
        "effect_size": {"measure": "MD", "value": -1.5, "direction": "lower"},
        "ci": "95% CI -2.5 to -0.5",
        "p": "p=0.004",
        "significant": True,
        "confidence_interval": {"lower": -2.5, "upper": -0.5},
    }


def test_a_part_that_names_a_measure_takes_no_other() -> None:
    parts = {"features": "string", "odds_ratio": "number", "ci": ["number"]}

    assert result("Fever was rarer (OR 0.5, 95% CI 0.3-0.8).", **parts)[0]["odds_ratio"] == 0.5
    assert result("Fever was rarer (HR 0.5, 95% CI 0.3-0.8).", **parts) == []


@each_of(
    ("group", "parts"),
    [
        ("arms", {"name": "string", "n": "integer"}),
        ("study_arms", {"label": "string", "participants": "number"}),
        ("groups", {"group": "string", "size": "integer"}),
        ("interventions", {"name": "string", "number_of_patients": "integer"}),
    ],
)
def test_arms_are_read_under_many_names(group: str, parts: dict[str, str]) -> None:
    rows = read({group: [parts]}).extraction[group]

    assert [tuple(row.values()) for row in rows] == [("zinc", 67), ("placebo", 68)]


def test_arms_that_are_not_counted_are_read_by_name() -> None:
    article = article_stating(
        "METHODS: Adults took zinc or placebo.", title="Zinc versus placebo for colds: a randomised trial"
    )
    schema = {"arms": [{"name": "string", "n": "integer"}], "groups": "array[string]"}

    values = read(schema, article).extraction

    assert [row["name"].lower() for row in values["arms"]] == ["zinc", "placebo"]
    assert [name.lower() for name in values["groups"]] == ["zinc", "placebo"]


def test_rows_that_rules_cannot_fill_are_named() -> None:
    reader = RuleReader(ExtractionSchema.read({"sites": [{"city": "string"}], "outcomes": [ROW]}))

    assert reader.not_read == ("sites",)


def test_entries_of_several_spans_stand_on_the_stretch_that_holds_them() -> None:
    text = "a total of 30 with zinc and 31 without"
    finding = Finding(61, (span("abstract", text, 11, 13), span("abstract", text, 28, 30)), is_derived=True)

    assert in_one_place(finding, {"abstract": text}).evidence == (span("abstract", text, 11, 30),)


def test_equal_quotes_of_two_entries_are_both_kept() -> None:
    text = "0.5 to 0.9"
    evidence = (span("abstract", text, 0, 10),)
    features = ArticleFeatures(method="rules")
    leaf = SchemaField("ci", "ci", "array", items=SchemaField("ci", "ci", "number"))

    features.add(leaf, [0.5, 0.9], [Finding(0.5, evidence), Finding(0.9, evidence)])

    assert [piece.quote for piece in features.evidence["ci"]] == [text, text]


def test_phrases_of_a_list_have_at_most_fifteen_words() -> None:
    values = read({"outcomes": "array[string]", "arms": "array[string]"}).extraction

    assert all(len(value.split()) <= 15 for value in [*values["arms"], *values["outcomes"]])


ROW_SCHEMA = {"arms": [{"name": "string", "n": "integer"}]}
ROW_ARTICLES = [{"id": "PMID:1", "title": ZINC.title, "abstract": ZINC.abstract}]


def check_rows(answer: dict[str, Any]) -> None:
    """Compare the wire form of an answer with the facts in the article."""
    (extraction,) = answer["extractions"]

    assert extraction["extraction"] == {"arms": [{"name": "zinc", "n": 67}, {"name": "placebo", "n": 68}]}
    quotes = [piece["quote"] for piece in extraction["extraction_metadata"]["evidence"]["arms"]]
    assert quotes == ["zinc (n = 67)", "placebo (n = 68)"]


@requirement("004 E-evidence")
def test_the_pipeline_sends_rows_with_their_quotes() -> None:
    async def answer() -> dict[str, Any]:
        async with Pipeline() as pipeline:
            return (await pipeline.pubmed_extract_features(ROW_SCHEMA, ROW_ARTICLES)).model_dump(mode="json")

    check_rows(virtual_time.run(answer()))


@each_of("era", ERAS)
def test_servers_send_rows_with_their_quotes(era: str) -> None:
    async def answer() -> dict[str, Any]:
        async with served(protocol=era) as gateway:
            arguments = {"articles": ROW_ARTICLES, "extraction_schema": ROW_SCHEMA}
            return body(await gateway.client.call_tool_mcp("pubmed_extract_features", arguments))

    check_rows(virtual_time.run(answer()))


def test_the_command_writes_rows_with_their_quotes(capsys, monkeypatch, tmp_path) -> None:
    ask_in_virtual_time(monkeypatch)
    articles = tmp_path / "articles.json"
    articles.write_text(json.dumps(ROW_ARTICLES))
    words = ("pubmed", "extract-features", json.dumps(ROW_SCHEMA), "--articles", f"@{articles}", "--format", "json")

    check_rows(json.loads(biofact(capsys, monkeypatch, *words).stdout))
