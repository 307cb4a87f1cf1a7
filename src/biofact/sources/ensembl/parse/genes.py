"""A gene's lookup and cross-references to its record. Pure."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from biofact.core.errors import UpstreamError
from biofact.core.organisms import MODEL_ORGANISMS
from biofact.core.records import Notice, rows_dropped
from biofact.core.words import compact, is_readthrough
from biofact.core.xrefs import REGISTRY
from biofact.dialects import ebi_search
from biofact.dialects.ebi_search import Entry
from biofact.dialects.json_splitter import KeyedRecords
from biofact.dialects.json_values import nested_object, number, objects, text
from biofact.dialects.readable_rows import MissingField, ReadableRows
from biofact.sources.ensembl.identifiers import GENE_FORM, bare
from biofact.sources.ensembl.parse.documents import (
    Row,
    absence,
    collector,
    document,
    full_name,
    kind_in,
    mapping,
    mismatches,
    nomenclature_id,
    required_place,
    required_text,
    rows,
    span,
    transcript_collector,
)
from biofact.sources.ensembl.records import (
    EnsemblGeneCandidate,
    Exon,
    Gene,
    SlimGene,
    SlimTranscript,
    Transcript,
    Translation,
)
from biofact.transport.service import Transient

NAMES = {taxon.id: "_".join(taxon.name.lower().split()[:2]) for taxon in MODEL_ORGANISMS}
"""Ensembl's name of each model organism, by taxon ID: as ``info/species`` has it."""
_TAXA = {name: taxon_id for taxon_id, name in NAMES.items()}
_OF_GENCODE = {"homo_sapiens", "mus_musculus"}  # of other species Ensembl sends 0 (zebrafish, seen in 2025)
_CODING = 1000.0  # more than any place in a list
_ALTERNATE = re.compile(r"CHR_|HSCHR|HG\d+_|MHC_")
"""The beginnings of names of scaffolds with another version of a part of a chromosome."""


@dataclass(frozen=True, slots=True)
class GeneHit:
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
    """Species, assembly and coordinates; None until it has been looked up."""
    nomenclature_id: str | None = None
    """As its description names it."""
    notices: tuple[Notice, ...] = ()
    """Contradictions within the lookup."""

    @property
    def names(self) -> tuple[str, ...]:
        """The full name."""
        return (self.name,) if self.name else ()

    @property
    def designations(self) -> tuple[str, ...]:
        """None: Ensembl's further names are all synonyms."""
        return ()

    @property
    def taxon_id(self) -> int | None:
        """The taxon ID of a model organism; None for other species."""
        return _TAXA.get(self.species)

    @property
    def is_readthrough(self) -> bool:
        """Whether it is transcribed across other genes."""
        return is_readthrough(self.names)

    @property
    def is_minor(self) -> bool:
        """A pseudogene or readthrough, without a name, or on an alternate version of its chromosome."""
        is_elsewhere = _ALTERNATE.match(str((self.location or {}).get("chromosome") or "")) is not None
        is_pseudogene = "pseudogene" in f"{self.biotype} {self.name}"
        return is_elsewhere or is_pseudogene or self.is_readthrough or self.symbol == self.id

    @property
    def weight(self) -> float:
        """The service's own order, those that code for proteins before all others."""
        return self.rank + (_CODING if self.biotype == "protein_coding" else 0.0)

    @property
    def tie(self) -> str:
        """The lower ID."""
        return self.id

    def merged(self, other: "GeneHit") -> "GeneHit":
        """The looked-up gene, with the aliases and the rank that an earlier search found."""
        return replace(self, aliases=(*self.aliases, *other.aliases), rank=max(self.rank, other.rank))

    def candidate(self, **ranked: Any) -> EnsemblGeneCandidate:
        """The looked-up gene as a hit of a search; ``ranked`` says its match and score."""
        location = {key: value for key, value in (self.location or {}).items() if key != "version"}
        return EnsemblGeneCandidate(
            id=self.id, symbol=self.symbol, biotype=self.biotype or "", name=self.name, **location, **ranked
        ).noted(self.notices)


def gene_hit(payload: bytes | Mapping[str, Any]) -> GeneHit:
    """The gene that a lookup describes.

    Raises:
        MissingField: it has no ID, biotype or place.
        UpstreamError: it is no gene.
    """
    values = mapping(payload) if isinstance(payload, bytes) else dict(payload)
    stable_id = required_text(values, "id", "a gene")
    if kind_in(values) not in {None, "Gene"}:
        raise UpstreamError(f"{stable_id} is no gene, but a {values['object_type']}.", hint="Call again later.")
    return GeneHit(
        id=stable_id,
        symbol=text(values, "display_name") or stable_id,
        species=required_text(values, "species", stable_id),
        name=full_name(text(values, "description")),
        nomenclature_id=nomenclature_id(text(values, "description")),
        biotype=required_text(values, "biotype", stable_id),
        location=required_place(values, stable_id),
        notices=tuple(mismatches(values)),
    )


