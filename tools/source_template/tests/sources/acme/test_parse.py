"""Payloads to records, as a whole. Take a recorded payload in place of this one as soon as there is one."""

import json

import pytest

from biofact.core.errors import UpstreamError
from biofact.sources.acme import parse

pytestmark = pytest.mark.quick

RECORD = {
    "id": "1001",
    "symbol": "BRCA1",
    "name": "BRCA1 DNA repair associated",
    "aliases": ["RNF53"],
    "ensembl_id": "ENSG00000012048",
    "entrez_id": "672",
    "uniprot_ids": ["P38398", "none"],
}


def test_a_record_is_read_as_a_whole():
    entry = parse.entry(json.dumps(RECORD).encode())

    assert entry.model_dump() == {
        "id": "ACME:1001",
        "symbol": "BRCA1",
        "name": "BRCA1 DNA repair associated",
        "aliases": ["RNF53"],
        "cross_references": {
            "ensembl_gene": "ENSG00000012048",
            "entrez": "672",
            "uniprot": ["UniProtKB:P38398"],
        },
        "notices": [
            {"code": "INVALID_CROSS_REFERENCE", "message": "'none' is no uniprot identifier, and left out."},
        ],
    }


def test_a_record_without_its_symbol_is_refused():
    with pytest.raises(UpstreamError, match="Acme sent a record without 'symbol'"):
        parse.entry(json.dumps({**RECORD, "symbol": None}).encode())
