"""Reads records by the sources' strict tools, and follows cross-references through the databases and back."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from biofact.core import call
from biofact.core.call import Call
from biofact.core.envelopes import ErrorEnvelope
from biofact.core.errors import AmbiguousQuery, BiofactError, EntityNotFound, RateLimited, UpstreamError
from biofact.core.kinds import EntityKind
from biofact.core.records import Notice, Result
from biofact.core.xrefs import CrossReferences
from biofact.identity.evidence import (
    GENE_DATABASES,
    DatabaseRecord,
    Evidence,
    Outcome,
    StrictForm,
    ids_by_database,
    is_single,
)
from biofact.protocol.names import NameFinder, finders
from biofact.sources.chembl.records import TargetSearchCandidate
from biofact.sources.ensembl.identifiers import bare
from biofact.sources.ensembl.names import scientific_name

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
    with call.background() as part:
        part.answers, part.notices = [], []
        try:
            yield part
        finally:
            whole.answers += part.answers
            whole.notices += part.notices


_MOST_RECORDS = 24
"""That are asked for of one entity; real ones lead to ten at most."""
_MOST_NAMESAKES = 3
"""Of its label, that are asked for: an alias may be shared by many genes."""
_OF_CATALOG = frozenset({"Homo sapiens", "Mus musculus"})
_LeadBack = Callable[[Readers, str], Awaitable[tuple[str, ...]]]
_LEADING_BACK: Mapping[tuple[str, EntityKind], Mapping[str, _LeadBack]] = {
    ("chembl", "compound"): {"inchi_key": Readers.with_inchi_key},
    ("pubmed", "article"): {"doi": Readers.with_doi},
    ("igvf", "variant"): dict.fromkeys(("hgvs", "ca_id", "rsid"), Readers.with_variant_id),
}
"""IDs of others by which the start's own database can be asked in turn."""


async def evidence_of(readers: Readers, form: StrictForm, checked_id: str) -> Evidence:
    """What all databases have of the entity with a strict ID.

    Raises:
        EntityNotFound: the ID's own database has no such record; of UniProt and dbSNP, no database of ours knows it.
        RateLimited, UpstreamError: that record cannot be had.
    """
    if form.database == "uniprot":
        return await _of_protein(readers, checked_id)
    if form.database == "rsid":
        return await _of_rsid(readers, checked_id)
    database = "igvf" if form.kind == "variant" else form.database
    return await _Following(readers, form.kind).from_record(database, checked_id)


class _Following:
    def __init__(self, readers: Readers, kind: EntityKind) -> None:
        self._readers = readers
        self._kind = kind

    async def from_record(self, database: str, checked_id: str) -> Evidence:
        start, catalog = await asyncio.gather(
            self._readers.read(database, self._kind, checked_id), self._in_catalog(database, checked_id)
        )
        evidence = Evidence(start, asked=self._asked(start))
        evidence.outcomes[start.key] = start
        if "igvf" in evidence.asked:
            _take(evidence, ("igvf", checked_id), catalog)
        await asyncio.gather(self.follow(evidence), self._lead_back(evidence))
        await self._find_by_label(evidence)
        return evidence

    async def follow(self, evidence: Evidence) -> None:
        """Ask for what the records name, until they name nothing new."""
        while links := list(self._links(evidence))[: _MOST_RECORDS - len(evidence.outcomes)]:
            outcomes = await asyncio.gather(*(self._outcome(*link) for link in links))
            for link, outcome in zip(links, outcomes, strict=True):
                _take(evidence, link, outcome)

    def _asked(self, start: DatabaseRecord) -> tuple[str, ...]:
        if self._kind not in {"gene", "transcript"}:
            return ()
        is_in_catalog = start.organism in _OF_CATALOG
        possible = (name for name in GENE_DATABASES if self._readers.can_read(name, self._kind))
        return tuple(name for name in possible if name != start.database and (name != "igvf" or is_in_catalog))

    def _links(self, evidence: Evidence) -> Iterable[tuple[str, str]]:
        """What records name and was not asked for; of the Catalog, which has Ensembl's genes, what the start names."""
        start = evidence.start
        for record in (start, *evidence.records()):
            for database, ids in record.says.items():
                is_open = database in {start.database, *evidence.asked} - evidence.failures.keys()
                if is_open and is_single(database) and (database != "igvf" or record is start):
                    yield from ((database, one) for one in ids if (database, one) not in evidence.outcomes)

    async def _outcome(self, database: str, record_id: str) -> Outcome:
        return await _outcome(self._readers.read(database, self._kind, record_id))

    async def _in_catalog(self, database: str, checked_id: str) -> Outcome:
        """What the Catalog has under the ID, asked beside the record itself."""
        if database == "igvf" or not self._readers.can_read("igvf", self._kind):
            return EntityNotFound("The Catalog has no such records.", hint="")
        return await self._outcome("igvf", bare(checked_id))

    async def _lead_back(self, evidence: Evidence) -> None:
        """Ask the start's own database what it has under the IDs that it asserts."""
        start = evidence.start
        asked = _LEADING_BACK.get((start.database, self._kind), {})
        values = [(database, value) for database in asked for value in start.says.get(database, ())]
        outcomes = await asyncio.gather(*(_led_back(asked[name](self._readers, value)) for name, value in values))
        for key, outcome in zip(values, outcomes, strict=True):
            if isinstance(outcome, BiofactError):
                evidence.failures.setdefault(key[0], outcome)
            else:
                evidence.leading_back[key] = outcome

    async def _find_by_label(self, evidence: Evidence) -> None:
        """Look for the entity by its label where no record names it: of another gene of this label nothing is kept."""
        start = evidence.start
        answering = {record.database for record in evidence.records() if record.points_to(start)}
        open_databases = [name for name in evidence.asked if name not in {*answering, *evidence.failures}]
        found = await asyncio.gather(*(self._labelled(evidence, name) for name in open_databases))
        links = [link for several in found for link in several if link not in evidence.outcomes]
        outcomes = await asyncio.gather(*(self._outcome(*link) for link in links))
        for link, outcome in zip(links, outcomes, strict=True):
            _take(evidence, link, outcome)
        await self.follow(evidence)

    async def _labelled(self, evidence: Evidence, database: str) -> list[tuple[str, str]]:
        start, finder = evidence.start, self._readers.finder(database, self._kind)
        if finder is None:
            return []
        try:
            found = await finder.find([start.label], start.organism or "human")
        except BiofactError as failure:
            evidence.failures[database] = failure
            return []
        if start.label in found.failures:
            evidence.failures[database] = found.failures[start.label]
        entities = found.entities.get(start.label, [])
        ids = (one.elsewhere.get("ensembl_gene", one.id) for one in entities if one.match in {"symbol", "alias"})
        return [(database, one) for one in ids][:_MOST_NAMESAKES]