def with_symbols(symbols: Sequence[str], body: bytes) -> ReadableRows[GeneHit]:
    """The genes that display one of ``symbols``, in their order; symbols that no gene displays have none.

    Raises:
        Transient: the body is damaged, or something else.
        MissingField: every gene lacks a field.
    """
    if absence(body, *symbols):
        return ReadableRows([])
    values = mapping(body)
    # Unknown symbols are left out of the answer; a key that was not sent makes it another answer.
    if not set(values) <= set(symbols):
        raise Transient("sent something other than genes by symbol")
    compact_symbols = {compact(symbol) for symbol in symbols}
    found = ReadableRows.of((values[symbol] for symbol in symbols if isinstance(values.get(symbol), dict)), gene_hit)
    # A gene that displays another symbol was not asked for.
    genes = {gene.id: gene for gene in found.items if compact(gene.symbol) in compact_symbols}
    return found.with_items(genes.values())


def ids_with_symbol(symbol: str, body: bytes, kind: str = "gene") -> ReadableRows[str]:
    """IDs of genes, or of another kind, that ``xrefs/symbol`` tells, each once.

    Raises:
        Transient: the body is damaged, or something else.
        MissingField: no row has an ID.
    """
    if absence(body, symbol):
        return ReadableRows([])
    own_rows = [row for row in rows(body) if (row.get("type") or kind) == kind]
    found = ReadableRows.of(own_rows, lambda row: required_text(row, "id", f"a carrier of {symbol}"))
    return found.with_items(dict.fromkeys(found.items))


@dataclass(frozen=True, slots=True)
class Hits:
    """A part of the list that a search found."""

    count: int
    """The length of the whole list."""
    ids: tuple[str, ...]
    """The IDs of this part, including hits that are no genes; empty for a hit without one."""
    genes: tuple[GeneHit, ...]
    omissions: Counter[str]
    """The number of hits that were left out, by the field that they lack."""


def hits(start: int, body: bytes) -> Hits:
    """The hits of EBI Search from the ``start``-th on; only those with an ID of a gene are parsed.

    Raises:
        Transient: the body is damaged, or something else, or has fewer hits than it says.
        MissingField: no hit has an ID.
    """
    entries = ebi_search.entries(start, body)
    found = entries.found
    genes = [_hit(entry, len(found.items) - place) for place, entry in enumerate(found.items) if _is_gene(entry)]
    ids = tuple("" if isinstance(entry, MissingField) else bare(entry.id) for entry in found.outcomes)
    return Hits(entries.count, ids, tuple(genes), found.omissions)


def synonyms(body: bytes) -> dict[str, tuple[str, ...]]:
    """The synonyms of genes by ID, as EBI Search has them.

    Raises:
        Transient: the body is damaged, or something else.
    """
    return {bare(entry.id): tuple(entry.fields.get("gene_synonym", ())) for entry in ebi_search.fetched(body)}


def _is_gene(entry: Entry) -> bool:
    return re.fullmatch(GENE_FORM, entry.id, re.ASCII) is not None


def _hit(entry: Entry, rank: float) -> GeneHit:
    stable_id = bare(entry.id)
    return GeneHit(
        id=stable_id,
        symbol=entry.first("gene_name") or stable_id,
        species="_".join((entry.first("species") or "").lower().split()),
        aliases=tuple(entry.fields.get("gene_synonym", ())),
        name=full_name(entry.first("description")),
        rank=rank,
    )


def gene(payload: bytes, xrefs: Sequence[Row] = (), *, replaces: str | None = None) -> Gene:
    """The gene that an expanded lookup and its cross-references describe.

    Raises:
        UpstreamError: it has no ID, biotype or place.
    """
    values = mapping(payload)
    stable_id = required_text(values, "id", "a gene")
    location = required_place(values, stable_id)
    transcript_rows = _transcripts(values)
    xref_collector = collector(xrefs, species=location["species"])
    for transcript in transcript_rows:
        xref_collector.add("ensembl_transcript", transcript["id"])
    return Gene(
        id=stable_id,
        symbol=text(values, "display_name") or stable_id,
        biotype=required_text(values, "biotype", stable_id),
        name=full_name(text(values, "description")),
        **location,
        canonical_transcript=(text(values, "canonical_transcript") or "").removesuffix(".")
        or _canonical(transcript_rows),
        transcript_count=len(transcript_rows) or None,
        cross_references=xref_collector.collected(),
        replaces=replaces,
        notices=[*mismatches(values), *_dropped_transcripts(values), *xref_collector.notices],
    )


