"""The endpoints, in the shape of recorded answers: info, lookup, xrefs, archive, sequence, map and homology.

Sequences and places are made up where no row has one: nothing in them is a fact. The sandbox holds no genome. A base is
computed from where it lies, and is A, C or G and never T: nobody takes it for a real one, and no stop codon stands in
it on either strand, so that whatever is spliced from it can be translated.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from biofact.dialects.genomic.genomes import ASSEMBLIES, Organism
from biofact.sandbox.services.ensembl.corpus import RELEASE, VERTEBRATES, CurrentRecord, Level
from biofact.sandbox.services.ensembl.requests import EndpointRequest, RestEndpoint
from biofact.sandbox.standin import Refusal, Reply, json_refusal, json_reply
from biofact.sandbox.tables import Row, starter_rows, without

_HIDDEN = "strain strain_collection"


def info_ping(_: EndpointRequest) -> Reply:
    """GET info/ping."""
    return json_reply({"ping": 1})


def info_data(_: EndpointRequest) -> Reply:
    """GET info/data."""
    return json_reply({"releases": [RELEASE]})


def info_species(request: EndpointRequest) -> Reply:
    """GET info/species: those of a division, vertebrates unless another is named."""
    division = request.text("division", VERTEBRATES)
    hidden = _HIDDEN if request.is_on("hide_strain_info") else ""
    return json_reply({"species": [without(row, hidden) for row in request.genes.species.of(division)]})


_LOOKUP_PARAMETERS = frozenset(
    {"species", "db_type", "object_type", "format", "expand", "utr", "mane", "phenotypes", "external_db"}
)
_LOOKUP_FORMATS = {"full", "condensed"}
_UNSUPPORTED = ("utr", "phenotypes", "external_db")
_SWITCHES = ("expand", "mane")
_HEAD = {"id", "species", "object_type", "db_type", "version"}
_RECORD_PARTS = {"Transcript", "Exon", "Translation", "MANE"}
_UNSENT = {"synonyms", "xrefs"}
_PLACED = {"Gene", "Transcript"}


@dataclass(frozen=True, slots=True)
class _LookupOptions:
    """How much of a record is shown, and under which names."""

    species: str
    """As the record has it: Ensembl repeats the name in the request."""
    assembly: str
    is_condensed: bool
    is_expanded: bool
    has_mane: bool


def lookup_id(request: EndpointRequest) -> Reply:
    """GET lookup/id."""
    _check_lookup(request)
    return json_reply(_lookup_record(request, request.parts[0]))


def lookup_ids(request: EndpointRequest) -> Reply:
    """POST lookup/id: an object by ID; null where a GET would be refused."""
    _check_lookup(request)
    records: dict[str, Row | None] = {}
    for ensembl_id in request.posted:
        try:
            records[ensembl_id] = _lookup_record(request, ensembl_id)
        except Refusal:
            records[ensembl_id] = None
    return json_reply(records)


def lookup_symbol(request: EndpointRequest) -> Reply:
    """GET lookup/symbol."""
    _check_lookup(request)
    species, symbol = request.parts
    found = _with_symbol(request, species, symbol)
    if found is None:
        raise json_refusal(f"No valid lookup found for symbol {symbol}")
    return json_reply(found)


def lookup_symbols(request: EndpointRequest) -> Reply:
    """POST lookup/symbol: an object by symbol, as it was asked; unknown symbols are left out."""
    _check_lookup(request)
    found = {symbol: _with_symbol(request, request.parts[0], symbol) for symbol in request.posted}
    return json_reply({symbol: record for symbol, record in found.items() if record is not None})


def _check_lookup(request: EndpointRequest) -> None:
    form = request.text("format", "full")
    if form not in _LOOKUP_FORMATS:
        raise json_refusal(f"The format '{form}' is not an understood encoding")
    for name in _UNSUPPORTED:
        if request.text(name) not in {"", "0"}:
            raise json_refusal(f"The sandbox knows nothing of {name}.")
    if species := request.text("species"):
        request.species(species)
    for name in _SWITCHES:  # before a list is read, where a refusal would be one record's
        request.is_on(name)


def _options(request: EndpointRequest, gene: Row, species: str = "") -> _LookupOptions:
    return _LookupOptions(
        species or gene["species"],
        request.assembly_of(gene),
        request.text("format", "full") == "condensed",
        request.is_on("expand"),
        request.is_on("mane"),
    )


def _with_symbol(request: EndpointRequest, name: str, symbol: str) -> Row | None:
    found = request.genes.with_symbol(request.species(name)["name"], symbol)
    if not found or request.text("db_type", "core") != "core":
        return None
    return _shown(found[0], _options(request, found[0], name))


def _lookup_record(request: EndpointRequest, asked: str) -> Row:
    """The record of an ID; its own ``id`` is as asked, with a version if there was one."""
    ensembl_id, version = request.genes.versioned(asked)
    found = request.genes.find(ensembl_id)
    if found is None or not is_asked_for(request, found, version):
        raise json_refusal(f"ID '{asked}' not found")
    options = _options(request, found.gene)
    if found.level == "translation" and options.is_expanded:
        raise json_refusal("Expand option only available for Genes and Transcripts")
    return {**_shown(found.record, options), "id": asked}


def is_asked_for(request: EndpointRequest, found: CurrentRecord, version: str) -> bool:
    """Whether a record is of the version, species, kind and database that the request names, if it does.

    Any version will do where the current one is not known.
    """
    is_version = not version or version == str(found.record.get("version", version))
    species = request.text("species")
    is_species = not species or request.species(species)["name"] == found.gene["species"]
    is_kind = request.text("object_type", found.level).lower() == found.level
    return is_version and is_species and is_kind and request.text("db_type", "core") == "core"


def _shown(record: Row, options: _LookupOptions) -> Row:
    """As much of a record as is asked for, and of its parts."""
    shown = {name: _part(name, value, options) for name, value in record.items() if _is_shown(name, record, options)}
    if record["object_type"] in _PLACED and not options.is_condensed:
        shown = {**MADE_UP_PLACE, **shown}
    if options.assembly and "seq_region_name" in shown:
        shown["assembly_name"] = options.assembly
    return {**shown, "species": options.species}


def _is_shown(name: str, record: Row, options: _LookupOptions) -> bool:
    if name in _RECORD_PARTS:
        has_part = options.has_mane if name == "MANE" else not (name == "Transcript" and options.is_condensed)
        return options.is_expanded and has_part
    if record["object_type"] == "mane":  # the same in either format
        return True
    return name in _HEAD if options.is_condensed else name not in _UNSENT


def _part(name: str, value: Any, options: _LookupOptions) -> Any:
    if name not in _RECORD_PARTS:
        return value
    return [_shown(one, options) for one in value] if isinstance(value, list) else _shown(value, options)


_XREFS_SYMBOL_PARAMETERS = frozenset({"object_type", "external_db", "db_type"})
_XREFS_ID_PARAMETERS = frozenset({"external_db", "object_type", "all_levels", "species", "db_type"})
_LEVELS: tuple[Level, ...] = ("gene", "transcript", "translation")
_NAMING = {"HGNC", "EntrezGene", "MGI", "RGD", "SGD", "ZFIN_ID", "WikiGene"}
"""Databases whose entry for a gene has the gene's synonyms and its name."""
_DATABASE_TITLES = {row["dbname"]: row["db_display_name"] for row in starter_rows(__package__, "database.jsonl")}


