"""Reads records by the sources' strict tools, and follows cross-references through the databases and back."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, TypeVar

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
    has_single_id,
    ids_by_database,
)
from biofact.protocol.names import NameFinder, finders
from biofact.sources.chembl.records import TargetSearchCandidate
from biofact.sources.ensembl.identifiers import bare
from biofact.sources.ensembl.names import scientific_name

T = TypeVar("T")

_GENE_XREFS = frozenset({"entrez", "ensembl", "igvf", "hgnc", "omim", "uniprot", "refseq", "alliance"})
_CATALOG_GENE_XREFS = frozenset({"entrez", "ensembl", "hgnc"})
_MOST_TARGETS = 20
_MOST_COMPOUNDS = 20


class Readers:
    """Reads records from the sources, with all their cross-references."""

    def __init__(self, clients: Mapping[str, Any]) -> None:
        self._clients = clients
        self._lookups: dict[tuple[str, EntityKind], Callable[[str], Awaitable[DatabaseRecord]]] = {
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
        """The name of a database in a sentence."""
        return str(self._clients[database].title) if database in self._clients else database

    def can_read(self, database: str, kind: EntityKind) -> bool:
        """Whether a source has such records."""
        return (database, kind) in self._lookups

    async def read(self, database: str, kind: EntityKind, record_id: str) -> DatabaseRecord:
        """The record with this ID, or the one that has taken its place.

        Raises:
            EntityNotFound: there is none.
            BiofactError: it cannot be had, or is of another entity.
        """
        async with _separate_answers() as answers:
            record = await self._lookups[database, kind](record_id)
        return _signed(record, answers)

    def finder(self, database: str, kind: EntityKind) -> NameFinder | None:
        """The finder of a source that takes whole names, many in one request."""
        client_finders = finders(self._clients[database]) if database in self._clients else ()
        return next((finder for finder in client_finders if finder.kind == kind and finder.is_joined), None)

    async def paralogues(self, ensembl_id: str) -> frozenset[str]:
        """Ensembl IDs of the gene's paralogues, up to 100."""
        homologues = await self._clients["ensembl"].get_homologues(ensembl_id, kind="paralogues", page_size=100)
        return frozenset(homologue.id for homologue in homologues.items)

    async def genes_with(self, ensembl_id: str) -> tuple[str, ...]:
        """NCBI's genes that have an Ensembl ID anywhere in their records, which show whether it is their own."""
        # NCBI indexes the cross-references of a gene under all fields alone.
        query = f"{ensembl_id}[All Fields] AND alive[prop]"
        page = await self._clients["entrez"].search_genes(query, page_size=_MOST_NAMESAKES)
        return tuple(hit.id for hit in page.items)

    async def find_by_inchi_key(self, value: str) -> tuple[str, ...]:
        """IDs of the compounds with a structure; a salt or form counts only without its parent."""
        page = await self._clients["chembl"].search_compounds(value, page_size=_MOST_COMPOUNDS)
        hits = [hit for hit in page.items if hit.match == "structure"]
        ids = {hit.id for hit in hits}
        return tuple(hit.id for hit in hits if hit.parent not in ids)

    async def find_by_doi(self, value: str) -> tuple[str, ...]:
        """PMIDs of the articles that PubMed has under a DOI."""
        # PubMed may read a DOI as words: the records show whose it is.
        page = await self._clients["pubmed"].pubmed_search(f'"{value}"[AID]', max_results=5)
        return tuple(article.id for article in page.articles if (article.doi or "").casefold() == value.casefold())

    async def find_by_variant_id(self, value: str) -> tuple[str, ...]:
        """SPDIs of the alleles that have an rsID, a genomic HGVS expression or a ClinGen ID."""
        variant = await self._clients["igvf"].resolve_id(value)
        spdi = variant.identifiers.get("spdi")
        return tuple(allele.spdi for allele in variant.alleles) or ((str(spdi),) if spdi else ())

    async def read_targets(self, accession: str) -> list[DatabaseRecord]:
        """ChEMBL's targets with a protein as a component, the protein itself first."""
        async with _separate_answers() as answers:
            page = await self._clients["chembl"].search_targets(accession, page_size=_MOST_TARGETS)
        hits = (hit for hit in page.items if hit.match == "id")
        return [_signed(_target(hit), answers) for hit in hits]

    async def read_protein(self, accession: str) -> DatabaseRecord:
        """The Catalog's protein of an accession, with its gene elsewhere."""
        async with _separate_answers() as answers:
            protein = await self._clients["igvf"].resolve_id(accession)
        identifiers = protein.identifiers
        if protein.entity_type != "protein":
            raise EntityNotFound(f"The IGVF Catalog has no protein {accession}.", hint="Check the accession.")
        genes = {database: identifiers.get(database) for database in ("ensembl", "entrez", "hgnc")}
        xrefs = {database: (gene_id,) for database, gene_id in genes.items() if gene_id}
        protein_id = str(identifiers["ensembl_protein"])
        record = DatabaseRecord(
            "igvf",
            protein_id,
            "protein",
            identifiers.get("symbol", accession),
            xrefs={**xrefs, "uniprot": tuple(identifiers.get("uniprot", ()))},
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
            requested_id=record_id,
            xrefs=ids_by_database(gene.cross_references),
            xref_databases=_GENE_XREFS - {"entrez"},
            aliases=tuple(gene.aliases),
            name=gene.name or "",
            organism=gene.organism,
            scaffold=gene.accession,
            notices=_id_notices(gene.notices),
        )

    async def _ensembl_gene(self, record_id: str) -> DatabaseRecord:
        gene = await self._clients["ensembl"].get_gene(record_id, include=["cross_references"])
        _check_whole(gene)
        return DatabaseRecord(
            "ensembl",
            gene.id,
            "gene",
            gene.symbol,
            requested_id=bare(record_id),
            xrefs={**ids_by_database(gene.cross_references), "igvf": (gene.id,)},
            xref_databases=_GENE_XREFS - {"ensembl"},
            name=gene.name or "",
            organism=scientific_name(gene.species) if gene.species else None,
            scaffold=_scaffold(gene.chromosome),
            notices=_id_notices(gene.notices),
        )

    async def _ensembl_transcript(self, record_id: str) -> DatabaseRecord:
        transcript = await self._clients["ensembl"].get_transcript(record_id, include=["cross_references"])
        _check_whole(transcript)
        refseqs = ids_by_database(transcript.cross_references).get("refseq")
        return DatabaseRecord(
            "ensembl",
            transcript.id,
            "transcript",
            transcript.name or transcript.id,
            requested_id=bare(record_id),
            xrefs={**({"refseq": refseqs} if refseqs else {}), "igvf": (transcript.id,)},
            organism=scientific_name(transcript.species) if transcript.species else None,
            scaffold=_scaffold(transcript.chromosome),
            product_of=(bare(transcript.parent_gene),),
            notices=_id_notices(transcript.notices),
        )

    async def _catalog_entity(self, record_id: str) -> DatabaseRecord:
        try:
            entity = await self._clients["igvf"].get_entity(record_id)
        except AmbiguousQuery as error:
            raise UpstreamError(error.message, hint=error.hint) from error
        references = getattr(entity, "cross_references", None) or CrossReferences()
        xrefs = {name: ids for name, ids in ids_by_database(references).items() if name in _CATALOG_GENE_XREFS}
        return DatabaseRecord(
            "igvf",
            entity.id,
            entity.type,
            entity.name or entity.id,
            xrefs={**xrefs, "ensembl": (entity.id,)},
            xref_databases=_CATALOG_GENE_XREFS,
            aliases=tuple(entity.synonyms),
            organism={"human": "Homo sapiens", "mouse": "Mus musculus"}.get(entity.organism or ""),
        )

    async def _variant(self, record_id: str) -> DatabaseRecord:
        entity = await self._clients["igvf"].get_entity(record_id, hint="variant")
        xrefs = {"hgvs": entity.hgvs, "ca_id": entity.ca_id}
        return DatabaseRecord(
            "igvf",
            entity.id,
            "variant",
            entity.name or entity.id,
            xrefs={**ids_by_database(None, **xrefs), "rsid": tuple(entity.rsids)},
            organism="Mus musculus" if entity.organism == "mouse" else "Homo sapiens",
            notices=_id_notices(entity.notices),
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
            xrefs=ids_by_database(compound.cross_references, inchi_key=compound.inchi_key),
            aliases=tuple(compound.synonyms),
            form_of=compound.parent,
            notices=tuple(
                notice for notice in compound.notices if notice.code in {"MISMATCH", "LEG_FAILED", "FORM_OF"}
            ),
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
            xrefs=ids_by_database(None, doi=article.doi, pmc=article.pmc),
        )


