"""The facts as a graph: entities by ID and by place, edges by their ends."""

import bisect
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from biofact.dialects.genomic.genomes import chromosome_of
from biofact.sandbox.services.igvf.asking import Span
from biofact.sandbox.services.igvf.facts import (
    CodingVariantFacts,
    EdgeFacts,
    ElementFacts,
    Facts,
    GeneFacts,
    Organism,
    ProteinFacts,
    TermFacts,
    TranscriptFacts,
    VariantFacts,
)
from biofact.sandbox.services.igvf.fuzzy import TextIndex
from biofact.sources.igvf.catalog import edges as declared_edges

COLLECTIONS = {
    "gene": "genes",
    "transcript": "transcripts",
    "protein": "proteins",
    "variant": "variants",
    "coding_variant": "coding_variants",
    "term": "ontology_terms",
    "drug": "drugs",
    "complex": "complexes",
    "pathway": "pathways",
    "study": "studies",
    "motif": "motifs",
    "element": "genomic_elements",
    "dataset": "files_filesets",
}
"""What stands before an ID in a reference, by kind."""


class Placed(Protocol):
    """An entity with a place: 1-based, inclusive."""

    @property
    def chromosome(self) -> str: ...  # noqa: D102
    @property
    def start(self) -> int: ...  # noqa: D102
    @property
    def end(self) -> int: ...  # noqa: D102
    @property
    def organism(self) -> Organism: ...  # noqa: D102


