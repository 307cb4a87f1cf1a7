"""Asks the sources for records by their strict tools, and what has an ID of another database."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from biofact.core import call
from biofact.core.call import Call
from biofact.core.entity_kinds import EntityKind
from biofact.core.envelopes import ErrorEnvelope
from biofact.core.errors import AmbiguousQuery, BiofactError, EntityNotFound, RateLimited, UpstreamError
from biofact.core.provenance import Notice, Result
from biofact.core.xrefs import CrossReferences
from biofact.identity.database_records import DatabaseRecord, ids_by_database
from biofact.protocol.names import NameFinder, finders
from biofact.sources.chembl.records import TargetSearchCandidate
from biofact.sources.ensembl.names import scientific_name
from biofact.sources.ensembl.stable_ids import bare

_OF_GENES = frozenset({"entrez", "ensembl", "igvf", "hgnc", "omim", "uniprot", "refseq", "alliance"})
_OF_CATALOG_GENES = frozenset({"entrez", "ensembl", "hgnc"})
_MOST_TARGETS = 20
_MOST_OF_STRUCTURE = 20


class Readers:
    """The clients of the sources, asked for whole cross-references."""

    def __init__(self, clients: Mapping[str, Any]) -> None:
        self._clients = clients
        self._read: dict[tuple[str, EntityKind], Callable[[str], Awaitable[DatabaseRecord]]] = {
            ("entrez", "gene"): self._ncbi_gene,
            ("ensembl", "gene"): self._ensembl_gene,
            ("ensembl", "transcript"): self._ensembl_transcript,
            ("igvf", "gene"): self._catalog_entity,
            ("igvf", "transcript"): self._catalog_entity,
            ("igvf", "variant"): self._variant,
            ("chembl", "compound"): self._compound,
            ("pubmed", "article"): self._article,
        }

    def title(self, database: str) -> str:
        """What a sentence calls a database."""
        return str(self._clients[database].title) if database in self._clients else database

    def can_read(self, database: str, kind: EntityKind) -> bool:
        """Whether a source can be asked for such records."""
        return (database, kind) in self._read

    async def read(self, database: str, kind: EntityKind, record_id: str) -> DatabaseRecord:
        """The record with this ID, or the one that has taken its place.

        Raises:
            EntityNotFound: there is none.
            BiofactError: it cannot be had, or is of another entity.
        """
        async with _answers_apart() as answers:
            record = await self._read[database, kind](record_id)
        return _signed(record, answers)

    def finder(self, database: str, kind: EntityKind) -> NameFinder | None:
        """What finds the entities of a source by whole names in one question."""
        client = self._clients.get(database)
        return next((one for one in finders(client) if one.kind == kind and one.is_joined), None) if client else None

    async def paralogues(self, ensembl_id: str) -> frozenset[str]:
        """Ensembl IDs of the genes of its species that descend from the same one."""
        found = await self._clients["ensembl"].get_homologues(ensembl_id, kind="paralogues", page_size=100)
        return frozenset(one.id for one in found.items)

    async def with_inchi_key(self, value: str) -> tuple[str, ...]:
        """Compounds of a structure; a form of another of them is no second one."""
        found = await self._clients["chembl"].search_compounds(value, page_size=_MOST_OF_STRUCTURE)
        hits = [hit for hit in found.items if hit.match == "structure"]
        ids = {hit.id for hit in hits}
        return tuple(hit.id for hit in hits if hit.parent not in ids)

    async def with_doi(self, value: str) -> tuple[str, ...]:
        """Articles of a DOI, by PubMed."""
        found = await self._clients["pubmed"].pubmed_search(f'"{value}"[AID]', max_results=5)
        return tuple(one.id for one in found.articles if (one.doi or "").casefold() == value.casefold())

    async def with_variant_id(self, value: str) -> tuple[str, ...]:
        """SPDIs of the alleles that have an rsID, a genomic HGVS expression or a ClinGen ID."""
        found = await self._clients["igvf"].resolve_id(value)
        spdi = found.identifiers.get("spdi")
        return tuple(allele.spdi for allele in found.alleles) or ((str(spdi),) if spdi else ())

    async def targets_of(self, accession: str) -> list[DatabaseRecord]:
        """ChEMBL's targets that a protein is a component of, itself first."""
        async with _answers_apart() as answers:
            found = await self._clients["chembl"].search_targets(accession, page_size=_MOST_TARGETS)
        hits = (hit for hit in found.items if hit.match == "id")
        return [_signed(_target(hit), answers) for hit in hits]

    async def protein(self, accession: str) -> DatabaseRecord:
        """The Catalog's protein of an accession, with its gene elsewhere."""
        async with _answers_apart() as answers:
            found = await self._clients["igvf"].resolve_id(accession)
        known = found.identifiers
        if found.entity_type != "protein":
            raise EntityNotFound(f"The IGVF Catalog has no protein {accession}.", hint="Check the accession.")
        genes = {database: known.get(database) for database in ("ensembl", "entrez", "hgnc")}
        says = {database: (value,) for database, value in genes.items() if value}
        protein_id = str(known["ensembl_protein"])
        record = DatabaseRecord(
            "igvf",
            protein_id,
            "protein",
            known.get("symbol", accession),
            says={**says, "uniprot": tuple(known.get("uniprot", ()))},
            organism="Homo sapiens" if protein_id.startswith("ENSP") else "Mus musculus",
        )
        return _signed(record, answers)

    async def _ncbi_gene(self, record_id: str) -> DatabaseRecord:
        gene = await self._clients["entrez"].get_gene(record_id, include=["aliases", "cross_references"])
        return DatabaseRecord(
            "entrez",
            gene.id,
            "gene",
            gene.symbol,
            asked=record_id,
            says=ids_by_database(gene.cross_references),
            tells=_OF_GENES - {"entrez"},
            aliases=tuple(gene.aliases),
            name=gene.name or "",
            organism=gene.organism,
            scaffold=gene.accession,
            notices=_about_id(gene.notices),
        )

    async def _ensembl_gene(self, record_id: str) -> DatabaseRecord:
        gene = await self._clients["ensembl"].get_gene(record_id, include=["cross_references"])
        _check_whole(gene)
        return DatabaseRecord(
            "ensembl",
            gene.id,
            "gene",
            gene.symbol,
            asked=bare(record_id),
            says={**ids_by_database(gene.cross_references), "igvf": (gene.id,)},
            tells=_OF_GENES - {"ensembl"},
            name=gene.name or "",
            organism=scientific_name(gene.species) if gene.species else None,
            scaffold=_scaffold(gene.chromosome),
            notices=_about_id(gene.notices),
        )

    async def _ensembl_transcript(self, record_id: str) -> DatabaseRecord:
        transcript = await self._clients["ensembl"].get_transcript(record_id, include=["cross_references"])
        _check_whole(transcript)
        products = {
            database: ids
            for database, ids in ids_by_database(transcript.cross_references).items()
            if database == "refseq"
        }
        return DatabaseRecord(
            "ensembl",
            transcript.id,
            "transcript",
            transcript.name or transcript.id,
            asked=bare(record_id),
            says={**products, "igvf": (transcript.id,)},
            organism=scientific_name(transcript.species) if transcript.species else None,
            scaffold=_scaffold(transcript.chromosome),
            notices=_about_id(transcript.notices),
        )

    async def _catalog_entity(self, record_id: str) -> DatabaseRecord:
        try:
            entity = await self._clients["igvf"].get_entity(record_id)
        except AmbiguousQuery as several:
            raise UpstreamError(several.message, hint=several.hint) from several
        references = getattr(entity, "cross_references", None) or CrossReferences()
        says = {name: ids for name, ids in ids_by_database(references).items() if name in _OF_CATALOG_GENES}
        return DatabaseRecord(
            "igvf",
            entity.id,
            entity.type,
            entity.name or entity.id,
            says={**says, "ensembl": (entity.id,)},
            tells=_OF_CATALOG_GENES,
            aliases=tuple(entity.synonyms),
            organism={"human": "Homo sapiens", "mouse": "Mus musculus"}.get(entity.organism or ""),
        )

    async def _variant(self, record_id: str) -> DatabaseRecord:
        entity = await self._clients["igvf"].get_entity(record_id, hint="variant")
        says = {"hgvs": entity.hgvs, "ca_id": entity.ca_id}
        return DatabaseRecord(
            "igvf",
            entity.id,
            "variant",
            entity.name or entity.id,
            says={**ids_by_database(None, **says), "rsid": tuple(entity.rsids)},
            organism="Mus musculus" if entity.organism == "mouse" else "Homo sapiens",
            notices=_about_id(entity.notices),
        )

    async def _compound(self, record_id: str) -> DatabaseRecord:
        compound = await self._clients["chembl"].get_compound(
            record_id, include=["chemistry", "synonyms", "cross_references"]
        )
        return DatabaseRecord(
            "chembl",
            compound.id,
            "compound",
            compound.name,
            says=ids_by_database(compound.cross_references, inchi_key=compound.inchi_key),
            aliases=tuple(compound.synonyms),
            form_of=compound.parent,
            notices=tuple(one for one in compound.notices if one.code in {"MISMATCH", "LEG_FAILED", "FORM_OF"}),
        )

    async def _article(self, record_id: str) -> DatabaseRecord:
        (article,) = (await self._clients["pubmed"].pubmed_get_articles([record_id], fields=["pmc"])).items
        if isinstance(article, ErrorEnvelope):
            raise _failure(article)
        return DatabaseRecord(
            "pubmed",
            article.id,
            "article",
            article.title,
            says=ids_by_database(None, doi=article.doi, pmc=article.pmc),
        )


