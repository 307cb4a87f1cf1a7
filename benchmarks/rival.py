"""The rivals: the pattern that specification 000 prints, at its best settings.

One request per gene over one kept-alive connection, a lock held during the request. For Entrez it is an efetch, the
whole record parsed and walked with ``.//``; its cross-references are wrong (UPSTREAMS 8, rows 1-4), so it is timed,
not read. For Ensembl, which specification 001 wants asked in the same way and without a batch, it is a lookup; for
ChEMBL a molecule, cut to what a slim compound needs.

Beside the Entrez rival stands one that follows NCBI's advice: many IDs a request, requests
that start at the rate and do not wait for each other, the same walk through each record.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any
from xml.etree.ElementTree import Element

import httpx2
import orjson
from defusedxml import ElementTree

_GUARD = 1.1  # a request may leave late and the next one on time; ours keeps as much distance
_PER_SECOND = 3.0
_RECORD_START, _RECORD_END = b"<Entrezgene>", b"</Entrezgene>"
_SLIM = "molecule_chembl_id,pref_name,molecule_properties"


class PacedClient:
    """One request at a time, each at least 1/rate seconds after the one before it."""

    def __init__(self, base_url: str, *, per_second: float) -> None:
        self._client = httpx2.AsyncClient(base_url=base_url, timeout=60)
        self._gap_seconds = 1 / per_second
        self._lock = asyncio.Lock()
        self._last = 0.0

    async def fetched(self, path: str, **params: str) -> bytes:
        """The body of one answer."""
        async with self._lock:
            elapsed = time.monotonic() - self._last
            if elapsed < self._gap_seconds:
                await asyncio.sleep(self._gap_seconds - elapsed)
            answer = await self._client.get(path, params=params)
            self._last = time.monotonic()
        answer.raise_for_status()
        return answer.content

    async def aclose(self) -> None:
        """Close the connection."""
        await self._client.aclose()


class Rival(PacedClient):
    """An Entrez client in the printed pattern."""

    async def get_gene(self, gene_id: str) -> dict[str, Any]:
        """One gene by its GeneID."""
        return walk(await self.fetched("/efetch.fcgi", db="gene", id=gene_id, retmode="xml"))


class BatchingRival:
    """An Entrez client that asks for many genes in one request."""

    def __init__(self, base_url: str, *, per_second: float, batch: int) -> None:
        self._client = httpx2.AsyncClient(base_url=base_url, timeout=60)
        self._gap_seconds = _GUARD / per_second
        self._batch = batch

    async def get_genes(self, gene_ids: Sequence[str]) -> list[dict[str, Any]]:
        """Whole genes by their GeneIDs, in the order of NCBI's answers."""
        batches = [gene_ids[start : start + self._batch] for start in range(0, len(gene_ids), self._batch)]
        answers = await asyncio.gather(*(self._fetched(number, ids) for number, ids in enumerate(batches)))
        return [gene for genes in answers for gene in genes]

    async def _fetched(self, number: int, gene_ids: Sequence[str]) -> list[dict[str, Any]]:
        await asyncio.sleep(number * self._gap_seconds)
        form = {"db": "gene", "id": ",".join(gene_ids), "retmode": "xml"}
        answer = await self._client.post("/efetch.fcgi", data=form)
        while answer.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            await asyncio.sleep(self._gap_seconds)
            answer = await self._client.post("/efetch.fcgi", data=form)
        answer.raise_for_status()
        return [walked_gene(gene) for gene in ElementTree.fromstring(answer.content).findall("Entrezgene")]

    async def aclose(self) -> None:
        """Close the connection."""
        await self._client.aclose()