def xrefs_symbol(request: EndpointRequest) -> Reply:
    """GET xrefs/symbol: IDs and their kinds; empty when nothing goes by the name."""
    name, symbol = request.parts
    species, kind = request.species(name)["name"], request.text("object_type").lower()
    levels = [level for level in _LEVELS if kind in {"", level}]
    if not levels:
        raise json_refusal(f"The sandbox has no objects of type {kind!r:.40}.")
    _check_database(request)
    genes = request.genes.with_name(species, symbol)
    rows = [
        {"id": ensembl_id, "type": level}
        for level in levels
        for gene in genes
        for ensembl_id in _going_by(gene, level, symbol.lower(), request.text("external_db"))
    ]
    return json_reply(rows)


def xrefs_id(request: EndpointRequest) -> Reply:
    """GET xrefs/id: rows of the record itself; with ``all_levels`` those of the records below it as well."""
    asked = request.parts[0]
    _check_database(request)
    ensembl_id, version = request.genes.versioned(asked)
    found = request.genes.find(ensembl_id)
    if found is None or not is_asked_for(request, found, version):
        raise json_refusal(f"ID '{asked}' not found")
    levels = _levels_from(found.level) if request.is_on("all_levels") else (found.level,)
    database = request.text("external_db")
    rows = [_xref_row(xref, found.gene) for one in levels for xref in _level_rows(found.gene, one, found.transcripts)]
    return json_reply([row for row in rows if database in {"", row["dbname"]}])