def _target(hit: TargetSearchCandidate) -> DatabaseRecord:
    return DatabaseRecord(
        "chembl", hit.id, "protein", hit.name, xrefs={"uniprot": tuple(hit.uniprot)}, organism=hit.organism
    )


def _signed(record: DatabaseRecord, answers: Call) -> DatabaseRecord:
    """The record with the URL and time of the first answer that it was made of."""
    provenance = answers.provenance()
    if provenance is None:
        return record
    return replace(record, url=provenance.url, retrieved_at=provenance.retrieved_at)


def _check_whole(record: Result) -> None:
    """Raise for a record without its cross-references: their absence would prove nothing."""
    if failure := next((notice for notice in record.notices if notice.code == "LEG_FAILED"), None):
        raise UpstreamError(failure.message, hint="Call again later.")


def _id_notices(notices: Sequence[Notice]) -> tuple[Notice, ...]:
    return tuple(notice for notice in notices if notice.code in {"REPLACED", "STALE", "ASSUMED"})


def _scaffold(region: str | None) -> str | None:
    """A region that is no chromosome: patches, haplotypes and scaffolds have an underscore or a version."""
    return region if region and re.search(r"_|\.\d+$", region) else None


def _failure(entry: ErrorEnvelope) -> BiofactError:
    """The failure of an entry of a batch, as an exception."""
    kind = next((error for error in (EntityNotFound, RateLimited) if error.code == entry.error.code), UpstreamError)
    return kind(entry.error.message, hint=entry.error.recovery_hint, invalid_input=entry.error.invalid_input)


