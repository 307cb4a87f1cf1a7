"""``lookup``: genes, transcripts and translations by ID, genes by symbol, in the shape of recorded answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from biofact.sandbox.services.ensembl.asking import Question, refused
from biofact.sandbox.services.ensembl.facts import Exon, GeneFacts, Span, TranscriptFacts
from biofact.sandbox.services.ensembl.genes import Current
from biofact.sandbox.standin import Refusal, Reply, written

Record = dict[str, Any]
PARAMETERS = frozenset(
    {"species", "db_type", "object_type", "format", "expand", "utr", "mane", "phenotypes", "external_db"}
)
_FORMATS = {"full", "condensed"}
_LEFT_OUT = ("utr", "phenotypes", "external_db")
_SWITCHES = ("expand", "mane")


@dataclass(frozen=True, slots=True)
class _Wanted:
    """How much is to be told, and under which names."""

    species: str
    """As it is told: Ensembl repeats the name that it was asked by."""
    assembly: str
    is_condensed: bool
    is_expanded: bool
    has_mane: bool


def by_id(question: Question) -> Reply:
    """GET lookup/id."""
    _check(question)
    return written(_record(question, question.parts[0]))


def by_ids(question: Question) -> Reply:
    """POST lookup/id: an object by ID; null where a GET would be refused."""
    _check(question)
    told: dict[str, Record | None] = {}
    for ensembl_id in question.posted:
        try:
            told[ensembl_id] = _record(question, ensembl_id)
        except Refusal:
            told[ensembl_id] = None
    return written(told)


def by_symbol(question: Question) -> Reply:
    """GET lookup/symbol."""
    _check(question)
    species, symbol = question.parts
    found = _with_symbol(question, species, symbol)
    if found is None:
        raise refused(f"No valid lookup found for symbol {symbol}")
    return written(found)


def by_symbols(question: Question) -> Reply:
    """POST lookup/symbol: an object by symbol, as it was asked; unknown symbols are left out."""
    _check(question)
    found = {symbol: _with_symbol(question, question.parts[0], symbol) for symbol in question.posted}
    return written({symbol: record for symbol, record in found.items() if record is not None})


def _check(question: Question) -> None:
    form = question.text("format", "full")
    if form not in _FORMATS:
        raise refused(f"The format '{form}' is not an understood encoding")
    for name in _LEFT_OUT:
        if question.text(name) not in {"", "0"}:
            raise refused(f"The sandbox knows nothing of {name}.")
    if species := question.text("species"):
        question.species(species)
    for name in _SWITCHES:  # before a list is read, where a refusal would be one record's
        question.is_on(name)


def _wanted(question: Question, gene: GeneFacts, species: str = "") -> _Wanted:
    named = question.genes.species.named(gene.species)
    return _Wanted(
        species or gene.species,
        question.assembly or gene.assembly or (named.assembly if named else ""),
        question.text("format", "full") == "condensed",
        question.is_on("expand"),
        question.is_on("mane"),
    )


def _with_symbol(question: Question, name: str, symbol: str) -> Record | None:
    found = question.genes.with_symbol(question.species(name).name, symbol)
    if not found or question.text("db_type", "core") != "core":
        return None
    return _gene(found[0], _wanted(question, found[0], name))


def _record(question: Question, asked: str) -> Record:
    """The record of an ID; its own ``id`` is as asked, with a version if there was one."""
    ensembl_id, version = question.genes.versioned(asked)
    found = question.genes.find(ensembl_id)
    if found is None or not is_asked_for(question, found, version):
        raise refused(f"ID '{asked}' not found")
    wanted = _wanted(question, found.gene)
    match found.level:
        case "gene":
            record = _gene(found.gene, wanted)
        case "transcript":
            record = _transcript(found.gene, found.transcripts[0], wanted, is_whole=wanted.is_expanded)
        case "translation":
            record = _translation(found.transcripts[0], wanted)
            if wanted.is_expanded:
                raise refused("Expand option only available for Genes and Transcripts")
    return {**record, "id": asked}


def is_asked_for(question: Question, found: Current, version: str) -> bool:
    """Whether a record is of the version, species, kind and database that the request names, if it does.

    Any version will do where the current one is not known.
    """
    is_version = not version or found.version is None or version == str(found.version)
    species = question.text("species")
    is_species = not species or question.species(species).name == found.gene.species
    is_kind = question.text("object_type", found.level).lower() == found.level
    return is_version and is_species and is_kind and question.text("db_type", "core") == "core"


def _head(ensembl_id: str, kind: str, version: int | None, wanted: _Wanted) -> Record:
    head = {"id": ensembl_id, "species": wanted.species, "object_type": kind, "db_type": "core"}
    return {**head, **_told({"version": version})}


def _gene(gene: GeneFacts, wanted: _Wanted) -> Record:
    record = _head(gene.id, "Gene", gene.version, wanted)
    if wanted.is_condensed:
        return record
    canonical = gene.canonical.partition(".")[0]
    record |= _told(
        {
            "display_name": gene.symbol,
            "description": gene.description,
            "biotype": gene.biotype,
            "source": "ensembl_havana",
            "logic_name": f"ensembl_havana_gene_{gene.species}",
            "canonical_transcript": gene.canonical,
            **_place(gene.span, wanted),
        }
    )
    if wanted.is_expanded and gene.transcripts:
        several = gene.transcripts
        record["Transcript"] = [_transcript(gene, one, wanted, is_whole=True, canonical=canonical) for one in several]
    return record


def _transcript(
    gene: GeneFacts, transcript: TranscriptFacts, wanted: _Wanted, *, is_whole: bool, canonical: str = ""
) -> Record:
    record = _head(transcript.id, "Transcript", transcript.version, wanted)
    if not wanted.is_condensed:
        record |= _told(
            {
                "Parent": gene.id,
                "display_name": transcript.name,
                "biotype": transcript.biotype,
                "source": "havana",
                "logic_name": f"havana_{gene.species}",
                "length": transcript.length,
                **_place(transcript.span, wanted),
            }
        )
        record["is_canonical"] = int(transcript.id == (canonical or gene.canonical.partition(".")[0]))
    return record | _parts(transcript, wanted) if is_whole else record


def _parts(transcript: TranscriptFacts, wanted: _Wanted) -> Record:
    parts: Record = {}
    if transcript.exons and transcript.span:
        parts["Exon"] = [_exon(exon, transcript.span, wanted) for exon in transcript.exons]
    if transcript.translation:
        parts["Translation"] = _translation(transcript, wanted)
    if wanted.has_mane:
        parts["MANE"] = _mane(transcript, wanted)
    return parts


def _exon(exon: Exon, span: Span, wanted: _Wanted) -> Record:
    head = _head(exon.id, "Exon", exon.version, wanted)
    place = _place(Span(span.region, exon.start, exon.end, span.strand), wanted)
    return head if wanted.is_condensed else head | place


def _translation(transcript: TranscriptFacts, wanted: _Wanted) -> Record:
    translation = transcript.translation
    if translation is None:
        return {}
    head = _head(translation.id, "Translation", translation.version, wanted)
    told = {
        "Parent": transcript.id,
        "start": translation.start,
        "end": translation.end,
        "length": translation.length,
    }
    return head if wanted.is_condensed else head | _told(told)


def _mane(transcript: TranscriptFacts, wanted: _Wanted) -> list[Record]:
    """A list of one, or an empty one: no transcript is both (no recording; keys as in UPSTREAMS 3.2)."""
    matches = {"MANE_Select": transcript.mane_select, "MANE_Plus_Clinical": transcript.mane_plus_clinical}
    head = _head(transcript.id, "mane", None, wanted)
    return [{**head, "refseq_match": match, "type": kind} for kind, match in matches.items() if match]


def _place(span: Span | None, wanted: _Wanted) -> Record:
    if span is None:
        return {}
    place = {"seq_region_name": span.region, "start": span.start, "end": span.end, "strand": span.strand}
    return place | _told({"assembly_name": wanted.assembly})


def _told(facts: Mapping[str, Any]) -> Record:
    """What is known of these."""
    return {name: value for name, value in facts.items() if value not in {None, ""}}