def _check_database(request: EndpointRequest) -> None:
    if request.text("db_type", "core") != "core":
        raise json_refusal("The sandbox has core databases only.")


def _levels_from(level: Level) -> tuple[Level, ...]:
    """A level and those below it."""
    return _LEVELS[_LEVELS.index(level) :]


def _level_rows(gene: Row, level: Level, transcripts: Sequence[Row]) -> Iterator[Row]:
    """The rows of a level: those below the gene once for each transcript, as the real answers repeat them.

    Which transcript a row is of is not known: one alone has them if it is the canonical one.
    """
    if level != "gene" and not _has_canonical(gene, transcripts):
        return
    of_level = [xref for xref in gene["xrefs"] if xref["level"] == level]
    coding = sum("Translation" in transcript for transcript in transcripts)
    times = {"gene": 1, "transcript": len(transcripts), "translation": coding}[level]
    for _ in range(max(times, 1)):
        yield from of_level


def _has_canonical(gene: Row, transcripts: Sequence[Row]) -> bool:
    canonical = gene.get("canonical_transcript", "").partition(".")[0]
    return len(transcripts) == len(gene.get("Transcript", ())) or canonical in {one["id"] for one in transcripts}


def _going_by(gene: Row, level: Level, name: str, database: str) -> list[str]:
    """The IDs of a level that a gene has for ``name``: its own for a name at any level, as Ensembl searches."""
    xrefs = [
        xref for xref in gene["xrefs"] if xref["level"] in _levels_from(level) and database in {"", xref["dbname"]}
    ]
    is_named = any(_has_name(xref, gene, name) for xref in xrefs)
    if level == "gene":
        own = {gene.get("display_name", "").lower(), *map(str.lower, gene["synonyms"])}
        return [gene["id"]] if is_named or (not database and name in own) else []
    transcripts = gene.get("Transcript", ())
    if level == "translation":
        return [one["Translation"]["id"] for one in transcripts if "Translation" in one and is_named]
    named = [one["id"] for one in transcripts if not database and one.get("display_name", "").lower() == name]
    return [one["id"] for one in transcripts] if is_named else named


def _has_name(xref: Row, gene: Row, name: str) -> bool:
    synonyms = gene["synonyms"] if xref["dbname"] in _NAMING else ()
    return name in {one.lower() for one in (xref["primary_id"], xref.get("display_id", ""), *synonyms)}


def _xref_row(xref: Row, gene: Row) -> Row:
    is_naming = xref["dbname"] in _NAMING and xref["level"] == "gene"
    return {
        "display_id": xref["primary_id"],
        **without(xref, "level"),
        "db_display_name": _DATABASE_TITLES.get(xref["dbname"], xref["dbname"]),
        "description": (gene.get("description", "").partition(" [Source:")[0] or None) if is_naming else None,
        "synonyms": gene["synonyms"] if is_naming else [],
        "version": "0",
        "info_text": "",
    }


def archive_id(request: EndpointRequest) -> Reply:
    """GET archive/id."""
    return json_reply(_archive_record(request, request.parts[0]))


def archive_ids(request: EndpointRequest) -> Reply:
    """POST archive/id: a list in the order asked. An unknown ID fails all of them (no recording shows it)."""
    return json_reply([_archive_record(request, ensembl_id) for ensembl_id in request.posted])


def _archive_record(request: EndpointRequest, asked: str) -> Row:
    ensembl_id, text = request.genes.versioned(asked)
    version = int(text) if text else None
    record = _current_record(request, ensembl_id) or request.genes.retired(ensembl_id)
    if record is None:
        raise json_refusal(f"No object found for {asked}")
    newest = record.get("version")
    if version is None or newest is None or version == newest:
        return record
    if version > newest:
        raise json_refusal(f"No object found for {asked}")
    # An older version is retired though its ID is not; of its release nothing is known.
    older = {**record, "version": version, "is_current": ""}
    del older["release"]
    return older


def _current_record(request: EndpointRequest, ensembl_id: str) -> Row | None:
    found = request.genes.find(ensembl_id)
    if found is None:
        return None
    version = found.record.get("version")
    record: Row = {
        "id": ensembl_id,
        "latest": ensembl_id if version is None else f"{ensembl_id}.{version}",
        "is_current": "1",
        "release": str(RELEASE),
        "assembly": request.assembly_of(found.gene),
        "type": found.level.capitalize(),
        "possible_replacement": [],
        "peptide": None,
    }
    return record if version is None else {**record, "version": version}


