"""The flow of articles in the boxes and words of PRISMA 2020; what nobody did says so. Pure.

Page MJ and others, The PRISMA 2020 statement, BMJ 2021;372:n71, flow diagram for databases and registers only.
"""

from collections.abc import Sequence
from typing import NamedTuple

from biofact.literature.report.content import Counts, Flow
from biofact.literature.report.markup import Markup, isolate, join_markup, tag, web_link

TITLE = "Identification of studies via databases and registers"
NOT_DONE = "not done"
_STATEMENT = "https://doi.org/10.1136/bmj.n71"


class _Item(NamedTuple):
    """A line of a box: its label, its number, what it is made of."""

    label: str
    number: int | None
    """None for what nobody did."""
    parts: Counts = ()


class _Box(NamedTuple):
    title: str
    items: tuple[_Item, ...] = ()
    note: str = ""


def prisma(flow: Flow) -> Markup:
    """The diagram: a band for each phase, what stays on the left, what is removed on the right."""
    bands: dict[str, list[tuple[_Box, _Box | None]]] = {
        "Identification": [(_identified(flow), _removed(flow))],
        "Screening": [
            (_Box("Records screened", note=_ready(flow)), _Box("Records excluded")),
            (_Box("Reports sought for retrieval"), _Box("Reports not retrieved")),
            (_Box("Reports assessed for eligibility"), _Box("Reports excluded")),
        ],
        "Included": [(_Box("Studies included in review", (_Item("Reports of included studies", None),)), None)],
    }
    drawn = (_band(name, steps) for name, steps in bands.items())
    source = join_markup([
        "Boxes and words of the ", web_link(_STATEMENT, "PRISMA 2020"),
        " flow diagram. A program found and ranked these records; nobody has screened them.",
    ])  # fmt: skip
    heading = tag("h3", TITLE)
    return tag("div", heading, tag("ol", *drawn, class_="prisma"), tag("p", source, class_="note"))


def _identified(flow: Flow) -> _Box:
    databases = _Item(flow.origin, flow.found, flow.identified)
    return _Box("Records identified from:", (databases, _Item("Registers", None)))


def _removed(flow: Flow) -> _Box:
    others = tuple((reason, count) for reason, count in flow.lost if count)
    by_rules = tuple((reason, count) for reason, count in flow.excluded if count)
    items = (
        _Item("Duplicate records removed", flow.duplicates),
        _Item("Records marked as ineligible by automation tools", flow.marked_ineligible, by_rules),
        _Item("Records removed for other reasons", sum(count for _, count in flow.lost), others),
    )
    return _Box("Records removed before screening:", items)


def _ready(flow: Flow) -> str:
    listed = "all are listed on this page" if not flow.cut else f"the first {flow.ranked:,} are listed on this page"
    if not flow.passed:
        return "No record is left to be screened."
    return f"{flow.passed:,} ranked and ready to be screened; {listed}."


def _band(name: str, steps: Sequence[tuple[_Box, _Box | None]]) -> Markup:
    lines = (tag("li", _box(kept, "box"), _box(removed, "left") if removed else None) for kept, removed in steps)
    return tag("li", tag("h4", name, class_="phase"), tag("ol", *lines, class_="flow"), class_="band")


def _box(box: _Box, shade: str) -> Markup:
    title = join_markup([box.title]) if box.title.endswith(":") else _with_count(box.title, None)
    lines = tag("ul", *map(_item, box.items)) if box.items else None
    note = tag("p", box.note, class_="ready") if box.note else None
    return tag("div", tag("p", title, class_="what"), lines, note, class_=shade)


def _item(item: _Item) -> Markup:
    parts = tag("ul", *(tag("li", isolate(f"{name}: {count:,}")) for name, count in item.parts)) if item.parts else None
    return tag("li", tag("p", _with_count(item.label, item.number)), parts)


def _with_count(label: str, count: int | None) -> Markup:
    number = tag("b", f"(n = {count:,})") if count is not None else tag("span", f"({NOT_DONE})", class_="none")
    return join_markup([label, " ", number])
