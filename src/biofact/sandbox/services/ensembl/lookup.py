"""``lookup``: genes, transcripts and translations by ID, genes by symbol, in the shape of recorded answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from biofact.sandbox.services.ensembl.facts import EnsemblGeneFacts, EnsemblTranscriptFacts, ExonFacts, SequenceSpan
from biofact.sandbox.services.ensembl.genes import CurrentRecord
from biofact.sandbox.services.ensembl.requests import EndpointRequest, refused
from biofact.sandbox.standin import Refusal, Reply, written

Record = dict[str, Any]
PARAMETERS = frozenset(
    {"species", "db_type", "object_type", "format", "expand", "utr", "mane", "phenotypes", "external_db"}
)
_FORMATS = {"full", "condensed"}
_UNSUPPORTED = ("utr", "phenotypes", "external_db")
_SWITCHES = ("expand", "mane")


@dataclass(frozen=True, slots=True)
class _LookupOptions:
    """How much is to be told, and under which names."""

    species: str
    """As it is told: Ensembl repeats the name that it was asked by."""
    assembly: str
    is_condensed: bool
    is_expanded: bool
    has_mane: bool


def by_id(request: EndpointRequest) -> Reply:
    """GET lookup/id."""
    _check(request)
    return written(_record(request, request.parts[0]))


def by_ids(request: EndpointRequest) -> Reply:
    """POST lookup/id: an object by ID; null where a GET would be refused."""
    _check(request)
    records: dict[str, Record | None] = {}
    for ensembl_id in request.posted:
        try:
            records[ensembl_id] = _record(request, ensembl_id)
        except Refusal:
            records[ensembl_id] = None
    return written(records)


def by_symbol(request: EndpointRequest) -> Reply:
    """GET lookup/symbol."""
    _check(request)
    species, symbol = request.parts
    found = _with_symbol(request, species, symbol)
    if found is None:
        raise refused(f"No valid lookup found for symbol {symbol}")
    return written(found)


def by_symbols(request: EndpointRequest) -> Reply:
    """POST lookup/symbol: an object by symbol, as it was asked; unknown symbols are left out."""
    _check(request)
    found = {symbol: _with_symbol(request, request.parts[0], symbol) for symbol in request.posted}
    return written({symbol: record for symbol, record in found.items() if record is not None})


def _check(request: EndpointRequest) -> None:
    form = request.text("format", "full")
    if form not in _FORMATS:
        raise refused(f"The format '{form}' is not an understood encoding")
    for name in _UNSUPPORTED:
        if request.text(name) not in {"", "0"}:
            raise refused(f"The sandbox knows nothing of {name}.")
    if species := request.text("species"):
        request.species(species)
    for name in _SWITCHES:  # before a list is read, where a refusal would be one record's
        request.is_on(name)


def _options(request: EndpointRequest, gene: EnsemblGeneFacts, species: str = "") -> _LookupOptions:
    named = request.genes.species.named(gene.species)
    return _LookupOptions(
        species or gene.species,
        request.assembly or gene.assembly or (named.assembly if named else ""),
        request.text("format", "full") == "condensed",
        request.is_on("expand"),
        request.is_on("mane"),
    )


def _with_symbol(request: EndpointRequest, name: str, symbol: str) -> Record | None:
    found = request.genes.with_symbol(request.species(name).name, symbol)
    if not found or request.text("db_type", "core") != "core":
        return None
    return _gene(found[0], _options(request, found[0], name))


def _record(request: EndpointRequest, asked: str) -> Record:
    """The record of an ID; its own ``id`` is as asked, with a version if there was one."""
    ensembl_id, version = request.genes.versioned(asked)
    found = request.genes.find(ensembl_id)
    if found is None or not is_asked_for(request, found, version):
        raise refused(f"ID '{asked}' not found")
    options = _options(request, found.gene)
    match found.level:
        case "gene":
            record = _gene(found.gene, options)
        case "transcript":
            record = _transcript(found.gene, found.transcripts[0], options, is_whole=options.is_expanded)
        case "translation":
            record = _translation(found.transcripts[0], options)
            if options.is_expanded:
                raise refused("Expand option only available for Genes and Transcripts")
    return {**record, "id": asked}


def is_asked_for(request: EndpointRequest, found: CurrentRecord, version: str) -> bool:
    """Whether a record is of the version, species, kind and database that the request names, if it does.

    Any version will do where the current one is not known.
    """
    is_version = not version or found.version is None or version == str(found.version)
    species = request.text("species")
    is_species = not species or request.species(species).name == found.gene.species
    is_kind = request.text("object_type", found.level).lower() == found.level
    return is_version and is_species and is_kind and request.text("db_type", "core") == "core"


def _head(ensembl_id: str, kind: str, version: int | None, options: _LookupOptions) -> Record:
    head = {"id": ensembl_id, "species": options.species, "object_type": kind, "db_type": "core"}
    return {**head, **_known({"version": version})}


def _gene(gene: EnsemblGeneFacts, options: _LookupOptions) -> Record:
    record = _head(gene.id, "Gene", gene.version, options)
    if options.is_condensed:
        return record
    canonical = gene.canonical.partition(".")[0]
    record |= _known(
        {
            "display_name": gene.symbol,
            "description": gene.description,
            "biotype": gene.biotype,
            "source": "ensembl_havana",
            "logic_name": f"ensembl_havana_gene_{gene.species}",
            "canonical_transcript": gene.canonical,
            **_place(gene.span, options),
        }
    )
    if options.is_expanded and gene.transcripts:
        several = gene.transcripts
        record["Transcript"] = [_transcript(gene, one, options, is_whole=True, canonical=canonical) for one in several]
    return record


def _transcript(
    gene: EnsemblGeneFacts,
    transcript: EnsemblTranscriptFacts,
    options: _LookupOptions,
    *,
    is_whole: bool,
    canonical: str = "",
) -> Record:
    record = _head(transcript.id, "Transcript", transcript.version, options)
    if not options.is_condensed:
        record |= _known(
            {
                "Parent": gene.id,
                "display_name": transcript.name,
                "biotype": transcript.biotype,
                "source": "havana",
                "logic_name": f"havana_{gene.species}",
                "length": transcript.length,
                **_place(transcript.span, options),
            }
        )
        record["is_canonical"] = int(transcript.id == (canonical or gene.canonical.partition(".")[0]))
    return record | _parts(transcript, options) if is_whole else record


def _parts(transcript: EnsemblTranscriptFacts, options: _LookupOptions) -> Record:
    parts: Record = {}
    if transcript.exons and transcript.span:
        parts["Exon"] = [_exon(exon, transcript.span, options) for exon in transcript.exons]
    if transcript.translation:
        parts["Translation"] = _translation(transcript, options)
    if options.has_mane:
        parts["MANE"] = _mane(transcript, options)
    return parts


def _exon(exon: ExonFacts, span: SequenceSpan, options: _LookupOptions) -> Record:
    head = _head(exon.id, "Exon", exon.version, options)
    place = _place(SequenceSpan(span.region, exon.start, exon.end, span.strand), options)
    return head if options.is_condensed else head | place


def _translation(transcript: EnsemblTranscriptFacts, options: _LookupOptions) -> Record:
    translation = transcript.translation
    if translation is None:
        return {}
    head = _head(translation.id, "Translation", translation.version, options)
    facts = {
        "Parent": transcript.id,
        "start": translation.start,
        "end": translation.end,
        "length": translation.length,
    }
    return head if options.is_condensed else head | _known(facts)


def _mane(transcript: EnsemblTranscriptFacts, options: _LookupOptions) -> list[Record]:
    """A list of one, or an empty one: no transcript is both (no recording; keys as in UPSTREAMS 3.2)."""
    matches = {"MANE_Select": transcript.mane_select, "MANE_Plus_Clinical": transcript.mane_plus_clinical}
    head = _head(transcript.id, "mane", None, options)
    return [{**head, "refseq_match": match, "type": kind} for kind, match in matches.items() if match]


def _place(span: SequenceSpan | None, options: _LookupOptions) -> Record:
    if span is None:
        return {}
    place = {"seq_region_name": span.region, "start": span.start, "end": span.end, "strand": span.strand}
    return place | _known({"assembly_name": options.assembly})


def _known(facts: Mapping[str, Any]) -> Record:
    """What is known of these."""
    return {name: value for name, value in facts.items() if value not in {None, ""}}
