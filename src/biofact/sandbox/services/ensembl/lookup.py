"""The endpoints ``info``, ``lookup``, ``xrefs``, ``archive`` and ``homology``, in the shape of recorded answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from biofact.sandbox.services.ensembl.corpus import RELEASE, VERTEBRATES, Level, canonical_id
from biofact.sandbox.services.ensembl.requests import EndpointRequest
from biofact.sandbox.services.ensembl.sequence import MADE_UP_PLACE
from biofact.sandbox.standin import Refusal, Reply, json_refusal, json_reply
from biofact.sandbox.tables import Row, drop_fields, starter_rows

_HIDDEN = "strain strain_collection"


def info_species(request: EndpointRequest) -> Reply:
    """GET info/species: those of a division, vertebrates unless another is named."""
    division = request.text("division", VERTEBRATES)
    hidden = _HIDDEN if request.is_on("hide_strain_info") else ""
    return json_reply({"species": [drop_fields(row, hidden) for row in request.genes.species.in_division(division)]})


LOOKUP_PARAMETERS = frozenset(
    {"species", "db_type", "object_type", "format", "expand", "utr", "mane", "phenotypes", "external_db"}
)
_LOOKUP_FORMATS = {"full", "condensed"}
_UNSUPPORTED = ("utr", "phenotypes", "external_db")
_SWITCHES = ("expand", "mane")
_HEAD = {"id", "species", "object_type", "db_type", "version"}
_RECORD_PARTS = {"Transcript", "Exon", "Translation", "MANE"}
_INTERNAL_FIELDS = {"synonyms", "xrefs", "stops"}
_WITH_PLACE = {"Gene", "Transcript"}


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
        except Refusal:  # one unknown ID never fails the batch (UPSTREAMS 3.2)
            records[ensembl_id] = None
    return json_reply(records)


def lookup_symbol(request: EndpointRequest) -> Reply:
    """GET lookup/symbol."""
    _check_lookup(request)
    species, symbol = request.parts
    record = _with_symbol(request, species, symbol)
    if record is None:
        raise json_refusal(f"No valid lookup found for symbol {symbol}")
    return json_reply(record)


def lookup_symbols(request: EndpointRequest) -> Reply:
    """POST lookup/symbol: an object by symbol in the request's spelling, without unknown symbols."""
    _check_lookup(request)
    records = {symbol: _with_symbol(request, request.parts[0], symbol) for symbol in request.posted}
    return json_reply({symbol: record for symbol, record in records.items() if record is not None})  # unlike lookup/id


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
    genes = request.genes.with_symbol(request.species(name)["name"], symbol)
    if not genes or request.text("db_type", "core") != "core":
        return None
    return _visible(genes[0], _options(request, genes[0], name))  # one result only, as Ensembl


def _lookup_record(request: EndpointRequest, stable_id: str) -> Row:
    """The record of an ID; its ``id`` is the request's, with the version if it has one."""
    current = request.current(stable_id)
    options = _options(request, current.gene)
    if current.level == "translation" and options.is_expanded:
        raise json_refusal("Expand option only available for Genes and Transcripts")
    return {**_visible(current.record, options), "id": stable_id}


def _visible(record: Row, options: _LookupOptions) -> Row:
    """The requested fields of a record and of its parts."""
    fields = {name: _part(name, value, options) for name, value in record.items() if _is_shown(name, record, options)}
    if record["object_type"] in _WITH_PLACE and not options.is_condensed:
        fields = {**MADE_UP_PLACE, **fields}
    if options.assembly and "seq_region_name" in fields:
        fields["assembly_name"] = options.assembly
    return {**fields, "species": options.species}


def _is_shown(name: str, record: Row, options: _LookupOptions) -> bool:
    if name in _RECORD_PARTS:
        has_part = options.has_mane if name == "MANE" else not (name == "Transcript" and options.is_condensed)
        return options.is_expanded and has_part
    if record["object_type"] == "mane":  # the same in either format
        return True
    return name in _HEAD if options.is_condensed else name not in _INTERNAL_FIELDS


def _part(name: str, value: Any, options: _LookupOptions) -> Any:
    if name not in _RECORD_PARTS:
        return value
    return [_visible(element, options) for element in value] if isinstance(value, list) else _visible(value, options)


XREFS_SYMBOL_PARAMETERS = frozenset({"object_type", "external_db", "db_type"})
XREFS_ID_PARAMETERS = frozenset({"external_db", "object_type", "all_levels", "species", "db_type"})
_LEVELS: tuple[Level, ...] = ("gene", "transcript", "translation")
_NAMING = {"HGNC", "EntrezGene", "MGI", "RGD", "SGD", "ZFIN_ID", "WikiGene"}
"""Databases whose entry for a gene has the gene's synonyms and its name."""
_DATABASE_TITLES = {row["dbname"]: row["db_display_name"] for row in starter_rows(__package__, "database.jsonl")}


