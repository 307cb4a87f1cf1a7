"""Exports, read back by readers of our own that are independent of the code."""

import csv
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.literature.exports import bibtex, features_table, json_lines, ranking_table, ris
from biofact.literature.records import CanonicalPubMedExtraction, ExtractionMetadata
from biofact.tables.spreadsheet import harmless
from tests.each_of import each_of
from tests.literature.made_ranking import EVIDENCE, EXTRACTION, chapter, preprint, ranking, retracted, trial

pytestmark = pytest.mark.quick

ALL = [trial(), chapter(), preprint(), retracted()]
TEXTS = st.text(st.characters(codec="utf-8"), max_size=60)


def read_csv(text):
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def test_the_ranking_as_a_table():
    rows = read_csv(ranking_table(ranking()[1].rows))
    head, first, third = rows[0], dict(zip(rows[0], rows[1], strict=True)), dict(zip(rows[0], rows[3], strict=True))

    assert (len(rows), len({len(row) for row in rows})) == (9, 1)
    assert head[:4] == ["rank", "item_id", "title", "first_author"]
    assert (first["citation_count"], first["relative_citation_ratio"]) == ("431", "6.2")
    assert (first["is_retracted"], first["flags"]) == ("false", "")
    assert third["flags"] == "retracted; expression_of_concern"
    assert (third["citation_count"], third["feature:sample_size"]) == ("", "99999")


SECOND = {
    "item_id": "PMID:99000002",
    "feature:change": "-0.8",
    "feature:is_open": "true",
    "feature:note": '\'-0.8 "or less",\nor =1+1',
}


def test_the_features_as_a_table_with_their_evidence():
    canonical_pub_med_extraction = CanonicalPubMedExtraction(
        item_id="PMID:99000001",
        original_article=trial(),
        extraction=EXTRACTION,
        extraction_metadata=ExtractionMetadata(method="rules", evidence=EVIDENCE["PMID:99000001"]),
    )
    other = CanonicalPubMedExtraction(
        item_id="PMID:99000002",
        extraction={"change": -0.8, "note": '-0.8 "or less",\nor =1+1', "is_open": True},
        extraction_metadata=ExtractionMetadata(method="model"),
    )
    head, first, second = read_csv(features_table([canonical_pub_med_extraction, other]))

    assert dict(zip(head, first, strict=True)) == {
        **dict.fromkeys(head, ""),
        "item_id": "PMID:99000001",
        "title": "Synthestatin in <adults> & mortality: a 100% randomized_trial.",
        "year": "2023",
        "journal": "Synth Clin Trials",
        "feature:effect.interval": "0.55; 0.92",
        "evidence:effect.interval": "95% CI, 0.55 to 0.92",
        "feature:effect.kind": "hazard ratio",
        "feature:effect.value": "0.71",
        "evidence:effect.value": "hazard ratio, 0.71",
        "feature:p_value": "0.009",
        "evidence:p_value": "P=0.009",
        "feature:primary_outcome": "death from any cause",
        "evidence:primary_outcome": "death from any cause",
        "feature:sample_size": "1204",
        "evidence:sample_size": "1204 adults",
        "feature:study_type": "Randomized Controlled Trial",
        "evidence:study_type": "randomly assigned 1204 adults to synthestatin or placebo in a double-blind trial |"
        " Randomized Controlled Trial",
    }
    assert {name: cell for name, cell in zip(head, second, strict=True) if cell} == SECOND


@each_of("begins", ["=", "+", "-", "-1", "@", "\t", "\r", "\n", " =", "\uff1d"])
def test_a_cell_that_begins_like_a_formula_is_made_harmless(begins):
    assert harmless(f"{begins}cmd|' /C calc'!A0") == f"'{begins}cmd|' /C calc'!A0"


@each_of("text", ["", "1-2", "a=b", "x@y", "\u22120.8", "'quoted'", "-1", "-0.37", "-.5", "-2.5e-08"])
def test_other_cells_stay_as_they_are(text):
    assert harmless(text) == text


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=4))
def test_every_table_is_read_back_cell_by_cell(pairs):
    extractions = [
        CanonicalPubMedExtraction(
            item_id=f"PMID:{99000001 + i}",
            extraction={"one": item, "other": other},
            extraction_metadata=ExtractionMetadata(method="rules"),
        )
        for i, (item, other) in enumerate(pairs)
    ]
    text = features_table(extractions)

    expected = [[dump["item_id"], "", "", "", *(harmless(dump["extraction"][name]) for name in ("one", "other"))]
                for dump in (record.model_dump() for record in extractions)]  # fmt: skip
    assert [[cell for i, cell in enumerate(row) if i not in {5, 7}] for row in read_csv(text)[1:]] == expected
    assert text.endswith("\r\n")


def test_json_lines_are_read_back_as_the_same_records():
    text = json_lines([*ALL, trial()])
    lines = text.split("\n")

    assert lines.pop() == ""
    assert [type(trial()).model_validate_json(line) for line in lines] == [*ALL, trial()]
    assert all(None not in json.loads(line).values() for line in lines)


def test_nothing_makes_empty_files_and_a_table_its_head():
    assert (ris([]), bibtex([]), json_lines([])) == ("", "", "")
    assert read_csv(features_table([])) == [["item_id", "title", "year", "journal"]]
    assert read_csv(ranking_table([]))[0][:2] == ["rank", "item_id"]


def test_the_same_articles_make_the_same_text():
    rows = ranking()[1].rows

    assert (ris(ALL), bibtex(ALL), ranking_table(rows)) == (ris(list(ALL)), bibtex(tuple(ALL)), ranking_table(rows))
