"""Requests to Ensembl and EBI Search, in the services' own form."""

import pytest

from biofact.sources.ensembl import service
from tests.each_of import each_of

pytestmark = pytest.mark.quick


def request_line(request):
    return request.method, request.quoted_path, dict(request.params), request.json


def test_questions_are_put_as_the_services_take_them():
    assert request_line(service.lookup(["A", "B"], "Gene")) == (
        *("POST", "/lookup/id", {"object_type": "Gene"}),
        {"ids": ["A", "B"]},
    )
    expanded_params = request_line(service.lookup(["A"], "Transcript", expanded=True))[2]
    assert expanded_params == {"object_type": "Transcript", "expand": "1", "mane": "1"}
    assert request_line(service.lookup_symbols("homo_sapiens", ["TP53"])) == (
        *("POST", "/lookup/symbol/homo_sapiens", {}),
        {"symbols": ["TP53"]},
    )
    assert request_line(service.xrefs("A", "Gene")) == (
        *("GET", "/xrefs/id/A"),
        {"object_type": "Gene", "all_levels": "1"},
        None,
    )
    for sequence_type, kind in (("cdna", "Transcript"), ("cds", "Transcript"), ("protein", "Translation")):
        params = {"object_type": kind, "type": sequence_type}
        assert request_line(service.sequence("A", sequence_type)) == ("GET", "/sequence/id/A", params, None)
    assert request_line(service.archive("A")) == ("GET", "/archive/id/A", {}, None)
    assert request_line(service.species()) == ("GET", "/info/species", {"division": "EnsemblVertebrates"}, None)
    assert request_line(service.gene_search("(tp53) AND TAXONOMY:9606", 15, 100)) == (
        *("GET", "/ensembl_gene"),
        {
            "query": "(tp53) AND TAXONOMY:9606",
            "size": "100",
            "start": "15",
            "fields": "id,name,description,gene_name,gene_synonym,transcript_count,species",
            "format": "json",
        },
        None,
    )


@each_of(("symbol", "part"), [("HER2/neu", "HER2%2Fneu"), ("a?b#c d", "a%3Fb%23c%20d"), ("p53", "p53")])
def test_a_symbol_cannot_leave_its_part_of_the_path(symbol, part):
    assert service.xrefs_of_symbol("homo_sapiens", symbol).quoted_path == f"/xrefs/symbol/homo_sapiens/{part}"
