"""The main job, shown: a real MCP client asks a real server over stdio, on the sandbox, and checks every answer."""

import json
import os
import sys
from typing import Any

from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from biofact.interfaces import terminal

SERVER = ("-m", "biofact", "serve", "--sandbox")
KEY = {"NCBI_API_KEY": "any-key-will-do"}
"""The sandbox allows whoever has a key the ten requests a second that NCBI does; without one the demo would wait."""


class UnexpectedAnswer(Exception):
    """An answer is not what it has to be."""


async def run() -> int:
    """Ask what an agent would ask; 0 if every answer is right."""
    transport = StdioTransport(sys.executable, [*SERVER], env=KEY | os.environ, keep_alive=False)
    try:
        async with Client(transport) as client:
            conversation = Conversation(client)
            await conversation.introduce()
            await conversation.name_to_papers()
            await conversation.same_gene_elsewhere()
            await conversation.drug_to_target_and_back()
            await conversation.gene_to_its_regulation()
            await conversation.raw_name_recovered()
            await conversation.replaced_gene()
    except UnexpectedAnswer as error:
        _say(f"\nNot as expected: {error}.")
        return 1
    _say("\nEvery answer is as it has to be.")
    return 0


class Conversation:
    """An agent's side of the conversation, printed as it goes."""

    def __init__(self, client: Client[Any]) -> None:
        self._client = client

    async def introduce(self) -> None:
        """Who answers, and what it can be asked."""
        tools = await self._client.list_tools()
        _say(f"{' '.join(('biofact', *SERVER[2:]))} offers {', '.join(tool.name for tool in tools)}.")
        _check(len(tools) > 0, "the server has no tools")

    async def name_to_papers(self) -> None:
        """A name to an ID, the ID to a record, and on to its papers."""
        _say("\nWhat is BRCA1, and what was written about it?")
        found = await self._ask("entrez_search_genes", query="BRCA1", slim=True)
        first = found["items"][0]
        _say(f"   {first['id']} {first['symbol']}, {first['organism']}, matched by {first['match']}")
        _check(first["id"] == "NCBIGene:672", "BRCA1 is NCBIGene:672")
        gene = await self._ask("entrez_get_gene", entrez_id=first["id"])
        _say(f"   {gene['symbol']}: {gene['name']}, at {gene['map_location']}")
        _say(f"   elsewhere: {json.dumps(gene['cross_references'])}")
        _check(gene["cross_references"]["hgnc"] == "HGNC:1100", "BRCA1 is HGNC:1100")
        papers = await self._ask("entrez_get_pubmed_links", entrez_id=first["id"], limit=3)
        _say(f"   {', '.join(item['id'] for item in papers['items'])} of {papers['pagination']['total_count']}")
        _check(len(papers["items"]) > 0, "BRCA1 has papers")

    async def same_gene_elsewhere(self) -> None:
        """A cross-reference followed to a second database, which names the first in its turn."""
        _say("\nWhat does Ensembl say of it?")
        there = await self._ask("entrez_get_gene", entrez_id="NCBIGene:672")
        gene = await self._ask("ensembl_get_gene", ensembl_id=there["cross_references"]["ensembl_gene"])
        where = f"{gene['chromosome']}:{gene['start']}-{gene['end']} on {gene['assembly_name']}"
        _say(f"   {gene['id']} {gene['symbol']}, {gene['biotype']}, {where}")
        _check(gene["cross_references"]["entrez"] == "672", "Ensembl's BRCA1 is GeneID 672")
        _check(gene["cross_references"]["hgnc"] == there["cross_references"]["hgnc"], "both name the same HGNC ID")
        transcript = await self._ask("ensembl_get_transcript", transcript_id=gene["canonical_transcript"], slim=True)
        _say(f"   {transcript['id']}, {transcript['biotype']}, of {transcript['parent_gene']}")
        _check(transcript["parent_gene"] == gene["id"], "the transcript is the gene's")

    async def drug_to_target_and_back(self) -> None:
        """A trade name to a compound, its target, and all that works on that."""
        _say("\nWhat is Gleevec, and what does it work on?")
        found = await self._ask("chembl_search_compounds", query="Gleevec", slim=True)
        first = found["items"][0]
        _say(f"   {first['id']} {first['name']}, matched by {first['match']}")
        _check(first["id"] == "CHEMBL:941", "Gleevec is CHEMBL:941")
        compound = await self._ask("chembl_get_compound", chembl_id=first["id"], include=["mechanisms"])
        mechanism = compound["mechanisms"][0]
        _say(f"   {mechanism['mechanism']}, on {mechanism['target_name']} ({mechanism['organism']})")
        _say(f"   elsewhere: {json.dumps(compound['cross_references'])}")
        target = mechanism["uniprot"][0]
        _check(target in compound["cross_references"]["uniprot"], "the target is a cross-reference")
        others = await self._ask("chembl_find_compounds_for_target", target_id=target)
        _say(f"   {', '.join(item['name'] for item in others['items'])}")
        _check(first["id"] in [item["id"] for item in others["items"]], "the way back leads to the compound")

    async def gene_to_its_regulation(self) -> None:
        """The same gene in a graph, and the variants that change its expression, best first."""
        _say("\nWhich variants change the expression of BRCA1?")
        gene = await self._ask("igvf_get_entity", id="BRCA1")
        where = f"{gene['chromosome']}:{gene['start']}-{gene['end']} on {gene['assembly_name']}"
        _say(f"   {gene['id']} {gene['name']}, {gene['category']}, {where}")
        _check(gene["cross_references"]["hgnc"] == "HGNC:1100", "the Catalog's BRCA1 is HGNC:1100")
        asked = {"entity_id": gene["id"], "relationship": "regulatory", "order_by": "p_value", "limit": 3}
        found = await self._ask("igvf_find_associations", **asked, filters={"method": "eQTL", "p_value": 1e-6})
        for row in found["items"]:
            what = f"{row['subject_name']} {row['predicate']} {row['object_name']}"
            effect = f"{row['effect']:+} for {row['effect_allele']}"
            _say(f"   {what}: p {row['p_value']}, {effect}, in {row['context']}")
        p_values = [row["p_value"] for row in found["items"]]
        _check(
            p_values == sorted(p_values) and p_values[-1] <= 1e-6,  # noqa: PLR2004
            "the best come first, and none is above the greatest p-value",
        )

    async def raw_name_recovered(self) -> None:
        """A name where an ID is due: refused, and found by doing what the refusal says."""
        _say("\nA name where an ID is due:")
        error = await self._refused("entrez_get_gene", entrez_id="tp53")
        _say(f"   {error['code']}: {error['message']}")
        _check(error["code"] == "UNRESOLVED_ENTITY", "a raw name is an unresolved entity")
        recovery = error["recovery"]
        found = await self._ask(recovery["tool"], **recovery["arguments"])
        gene = await self._ask("entrez_get_gene", entrez_id=found["items"][0]["id"], slim=True)
        _say(f"   {gene['id']} {gene['symbol']}, {gene['organism']}")
        _check(gene["id"] == "NCBIGene:7157", "tp53 leads to NCBIGene:7157")

    async def replaced_gene(self) -> None:
        """An ID that NCBI has replaced: the record of today, which says so."""
        _say("\nAn ID out of an old paper:")
        gene = await self._ask("entrez_get_gene", entrez_id="NCBIGene:9606")
        _say(f"   {gene['id']} {gene['symbol']} replaces {gene.get('replaces')}")
        _check(gene["id"] == "NCBIGene:8666", "NCBIGene:9606 leads to NCBIGene:8666")
        _check(gene["replaces"] == "NCBIGene:9606", "the record says what it replaces")
        for notice in gene["notices"]:
            _say(f"   note: {notice['message']}")

    async def _ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = await self._answer(tool, arguments)
        _check(answer.get("success") is not False, f"{tool} answers, but it says {answer.get('error')}")
        return answer

    async def _refused(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = await self._answer(tool, arguments)
        _check(answer.get("success") is False, f"{tool} refuses {json.dumps(arguments)}")
        error: dict[str, Any] = answer["error"]
        return error

    async def _answer(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        _say(f"-> {tool} {json.dumps(arguments)}")
        (block,) = (await self._client.call_tool_mcp(tool, arguments)).content
        answer: dict[str, Any] = json.loads(getattr(block, "text", "{}"))
        return answer


def _check(is_so: bool, claim: str) -> None:
    if not is_so:
        raise UnexpectedAnswer(claim)


def _say(line: str) -> None:
    terminal.write(f"{line}\n")
