"""The acceptance scenarios and edge cases of specification 001, through a real MCP client on the sandbox."""

import pytest

from biofact.sandbox import Fault
from tests import virtual_time
from tests.each_of import each_of
from tests.marks import requirement
from tests.sandboxed import LIFE
from tests.served import replies, server_of

pytestmark = pytest.mark.quick

TP53, BRCA1 = "ENSG00000141510", "ENSG00000012048"
DOWN = Fault("status", status=503, times=None)
THROTTLED = Fault("status", status=429, body=b"Too many requests", headers={"Retry-After": "40.0"}, times=None)


def answers(*calls, faults=(), timing=LIFE):
    """The answers of the server of this source alone to these calls, one after another."""

    return replies(*calls, server=server_of("ensembl"), faults=faults, timing=timing)


def answer(tool, *, faults=(), timing=LIFE, **arguments):
    return answers((tool, arguments), faults=faults, timing=timing)[0]


# Story 1: fuzzy gene search


@requirement("001 US1-1", "001 FR-002", "001 FR-005")
def test_a_symbol_gives_a_page_of_ranked_candidates_with_ensembl_ids():
    page = answer("search_genes", query="BRCA1").body

    assert set(page["pagination"]) == {"cursor", "total_count", "page_size"}
    assert page["pagination"]["page_size"] == 50
    first = page["items"][0]
    assert (first["id"], first["biotype"], first["score"], first["match"]) == (BRCA1, "protein_coding", 1.0, "symbol")
    assert first["name"] == "BRCA1 DNA repair associated"


@requirement("001 US1-2")
def test_a_partial_name_gives_several_ranked_candidates():
    page = answer("search_genes", query="tumor protein").body

    assert {"TP53", "TP63", "TP73", "TPT1"} <= {row["symbol"] for row in page["items"]}
    scores = [row["score"] for row in page["items"]]
    assert scores == sorted(scores, reverse=True)
    assert all("tumor protein" in row["name"] for row in page["items"][:4])


@requirement("001 US1-3", "001 FR-003")
def test_a_species_filter_lets_only_that_species_through():
    pages = answers(
        ("search_genes", {"query": "TP53", "species": "human"}),
        ("search_genes", {"query": "tumor protein", "species": "human"}),
    )

    for page in pages:
        assert page.body["items"]
        assert {row["species"] for row in page.body["items"]} == {"homo_sapiens"}


# Story 2: strict gene lookup


@requirement("001 US2-1", "001 FR-011", "001 KE-Gene", "001 SC-003")
def test_a_gene_id_gives_the_whole_gene():
    gene = answer("get_gene", ensembl_id=TP53).body

    assert gene["symbol"] == "TP53"
    assert gene["name"] == "tumor protein p53"
    assert (gene["biotype"], gene["chromosome"], gene["strand"]) == ("protein_coding", "17", -1)
    assert gene["assembly_name"] == "GRCh38"
    assert 7_600_000 < gene["start"] < gene["end"] < 7_700_000
    xrefs = gene["cross_references"]
    assert xrefs["hgnc"] == "HGNC:11998"
    assert xrefs["entrez"] == "7157"
    assert xrefs["omim"] == "191170"
    assert xrefs["uniprot"] == ["UniProtKB:P04637"]
    assert "NM_000546" in xrefs["refseq"]
    assert xrefs["ensembl_transcript"][0] == "ENST00000269305"
    assert gene["category"] == "biolink:Gene"


@requirement("001 US2-2", "001 FR-008", "001 FR-016")
def test_a_symbol_in_place_of_an_id_is_refused_with_the_way_on():
    failure = answer("get_gene", ensembl_id="BRCA1").error

    assert failure["code"] == "UNRESOLVED_ENTITY"
    assert "search_genes" in failure["recovery_hint"]
    assert failure["recovery"] == {"tool": "search_genes", "arguments": {"query": "BRCA1"}}
    assert failure["invalid_input"] == "BRCA1"


@requirement("001 US2-3", "001 FR-009")
def test_an_id_that_names_nothing_is_not_found():
    assert answer("get_gene", ensembl_id="ENSG99999999999").error["code"] == "ENTITY_NOT_FOUND"


# Story 3: transcript lookup


@requirement("001 US3-1", "001 KE-Transcript")
def test_a_transcript_id_gives_biotype_gene_and_place():
    transcript = answer("get_transcript", transcript_id="ENST00000269305").body

    assert (transcript["parent_gene"], transcript["biotype"]) == (TP53, "protein_coding")
    assert (transcript["strand"], transcript["assembly_name"]) == (-1, "GRCh38")
    assert transcript["is_canonical"] is True
    assert transcript["mane_select"] == "NM_000546.6"
    assert transcript["translation"]["id"] == "ENSP00000269305"
    assert transcript["translation"]["length"] == 393
    assert transcript["exon_count"] == len(transcript["exons"]) == 11
    starts = [exon["start"] for exon in transcript["exons"]]
    assert starts == sorted(starts, reverse=True)  # in the order of transcription, on the minus strand
    assert transcript["length"] == sum(exon["end"] - exon["start"] + 1 for exon in transcript["exons"])