def slim_gene(payload: bytes, *, replaces: str | None = None) -> SlimGene:
    """The short form of the gene that a lookup describes: a hundred of them are asked for at once.

    Raises:
        UpstreamError: it has no ID or biotype.
    """
    values = mapping(payload)
    stable_id = required_text(values, "id", "a gene")
    symbol, biotype = text(values, "display_name") or stable_id, required_text(values, "biotype", stable_id)
    return SlimGene(id=stable_id, symbol=symbol, biotype=biotype, replaces=replaces)


def _transcripts(values: dict[str, Any]) -> list[dict[str, Any]]:
    """The canonical one first, then MANE's, then the coding ones, the longest protein before the others."""
    by_id = {transcript_id: row for row in objects(values, "Transcript") if (transcript_id := text(row, "id"))}
    return sorted(by_id.values(), key=_use)


def _dropped_transcripts(values: dict[str, Any]) -> list[Notice]:
    count = sum(not text(row, "id") for row in objects(values, "Transcript"))
    return rows_dropped(count, "Ensembl sent transcripts without an ID")


def _use(transcript: dict[str, Any]) -> tuple[bool, bool, bool, int]:
    protein = transcript.get("Translation")
    return (
        transcript.get("is_canonical") != 1,
        not objects(transcript, "MANE"),
        transcript.get("biotype") != "protein_coding",
        -(number(protein, "length") or 0) if isinstance(protein, dict) else 0,
    )


def _canonical(transcript_rows: list[dict[str, Any]]) -> str | None:
    """Older answers mark the transcript, not the gene."""
    if not transcript_rows or transcript_rows[0].get("is_canonical") != 1:
        return None
    first = transcript_rows[0]
    version = number(first, "version")
    return f"{first['id']}.{version}" if version else str(first["id"])


def transcript(payload: bytes, xrefs: Sequence[Row] = (), *, replaces: str | None = None) -> Transcript:
    """The transcript that an expanded lookup of its own ID and its cross-references describe.

    Raises:
        UpstreamError: it has no ID, biotype, gene or place.
    """
    return _transcript(mapping(payload), xrefs, replaces=replaces)


def slim_transcript(payload: bytes, *, replaces: str | None = None) -> SlimTranscript:
    """The short form of the transcript that a lookup describes.

    Raises:
        UpstreamError: it has no ID, biotype or gene.
    """
    values = mapping(payload)
    stable_id = required_text(values, "id", "a transcript")
    parent, biotype = bare(required_text(values, "Parent", stable_id)), required_text(values, "biotype", stable_id)
    return SlimTranscript(id=stable_id, parent_gene=parent, biotype=biotype, replaces=replaces)


def transcripts(payload: bytes) -> list[Transcript]:
    """All transcripts of a gene, as its expanded lookup tells them, in Ensembl's order."""
    return [_transcript(values) for values in objects(mapping(payload), "Transcript")]


def _transcript(values: dict[str, Any], xrefs: Sequence[Row] = (), *, replaces: str | None = None) -> Transcript:
    stable_id = required_text(values, "id", "a transcript")
    parent, mane = bare(required_text(values, "Parent", stable_id)), _mane(values)
    xref_collector = transcript_collector(xrefs)
    if REGISTRY["ensembl_gene"].normalise(parent):  # an LRG is a gene of no registry
        xref_collector.add("ensembl_gene", parent)
    for _, refseq in sorted(mane.items(), reverse=True):  # MANE Select first
        xref_collector.add("refseq", refseq)
    exons = _exons(values)
    unreadable_exons = _count_unreadable(values, exons)
    known_exons = [] if unreadable_exons else exons  # a part of them shows neither their number nor the length
    length = number(values, "length") or sum(exon.end - exon.start + 1 for exon in known_exons) or None
    location = required_place(values, stable_id)
    return Transcript(
        id=stable_id,
        parent_gene=parent,
        biotype=required_text(values, "biotype", stable_id),
        name=text(values, "display_name"),
        **location,
        length=length,
        is_canonical=_flag(values, "is_canonical"),
        is_gencode_primary=_flag(values, "gencode_primary") if location["species"] in _OF_GENCODE else None,
        **mane,
        exon_count=len(known_exons) or None,
        exons=exons,
        translation=_translation(values),
        cross_references=xref_collector.collected(),
        replaces=replaces,
        notices=[
            *mismatches(values, *objects(values, "Exon"), nested_object(values, "Translation")),
            *rows_dropped(unreadable_exons, "Ensembl sent exons without ID or place"),
            *xref_collector.notices,
        ],
    )