class LineRival:
    """A client of NCBI that asks for batches at the rate, several under way at once."""

    def __init__(self, environment: Mapping[str, str], *, batch: int, is_packed: bool = True) -> None:
        headers = {} if is_packed else {"Accept-Encoding": "identity"}
        self._client = httpx2.AsyncClient(timeout=600, headers=headers)
        self._eutils = environment["BIOFACT_NCBI_URL"]
        self._datasets = environment.get("BIOFACT_NCBI_DATASETS_URL", "")
        self._gap_seconds = _GUARD / _PER_SECOND
        self._batch = batch

    async def get_genes(self, gene_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """The facts of genes by GeneID."""
        batches = [gene_ids[start : start + self._batch] for start in range(0, len(gene_ids), self._batch)]
        answers = await asyncio.gather(*(self._turn(number, ids) for number, ids in enumerate(batches)))
        return {gene_id: gene for genes in answers for gene_id, gene in genes.items()}

    async def _turn(self, number: int, gene_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        await asyncio.sleep(number * self._gap_seconds)
        return await self.genes_of_batch(gene_ids)

    async def genes_of_batch(self, gene_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """The facts of one batch."""
        raise NotImplementedError

    async def posted(self, url: str, **body: Any) -> bytes:
        """The body of an answer; refused requests are sent again."""
        while True:
            answer = await self._client.post(url, **body)
            if answer.status_code != HTTPStatus.TOO_MANY_REQUESTS:
                answer.raise_for_status()
                return answer.content
            await asyncio.sleep(self._gap_seconds)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()


class StreamingRival(LineRival):
    """Reads the XML of a batch as it arrives, a record at a time."""

    async def genes_of_batch(self, gene_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """The facts of one batch; a refused request is sent again."""
        form = {"db": "gene", "id": ",".join(gene_ids), "retmode": "xml"}
        while True:
            async with self._client.stream("POST", f"{self._eutils}/efetch.fcgi", data=form) as answer:
                if answer.status_code != HTTPStatus.TOO_MANY_REQUESTS:
                    answer.raise_for_status()
                    return {gene["gene_id"]: gene async for gene in _streamed_genes(answer)}
            await asyncio.sleep(self._gap_seconds)


async def _streamed_genes(answer: httpx2.Response) -> AsyncIterator[dict[str, Any]]:
    """The genes of an answer, each as soon as its end has arrived."""
    received = bytearray()
    async for chunk in answer.aiter_bytes():
        scan_from = max(0, len(received) - len(_RECORD_END))
        received += chunk
        while (end := received.find(_RECORD_END, scan_from)) >= 0:
            start, end, scan_from = received.index(_RECORD_START), end + len(_RECORD_END), 0
            yield walked_gene(ElementTree.fromstring(bytes(received[start:end])))
            del received[:end]


class ReportRival(LineRival):
    """Asks Datasets for reports and esummary for summaries side by side, and joins them."""

    async def genes_of_batch(self, gene_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """The facts of one batch."""
        reports, summaries = await asyncio.gather(self.reports(gene_ids), self.summaries(gene_ids))
        return {
            gene_id: {
                "symbol": reports[gene_id]["symbol"],
                "name": summary["nomenclaturename"] or summary["description"],
                "map_location": summary["maplocation"] or None,
                "aliases": summary["otheraliases"].split(", "),
                "summary": next((part["description"] for part in reports[gene_id].get("summary", ())), None),
                "organism": reports[gene_id]["taxname"],
                "ensembl": reports[gene_id].get("ensembl_gene_ids", []),
            }
            for gene_id, summary in summaries.items()
        }

    async def reports(self, gene_ids: Sequence[str]) -> dict[str, Any]:
        """The reports of Datasets by GeneID."""
        body = {"gene_ids": [int(gene_id) for gene_id in gene_ids], "page_size": 1000}
        rows = orjson.loads(await self.posted(f"{self._datasets}/gene/dataset_report", json=body))["reports"]
        return {row["gene"]["gene_id"]: row["gene"] for row in rows}

    async def summaries(self, gene_ids: Sequence[str]) -> dict[str, Any]:
        """The summaries of esummary by GeneID."""
        form = {"db": "gene", "id": ",".join(gene_ids), "retmode": "json"}
        result = orjson.loads(await self.posted(f"{self._eutils}/esummary.fcgi", data=form))["result"]
        return {gene_id: result[gene_id] for gene_id in gene_ids}


class EnsemblRival(PacedClient):
    """An Ensembl client in the printed pattern."""

    async def get_gene(self, ensembl_id: str) -> dict[str, Any]:
        """One gene by its stable ID, in the fields of our slim form."""
        payload = orjson.loads(await self.fetched(f"/lookup/id/{ensembl_id}", **{"content-type": "application/json"}))
        return {
            "id": payload["id"],
            "symbol": payload.get("display_name", payload["id"]),
            "biotype": payload["biotype"],
        }


class ChEMBLRival(PacedClient):
    """A ChEMBL client in the printed pattern."""

    async def get_compound(self, native_id: str) -> dict[str, Any]:
        """One compound by ChEMBL's own ID, in the fields of our slim form."""
        payload = orjson.loads(await self.fetched(f"/molecule/{native_id}.json", only=_SLIM))
        properties = payload["molecule_properties"] or {}
        formula = properties.get("full_molformula")
        return {"id": payload["molecule_chembl_id"], "name": payload["pref_name"], "molecular_formula": formula}


def walk(body: bytes) -> dict[str, Any]:
    """The record by wildcard walks over the whole document."""
    gene = ElementTree.fromstring(body).find(".//Entrezgene")
    if gene is None:
        raise ValueError("no gene in the answer")
    return walked_gene(gene)


def walked_gene(gene: Element) -> dict[str, Any]:
    """One record by wildcard walks over it."""
    names = gene.find(".//Gene-ref")
    synonyms = gene.find(".//Gene-ref_syn")
    return {
        "gene_id": gene.findtext(".//Gene-track_geneid"),
        "symbol": None if names is None else names.findtext("Gene-ref_locus"),
        "name": None if names is None else names.findtext("Gene-ref_desc"),
        "map_location": None if names is None else names.findtext("Gene-ref_maploc"),
        "aliases": [] if synonyms is None else [e.text for e in synonyms.findall("Gene-ref_syn_E") if e.text],
        "summary": gene.findtext(".//Entrezgene_summary"),
        "organism": gene.findtext(".//Org-ref_taxname"),
        "xrefs": _walked_xrefs(gene),
    }


def _walked_xrefs(gene: Element) -> dict[str, str]:
    xrefs: dict[str, str] = {}
    for tag in gene.findall(".//Entrezgene_xref/Dbtag"):
        database = tag.findtext("Dbtag_db")
        value = tag.findtext(".//Object-id_id") or tag.findtext(".//Object-id_str")
        if database and value:
            xrefs[database] = value
    return xrefs