@asynccontextmanager
async def _separate_answers() -> AsyncIterator[Call]:
    """Collect the answers that a part of a call came from; the whole call names them as well."""
    whole = call.current()
    with call.background() as part:
        part.answers, part.notices = [], []
        try:
            yield part
        finally:
            whole.answers += part.answers
            whole.notices += part.notices


_MOST_RECORDS = 24
"""Records fetched for one entity; real ones lead to ten at most."""
_MOST_NAMESAKES = 3
"""Records fetched by the entity's label or ID: an alias may be shared by many genes, an Ensembl ID by three of NCBI's.
"""
_CATALOG_SPECIES = frozenset({"Homo sapiens", "Mus musculus"})
_ReverseLookup = Callable[[Readers, str], Awaitable[tuple[str, ...]]]
_REVERSE_LOOKUPS: Mapping[tuple[str, EntityKind], Mapping[str, _ReverseLookup]] = {
    ("chembl", "compound"): {"inchi_key": Readers.find_by_inchi_key},
    ("pubmed", "article"): {"doi": Readers.find_by_doi},
    ("igvf", "variant"): dict.fromkeys(("hgvs", "ca_id", "rsid"), Readers.find_by_variant_id),
}
"""IDs of other databases by which the start's own database can be searched."""


async def collect_evidence(readers: Readers, form: StrictForm, checked_id: str) -> Evidence:
    """The evidence of all databases on the entity with a strict ID.

    Raises:
        EntityNotFound: the ID's own database has no such record; for UniProt and dbSNP, none of our sources has it.
        RateLimited, UpstreamError: that record cannot be had.
    """
    if form.database == "uniprot":
        return await _protein_evidence(readers, checked_id)
    if form.database == "rsid":
        return await _rsid_evidence(readers, checked_id)
    database = "igvf" if form.kind == "variant" else form.database
    return await _EvidenceSearch(readers, form.kind).from_record(database, checked_id)


