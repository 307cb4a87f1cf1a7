"""Long calls tell an MCP client how far they are."""

import pytest

from tests import virtual_time
from tests.served import served

SCHEMA = {"sample_size": "number"}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("pubmed_search", {"search_query": "metformin", "slim": True}),
        ("pubmed_extract_features", {"articles": ["PMID:11832527", "PMID:99000022"], "extraction_schema": SCHEMA}),
    ],
)
def test_a_client_hears_how_many_articles_are_read(tool, arguments):
    heard = []

    async def hear(done, total, message):
        heard.append((done, total, message))

    async def run():
        async with served() as gateway:
            result = await gateway.client.call_tool_mcp(tool, arguments, progress_handler=hear)
            assert not result.is_error

    virtual_time.run(run())

    assert heard
    done, total, message = heard[-1]
    assert (done, message) == (total, "articles read")
    assert [one[0] for one in heard] == sorted(one[0] for one in heard)
