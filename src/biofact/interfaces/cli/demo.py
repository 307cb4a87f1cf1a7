"""A demonstration: a real MCP client asks a real server over stdio, on the sandbox, and checks every answer."""

import json
import os
import sys
from typing import Any

from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from biofact.interfaces import terminal

SERVER = ("-m", "biofact", "serve", "--sandbox")
KEY = {"NCBI_API_KEY": "any-key-will-do"}
"""With a key the sandbox allows ten requests a second, as NCBI does; without one the demonstration would wait."""


class UnexpectedAnswer(Exception):
    """An answer differs from the expected one."""


async def run() -> int:
    """Ask an agent's questions; 0 if every answer is right."""
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
        _write(f"\nNot as expected: {error}.")
        return 1
    _write("\nEvery answer is as it has to be.")
    return 0


class Conversation:
    """An agent's side of the conversation, printed as it goes."""

    def __init__(self, client: Client[Any]) -> None:
        self._client = client

    async def introduce(self) -> None:
        """The server and its tools."""
        tools = await self._client.list_tools()
        _write(f"{' '.join(('biofact', *SERVER[2:]))} offers {', '.join(tool.name for tool in tools)}.")
        _check(len(tools) > 0, "the server has no tools")

    async def name_to_papers(self) -> None:
        """A name to an ID, the ID to a record, and on to its papers."""
        _write("\nWhat is BRCA1, and what was written about it?")
        hits = await self._ask("entrez_search_genes", query="BRCA1", slim=True)
        first = hits["items"][0]
        _write(f"   {first['id']} {first['symbol']}, {first['organism']}, matched by {first['match']}")
        _check(first["id"] == "NCBIGene:672", "BRCA1 is NCBIGene:672")
        gene = await self._ask("entrez_get_gene", entrez_id=first["id"])
        _write(f"   {gene['symbol']}: {gene['name']}, at {gene['map_location']}")
        _write(f"   elsewhere: {json.dumps(gene['cross_references'])}")
        _check(gene["cross_references"]["hgnc"] == "HGNC:1100", "BRCA1 is HGNC:1100")
        papers = await self._ask("entrez_get_pubmed_links", entrez_id=first["id"], limit=3)
        _write(f"   {', '.join(item['id'] for item in papers['items'])} of {papers['pagination']['total_count']}")
        _check(len(papers["items"]) > 0, "BRCA1 has papers")

    async def same_gene_elsewhere(self) -> None:
        """A cross-reference followed to a second database, which names the first in its turn."""
        _write("\nWhat does Ensembl say of it?")
        ncbi_gene = await self._ask("entrez_get_gene", entrez_id="NCBIGene:672")
        gene = await self._ask("ensembl_get_gene", ensembl_id=ncbi_gene["cross_references"]["ensembl_gene"])
        position = f"{gene['chromosome']}:{gene['start']}-{gene['end']} on {gene['assembly_name']}"
        _write(f"   {gene['id']} {gene['symbol']}, {gene['biotype']}, {position}")
        _check(gene["cross_references"]["entrez"] == "672", "Ensembl's BRCA1 is GeneID 672")
        _check(gene["cross_references"]["hgnc"] == ncbi_gene["cross_references"]["hgnc"], "both name the same HGNC ID")
        transcript = await self._ask("ensembl_get_transcript", transcript_id=gene["canonical_transcript"], slim=True)
        _write(f"   {transcript['id']}, {transcript['biotype']}, of {transcript['parent_gene']}")
        _check(transcript["parent_gene"] == gene["id"], "the transcript is the gene's")

    async def drug_to_target_and_back(self) -> None:
        """A trade name to a compound, its target, and all compounds of that target."""
        _write("\nWhat is Gleevec, and what does it work on?")
        hits = await self._ask("chembl_search_compounds", query="Gleevec", slim=True)
        first = hits["items"][0]
        _write(f"   {first['id']} {first['name']}, matched by {first['match']}")
        _check(first["id"] == "CHEMBL:941", "Gleevec is CHEMBL:941")
        compound = await self._ask("chembl_get_compound", chembl_id=first["id"], include=["mechanisms"])
        mechanism = compound["mechanisms"][0]
        _write(f"   {mechanism['mechanism']}, on {mechanism['target_name']} ({mechanism['organism']})")
        _write(f"   elsewhere: {json.dumps(compound['cross_references'])}")
        target = mechanism["uniprot"][0]
        _check(target in compound["cross_references"]["uniprot"], "the target is a cross-reference")
        compounds = await self._ask("chembl_find_compounds_for_target", target_id=target)
        _write(f"   {', '.join(item['name'] for item in compounds['items'])}")
        _check(first["id"] in [item["id"] for item in compounds["items"]], "the way back leads to the compound")

    async def gene_to_its_regulation(self) -> None:
        """The same gene in a graph, and the variants that change its expression, best first."""
        _write("\nWhich variants change the expression of BRCA1?")
        gene = await self._ask("igvf_get_entity", id="BRCA1")
        position = f"{gene['chromosome']}:{gene['start']}-{gene['end']} on {gene['assembly_name']}"
        _write(f"   {gene['id']} {gene['name']}, {gene['category']}, {position}")
        _check(gene["cross_references"]["hgnc"] == "HGNC:1100", "the Catalog's BRCA1 is HGNC:1100")
        query = {"entity_id": gene["id"], "relationship": "regulatory", "order_by": "p_value", "limit": 3}
        page = await self._ask("igvf_find_associations", **query, filters={"method": "eQTL", "p_value": 1e-6})
        for row in page["items"]:
            association = f"{row['subject_name']} {row['predicate']} {row['object_name']}"
            effect = f"{row['effect']:+} for {row['effect_allele']}"
            _write(f"   {association}: p {row['p_value']}, {effect}, in {row['context']}")
        p_values = [row["p_value"] for row in page["items"]]
        _check(
            p_values == sorted(p_values) and p_values[-1] <= 1e-6,  # noqa: PLR2004
            "the best come first, and none is above the greatest p-value",
        )

    async def raw_name_recovered(self) -> None:
        """A name where an ID is due: refused, and found by the recovery in the refusal."""
        _write("\nA name where an ID is due:")
        error = await self._refusal("entrez_get_gene", entrez_id="tp53")
        _write(f"   {error['code']}: {error['message']}")
        _check(error["code"] == "UNRESOLVED_ENTITY", "a raw name is an unresolved entity")
        recovery = error["recovery"]
        hits = await self._ask(recovery["tool"], **recovery["arguments"])
        gene = await self._ask("entrez_get_gene", entrez_id=hits["items"][0]["id"], slim=True)
        _write(f"   {gene['id']} {gene['symbol']}, {gene['organism']}")
        _check(gene["id"] == "NCBIGene:7157", "tp53 leads to NCBIGene:7157")

    async def replaced_gene(self) -> None:
        """An ID that NCBI has replaced: its current record, with the replaced ID."""
        _write("\nAn ID out of an old paper:")
        gene = await self._ask("entrez_get_gene", entrez_id="NCBIGene:9606")
        _write(f"   {gene['id']} {gene['symbol']} replaces {gene.get('replaces')}")
        _check(gene["id"] == "NCBIGene:8666", "NCBIGene:9606 leads to NCBIGene:8666")
        _check(gene["replaces"] == "NCBIGene:9606", "the record says what it replaces")
        for notice in gene["notices"]:
            _write(f"   note: {notice['message']}")

    async def _ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = await self._answer(tool, arguments)
        _check(answer.get("success") is not False, f"{tool} answers, but it says {answer.get('error')}")
        return answer

    async def _refusal(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = await self._answer(tool, arguments)
        _check(answer.get("success") is False, f"{tool} refuses {json.dumps(arguments)}")
        error: dict[str, Any] = answer["error"]
        return error

    async def _answer(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        _write(f"-> {tool} {json.dumps(arguments)}")
        (block,) = (await self._client.call_tool_mcp(tool, arguments)).content
        answer: dict[str, Any] = json.loads(getattr(block, "text", "{}"))
        return answer


def _check(is_so: bool, claim: str) -> None:
    if not is_so:
        raise UnexpectedAnswer(claim)


def _write(line: str) -> None:
    terminal.write(f"{line}\n")