@requirement("001 US3-2")
def test_a_gene_id_in_place_of_a_transcript_is_refused_with_the_right_tool():
    failure = answer("get_transcript", transcript_id=TP53).error

    assert failure["code"] == "UNRESOLVED_ENTITY"
    assert failure["recovery"] == {"tool": "get_gene", "arguments": {"ensembl_id": TP53}}


def test_a_transcript_id_in_place_of_a_gene_is_refused_with_the_right_tool():
    failure = answer("get_gene", ensembl_id="ENST00000269305").error

    assert failure["code"] == "UNRESOLVED_ENTITY"
    assert failure["recovery"] == {"tool": "get_transcript", "arguments": {"transcript_id": "ENST00000269305"}}


# Story 4: error recovery


@requirement("001 US4-1", "001 SC-004", "001 SC-005")
@each_of(
    ("tool", "argument", "text"),
    [
        ("get_gene", "ensembl_id", "BRCA1"),
        ("get_gene", "ensembl_id", "ensg00000141510"),
        ("get_gene", "ensembl_id", "p53"),
        ("get_transcript", "transcript_id", "ENSG00000141510 "),
        ("get_transcript", "transcript_id", "tumor protein p53"),
    ],
)
def test_following_recovery_alone_ends_at_a_gene(tool, argument, text):
    def recovery_of(failure):
        recovery = failure.error["recovery"]
        return recovery["tool"], recovery["arguments"]

    def get_first(page):
        genes = page.body.get("items") or [page.body]
        return "get_gene", {"ensembl_id": genes[0]["id"]}

    *_, gene = answers((tool, {argument: text}), recovery_of, get_first)

    assert gene.body["id"] in {TP53, BRCA1}


@requirement("001 US4-2", "001 EC-ratelimit")
def test_a_rate_limit_says_how_long_to_wait():
    at_once = virtual_time.timing(rate_factor=50.0)  # all that a gene needs is asked before the first refusal comes
    failure = answer("get_gene", ensembl_id=TP53, faults=[THROTTLED], timing=at_once).error

    assert failure["code"] == "RATE_LIMITED"
    assert failure["recovery"] == {"retry_after_seconds": 40}
    assert "40" in failure["recovery_hint"]


@requirement("001 US4-3", "001 EC-unavailable")
@each_of(
    ("tool", "arguments"),
    [
        ("search_genes", {"query": "BRCA1"}),
        ("search_genes", {"query": "tumor protein"}),
        ("get_gene", {"ensembl_id": TP53}),
        ("get_transcript", {"transcript_id": "ENST00000269305"}),
    ],
)
def test_a_service_that_is_down_is_an_upstream_error(tool, arguments):
    failure = answer(tool, **arguments, faults=[DOWN]).error

    assert failure["code"] == "UPSTREAM_ERROR"
    assert failure["recovery"]["retry_after_seconds"] > 0


# Edge cases


@requirement("001 EC-empty")
def test_a_search_without_results_is_an_empty_list_and_says_what_to_try():
    page = answer("search_genes", query="qqqzzz99").body

    assert (page["items"], page["pagination"]["total_count"], page["pagination"]["cursor"]) == ([], 0, None)
    assert [notice["code"] for notice in page["notices"]] == ["UNMATCHED"]


@requirement("001 EC-species")
def test_an_unknown_species_is_refused_with_the_nearest_valid_ones():
    failure = answer("search_genes", query="TP53", species="chiken").error

    assert failure["code"] == "AMBIGUOUS_QUERY"
    assert "gallus_gallus" in failure["recovery_hint"]
    assert failure["invalid_input"] == "chiken"
    assert "recovery" not in failure


@requirement("001 EC-noxref", "001 FR-012")
def test_a_gene_without_cross_references_omits_their_keys():
    gene = answer("get_gene", ensembl_id="ENSG00000232738").body

    assert gene["symbol"] == "ENSG00000232738"
    assert set(gene["cross_references"]) <= {"ensembl_transcript"}
    assert "name" not in gene


def test_each_id_of_a_batch_is_answered_in_its_place():
    tp53s = [TP53, "BRCA1", "ENSG99999999999", TP53, "ENSMUSG00000059552.14", "ENSG00000199004"]
    items = answer("get_genes_batch", ensembl_ids=tp53s).body["items"]

    codes = [item["error"]["code"] if "error" in item else item["symbol"] for item in items]
    assert codes == ["TP53", "UNRESOLVED_ENTITY", "ENTITY_NOT_FOUND", "TP53", "Trp53", "MIR21"]
    assert set(items[0]) == {"id", "symbol", "biotype"}
    assert items[5]["replaces"] == "ENSG00000199004"
