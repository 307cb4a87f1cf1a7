"""Why what a caller wrote leads to nothing, or to too much, and what to do about it. Pure."""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from biofact.core.errors import AmbiguousQuery, BiofactError, CallTool, EntityNotFound, ToolRef
from biofact.core.identifiers import QUERY_LENGTH
from biofact.core.quoting import listed
from biofact.sources.igvf.identifiers.kinds import GET_ENTITY, SEARCH_REGION, IdentifierReading
from biofact.sources.igvf.lookup.keys import key_of
from biofact.sources.igvf.records import Entity

_RESOLVE_ID = ToolRef("igvf", "resolve_id")
_GENES = ToolRef("entrez", "search_genes")

_MOST_SUGGESTED, _MOST_NAMED = 5, 10


@contextmanager
def recovery_for(tool: ToolRef, parameter: str, given: Mapping[str, object]) -> Iterator[None]:
    """Let a recovery that corrects one argument call the same tool, with all the other arguments."""
    try:
        yield
    except BiofactError as error:
        takes_ids = {GET_ENTITY, SEARCH_REGION} if tool != SEARCH_REGION else set()  # a region is no ID
        if isinstance(error.recovery, CallTool) and error.recovery.tool in {*takes_ids, tool}:
            corrected = dict(error.recovery.arguments)
            entity = corrected.pop("id", None) or corrected.pop("region", None) or corrected.pop(parameter, None)
            others = {**given, **corrected}
            kept = {name: value for name, value in others.items() if value is not None and name != "hint"}
            error.recovery = CallTool(tool, {**kept, parameter: entity}) if entity is not None else None
        raise


def not_found(
    text: str, readings: Sequence[IdentifierReading], near: Sequence[Entity], organism: str | None = None
) -> BiofactError:
    """The error that ``text`` names nothing in the Catalog; ``near`` are near misses that the service sent."""
    read_as = " or ".join(f"{_article(kind)} {kind}" for kind in dict.fromkeys(map(_kind, readings)))
    names = dict.fromkeys(entity.name for entity in near if entity.name)
    close = difflib.get_close_matches(text.upper(), [name.upper() for name in names], _MOST_SUGGESTED, 0.6)
    suggested = [name for name in names if name.upper() in close][:_MOST_SUGGESTED]
    is_name = any(reading.by == "name" and reading.kind == "gene" for reading in readings)
    hint = f"Names near it: {', '.join(suggested)}; they are other things. " if suggested else ""
    hint += f"Call {_GENES} to find the gene by what it is called." if is_name else "Check the ID."
    others = {"organism": organism} if organism else {}
    return EntityNotFound(
        f"The IGVF Catalog has nothing called {text!r:.120}, read as {read_as}.",
        hint=hint,
        invalid_input=text,
        recovery=CallTool(_GENES, {"query": text, **others}) if is_name and len(text) in QUERY_LENGTH else None,
    )


def ambiguous(text: str, found: Sequence[Entity], what: str) -> BiofactError:
    """The error that ``text`` names several entities, none of them more than the others."""
    bare = {None, text}
    named = listed(
        [entity.id if entity.name in bare else f"{entity.id} ({entity.name})" for entity in found], _MOST_NAMED
    )
    is_variant = found[0].type == "variant"
    if found[0].type == "regulatory_element":
        return AmbiguousQuery(
            f"At {text!r:.120} lie {len(found)} regulatory elements: {named}.",
            hint=f"Call {SEARCH_REGION} for all of them.",
            invalid_input=text,
            recovery=CallTool(SEARCH_REGION, {"region": text, "include": ["regulatory_elements"]}),
        )
    hint = f"Call {_RESOLVE_ID} for all their identifiers, or {GET_ENTITY} with the one that is meant."
    return AmbiguousQuery(
        f"{text!r:.120} names {len(found)} {what}: {named}.",
        hint=hint if is_variant else f"Call {GET_ENTITY} with the ID of the one that is meant.",
        invalid_input=text,
        recovery=CallTool(_RESOLVE_ID, {"id": text}) if is_variant else None,
    )


def _kind(reading: IdentifierReading) -> str:
    if reading.by == "name":
        return {"gene": "gene symbol", "drug": "drug's name", "term": "term's name"}.get(reading.kind, "name")
    return key_of(reading).words


def _article(kind: str) -> str:
    return "an" if kind[0] in "aeioAEIO" or kind.startswith(("HGNC", "HGVS", "SPDI", "NCBI", "rs")) else "a"