def xrefs_symbol(request: EndpointRequest) -> Reply:
    """GET xrefs/symbol: IDs and their kinds; empty if nothing has the name."""
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
        for ensembl_id in _ids_with_name(gene, level, symbol.lower(), request.text("external_db"))
    ]
    return json_reply(rows)


def xrefs_id(request: EndpointRequest) -> Reply:
    """GET xrefs/id: rows of the record itself; with ``all_levels`` those of the records below it as well."""
    stable_id = request.parts[0]
    _check_database(request)
    current = request.current(stable_id)
    levels = _levels_from(current.level) if request.is_on("all_levels") else (current.level,)
    database = request.text("external_db")
    xrefs = (xref for level in levels for xref in _level_rows(current.gene, level, current.transcripts))
    return json_reply([_xref_row(xref, current.gene) for xref in xrefs if database in {"", xref["dbname"]}])


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
    are_all = len(transcripts) == len(gene.get("Transcript", ()))
    return are_all or canonical_id(gene) in {transcript["id"] for transcript in transcripts}


def _ids_with_name(gene: Row, level: Level, name: str, database: str) -> list[str]:
    """The IDs of a level that a gene has for ``name``: its own for a name at any level, as Ensembl searches."""
    xrefs = [
        xref for xref in gene["xrefs"] if xref["level"] in _levels_from(level) and database in {"", xref["dbname"]}
    ]
    is_named = any(_has_name(xref, gene, name) for xref in xrefs)
    if level == "gene":
        gene_names = {gene.get("display_name", "").lower(), *map(str.lower, gene["synonyms"])}
        return [gene["id"]] if is_named or (not database and name in gene_names) else []
    transcripts = gene.get("Transcript", ())
    if level == "translation":
        return [row["Translation"]["id"] for row in transcripts if is_named and "Translation" in row]
    has_names = not database  # display names are in no external database
    return [row["id"] for row in transcripts if is_named or (has_names and row.get("display_name", "").lower() == name)]


def _has_name(xref: Row, gene: Row, name: str) -> bool:
    synonyms = gene["synonyms"] if xref["dbname"] in _NAMING else ()
    return name in {text.lower() for text in (xref["primary_id"], xref.get("display_id", ""), *synonyms)}


def _xref_row(xref: Row, gene: Row) -> Row:
    is_naming = xref["dbname"] in _NAMING and xref["level"] == "gene"
    return {
        "display_id": xref["primary_id"],
        **drop_fields(xref, "level"),
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
    """POST archive/id: a list in the order of the request. An unknown ID fails all of them (no recording shows it)."""
    return json_reply([_archive_record(request, ensembl_id) for ensembl_id in request.posted])


def _archive_record(request: EndpointRequest, stable_id: str) -> Row:
    ensembl_id, text = request.genes.versioned(stable_id)
    version = int(text) if text else None
    record = _current_record(request, ensembl_id) or request.genes.retired(ensembl_id)
    if record is None:
        raise json_refusal(f"No object found for {stable_id}")
    newest = record.get("version")
    if version is None or newest is None or version == newest:
        return record
    if version > newest:
        raise json_refusal(f"No object found for {stable_id}")
    # An older version is retired though its ID is not; of its release nothing is known.
    older = {**record, "version": version, "is_current": ""}
    del older["release"]
    return older


def _current_record(request: EndpointRequest, ensembl_id: str) -> Row | None:
    current = request.genes.find(ensembl_id)
    if current is None:
        return None
    version = current.record.get("version")
    return {
        "id": ensembl_id,
        "latest": ensembl_id if version is None else f"{ensembl_id}.{version}",
        "is_current": "1",
        "release": str(RELEASE),
        "assembly": request.assembly_of(current.gene),
        "type": current.level.capitalize(),
        "possible_replacement": [],
        "peptide": None,
        **({} if version is None else {"version": version}),
    }


HOMOLOGY_PARAMETERS = frozenset(
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
    rows = [_homology(request, pair, ensembl_id) for pair in _PAIRS if ensembl_id in pair["genes"]]
    methods = _HOMOLOGY_KINDS.values() if kind == "all" else (_HOMOLOGY_KINDS[kind],)
    homologies = [
        row for row in rows if target in {"", row["target"]["species"]} and row["method_link_type"] in methods
    ]
    return json_reply({"data": [{"id": ensembl_id, "homologies": homologies}]})


def _homology(request: EndpointRequest, pair: Row, ensembl_id: str) -> Row:
    """A pair as seen from one of its genes."""
    (other,) = (gene_id for gene_id in pair["genes"] if gene_id != ensembl_id)
    method = _HOMOLOGY_KINDS["orthologues" if pair["type"].startswith("ortholog") else "paralogues"]
    source, target = _member(request, ensembl_id), _member(request, other)
    return {**drop_fields(pair, "genes"), "dn_ds": None, "method_link_type": method, "source": source, "target": target}


def _member(request: EndpointRequest, ensembl_id: str) -> Row:
    gene = request.genes[ensembl_id]
    species = request.species(gene["species"])
    return {"id": ensembl_id, "species": gene["species"], "taxon_id": int(species["taxon_id"])}