def _flag(values: dict[str, Any], name: str) -> bool | None:
    flag = number(values, name)
    return None if flag is None else flag == 1


def _count_unreadable(values: dict[str, Any], exons: Sequence[Exon]) -> int:
    """The number of exons of a lookup that are not among those that were read."""
    rows = values.get("Exon")
    exon_ids = {exon.id for exon in exons}
    is_read = [isinstance(row, dict) and text(row, "id") in exon_ids for row in rows] if isinstance(rows, list) else []
    return is_read.count(False)


def _exons(values: dict[str, Any]) -> list[Exon]:
    """The exons in the order of transcription; those without coordinates are left out."""
    spans = [(text(exon, "id"), *span(exon)) for exon in objects(values, "Exon")]
    exons = [Exon(id=exon_id, start=start, end=end) for exon_id, start, end in spans if exon_id and start and end]
    by_id = {exon.id: exon for exon in exons}
    return sorted(by_id.values(), key=lambda exon: exon.start, reverse=str(values.get("strand")) == "-1")


def _mane(values: dict[str, Any]) -> dict[str, Any]:
    """MANE Select and Plus Clinical: the RefSeq transcripts that match."""
    keys = {"MANE_Select": "mane_select", "MANE_Plus_Clinical": "mane_plus_clinical"}
    rows = [(text(match, "type") or "", text(match, "refseq_match")) for match in objects(values, "MANE")]
    matches = [(keys.get(kind.replace(" ", "_")), refseq) for kind, refseq in rows]
    return {key: refseq for key, refseq in matches if key and refseq}


def _translation(values: dict[str, Any]) -> Translation | None:
    translation = values.get("Translation")
    if not isinstance(translation, dict):
        return None
    start, end = span(translation)
    stable_id = required_text(translation, "id", "a translation")
    return Translation(id=stable_id, length=number(translation, "length"), start=start, end=end)


@dataclass(frozen=True, slots=True)
class Product:
    """A transcript or the protein of one."""

    id: str
    """Without version."""
    kind: str | None
    """``Transcript`` or ``Translation``."""
    version: int | None
    parent: str
    """The gene of a transcript, the transcript of a protein."""
    species: str
    """Ensembl's name."""
    name: str | None = None
    chromosome: str | None = None
    mane_partners: tuple[str, ...] = ()
    """RefSeq's transcripts of the very same sequence, without versions: an expanded lookup tells them."""

    @property
    def versioned_id(self) -> str:
        """The ID, with the version if there is one."""
        return self.id if self.version is None else f"{self.id}.{self.version}"


def product(payload: bytes) -> Product:
    """The transcript or protein that a lookup describes.

    Raises:
        UpstreamError: it has no ID, parent or species.
    """
    values = mapping(payload)
    stable_id = required_text(values, "id", "a transcript or protein")
    partners = (text(match, "refseq_match") or "" for match in objects(values, "MANE"))
    return Product(
        id=bare(stable_id),
        kind=kind_in(values),
        version=number(values, "version"),
        parent=bare(required_text(values, "Parent", stable_id)),
        species=required_text(values, "species", stable_id),
        name=text(values, "display_name"),
        chromosome=text(values, "seq_region_name"),
        mane_partners=tuple(partner.partition(".")[0] for partner in partners if partner),
    )


_OF_A_TRANSCRIPT = ("id", "version", "biotype", "is_canonical", "MANE")


def lookup_splitter(ids: Sequence[str]) -> KeyedRecords:
    """Splits a ``lookup/id`` body into the record of each ID."""
    return KeyedRecords(ids, document, trimmed)


def trimmed(values: dict[str, Any]) -> dict[str, Any]:
    """A record without the exons of a gene's transcripts, which no parser reads and which are most of its bytes."""
    transcripts = values.get("Transcript")
    if not isinstance(transcripts, list):
        return values
    return {**values, "Transcript": [_brief(transcript) for transcript in transcripts if isinstance(transcript, dict)]}


def _brief(transcript: dict[str, Any]) -> dict[str, Any]:
    kept_values = {name: transcript[name] for name in _OF_A_TRANSCRIPT if name in transcript}
    protein = transcript.get("Translation")
    return (
        {**kept_values, "Translation": {"length": protein.get("length")}} if isinstance(protein, dict) else kept_values
    )
