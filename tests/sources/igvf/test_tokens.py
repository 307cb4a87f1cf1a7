"""The tokens that tools, records and associations cost an agent, counted by a real tokenizer."""

import functools
import json
import statistics

import pytest
from rs_bpe.bpe import openai

from biofact.interfaces.mcp.server import gateway, source_server
from tests import virtual_time
from tests.each_of import each_of
from tests.interfaces.ask import list_tools
from tests.served import served

pytestmark = pytest.mark.quick

TOKENS = openai.o200k_base()
partial = functools.partial(source_server, "igvf")
TOOLS = {
    **list_tools(partial()),
    **{name: tool for name, tool in list_tools(gateway()).items() if name.startswith("igvf_")},
}
MOST_ASSOCIATION = 130  # on average
MOST_LIST_BESIDE_ROWS = 220  # pagination and notices
ENTITIES = {
    "BRCA1": 210,
    "rs429358": 180,
    "CTCF_HUMAN": 150,
    "MONDO:0009861": 100,
    "PA448497": 45,
    "CPX-1956": 140,
    "GCST007798": 155,
    "BRCA1_ENST00000357654_p.Ser1613Gly_c.4837A>G": 215,
}
"""The starter entities with the most tokens of each kind."""
QUESTIONS = {
    "BRCA1 all": {"entity_id": "BRCA1", "relationship": "all", "limit": 100},
    "TP53 all": {"entity_id": "TP53", "relationship": "all", "limit": 100},
    "rs12740374 all": {"entity_id": "rs12740374", "relationship": "all", "limit": 100},
    "phenylketonuria all": {"entity_id": "phenylketonuria", "relationship": "all", "limit": 100},
    "liver regulatory": {"entity_id": "liver", "relationship": "regulatory", "limit": 100},
    "warfarin pharmacological": {"entity_id": "warfarin", "relationship": "pharmacological", "limit": 100},
}


def cost(document):
    return TOKENS.count(json.dumps(document, separators=(",", ":"), ensure_ascii=False))


@functools.cache
def answer_text(tool, arguments):
    """The body of one answer; ``arguments`` as JSON."""

    async def ask():
        async with served(server=partial) as server:
            answer = await server.call(tool, json.loads(arguments))
            assert not answer.is_failure, answer.text
            return answer.body

    return virtual_time.run(ask())


@each_of("name", TOOLS)
def test_a_tool_costs_little_with_and_without_its_output(name):
    tool = TOOLS[name]
    remainder = {key: tool[key] for key in ("name", "description", "inputSchema")}

    assert cost(remainder) <= 250
    assert cost({**remainder, "outputSchema": tool["outputSchema"]}) <= 450


@each_of("entity_id", ENTITIES)
def test_a_typical_entity_costs_little(entity_id):
    tokens = cost(answer_text("get_entity", json.dumps({"id": entity_id})))
    print(f"{entity_id}: {tokens} tokens")  # noqa: T201

    assert tokens <= ENTITIES[entity_id]


@each_of("question", QUESTIONS)
def test_associations_and_their_notices_cost_few_tokens_on_average(question):
    page = answer_text("find_associations", json.dumps(QUESTIONS[question]))
    rows = [cost(row) for row in page["items"]]
    rest = cost({name: value for name, value in page.items() if name != "items"})
    print(f"{question}: {len(rows)} rows, {statistics.mean(rows):.0f} tokens each, at most {max(rows)}; rest {rest}")  # noqa: T201

    assert statistics.mean(rows) <= MOST_ASSOCIATION
    assert rest <= MOST_LIST_BESIDE_ROWS


def test_a_region_and_the_list_of_sources_fit_a_context():
    region = cost(answer_text("search_region", json.dumps({"region": "chr17:43.04M-43.13M"})))
    sources = cost(answer_text("list_sources", "{}"))
    print(f"region of BRCA1: {region} tokens; all sources: {sources}")  # noqa: T201

    assert region <= 2000
    assert sources <= 1700