_SEQUENCE_ID_PARAMETERS = frozenset({"type", "species", "object_type", "db_type"})
_SEQUENCE_TYPES = {"genomic", "cdna", "cds", "protein"}
_REGION = re.compile(r"(?P<name>[^:]+):(?P<start>\d+)(?:-|\.\.)(?P<end>\d+)(?::(?P<strand>-?1))?")
_MOST_BASES = 10_000_000
_ORGANISMS: dict[str, Organism] = {"homo_sapiens": "human", "mus_musculus": "mouse"}
_NO_SEQUENCE = "No sequences returned, please check the type specified is compatible with the object requested"


def sequence_region(request: EndpointRequest) -> Reply:
    """GET sequence/region: as far as the chromosome goes."""
    name, text = request.parts
    species = request.species(name)
    found = _REGION.fullmatch(text)
    if found is None or int(found["start"]) > int(found["end"]):
        raise json_refusal(f"{text} is not a valid region")
    start, end, strand = int(found["start"]), int(found["end"]), int(found["strand"] or 1)
    assembly = request.assembly or species["assembly"]
    end = min(end, chromosome_length(species["name"], found["name"], assembly) or end)
    if start > end:
        raise json_refusal(f"No slice found for location '{text}'")
    if end - start >= _MOST_BASES:
        raise json_refusal(f"{end - start + 1} is greater than the maximum allowed length of {_MOST_BASES}")
    place = ":".join(("chromosome", assembly, found["name"], str(start), str(end), str(strand)))
    letters = _genomic(species["name"], found["name"], (start, end), strand)
    return json_reply({"query": text, "id": place, "molecule": "dna", "seq": letters})


def sequence_id(request: EndpointRequest) -> Reply:
    """GET sequence/id: one sequence; a gene's products may be several, which is refused."""
    asked = request.parts[0]
    ensembl_id, version = request.genes.versioned(asked)
    found = request.genes.find(ensembl_id)
    if found is None or not is_asked_for(request, found, version):
        raise json_refusal(f"ID '{asked}' not found")
    wanted = request.text("type", "genomic")
    if wanted not in _SEQUENCE_TYPES:
        raise json_refusal(f"The type '{wanted}' is not understood by this service")
    if found.level == "gene" and wanted != "genomic":
        raise json_refusal('Requesting a gene and type not equal to "genomic" can result in multiple sequences.')
    is_protein = wanted == "protein" or found.level == "translation"
    record: Row = {"query": asked, "id": ensembl_id, "desc": None, "molecule": "protein" if is_protein else "dna"}
    if "version" in found.record:
        record["version"] = found.record["version"]
    if is_protein and found.level == "transcript":
        record["id"] = found.record.get("Translation", {}).get("id", ensembl_id)
    return json_reply({**record, "seq": _letters(found, "protein" if is_protein else wanted)})


def chromosome_length(species: str, name: str, assembly: str) -> int | None:
    """Bases of a chromosome of the assemblies whose lengths are known."""
    organism = _ORGANISMS.get(species)
    known = ASSEMBLIES[organism] if organism else None
    chromosome = known.chromosomes.get(name) if known and known.name == assembly else None
    return chromosome.length if chromosome else None


def _letters(found: CurrentRecord, wanted: str) -> str:
    if wanted == "genomic":
        record = found.record
        if "start" not in record:
            raise json_refusal(_NO_SEQUENCE)
        span = (record["start"], record["end"])
        return _genomic(found.gene["species"], record["seq_region_name"], span, record["strand"])
    (transcript,) = found.transcripts
    if wanted == "cdna":
        return _cdna(found.gene, transcript)
    cds = _cds(found.gene, transcript)
    return cds if wanted == "cds" else translated(cds)


def _genomic(species: str, name: str, span: tuple[int, int], strand: int) -> str:
    letters = bases(f"{species} {name}", *span)
    return letters if strand == 1 else reverse_complement(letters)


def _cdna(gene: Row, transcript: Row) -> str:
    exons = transcript.get("Exon", ())
    if exons:
        return _spliced(gene, transcript, ((exon["start"], exon["end"]) for exon in exons))
    if "length" in transcript:
        return bases(f"{transcript['id']} cdna", 1, transcript["length"])
    raise json_refusal(_NO_SEQUENCE)


