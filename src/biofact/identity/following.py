"""Follows cross-references from a record through the databases and back; each record is asked for once."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import replace

from biofact.core.entity_kinds import EntityKind
from biofact.core.errors import BiofactError, EntityNotFound
from biofact.identity.checked_ids import StrictForm
from biofact.identity.database_records import GENE_DATABASES, DatabaseRecord, is_single
from biofact.identity.evidence import Evidence, Outcome
from biofact.identity.readers import Readers
from biofact.sources.ensembl.stable_ids import bare

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
