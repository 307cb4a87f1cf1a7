"""Failures and lists in specification 000, through a real MCP client on the sandbox."""

import pytest

from biofact.sandbox import Fault
from tests.each_of import each_of
from tests.marks import requirement
from tests.served import replies, server_of

pytestmark = pytest.mark.quick


def answer(tool, *, faults=(), **arguments):
    """The answer of the server of this source alone."""

    return replies((tool, arguments), server=server_of("entrez"), faults=faults)[0]


@requirement("000 R4-err-429")
def test_a_rate_limit_says_how_long_to_wait_and_that_a_key_allows_more():
    throttled = Fault("status", status=429, headers={"Retry-After": "60"}, times=None)
    failure = answer("get_gene", entrez_id="NCBIGene:7157", faults=[throttled]).error

    assert failure["code"] == "RATE_LIMITED"
    assert failure["recovery"] == {"retry_after_seconds": 60}
    assert "60 seconds" in failure["recovery_hint"]
    assert "NCBI_API_KEY" in failure["recovery_hint"]


@requirement("000 R5-curie")
@each_of("text", ["7157", "TP53", "NCBI:7157"])
def test_papers_of_a_malformed_id_are_refused(text):
    failure = answer("get_pubmed_links", entrez_id=text).error

    assert (failure["code"], failure["invalid_input"]) == ("UNRESOLVED_ENTITY", text)


@requirement("000 R5-limit")
def test_a_limit_beyond_the_papers_gives_them_all():
    page = answer("get_pubmed_links", entrez_id="NCBIGene:672", limit=100).body

    assert 8 < len(page["items"]) == page["pagination"]["total_count"] < 100
    assert page["pagination"]["cursor"] is None


@requirement("000 R7-short")
def test_a_query_of_one_character_is_refused_with_the_least_length():
    failure = answer("search_genes", query="p").error

    assert failure["code"] == "AMBIGUOUS_QUERY"
    assert "2 to 300 characters" in failure["message"]
    assert failure["recovery_hint"]


@requirement("000 R7-invalid")
@each_of("tool", ["get_gene", "get_pubmed_links"])
def test_a_malformed_id_leads_to_the_search(tool):
    failure = answer(tool, entrez_id="TP53").error

    assert failure["code"] == "UNRESOLVED_ENTITY"
    assert "search_genes" in failure["recovery_hint"]
    assert failure["recovery"] == {"tool": "search_genes", "arguments": {"query": "TP53"}}


@requirement("000 R7-nf-hint")
def test_an_unknown_gene_leads_to_a_search_by_symbol():
    failure = answer("get_gene", entrez_id="NCBIGene:999999999").error

    assert failure["code"] == "ENTITY_NOT_FOUND"
    assert "search_genes" in failure["recovery_hint"]
