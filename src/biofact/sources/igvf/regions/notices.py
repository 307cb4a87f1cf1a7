"""What an expert would want to know of what lies in a region. Pure."""

from biofact.core.provenance import Notice
from biofact.dialects.genomic.genomes import ASSEMBLIES, PREVIOUS, Organism


def assembly(organism: Organism) -> Notice:
    """Which positions are meant, and which are not."""
    message = (
        f"Positions count on {ASSEMBLIES[organism].name}, from 1. On {PREVIOUS[organism]} the same genes lie elsewhere,"
        " often megabases away: lift older coordinates over first."
    )
    return Notice(code="ASSUMED", message=message)


def cut(kind: str, limit: int, order: str) -> Notice:
    """There are more."""
    message = f"More than the {limit} {kind.replace('_', ' ')} listed lie there; the service picks {order}."
    return Notice(code="LIST_CUT", message=f"{message} Ask for less, or with a greater limit.")


def sampled(windows: int, seen: int, size: int) -> Notice:
    """Only a part of the region was looked at."""
    message = f"Variants are a sample: of {windows} windows of {size:,} bases {seen} were looked at."
    return Notice(code="LIST_CUT", message=f"{message} Ask for {seen * size:,} bases or less.")


def dropped(kind: str, count: int) -> list[Notice]:
    """Rows that do not answer the query."""
    if not count:
        return []
    message = f"{count} of {kind} that the service sent lie elsewhere or miss a filter, and are left out."
    return [Notice(code="DROPPED", message=message)]


def unused_filters() -> Notice:
    """Filters that nothing was filtered by."""
    return Notice(code="TERM_IGNORED", message="The filters are of variants, which were not asked for.")
