"""The fields of a gene and a transcript in specification 001."""

import pytest

from tests.each_of import each_of
from tests.marks import requirement
from tests.served import replies, server_of

pytestmark = pytest.mark.quick

GENE = {
    "id": "ENSG00000141510",
    "symbol": "TP53",
    "name": "tumor protein p53",
    "biotype": "protein_coding",
    "assembly_name": "GRCh38",
    "strand": -1,
    "chromosome": "17",
}
TRANSCRIPT = {
    "id": "ENST00000269305",
    "biotype": "protein_coding",
    "parent_gene": "ENSG00000141510",
    "strand": -1,
}


@requirement("001 FR-010", "001 FR-013")
@each_of(
    ("tool", "argument", "fields"),
    [("get_gene", "ensembl_id", GENE), ("get_transcript", "transcript_id", TRANSCRIPT)],
)
def test_a_gene_and_a_transcript_have_the_specified_fields(tool, argument, fields):
    (answer,) = replies((tool, {argument: fields["id"]}), server=server_of("ensembl"))
    record = answer.body

    assert {name: record[name] for name in fields} == fields
    assert 7_660_000 < record["start"] < record["end"] < 7_700_000
