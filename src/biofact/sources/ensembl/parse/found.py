"""Genes as searches come upon them: by symbol, by words, by lookup. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from biofact.core.errors import UpstreamError
from biofact.core.organisms import MODEL_ORGANISMS
from biofact.core.records import Notice
from biofact.core.words import squeezed
from biofact.dialects import ebi_search
from biofact.dialects.ebi_search import Entry
from biofact.dialects.json_values import text
from biofact.sources.ensembl.identifiers import GENE_FORM, bare
from biofact.sources.ensembl.parse.documents import absence, mapping, missing, needed, rows
from biofact.sources.ensembl.parse.places import full_name, hgnc_id, lacking_of_place, mismatches, place
from biofact.sources.ensembl.records import EnsemblGeneCandidate
from biofact.transport.service import Transient

NAMES = {taxon.id: "_".join(taxon.name.lower().split()[:2]) for taxon in MODEL_ORGANISMS}
"""Ensembl's name of each model organism, by taxon ID: as ``info/species`` has it."""
_TAXA = {name: taxon_id for taxon_id, name in NAMES.items()}
_CODING = 1000.0  # more than any place in a list
_ALTERNATE = re.compile(r"CHR_|HSCHR|HG\d+_|MHC_")
"""How scaffolds begin that hold another version of a part of a chromosome."""


@dataclass(frozen=True, slots=True)
class Found:
    """A gene with what ranks it."""

    id: str
    symbol: str
    species: str
    """Ensembl's name."""
    aliases: tuple[str, ...] = ()
    name: str | None = None
    biotype: str | None = None
    """None until it has been looked up."""
    rank: float = 0.0
    """Higher for a better place in the service's own order."""
    location: Mapping[str, Any] | None = None
    """Its place, as far as that is told, once it has been looked up."""
    hgnc_id: str | None = None
    """As its description names it."""
    notices: tuple[Notice, ...] = ()
    """What contradicts itself in its lookup."""

    @property
    def names(self) -> tuple[str, ...]:
        """Its full name."""
        return (self.name,) if self.name else ()

    @property
    def taxon_id(self) -> int | None:
        """Of a model organism; None of others."""
        return _TAXA.get(self.species)

    @property
    def is_minor(self) -> bool:
        """A pseudogene, without a name, or on an alternate version of its chromosome."""
        is_elsewhere = _ALTERNATE.match(str((self.location or {}).get("chromosome") or "")) is not None
        is_pseudogene = "pseudogene" in f"{self.biotype} {self.name}"
        return is_elsewhere or is_pseudogene or self.symbol == self.id

    @property
    def weight(self) -> float:
        """The service's own order, those that code for proteins before all others."""
        return self.rank + (_CODING if self.biotype == "protein_coding" else 0.0)

    @property
    def tie(self) -> str:
        """The lower ID."""
        return self.id

    def merged(self, other: "Found") -> "Found":
        """What the lookup tells, with the aliases and the place in the list that a search told before."""
        return replace(self, aliases=(*self.aliases, *other.aliases), rank=max(self.rank, other.rank))

    def candidate(self, **ranked: Any) -> EnsemblGeneCandidate:
        """The gene as a hit of a search; ``ranked`` says its match and score.

        Raises:
            UpstreamError: its lookup does not say where it lies.
        """
        location = {key: value for key, value in (self.location or {}).items() if key != "version"}
        if lacking := lacking_of_place(location):
            raise missing(lacking, self.id)
        return EnsemblGeneCandidate(
            id=self.id, symbol=self.symbol, biotype=self.biotype or "", name=self.name, **location, **ranked
        ).noted(self.notices)


def looked_up(payload: bytes | Mapping[str, Any]) -> Found:
    """The gene that a lookup describes.

    Raises:
        UpstreamError: it has no ID, species or biotype, or is no gene.
    """
    values = mapping(payload) if isinstance(payload, bytes) else dict(payload)
    stable_id = needed(values, "id", "a gene")
    if text(values, "object_type") not in {None, "Gene"}:
        raise UpstreamError(f"{stable_id} is no gene, but a {values['object_type']}.", hint="Call again later.")
    return Found(
        id=stable_id,
        symbol=text(values, "display_name") or stable_id,
        species=needed(values, "species", stable_id),
        name=full_name(text(values, "description")),
        hgnc_id=hgnc_id(text(values, "description")),
        biotype=needed(values, "biotype", stable_id),
        location=place(values),
        notices=tuple(mismatches(values)),
    )


def with_symbols(symbols: Sequence[str], body: bytes) -> list[Found]:
    """The genes that display one of ``symbols``, in their order; symbols that no gene displays have none.

    Raises:
        Transient: the body is damaged, or something else.
    """
    if absence(body, *symbols):
        return []
    values = mapping(body)
    if not set(values) <= set(symbols):
        raise Transient("sent something other than genes by symbol")
    wanted = {squeezed(symbol) for symbol in symbols}
    genes = [looked_up(values[symbol]) for symbol in symbols if isinstance(values.get(symbol), dict)]
    return list({gene.id: gene for gene in genes if squeezed(gene.symbol) in wanted}.values())


def ids_with_symbol(symbol: str, body: bytes, kind: str = "gene") -> list[str]:
    """IDs of genes, or of another kind, that ``xrefs/symbol`` tells, each once.

    Raises:
        Transient: the body is damaged, or something else.
    """
    if absence(body, symbol):
        return []
    ids = [text(row, "id") for row in rows(body) if row.get("type") in {None, kind}]
    if None in ids:
        raise Transient("sent a cross-reference without an ID")
    return list(dict.fromkeys(filter(None, ids)))


@dataclass(frozen=True, slots=True)
class Hits:
    """A part of the list that a search found."""

    count: int
    """Of the whole list."""
    ids: tuple[str, ...]
    """Of this part, also of hits that are no genes."""
    genes: tuple[Found, ...]


def hits(start: int, body: bytes) -> Hits:
    """What EBI Search tells from the ``start``-th hit on; of those without an ID of a gene nothing is read.

    Raises:
        Transient: the body is damaged, or something else, or has fewer hits than it says.
    """
    found = ebi_search.entries(start, body)
    entries = found.entries
    genes = [_hit(entry, len(entries) - place) for place, entry in enumerate(entries) if _is_gene(entry)]
    return Hits(found.count, tuple(bare(entry.id) for entry in entries), tuple(genes))


def synonyms(body: bytes) -> dict[str, tuple[str, ...]]:
    """The synonyms of genes by ID, as EBI Search has them.

    Raises:
        Transient: the body is damaged, or something else.
    """
    return {bare(entry.id): tuple(entry.fields.get("gene_synonym", ())) for entry in ebi_search.fetched(body)}


def _is_gene(entry: Entry) -> bool:
    return re.fullmatch(GENE_FORM, entry.id, re.ASCII) is not None


def _hit(entry: Entry, rank: float) -> Found:
    stable_id = bare(entry.id)
    return Found(
        id=stable_id,
        symbol=entry.first("gene_name") or stable_id,
        species="_".join((entry.first("species") or "").lower().split()),
        aliases=tuple(entry.fields.get("gene_synonym", ())),
        name=full_name(entry.first("description")),
        rank=rank,
    )
