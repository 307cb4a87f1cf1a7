"""What an expert would want to know of a list of associations. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from biofact.core.provenance import Notice, without
from biofact.sources.igvf.associations.asking import Told
from biofact.sources.igvf.associations.legs import Left, reachable
from biofact.sources.igvf.associations.nodes import Node
from biofact.sources.igvf.associations.question import Question
from biofact.sources.igvf.catalog import RELATIONSHIPS
from biofact.sources.igvf.filters import FILTERS, renamed, told_of

_MOST_CONTEXTS = 8


def of_legs(question: Question, told: Sequence[Told], left: Sequence[Left]) -> list[Notice]:
    """Of each leg how many rows it has, whether there are more, what failed, and what does not exist."""
    return [
        *_renamed(question),
        *_counts(told),
        *_failures(told),
        *_dropped(told),
        *_partial(told),
        *_uncovered(question, left),
    ]


def _renamed(question: Question) -> list[Notice]:
    """Says under whose name the rows of a source stand."""
    name = renamed(question.filters)
    if name is None:
        return []
    message = f"The Catalog has {question.filters.source} among the rows of {name}, and does not tell them apart."
    return [Notice(code="QUERY_UNDERSTOOD", message=message)]


def of_later_page(told: Sequence[Told]) -> list[Notice]:
    """What holds for this page alone: legs that could not be had, strangers, an order with gaps."""
    return [*_failures(told), *_dropped(told), *_partial(told)]


def _failures(told: Sequence[Told]) -> list[Notice]:
    failed = {one.leg.endpoint.path: one.failure for one in told if one.failure is not None}
    return [without(path, failure.message) for path, failure in failed.items()]


def by_way_of_genes(node: Node, genes: Sequence[Node], most: int) -> Notice:
    """Says whose regulation is listed."""
    named = ", ".join(gene.name or gene.id for gene in genes[:most])
    more = f", not of {len(genes) - most} more" if len(genes) > most else ""
    message = f"Regulation of {node.name or node.id} is that of its genes {named}{more}."
    return Notice(code="QUERY_UNDERSTOOD", message=message)


def no_way(node: Node, kind: str) -> Notice:
    """Says why nothing was asked by way of further entities."""
    message = f"The Catalog names no {kind} of {node.name or node.id}, by way of which more would be asked for."
    return Notice(code="UNMATCHED", message=message)


def _counts(told: Sequence[Told]) -> list[Notice]:
    counted: dict[str, _Count] = {}
    for one in told:
        if one.failure is None:
            count = counted.setdefault(one.leg.endpoint.path, _Count())
            count.rows += len(one.rows)
            count.read += one.read
            count.is_cut |= not one.is_all
            count.is_held_here |= one.leg.is_held_here
    if not counted:
        return []
    found = [f"{path} {count}" for path, count in counted.items() if count.rows or count.is_cut]
    none = [path for path, count in counted.items() if not count.rows and not count.is_cut]
    words = ", ".join(found) + ("; " if found and none else "") + (f"none in {', '.join(none)}" if none else "")
    return [Notice(code="LEGS", message=f"Rows: {words}.")]


@dataclass(slots=True)
class _Count:
    """The rows of an endpoint, of all its legs."""

    rows: int = 0
    read: int = 0
    is_cut: bool = False
    is_held_here: bool = False

    def __str__(self) -> str:
        if self.is_cut and self.is_held_here:  # few may be kept of many that were read
            return f"{self.rows} of the {self.read} read so far"
        return f"at least {self.rows}" if self.is_cut else str(self.rows)


def _dropped(told: Sequence[Told]) -> list[Notice]:
    """Rows that the service sent for something else, such as those of a tissue with a similar name."""
    strange = {one.leg.endpoint.path: one.dropped for one in told if one.dropped}
    if not strange:
        return []
    words = ", ".join(f"{count} of {path}" for path, count in strange.items())
    contexts = list(dict.fromkeys(context for one in told if one.leg.told.tissue for context in one.contexts))
    near = f" Their contexts: {', '.join(contexts[:_MOST_CONTEXTS])}." if contexts else ""
    return [Notice(code="DROPPED", message=f"Rows that do not answer the question, left out: {words}.{near}")]


def _partial(told: Sequence[Told]) -> list[Notice]:
    partial = list(dict.fromkeys(one.leg.endpoint.path for one in told if not one.is_ordered and one.failure is None))
    if not partial:
        return []
    narrowing = [name for name in FILTERS if any(told_of(one.leg.endpoint, name) for one in told if not one.is_ordered)]
    message = (
        f"The service cannot sort; of {', '.join(partial)} not all rows could be read: better ones may be missing."
    )
    how = f" Narrow it by {', '.join(narrowing)}, or page" if narrowing else " Page"
    return [Notice(code="ORDER", message=f"{message}{how} through all without order_by.")]


def _uncovered(question: Question, left: Sequence[Left]) -> list[Notice]:
    node = question.nodes[0]
    words = []
    if foreign := dict.fromkeys(path for one in left for path in one.organism):
        words.append(f"of the {node.organism} there is nothing in {', '.join(foreign)}")
    if wide := dict.fromkeys(path for one in left for path in one.wide):
        words.append(f"the region is too long for {', '.join(wide)}")
    unkept: dict[str, list[str]] = {}
    for path, lacking in dict.fromkeys(pair for one in left for pair in one.filters):
        unkept.setdefault(lacking, []).append(path)
    given = question.filters.written
    words += [f"no {name} {given.get(name, '')}".rstrip() + f" in {', '.join(paths)}" for name, paths in unkept.items()]
    if question.relationship == "all":
        ends = [one for one in RELATIONSHIPS if not reachable(node, one)]
        words += [f"no {', '.join(ends)} relationship starts from a {node.kind.replace('_', ' ')}"] if ends else []
    return [Notice(code="NOT_COVERED", message=f"Not asked: {'; '.join(words)}.")] if words else []
