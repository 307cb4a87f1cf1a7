"""The written forms of Ensembl's stable IDs, and the errors for other forms."""

import re

import pytest

from biofact.core.errors import CallTool, ToolRef, UnresolvedEntity
from biofact.sources.ensembl.identifiers import GENE_ID, TRANSCRIPT_ID
from tests.each_of import each_of

pytestmark = pytest.mark.quick

SEARCH = ToolRef("ensembl", "search_genes")
GET_GENE = ToolRef("ensembl", "get_gene")
GET_TRANSCRIPT = ToolRef("ensembl", "get_transcript")

GENES = [
    *("ENSG00000141510", "ENSG00000141510.18", "ENSMUSG00000059552", "ENSMUSG00000059552.14", "ENSRNOG00000010756"),
    *("FBgn0039044", "WBGene00000467", "YAL001C", "YAL001C-A", "LRG_321", "MGP_CAROLIEiJ_G0012345"),
    "MGP_C57BL6NJ_G0012345.2",
]
TRANSCRIPTS = [
    *("ENST00000269305", "ENST00000269305.9", "ENSMUST00000108658", "FBtr0084557", "Y74C9A.2a.1", "Y74C9A.3.1"),
    *("YAL001C_mRNA", "LRG_321t1", "MGP_CAROLIEiJ_T0012345"),
]


def refusal_of(kind, value) -> UnresolvedEntity:
    with pytest.raises(UnresolvedEntity) as error:
        kind.check(value)
    assert error.value.invalid_input == value
    return error.value


@each_of("value", GENES)
def test_a_gene_id_is_taken_by_the_gene_kind_and_sent_there_by_the_other(value):
    assert GENE_ID.check(value) == value

    error = refusal_of(TRANSCRIPT_ID, value)
    assert error.message == f"'{value}' is an Ensembl gene ID, not an Ensembl transcript ID."
    assert error.hint == "Call ensembl.get_gene for it."
    assert error.recovery == CallTool(GET_GENE, {"ensembl_id": value})


@each_of("value", TRANSCRIPTS)
def test_a_transcript_id_is_taken_by_the_transcript_kind_and_sent_there_by_the_other(value):
    assert TRANSCRIPT_ID.check(value) == value

    error = refusal_of(GENE_ID, value)
    assert error.message == f"'{value}' is an Ensembl transcript ID, not an Ensembl gene ID."
    assert error.hint == "Call ensembl.get_transcript for it."
    assert error.recovery == CallTool(GET_TRANSCRIPT, {"transcript_id": value})


@each_of("kind", [GENE_ID, TRANSCRIPT_ID])
def test_no_id_is_of_both_kinds_and_the_example_is_of_its_own(kind):
    geness = [value for value in (*GENES, *TRANSCRIPTS) if re.fullmatch(kind.pattern, value)]

    assert geness == (GENES if kind is GENE_ID else TRANSCRIPTS)
    assert kind.check(kind.example) == kind.example


@each_of(
    ("kind", "value", "right"),
    [
        (GENE_ID, "ensg00000141510", "ENSG00000141510"),
        (GENE_ID, " ENSG00000141510 ", "ENSG00000141510"),
        (GENE_ID, "Ensembl:ENSG00000141510", "ENSG00000141510"),
        (GENE_ID, "ENSEMBL:ensg00000141510.18", "ENSG00000141510"),
        (GENE_ID, "ENSG00000182378.14_PAR_Y", "ENSG00000182378"),
        (GENE_ID, "fbgn0039044", "FBgn0039044"),
        (GENE_ID, "WBGENE00000467", "WBGene00000467"),
        (GENE_ID, "yal001c", "YAL001C"),
        (GENE_ID, "lrg_321", "LRG_321"),
        (TRANSCRIPT_ID, "enst00000269305.9", "ENST00000269305"),
        (TRANSCRIPT_ID, "ensembl:ENST00000269305", "ENST00000269305"),
        (TRANSCRIPT_ID, "fbTR0084557", "FBtr0084557"),
        (TRANSCRIPT_ID, "yal001c_mrna", "YAL001C_mRNA"),
        (TRANSCRIPT_ID, "y74c9a.2a.1", "Y74C9A.2a.1"),
        (TRANSCRIPT_ID, "lrg_321t1", "LRG_321t1"),
    ],
)
def test_another_spelling_is_refused_with_the_right_one_and_a_search_for_it(kind, value, right):
    error = refusal_of(kind, value)

    assert (
        error.hint
        == f"If you mean {right}, write it that way; otherwise call ensembl.search_genes to resolve the name first."
    )
    assert error.recovery == CallTool(SEARCH, {"query": right})
    assert kind.check(right) == right


@each_of("kind", [GENE_ID, TRANSCRIPT_ID])
@each_of(
    ("value", "query"),
    [
        ("TP53", "TP53"),
        (" tumor protein p53 ", "tumor protein p53"),
        ("HGNC:11998", "HGNC:11998"),
        ("NM_000546.6", "NM_000546.6"),
        ("ENSP00000269305", "ENSP00000269305"),  # the search knows whose product it is
        ("ensp00000269305.4", "ENSP00000269305"),
        ("ENSG0000014151", "ENSG0000014151"),
        (7157, "7157"),
    ],
)
def test_a_text_that_is_no_id_of_the_kind_leads_to_a_search(kind, value, query):
    error = refusal_of(kind, value)

    assert error.message.endswith(f"; expected a form like {kind.example!r}.")
    assert error.hint == "Call ensembl.search_genes to resolve the name first."
    assert error.recovery == CallTool(SEARCH, {"query": query})


@each_of("kind", [GENE_ID, TRANSCRIPT_ID])
@each_of("value", ["", "  ", "x", "x" * 400, None, True, 5, 1.5, ["ENSG00000141510"], b"ENSG00000141510"])
def test_a_text_that_cannot_be_a_query_has_no_recovery(kind, value):
    assert refusal_of(kind, value).recovery is None


@each_of(
    "value",
    [
        *("ENSG00000141510\n", "ENSG00000141510.", "ENSG00000141510.1234", "ENSG0000014151\u0660", "xENSG00000141510"),
        *("ENSG000001415100", "ENSG00000141510.18.1", "FBgn00390440", "YQL001C", "LRG_", "ENSGT00000000001"),
    ],
)
def test_a_gene_id_is_exact(value):
    refusal_of(GENE_ID, value)