async def _led_back(ids: Awaitable[tuple[str, ...]]) -> tuple[str, ...] | BiofactError:
    try:
        return await ids
    except EntityNotFound:
        return ()
    except BiofactError as failure:
        return failure


def _take(evidence: Evidence, link: tuple[str, str], outcome: Outcome) -> None:
    evidence.outcomes[link] = outcome
    if isinstance(outcome, DatabaseRecord):
        evidence.outcomes.setdefault(outcome.key, outcome)
    elif not isinstance(outcome, EntityNotFound):
        evidence.failures.setdefault(link[0], outcome)


async def _of_rsid(readers: Readers, rsid: str) -> Evidence:
    """The alleles of an rsID: several are no contradiction, as it names a place."""
    start = DatabaseRecord("rsid", rsid, "variant", rsid, is_askable=False)
    evidence = Evidence(start, asked=("igvf",))
    spdis = (await readers.with_variant_id(rsid))[:_MOST_RECORDS]
    outcomes = await asyncio.gather(*(_outcome(readers.read("igvf", "variant", one)) for one in spdis))
    for spdi, outcome in zip(spdis, outcomes, strict=True):
        _take(evidence, ("igvf", spdi), outcome)
    organism = next((record.organism for record in evidence.records()), None)
    evidence.start = replace(start, organism=organism)
    return evidence


async def _of_protein(readers: Readers, accession: str) -> Evidence:
    """A UniProt entry: the targets and the protein that carry it, and the gene that the Catalog's protein is of."""
    protein, targets = await asyncio.gather(_outcome(readers.protein(accession)), _targets(readers, accession))
    found = [one for one in (protein, *targets) if isinstance(one, DatabaseRecord)]
    if not found:
        absent = EntityNotFound(f"No database of ours has {accession}.", hint="Check it.", invalid_input=accession)
        failures = (one for one in (protein, *targets) if isinstance(one, BiofactError))
        raise next((one for one in failures if not isinstance(one, EntityNotFound)), absent)
    start = DatabaseRecord("uniprot", accession, "protein", found[0].label, is_askable=False)
    evidence = Evidence(replace(start, organism=found[0].organism), asked=("chembl", "igvf"))
    for database, outcomes in (("igvf", [protein]), ("chembl", targets)):
        for outcome in outcomes:
            key = outcome.id if isinstance(outcome, DatabaseRecord) else accession
            _take(evidence, (database, key), outcome)
    if isinstance(protein, DatabaseRecord):
        links = [(name, one) for name in ("entrez", "ensembl") for one in protein.says.get(name, ())]
        genes = await asyncio.gather(*(_outcome(readers.read(name, "gene", one)) for name, one in links))
        evidence.asked = (*evidence.asked, *dict.fromkeys(name for name, _ in links))
        for link, outcome in zip(links, map(_as_of_protein, genes), strict=True):
            _take(evidence, link, outcome)
    return evidence


def _as_of_protein(gene: Outcome) -> Outcome:
    """A gene, without its ID in the Catalog, where the entity is a protein."""
    if not isinstance(gene, DatabaseRecord):
        return gene
    return replace(gene, says={name: ids for name, ids in gene.says.items() if name != "igvf"})


async def _targets(readers: Readers, accession: str) -> list[Outcome]:
    try:
        found = await readers.targets_of(accession)
    except BiofactError as failure:
        return [failure]
    return [*found]


async def _outcome(record: Awaitable[DatabaseRecord]) -> Outcome:
    try:
        return await record
    except BiofactError as failure:
        return failure