def _target(hit: TargetSearchCandidate) -> DatabaseRecord:
    return DatabaseRecord(
        "chembl", hit.id, "protein", hit.name, says={"uniprot": tuple(hit.uniprot)}, organism=hit.organism
    )


def _signed(record: DatabaseRecord, answers: Call) -> DatabaseRecord:
    """A record that names the first of the answers that it was made of."""
    provenance = answers.provenance()
    if provenance is None:
        return record
    return replace(record, url=provenance.url, retrieved_at=provenance.retrieved_at)


def _check_whole(record: Result) -> None:
    """Raise for a record whose cross-references could not be had: what it does not say proves nothing."""
    if lacking := next((notice for notice in record.notices if notice.code == "LEG_FAILED"), None):
        raise UpstreamError(lacking.message, hint="Call again later.")


def _about_id(notices: Sequence[Notice]) -> tuple[Notice, ...]:
    return tuple(notice for notice in notices if notice.code in {"REPLACED", "STALE", "ASSUMED"})


def _scaffold(region: str | None) -> str | None:
    """A region that is no chromosome: patches, haplotypes and scaffolds have an underscore or a version."""
    return region if region and re.search(r"_|\.\d+$", region) else None


def _failure(entry: ErrorEnvelope) -> BiofactError:
    """The failure of an entry of a batch, as an exception."""
    kind = next((one for one in (EntityNotFound, RateLimited) if one.code == entry.error.code), UpstreamError)
    return kind(entry.error.message, hint=entry.error.recovery_hint, invalid_input=entry.error.invalid_input)


@asynccontextmanager
async def _answers_apart() -> AsyncIterator[Call]:
    """Keep apart which answers a part of the call came from; the whole call names them as well."""
    whole = call.current()
    with call.aside() as part:
        part.answers, part.notices = [], []
        try:
            yield part
        finally:
            whole.answers += part.answers
            whole.notices += part.notices