def _cds(gene: Row, transcript: Row) -> str:
    """From the first codon to the stop codon, which made-up letters do not spell."""
    translation, exons = transcript.get("Translation"), transcript.get("Exon", ())
    if not translation:
        raise json_refusal(_NO_SEQUENCE)
    if not exons or "start" not in translation:
        return bases(f"{transcript['id']} cds", 1, 3 * (translation["length"] + 1))
    first, last = translation["start"], translation["end"]
    coding = ((max(exon["start"], first), min(exon["end"], last)) for exon in exons)
    return _spliced(gene, transcript, (span for span in coding if span[0] <= span[1]))


def _spliced(gene: Row, transcript: Row, spans: Iterable[tuple[int, int]]) -> str:
    species, name, strand = gene["species"], transcript["seq_region_name"], transcript["strand"]
    return "".join(_genomic(species, name, span, strand) for span in spans)


MADE_UP_PLACE = {"seq_region_name": "unplaced", "start": 1, "end": 1, "strand": 1}
"""Of a gene or transcript whose place no row tells: Ensembl always tells one."""
_BASES = "ACG"
_BLOCK = 32  # bases that one digest gives
_COMPLEMENT = str.maketrans("ACGTN", "TGCAN")
_AMINO_ACIDS = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"  # the standard code, in TCAG order
_CODONS = dict(zip(map("".join, product("TCAG", repeat=3)), _AMINO_ACIDS, strict=True))