P = TypeVar("P", bound=Placed)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a variant lies and what it changes, as its SPDI says."""

    organism: Organism
    chromosome: str
    position: int
    """0-based."""
    ref: str
    alt: str


def place(spdi: str) -> Place:
    """Where a variant lies.

    Raises:
        ValueError: it is no SPDI on a chromosome of today's assemblies.
    """
    accession, _, rest = spdi.partition(":")
    position, ref, alt = rest.split(":")
    found = chromosome_of(accession)
    if found is None:
        raise ValueError(f"{spdi!r} lies on no chromosome of GRCh38 or GRCm39.")
    return Place(found[0], found[1], int(position), ref, alt)


class Spans(Generic[P]):
    """Entities by place."""

    def __init__(self, entities: Iterable[P]) -> None:
        self._by_place: dict[tuple[Organism, str], list[P]] = defaultdict(list)
        for one in entities:
            self._by_place[one.organism, one.chromosome].append(one)
        self._starts: dict[tuple[Organism, str], list[int]] = {}
        self._longest: dict[tuple[Organism, str], int] = {}
        for where, several in self._by_place.items():
            several.sort(key=lambda one: one.start)
            self._starts[where] = [one.start for one in several]
            self._longest[where] = max(one.end - one.start + 1 for one in several)

    def over(self, span: Span, organism: Organism) -> list[P]:
        """Those with a base in common with ``span``."""
        where = (organism, span.chromosome)
        starts = self._starts.get(where, [])
        low = bisect.bisect_left(starts, span.start + 1 - self._longest.get(where, 0))
        high = bisect.bisect_right(starts, span.end)
        return [one for one in self._by_place.get(where, [])[low:high] if one.end > span.start]

    def beside(self, span: Span, organism: Organism) -> list[P]:
        """The last one before ``span`` and the first one after it."""
        several = self._by_place.get((organism, span.chromosome), [])
        before = [one for one in several if one.end < span.start]
        after = [one for one in several if one.start - 1 > span.end]
        return [*sorted(before, key=lambda one: one.end)[-1:], *after[:1]]


@dataclass(frozen=True, slots=True)
class Variants:
    """Variants by place and by name; those that only an edge names too."""

    by_id: Mapping[str, VariantFacts]
    places: Mapping[str, Place]
    by_name: Mapping[str, Sequence[str]]
    """SPDIs by SPDI, HGVS, rsID and CA ID."""
    by_place: Mapping[tuple[Organism, str], Sequence[tuple[int, str]]]

    def within(self, span: Span, organism: Organism) -> list[str]:
        """SPDIs of those that start in ``span``."""
        several = self.by_place.get((organism, span.chromosome), [])
        low, high = (bisect.bisect_left(several, (position, "")) for position in (span.start, span.end))
        return [spdi for _, spdi in several[low:high]]


def _variants(facts: Facts) -> Variants:
    known = {one.spdi: one for one in facts.variants}
    ends = {name: (edge.subject.kind, edge.object.kind) for name, edge in declared_edges().items()}
    for edge in facts.edges:
        for kind, uid in zip(ends[edge.edge], (edge.subject, edge.object), strict=True):
            if kind == "variant" and uid not in known:
                known[uid] = VariantFacts(spdi=uid)
    places = {spdi: place(spdi) for spdi in known}
    by_name: dict[str, list[str]] = defaultdict(list)
    by_place: dict[tuple[Organism, str], list[tuple[int, str]]] = defaultdict(list)
    for spdi, one in known.items():
        for name in {spdi, one.hgvs, one.ca_id, *one.rsids} - {""}:
            by_name[name].append(spdi)
        where = places[spdi]
        by_place[where.organism, where.chromosome].append((where.position, spdi))
    for several in by_place.values():
        several.sort()
    return Variants(known, places, by_name, by_place)


class Edges:
    """The edges of one kind, in the order of their keys."""

    def __init__(self, edges: Iterable[EdgeFacts]) -> None:
        self.all = sorted(edges, key=lambda edge: (edge.subject, edge.object))
        self._by_end: dict[str, list[int]] = defaultdict(list)
        for position, edge in enumerate(self.all):
            for uid in {f"<{edge.subject}", f">{edge.object}"}:
                self._by_end[uid].append(position)

    def of(self, subjects: Iterable[str] = (), objects: Iterable[str] = ()) -> list[EdgeFacts]:
        """Those with any of these subjects, or any of these objects."""
        ends = (*(f"<{uid}" for uid in subjects), *(f">{uid}" for uid in objects))
        positions = {position for end in ends for position in self._by_end.get(end, ())}
        return [self.all[position] for position in sorted(positions)]


class Graph:
    """All that the stand-in knows, as it is looked for."""

    def __init__(self, facts: Facts) -> None:
        self.variants = _variants(facts)
        self.nodes: dict[str, Mapping[str, Any]] = {
            "gene": {one.id: one for one in sorted(facts.genes, key=lambda gene: gene.id)},
            "transcript": {one.id: one for one in sorted(facts.transcripts, key=lambda one: f"chr{one.chromosome}")},
            "protein": {one.id: one for one in _by_chromosome(facts)},
            "variant": dict(sorted(self.variants.by_id.items())),
            **{
                kind: {one.id: one for one in sorted(several, key=lambda one: str(one.id))}
                for kind, several in _plain(facts)
            },
        }
        self.genes: Spans[GeneFacts] = Spans(facts.genes)
        self.transcripts: Spans[TranscriptFacts] = Spans(facts.transcripts)
        self.elements: Spans[ElementFacts] = Spans(facts.elements)
        by_name: dict[str, list[EdgeFacts]] = defaultdict(list)
        for edge in facts.edges:
            by_name[edge.edge].append(edge)
        self._edges = {name: Edges(by_name[name]) for name in declared_edges()}
        self.words = _indexes(facts)

    def gene(self, uid: str) -> GeneFacts | None:
        """A gene by its ID."""
        found: GeneFacts | None = self.nodes["gene"].get(uid)
        return found

    def term(self, uid: str) -> TermFacts | None:
        """A term by its ID."""
        found: TermFacts | None = self.nodes["term"].get(uid)
        return found

    def protein(self, uid: str) -> ProteinFacts | None:
        """A protein by its Ensembl ID."""
        found: ProteinFacts | None = self.nodes["protein"].get(uid)
        return found

    def coding_variant(self, uid: str) -> CodingVariantFacts | None:
        """A change of a protein by its ID."""
        found: CodingVariantFacts | None = self.nodes["coding_variant"].get(uid)
        return found

    def edges(self, name: str) -> Edges:
        """The edges of one kind."""
        return self._edges[name]


def _plain(facts: Facts) -> Iterator[tuple[str, Sequence[Any]]]:
    yield "coding_variant", facts.coding_variants
    yield "term", facts.terms
    yield "drug", facts.drugs
    yield "complex", facts.complexes
    yield "study", facts.studies
    yield "pathway", facts.pathways
    yield "motif", facts.motifs
    yield "element", facts.elements
    yield "dataset", facts.datasets


def _by_chromosome(facts: Facts) -> list[ProteinFacts]:
    """Proteins by the chromosome of their gene, as the service orders them; nothing orders those of one chromosome."""
    genes = {gene.symbol: f"chr{gene.chromosome}" for gene in facts.genes}
    return sorted(facts.proteins, key=lambda protein: genes.get(protein.name, ""))


def _indexes(facts: Facts) -> dict[str, TextIndex]:
    """What text search looks at, by kind and field."""
    return {
        "gene": TextIndex((one.id, (one.symbol, *one.synonyms)) for one in facts.genes),
        "protein name": TextIndex((one.id, (one.name,)) for one in facts.proteins),
        "protein uniprot_name": TextIndex((one.id, one.uniprot_names) for one in facts.proteins),
        "protein uniprot_full_name": TextIndex((one.id, one.uniprot_full_names) for one in facts.proteins),
        "term name": TextIndex((one.id, (one.name,)) for one in facts.terms),
        "term synonyms": TextIndex((one.id, one.synonyms) for one in facts.terms),
        "drug name": TextIndex((one.id, (one.name,)) for one in facts.drugs),
        "complex name": TextIndex((one.id, (one.name, *one.aliases)) for one in facts.complexes),
        "complex description": TextIndex((one.id, (one.description,)) for one in facts.complexes),
        "pathway name": TextIndex((one.id, (one.name,)) for one in facts.pathways),
        "pathway name_aliases": TextIndex((one.id, one.aliases) for one in facts.pathways),
    }
