"""Entities of many names. The service takes one name a request, so requests run side by side; regions are parsed."""

import functools
import re
from collections.abc import Iterable, Sequence

from biofact.core import organisms
from biofact.core.errors import AmbiguousQuery, EntityNotFound, RateLimited, UnresolvedEntity, UpstreamError
from biofact.core.records import Notice
from biofact.core.xrefs import REGISTRY
from biofact.dialects.genomic.genomes import ASSEMBLIES, Organism
from biofact.dialects.genomic.regions import region_organism
from biofact.protocol.names import Find, NamedEntity, NameResults, each_name
from biofact.sources.igvf.catalog import SPECIES
from biofact.sources.igvf.entities import EntityLookup, EntityResults, single_entity
from biofact.sources.igvf.identifiers.forms import (
    foreign_identifier,
    imported_term_id,
    read_region,
    term_id,
    zero_padded,
)
from biofact.sources.igvf.identifiers.kinds import Hint
from biofact.sources.igvf.identifiers.readings import readings
from biofact.sources.igvf.questions import IGVFQuestions
from biofact.sources.igvf.records import Entity, ProteinEntity, TermCandidate, TermEntity, TermMatch, VariantEntity
from biofact.sources.igvf.resolver import IdentifierResolver
from biofact.sources.igvf.term_search import TermSearch

_ONTOLOGIES = ("mondo", "efo", "orphanet")
_VOCABULARY = re.compile(r"(?:O?MIM(?:PS)?|MESH|MSH|UMLS|ICD[\w-]*|SNOMED\w*)\s*[:_]\s*\S+", re.IGNORECASE | re.ASCII)


def is_term(name: str) -> bool:
    """Whether it is the ID of a term, of an ontology that the Catalog has or of another vocabulary of diseases."""
    return bool(term_id(name) or imported_term_id(name) or zero_padded(name) or _VOCABULARY.fullmatch(name))


def is_words(name: str) -> bool:
    """Whether it may be the name of a disease."""
    return not is_term(name) and foreign_identifier(name) is None


def is_protein(name: str) -> bool:
    """Whether it is an accession or entry name of UniProt, or an ID of Ensembl's proteins, of human or mouse."""
    try:
        identifiers = readings(name, "protein")
    except (UnresolvedEntity, AmbiguousQuery):
        return False
    return identifiers[0].id_type != "name"


class NamedEntities:
    """Finds the entities of many names."""

    def __init__(self, questions: IGVFQuestions) -> None:
        self._questions = questions
        self._lookup = EntityLookup(questions)

    async def variants(self, names: Sequence[str], organism: str) -> NameResults:
        """Alleles by rsID, SPDI, HGVS or allele ID; those that share an rsID are entities of their own."""
        notices: list[Notice] = []
        find = functools.partial(self._alleles, organism=_organism(organism), notices=notices)
        return await self._results(names, find, notices)

    async def terms(self, names: Sequence[str]) -> NameResults:
        """Diseases by the IDs of terms."""
        return await self._results(names, self._term)

    async def diseases(self, names: Sequence[str]) -> NameResults:
        """Diseases by name or synonym; six requests a name."""
        notices: list[Notice] = []
        return await self._results(names, functools.partial(self._disease, notices=notices), notices)

    async def proteins(self, names: Sequence[str]) -> NameResults:
        """Proteins by accession, entry name or Ensembl's ID; with their genes."""
        return await self._results(names, self._protein)

    async def _results(self, names: Sequence[str], find: Find, notices: Iterable[Notice] = ()) -> NameResults:
        """The results of ``find`` for all names, with its ``notices``."""
        findings = await each_name(names, find, self._questions.transport.afresh)
        findings.notices += dict.fromkeys(notices)
        return findings

    async def _alleles(self, name: str, *, organism: Organism | None, notices: list[Notice]) -> list[NamedEntity]:
        entities = await self._variant_of_mouse(name) if organism == "mouse" else None
        entities = entities or await self._lookup_or_none(name, "variant")
        if entities is None:
            return []
        notices += (notice for notice in entities.notices if notice.code == "ASSUMED")
        alleles = [entity for entity in entities.entities if isinstance(entity, VariantEntity)]
        return [_allele(allele, is_shared=len(alleles) > 1) for allele in alleles]

    async def _term(self, name: str) -> list[NamedEntity]:
        entities = await self._lookup_or_none(name, "disease")
        return [_disease(term) for term in entities.entities if isinstance(term, TermEntity)] if entities else []

    async def _disease(self, name: str, *, notices: list[Notice]) -> list[NamedEntity]:
        terms, search_notices = await TermSearch(self._questions, name, "disease").exact_matches()
        notices += search_notices
        is_tied = sum(term.score == terms[0].score for term in terms) > 1
        return [
            _disease(term, term.match, term.score, is_shared=is_tied and term.score == terms[0].score) for term in terms
        ]

    async def _protein(self, name: str) -> list[NamedEntity]:
        """The protein of a name: that of a transcript, or the UniProt entry of several isoforms."""
        entities = await self._lookup_or_none(name, "protein")
        protein = single_entity(name, entities)[0] if entities else None
        if not entities or not isinstance(protein, ProteinEntity):
            return []
        gene = await self._gene(protein)
        if entities.identifier.id == protein.id:
            return [_of_protein(protein, protein.id, "ensembl_protein", gene)]
        accessions = _accessions(entities.identifier.id, protein)
        return [_of_protein(protein, f"UniProtKB:{accession}", "uniprot", gene) for accession in accessions]

    async def _variant_of_mouse(self, name: str) -> EntityResults | None:
        """The mouse variant of a name; None if the name is human."""
        try:
            return await self._lookup_or_none(name, "variant", "mouse")
        except UnresolvedEntity:
            return None

    async def _lookup_or_none(self, name: str, hint: Hint, organism: Organism | None = None) -> EntityResults | None:
        """The results of the strict lookup; None if there are none, as the name may be of another kind."""
        try:
            return await self._lookup.find(name, hint, organism)
        except EntityNotFound:
            return None

    async def _gene(self, protein: ProteinEntity) -> str | None:
        try:
            return await IdentifierResolver(self._questions).gene_of(protein)
        except (RateLimited, UpstreamError, AmbiguousQuery):  # the protein is known without it
            return None


