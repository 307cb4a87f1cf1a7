"""``lookup``: genes, transcripts and translations by ID, genes by symbol, in the shape of recorded answers."""

from dataclasses import dataclass
from typing import Any

from biofact.sandbox.services.ensembl import made_up
from biofact.sandbox.services.ensembl.genes import CurrentRecord
from biofact.sandbox.services.ensembl.requests import EndpointRequest
from biofact.sandbox.standin import Refusal, Reply, refused, written
from biofact.sandbox.tables import Row

PARAMETERS = frozenset(
    {"species", "db_type", "object_type", "format", "expand", "utr", "mane", "phenotypes", "external_db"}
)
_FORMATS = {"full", "condensed"}
_UNSUPPORTED = ("utr", "phenotypes", "external_db")
_SWITCHES = ("expand", "mane")
_HEAD = {"id", "species", "object_type", "db_type", "version"}
_PARTS = {"Transcript", "Exon", "Translation", "MANE"}
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


def by_id(request: EndpointRequest) -> Reply:
    """GET lookup/id."""
    _check(request)
    return written(_record(request, request.parts[0]))


def by_ids(request: EndpointRequest) -> Reply:
    """POST lookup/id: an object by ID; null where a GET would be refused."""
    _check(request)
    records: dict[str, Row | None] = {}
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


def _record(request: EndpointRequest, asked: str) -> Row:
    """The record of an ID; its own ``id`` is as asked, with a version if there was one."""
    ensembl_id, version = request.genes.versioned(asked)
    found = request.genes.find(ensembl_id)
    if found is None or not is_asked_for(request, found, version):
        raise refused(f"ID '{asked}' not found")
    options = _options(request, found.gene)
    if found.level == "translation" and options.is_expanded:
        raise refused("Expand option only available for Genes and Transcripts")
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
        shown = {**made_up.PLACE, **shown}
    if options.assembly and "seq_region_name" in shown:
        shown["assembly_name"] = options.assembly
    return {**shown, "species": options.species}


def _is_shown(name: str, record: Row, options: _LookupOptions) -> bool:
    if name in _PARTS:
        has_part = options.has_mane if name == "MANE" else not (name == "Transcript" and options.is_condensed)
        return options.is_expanded and has_part
    if record["object_type"] == "mane":  # the same in either format
        return True
    return name in _HEAD if options.is_condensed else name not in _UNSENT


def _part(name: str, value: Any, options: _LookupOptions) -> Any:
    if name not in _PARTS:
        return value
    return [_shown(one, options) for one in value] if isinstance(value, list) else _shown(value, options)
