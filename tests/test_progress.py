"""Long calls report their progress to an MCP client: each tool that reads many IDs, names, pages or articles."""

import itertools

import pytest

from biofact.core import call
from tests import virtual_time
from tests.interfaces.ask import ERAS
from tests.served import served

pytestmark = pytest.mark.quick

SCHEMA = {"sample_size": "number"}
GENES = [f"NCBIGene:{number}" for number in range(1, 201)]
LONG_CALLS = {
    "resolve": ({"names": ["BRCA1", "aspirin", "rs699", "no such name"] * 50}, "names looked up"),
    "entrez_get_genes_batch": ({"entrez_ids": GENES}, "IDs looked up"),
    "ensembl_get_genes_batch": ({"ensembl_ids": ["ENSG00000012048", "ENSG00000141510"]}, "IDs looked up"),
    "chembl_get_compounds_batch": ({"chembl_ids": ["CHEMBL:25", "CHEMBL:941"]}, "IDs looked up"),
    "pubmed_get_articles": ({"pmids": ["PMID:11832527", "PMID:99000022"]}, "IDs looked up"),
    "igvf_search_region": ({"region": "chr17:43,044,295-43,125,364"}, "pages read"),
    "igvf_find_associations": ({"entity_id": "BRCA1", "relationship": "all"}, "endpoints read"),
    "pubmed_search": ({"search_query": "metformin", "slim": True}, "articles fetched"),
    "pubmed_generate_query": ({"research_goal": "Does metformin lower mortality in cancer?"}, "queries counted"),
    "pubmed_extract_features": (
        {"articles": ["PMID:11832527", "PMID:99000022"], "extraction_schema": SCHEMA},
        "articles read",
    ),
    "pubmed_filter_rank": (
        {"scored_articles": [{"item_id": "PMID:11832527", "total_score": 0.5, "score_breakdown": {}}]},
        "articles fetched",
    ),
}
"""The units that each tool counts at the end."""


def reports(tool, arguments, era="auto"):
    """The progress reports of a call: the number done, the total, and the unit."""
    messages = []

    async def hear(done, total, message):
        messages.append((done, total, message))

    async def run():
        async with served(protocol=era) as gateway:
            result = await gateway.client.call_tool_mcp(tool, arguments, progress_handler=hear)
            assert not result.is_error, result.content

    virtual_time.run(run())
    return messages


@pytest.mark.parametrize("tool", LONG_CALLS)
def test_a_client_hears_of_a_long_call_how_far_it_is(tool):
    arguments, unit = LONG_CALLS[tool]
    messages = reports(tool, arguments)

    assert messages
    done, total, message = messages[-1]
    assert (done, message) == (total, unit)
    assert all(before[0] < after[0] for before, after in itertools.pairwise(messages)), messages
    assert all(part <= whole for part, whole, _ in messages)


@pytest.mark.parametrize("era", ERAS)
def test_a_batch_is_reported_some_twenty_times_and_not_for_each_id(era):
    messages = reports("entrez_get_genes_batch", {"entrez_ids": GENES}, era)

    assert messages[-1] == (200, 200, "IDs looked up")
    assert 10 <= len(messages) <= 30


def test_counters_of_one_call_add_up_and_never_fall():
    messages = []

    async def hear(*report):
        messages.append(report)

    async def count():
        with call.on_behalf_of(call.Caller(progress=hear)), call.session():
            first = call.Counter(2, "fetched")
            await first.add()
            await first.add()
            second = call.Counter(0, "read")
            second.expect(2)
            await second.add(0)
            await second.add()
            await second.add()

    virtual_time.run(count())

    assert messages == [(1, 2, "fetched"), (2, 2, "fetched"), (3, 4, "read"), (4, 4, "read")]