def bases(of: str, start: int, end: int) -> str:
    """The bases from one position to another, counted from 1; ``of`` is what they are of."""
    blocks = range((start - 1) // _BLOCK, (end - 1) // _BLOCK + 1)
    text = "".join(_block(of, number) for number in blocks)
    offset = (start - 1) % _BLOCK
    return text[offset : offset + end - start + 1]


def _block(of: str, number: int) -> str:
    digest = hashlib.sha256(f"{of} {number}".encode()).digest()
    return "".join(_BASES[byte % len(_BASES)] for byte in digest)


def reverse_complement(sequence: str) -> str:
    """The other strand, 5' to 3'."""
    return sequence.translate(_COMPLEMENT)[::-1]


def translated(cds: str) -> str:
    """The protein of a coding sequence, without what stands for its stop codon."""
    codons = (cds[position : position + 3] for position in range(0, len(cds), 3))
    return "".join(_CODONS[codon] for codon in codons if codon in _CODONS)[:-1]


_BLOCKS = starter_rows(__package__, "block.jsonl")


def map_region(request: EndpointRequest) -> Reply:
    """GET map: an empty list where nothing of the region is known on the other assembly."""
    name, before, text, after = request.parts
    species = request.species(name)["name"]
    known = {assembly for block in _BLOCKS if block["species"] == species for assembly in block["assemblies"]}
    if unknown := next((assembly for assembly in (before, after) if assembly not in known), None):
        raise json_refusal(f"The sandbox knows no coordinate system of version {unknown} of {species}")
    found = _REGION.fullmatch(text)
    if found is None:
        raise json_refusal(f"{text} is not a valid region")
    span = int(found["start"]), int(found["end"])
    blocks = [_turned(block, before) for block in _BLOCKS if {before, after} == set(block["assemblies"])]
    return json_reply({"mappings": [row for one in blocks for row in _mapped(one, found["name"], span)]})


def _turned(block: Row, before: str) -> Row:
    """The block as it is read from ``before`` on."""
    if block["assemblies"][0] == before:
        return block
    ends = {name: block[name] + block["offset"] for name in ("start", "end")}
    return {**block, **ends, "offset": -block["offset"], "assemblies": block["assemblies"][::-1]}


def _mapped(block: Row, name: str, span: tuple[int, int]) -> list[Row]:
    start, end = max(span[0], block["start"]), min(span[1], block["end"])
    if name != block["seq_region_name"] or start > end:
        return []
    before, after = block["assemblies"]
    usual = {"seq_region_name": name, "coord_system": "chromosome", "strand": 1}
    mapped = {**usual, "assembly": after, "start": start + block["offset"], "end": end + block["offset"]}
    return [{"original": {**usual, "assembly": before, "start": start, "end": end}, "mapped": mapped}]


_HOMOLOGY_PARAMETERS = frozenset(
    {"type", "sequence", "aligned", "cigar_line", "target_species", "target_taxon", "format"}
)
_HOMOLOGY_KINDS = {"orthologues": "ENSEMBL_ORTHOLOGUES", "paralogues": "ENSEMBL_PARALOGUES"}
_PAIRS = starter_rows(__package__, "homology.jsonl")


def homology_id(request: EndpointRequest) -> Reply:
    """GET homology/id: an empty list for a gene without homologues."""
    name, ensembl_id = request.parts
    species, kind = request.species(name)["name"], request.text("type", "all")
    gene = request.genes.get(ensembl_id)
    if gene is None or gene["species"] != species:
        raise json_refusal(f"ID '{ensembl_id}' not found")
    if kind not in {"all", *_HOMOLOGY_KINDS}:
        raise json_refusal(f"The type '{kind}' is not a known available type")
    target = request.species(request.text("target_species"))["name"] if request.text("target_species") else ""
    rows = [row for pair in _PAIRS for row in _homologies(request, pair, ensembl_id)]
    wanted = [
        row
        for row in rows
        if target in {"", row["target"]["species"]}
        and row["method_link_type"] in {_HOMOLOGY_KINDS.get(kind), *_any(kind)}
    ]
    return json_reply({"data": [{"id": ensembl_id, "homologies": wanted}]})


def _any(kind: str) -> tuple[str, ...]:
    return tuple(_HOMOLOGY_KINDS.values()) if kind == "all" else ()


def _homologies(request: EndpointRequest, pair: Row, ensembl_id: str) -> list[Row]:
    """A pair as seen from one of its genes."""
    if ensembl_id not in pair["genes"]:
        return []
    (other,) = (one for one in pair["genes"] if one != ensembl_id)
    method = "ENSEMBL_ORTHOLOGUES" if pair["type"].startswith("ortholog") else "ENSEMBL_PARALOGUES"
    source, target = _member(request, ensembl_id), _member(request, other)
    return [{**without(pair, "genes"), "dn_ds": None, "method_link_type": method, "source": source, "target": target}]


def _member(request: EndpointRequest, ensembl_id: str) -> Row:
    gene = request.genes[ensembl_id]
    species = request.species(gene["species"])
    return {"id": ensembl_id, "species": gene["species"], "taxon_id": int(species["taxon_id"])}


def _endpoint(
    method: str, path: str, parameters: Iterable[str], answer: Callable[[EndpointRequest], Reply], list_name: str = ""
) -> RestEndpoint:
    """``{}`` in a path stands for a part without a slash; a symbol, which is the last part, may have some."""
    pattern = re.escape(path).replace(r"\{\}", "([^/]+)").replace(r"\{symbol\}", "(.+)")
    return RestEndpoint(method, re.compile(pattern), frozenset(parameters), answer, list_name)


ENDPOINTS = (
    _endpoint("GET", "/info/ping", (), info_ping),
    _endpoint("GET", "/info/data", (), info_data),
    _endpoint("GET", "/info/species", ("division", "hide_strain_info"), info_species),
    _endpoint("GET", "/lookup/id/{}", _LOOKUP_PARAMETERS, lookup_id),
    _endpoint("POST", "/lookup/id", _LOOKUP_PARAMETERS, lookup_ids, "ids"),
    _endpoint("GET", "/lookup/symbol/{}/{symbol}", _LOOKUP_PARAMETERS, lookup_symbol),
    _endpoint("POST", "/lookup/symbol/{}", _LOOKUP_PARAMETERS, lookup_symbols, "symbols"),
    _endpoint("GET", "/xrefs/symbol/{}/{symbol}", _XREFS_SYMBOL_PARAMETERS, xrefs_symbol),
    _endpoint("GET", "/xrefs/id/{}", _XREFS_ID_PARAMETERS, xrefs_id),
    _endpoint("GET", "/archive/id/{}", (), archive_id),
    _endpoint("POST", "/archive/id", (), archive_ids, "id"),
    _endpoint("GET", "/sequence/id/{}", _SEQUENCE_ID_PARAMETERS, sequence_id),
    _endpoint("GET", "/sequence/region/{}/{}", (), sequence_region),
    _endpoint("GET", "/map/{}/{}/{}/{}", (), map_region),
    _endpoint("GET", "/homology/id/{}/{}", _HOMOLOGY_PARAMETERS, homology_id),
)