async def regions(names: Sequence[str], organism: str) -> NameResults:
    """Regions as they are read, in the form that all tools take; asks no service."""
    findings = NameResults()
    for name in names:
        species = region_organism(name) or _organism(organism)
        if species is None:
            findings.reasons[name] = f"Regions are read on human and mouse assemblies alone, not of {organism}."
            continue
        try:
            findings.add(name, [_region(name, species)])
        except AmbiguousQuery as unreadable:
            findings.reasons[name] = f"{unreadable.message} {unreadable.hint}"
    return findings


def _organism(organism: str) -> Organism | None:
    """The one of the two that the Catalog has; None for another, which an ID may belie."""
    taxon = organisms.taxon(organism)
    return next((name for name, species in SPECIES.items() if taxon and species == taxon.name), None)


def _species(entity: Entity) -> str | None:
    return SPECIES[entity.organism] if entity.organism else None


def _allele(allele: VariantEntity, *, is_shared: bool) -> NamedEntity:
    return NamedEntity(
        id=allele.id,
        label=next(iter(allele.rsids), None) or allele.hgvs or allele.id,
        kind="variant",
        organism=_species(allele),
        chromosome=allele.chromosome,
        shares_match=is_shared,
    )


def _disease(
    term: TermEntity | TermCandidate, match: TermMatch = "id", score: float = 1.0, *, is_shared: bool = False
) -> NamedEntity:
    return NamedEntity(
        id=term.id,
        label=term.name or term.id,
        kind="disease",
        match=match,
        score=score,
        xrefs=_in_registry(term.id),
        shares_match=is_shared,
    )


def _in_registry(curie: str) -> dict[str, str]:
    identifiers = ((key, REGISTRY[key].normalise(curie)) for key in _ONTOLOGIES if curie.lower().startswith(key))
    return {key: value for key, value in identifiers if value}


def _of_protein(protein: ProteinEntity, entity_id: str, key: str, gene: str | None) -> NamedEntity:
    """The protein under an ID, which is one of this ``key`` of cross-references."""
    return NamedEntity(
        id=entity_id,
        label=next(iter(protein.uniprot_names), None) or protein.name or entity_id,
        kind="protein",
        organism=_species(protein),
        xrefs={key: entity_id},
        chromosome=protein.chromosome,
        product_of=(gene,) if gene else (),
    )


def _accessions(identifier: str, protein: ProteinEntity) -> list[str]:
    """The accession itself; for an entry name the accessions of its proteins, without isoforms."""
    if identifier not in protein.uniprot_names:
        return [identifier]
    return list(dict.fromkeys(accession.partition("-")[0] for accession in protein.uniprot_ids))


def _region(name: str, species: Organism) -> NamedEntity:
    region = read_region(name, species)
    return NamedEntity(
        id=f"{region.chromosome}:{region.start}-{region.end}",  # without chr, as Ensembl's tools take it, too
        label=f"{region} ({ASSEMBLIES[species].name})",
        kind="region",
        organism=SPECIES[species],
        chromosome=region.chromosome,
    )
