"""The training data of a model: labels and features in users' files. Training itself needs the extra ``ml``."""

import pytest

from biofact.core.usage import WrongUsage
from biofact.interfaces.cli.review_commands import read_features, read_labels
from biofact.literature.records import CanonicalPubMedExtraction
from tests.literature.made_reviews import plan, run, work

pytestmark = pytest.mark.quick


@pytest.fixture
def labels(tmp_path):
    """A file of labels, as a spreadsheet saves it."""

    def write_labels(text, encoding="utf-8-sig"):
        (tmp_path / "labels.csv").write_bytes(text.encode(encoding))
        return tmp_path / "labels.csv"

    return write_labels


def test_labels_are_read_by_pmid_in_all_written_forms(labels):
    file = labels("PMID;x\n1\n")
    with pytest.raises(WrongUsage, match="has no columns pmid and label"):
        read_labels(file)

    file = labels("pmid,Label\r\nPMID:12,include\r\n 13 ,Exclude\r\n14,\r\n12,INCLUDE\r\n")
    assert read_labels(file) == {"12": "include", "13": "exclude"}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("pmid,label\n12,include\n12,exclude\n", "PMID 12 has two labels"),
        ("pmid,label\ntwelve,include\n", "Line 2 of .* has no PMID: 'twelve'"),
        ("", "is empty"),
    ],
)
def test_labels_that_cannot_be_used_are_refused(text, answer, labels):
    with pytest.raises(WrongUsage, match=answer):
        read_labels(labels(text))


def test_a_file_that_is_no_table_is_refused(labels):
    with pytest.raises(WrongUsage, match="is no table"):
        read_labels(labels("pmid,label\n12,a\n13,b\n14,c\n15,d\n16,include,x\n"))


def test_labels_are_read_in_the_form_of_any_spreadsheet(labels):
    assert read_labels(labels("PMID;Label\n12;inclus\u00e9\n", encoding="latin-1")) == {"12": "inclus\u00e9"}


def test_the_table_of_a_review_is_read_back_as_it_was_extracted(tmp_path):
    run(plan(), tmp_path / "run")
    features = read_features(tmp_path / "run")

    rows = [
        CanonicalPubMedExtraction.model_validate(row)
        for file in work(tmp_path / "run", "features")
        for row in _rows(file)
    ]
    assert features == {row.item_id.removeprefix("PMID:"): row.extraction for row in rows}
    assert features == read_features(tmp_path / "run" / "features.csv")


def _rows(file):
    import json  # noqa: PLC0415  # here alone

    return json.loads(file.read_bytes().partition(b"\n")[2])["rows"]


def test_a_table_alone_is_read_by_the_look_of_its_values(tmp_path):
    (tmp_path / "features.csv").write_text(
        "item_id,feature:size,feature:blind,feature:effect.value,feature:drug,evidence:size\n"
        "PMID:1,120,true,-0.5,'-aspirin,n = 120\nPMID:2,,,0,007,\n"
    )

    assert read_features(tmp_path) == {
        "1": {"size": 120, "blind": True, "effect": {"value": -0.5}, "drug": "-aspirin"},
        "2": {"effect": {"value": 0}, "drug": "007"},
    }
