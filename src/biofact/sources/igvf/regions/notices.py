"""Notices about the contents of a region. Pure."""

from collections.abc import Sequence

from biofact.core.records import Notice
from biofact.dialects.genomic.genomes import ASSEMBLIES, PREVIOUS, Organism
from biofact.dialects.genomic.regions import Region


def assembly(organism: Organism) -> Notice:
    """A notice of the assembly that positions count on."""
    message = (
        f"Positions count on {ASSEMBLIES[organism].name}, from 1. On {PREVIOUS[organism]} the same genes lie elsewhere,"
        " often megabases away, and the Catalog has no older places to tell which: lift older coordinates over first,"
        " or give a gene's name as the region."
    )
    return Notice(code="ASSUMED", message=message)


def region_of_name(text: str, name: str, region: Region) -> Notice:
    """A notice of the entity whose place a name stands for."""
    return Notice(code="QUERY_UNDERSTOOD", message=f"{text} was read as the place of {name}, {region}.")


def cut(kind: str, limit: int) -> Notice:
    """A notice that the list is cut."""
    message = f"More than the {limit} {kind.replace('_', ' ')} listed lie there; the service sends them by ID."
    return Notice(code="LIST_CUT", message=f"{message} The cursor leads to the others.")


def variants_to_come(windows: Sequence[Region], following: int, count: int) -> Notice:
    """A notice of the windows that are still to be searched for variants."""
    rest = windows[following:]
    place = Region(rest[0].chromosome, rest[0].start, rest[-1].end)
    message = f"{count} variants are listed; {len(rest)} of {len(windows)} windows, {place}, are still to come."
    return Notice(code="LIST_CUT", message=f"{message} The cursor leads on; a call looks at five windows at most.")


def dropped_rows(kind: str, count: int) -> list[Notice]:
    """Rows that do not answer the query."""
    if not count:
        return []
    message = (
        f"{count} of {kind} that the service sent lie elsewhere, tell no place or miss a filter, and are left out."
    )
    return [Notice(code="DROPPED", message=message)]


def repeated_rows(count: int) -> list[Notice]:
    """Rows that came more than once, which the service's own counts may hold."""
    if not count:
        return []
    message = f"Variants that came again are listed once: {count} rows; variant_count may count them twice."
    return [Notice(code="MISMATCH", message=message)]


def unused_filters() -> Notice:
    """Filters that nothing was filtered by."""
    return Notice(code="TERM_IGNORED", message="The filters are of variants, which were not asked for.")
