"""``xrefs``: what a name stands for, and the cross-references of an ID, in the shape of recorded answers."""

from collections.abc import Iterator, Sequence

from biofact.sandbox.services.ensembl.lookup import is_asked_for
from biofact.sandbox.services.ensembl.requests import EndpointRequest
from biofact.sandbox.services.ensembl.rows import Level
from biofact.sandbox.standin import Reply, refused, written
from biofact.sandbox.tables import Row, starter_rows, without

OF_SYMBOL = frozenset({"object_type", "external_db", "db_type"})
OF_ID = frozenset({"external_db", "object_type", "all_levels", "species", "db_type"})
_LEVELS: tuple[Level, ...] = ("gene", "transcript", "translation")
_NAMING = {"HGNC", "EntrezGene", "MGI", "RGD", "SGD", "ZFIN_ID", "WikiGene"}
"""Databases whose entry for a gene has the gene's synonyms and its name."""
_TITLES = {row["dbname"]: row["db_display_name"] for row in starter_rows(__package__, "database.jsonl")}


def by_symbol(request: EndpointRequest) -> Reply:
    """GET xrefs/symbol: IDs and their kinds; empty when nothing goes by the name."""
    name, symbol = request.parts
    species, kind = request.species(name)["name"], request.text("object_type").lower()
    levels = [level for level in _LEVELS if kind in {"", level}]
    if not levels:
        raise refused(f"The sandbox has no objects of type {kind!r:.40}.")
    _check_database(request)
    genes = request.genes.with_name(species, symbol)
    rows = [
        {"id": ensembl_id, "type": level}
        for level in levels
        for gene in genes
        for ensembl_id in _going_by(gene, level, symbol.lower(), request.text("external_db"))
    ]
    return written(rows)


def by_id(request: EndpointRequest) -> Reply:
    """GET xrefs/id: rows of the record itself; with ``all_levels`` those of the records below it as well."""
    asked = request.parts[0]
    _check_database(request)
    ensembl_id, version = request.genes.versioned(asked)
    found = request.genes.find(ensembl_id)
    if found is None or not is_asked_for(request, found, version):
        raise refused(f"ID '{asked}' not found")
    levels = _from(found.level) if request.is_on("all_levels") else (found.level,)
    database = request.text("external_db")
    rows = [_row(xref, found.gene) for one in levels for xref in _level_rows(found.gene, one, found.transcripts)]
    return written([row for row in rows if database in {"", row["dbname"]}])


def _check_database(request: EndpointRequest) -> None:
    if request.text("db_type", "core") != "core":
        raise refused("The sandbox has core databases only.")


def _from(level: Level) -> tuple[Level, ...]:
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
    xrefs = [xref for xref in gene["xrefs"] if xref["level"] in _from(level) and database in {"", xref["dbname"]}]
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


def _row(xref: Row, gene: Row) -> Row:
    is_naming = xref["dbname"] in _NAMING and xref["level"] == "gene"
    return {
        "display_id": xref["primary_id"],
        **without(xref, "level"),
        "db_display_name": _TITLES.get(xref["dbname"], xref["dbname"]),
        "description": (gene.get("description", "").partition(" [Source:")[0] or None) if is_naming else None,
        "synonyms": gene["synonyms"] if is_naming else [],
        "version": "0",
        "info_text": "",
    }