class _EvidenceSearch:
    def __init__(self, readers: Readers, kind: EntityKind) -> None:
        self._readers = readers
        self._kind = kind

    async def from_record(self, database: str, checked_id: str) -> Evidence:
        start, catalog = await asyncio.gather(
            self._readers.read(database, self._kind, checked_id), self._in_catalog(database, checked_id)
        )
        evidence = Evidence(start, databases=self._databases(start))
        evidence.outcomes[start.key] = start
        if "igvf" in evidence.databases:
            _add_outcome(evidence, ("igvf", checked_id), catalog)
        *_, citing_links = await asyncio.gather(
            self.follow(evidence), self._look_up_in_reverse(evidence), self._citing_links(evidence)
        )
        # NCBI may give an Ensembl gene to several of its own, of which Ensembl names one.
        await self._read_further(evidence, citing_links)
        await self._find_by_label(evidence)
        return evidence

    async def follow(self, evidence: Evidence) -> None:
        """Fetch the records that are named, until these name nothing new."""
        while links := list(self._links(evidence))[: _MOST_RECORDS - len(evidence.outcomes)]:
            await _read_links(self._readers, self._kind, evidence, links)

    def _databases(self, start: DatabaseRecord) -> tuple[str, ...]:
        """The databases that could have records of the entity, besides the start's own."""
        if self._kind not in {"gene", "transcript"}:
            return ()
        is_in_catalog = start.organism in _CATALOG_SPECIES
        possible = (name for name in GENE_DATABASES if self._readers.can_read(name, self._kind))
        return tuple(name for name in possible if name != start.database and (name != "igvf" or is_in_catalog))

    def _links(self, evidence: Evidence) -> Iterable[tuple[str, str]]:
        """IDs in the records that were not fetched yet; of the Catalog, which has Ensembl's IDs, those of the start."""
        start = evidence.start
        for record in (start, *evidence.records()):
            for database, ids in record.xrefs.items():
                is_open = database in {start.database, *evidence.databases} - evidence.failures.keys()
                if is_open and has_single_id(database) and (database != "igvf" or record is start):
                    yield from ((database, xref) for xref in ids if (database, xref) not in evidence.outcomes)

    async def _in_catalog(self, database: str, checked_id: str) -> Outcome:
        """The Catalog's record of the ID, fetched along with the start."""
        if database == "igvf" or not self._readers.can_read("igvf", self._kind):
            return EntityNotFound("The Catalog has no such records.", hint="")
        return await _outcome(self._readers.read("igvf", self._kind, bare(checked_id)))

    async def _look_up_in_reverse(self, evidence: Evidence) -> None:
        """Search the start's own database for the IDs of other databases that it asserts."""
        start = evidence.start
        searches = _REVERSE_LOOKUPS.get((start.database, self._kind), {})
        keys = [(database, value) for database in searches for value in start.xrefs.get(database, ())]
        outcomes = await asyncio.gather(*(_outcome(searches[name](self._readers, value)) for name, value in keys))
        for key, outcome in zip(keys, outcomes, strict=True):
            if isinstance(outcome, BiofactError) and not isinstance(outcome, EntityNotFound):
                evidence.failures.setdefault(key[0], outcome)
            else:
                evidence.reverse_lookups[key] = () if isinstance(outcome, BiofactError) else outcome

    async def _find_by_label(self, evidence: Evidence) -> None:
        """Search for the entity by its label in databases without a reciprocal record; other genes are ignored."""
        start = evidence.start
        reciprocal = {record.database for record in evidence.records() if record.points_to(start)}
        open_databases = [name for name in evidence.databases if name not in {*reciprocal, *evidence.failures}]
        label_links = await asyncio.gather(*(self._links_by_label(evidence, name) for name in open_databases))
        await self._read_further(evidence, [link for database_links in label_links for link in database_links])

    async def _read_further(self, evidence: Evidence, links: Sequence[tuple[str, str]]) -> None:
        """Fetch the records of IDs that no record names, and follow them."""
        further_links = [link for link in links if link not in evidence.outcomes]
        await _read_links(self._readers, self._kind, evidence, further_links)
        await self.follow(evidence)

    async def _citing_links(self, evidence: Evidence) -> list[tuple[str, str]]:
        """NCBI's genes that may name the start, a gene of Ensembl's."""
        if evidence.start.database != "ensembl" or "entrez" not in evidence.databases:
            return []
        try:
            return [("entrez", gene_id) for gene_id in await self._readers.genes_with(evidence.start.id)]
        except BiofactError as failure:
            evidence.failures["entrez"] = failure
            return []

    async def _links_by_label(self, evidence: Evidence, database: str) -> list[tuple[str, str]]:
        start, finder = evidence.start, self._readers.finder(database, self._kind)
        if finder is None:
            return []
        try:
            hits = await finder.find([start.label], start.organism or "human")
        except BiofactError as failure:
            evidence.failures[database] = failure
            return []
        if start.label in hits.failures:
            evidence.failures[database] = hits.failures[start.label]
        entities = hits.entities.get(start.label, [])
        ids = (
            entity.xrefs.get("ensembl_gene", entity.id) for entity in entities if entity.match in {"symbol", "alias"}
        )
        return [(database, entity_id) for entity_id in ids][:_MOST_NAMESAKES]


async def _read_links(readers: Readers, kind: EntityKind, evidence: Evidence, links: Sequence[tuple[str, str]]) -> None:
    """Fetch the records of some IDs, each with its database, into the evidence."""
    outcomes = await asyncio.gather(*(_outcome(readers.read(database, kind, xref)) for database, xref in links))
    for link, outcome in zip(links, outcomes, strict=True):
        _add_outcome(evidence, link, outcome)


def _add_outcome(evidence: Evidence, link: tuple[str, str], outcome: Outcome) -> None:
    evidence.outcomes[link] = outcome
    if isinstance(outcome, DatabaseRecord):
        evidence.outcomes.setdefault(outcome.key, outcome)
    elif not isinstance(outcome, EntityNotFound):
        evidence.failures.setdefault(link[0], outcome)


async def _rsid_evidence(readers: Readers, rsid: str) -> Evidence:
    """The alleles of an rsID: several are no contradiction, as it names a place."""
    start = DatabaseRecord("rsid", rsid, "variant", rsid, has_record=False)
    evidence = Evidence(start, databases=("igvf",))
    spdis = (await readers.find_by_variant_id(rsid))[:_MOST_RECORDS]
    await _read_links(readers, "variant", evidence, [("igvf", spdi) for spdi in spdis])
    organism = next((record.organism for record in evidence.records()), None)
    evidence.start = replace(start, organism=organism)
    return evidence


async def _protein_evidence(readers: Readers, accession: str) -> Evidence:
    """The targets and the protein of a UniProt entry, and the genes that the Catalog's protein is a product of."""
    protein, found_targets = await asyncio.gather(
        _outcome(readers.read_protein(accession)), _outcome(readers.read_targets(accession))
    )
    targets = [found_targets] if isinstance(found_targets, BiofactError) else found_targets
    records = [outcome for outcome in (protein, *targets) if isinstance(outcome, DatabaseRecord)]
    if not records:
        absent = EntityNotFound(f"No database of ours has {accession}.", hint="Check it.", invalid_input=accession)
        failures = (outcome for outcome in (protein, *targets) if isinstance(outcome, BiofactError))
        raise next((failure for failure in failures if not isinstance(failure, EntityNotFound)), absent)
    start = DatabaseRecord("uniprot", accession, "protein", records[0].label, has_record=False)
    evidence = Evidence(replace(start, organism=records[0].organism), databases=("chembl", "igvf"))
    for database, outcomes in (("igvf", [protein]), ("chembl", targets)):
        for outcome in outcomes:
            key = outcome.id if isinstance(outcome, DatabaseRecord) else accession
            _add_outcome(evidence, (database, key), outcome)
    if isinstance(protein, DatabaseRecord):
        links = [(name, gene_id) for name in ("entrez", "ensembl") for gene_id in protein.xrefs.get(name, ())]
        genes = await asyncio.gather(*(_outcome(readers.read(name, "gene", gene_id)) for name, gene_id in links))
        evidence.databases = (*evidence.databases, *dict.fromkeys(name for name, _ in links))
        for link, outcome in zip(links, map(_without_catalog, genes), strict=True):
            _add_outcome(evidence, link, outcome)
    return evidence


def _without_catalog(gene: Outcome) -> Outcome:
    """A gene without its ID in the Catalog: there the entity is a protein."""
    if not isinstance(gene, DatabaseRecord):
        return gene
    return replace(gene, xrefs={name: ids for name, ids in gene.xrefs.items() if name != "igvf"})


async def _outcome(answer: Awaitable[T]) -> T | BiofactError:
    try:
        return await answer
    except BiofactError as failure:
        return failure
