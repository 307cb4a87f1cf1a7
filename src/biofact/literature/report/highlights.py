"""An abstract with its evidence marked: spans that overlap are cut where they begin and end. Pure."""

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from biofact.literature.records import Evidence
from biofact.literature.report.labels import field_label
from biofact.literature.report.markup import Markup, join_markup, tag
from biofact.sources.pubmed.records import CanonicalPubMedArticle

HUES = 8
"""Colours of fields; a ninth field has the first again, and its name beside it as all have."""

_LABEL = re.compile(r"[A-Z][A-Z&/,' -]{2,60}: ")


_GOAL = "\0goal"
"""Stands in the place of a field where a span is a word of the goal; no field is called so."""
_LABEL_SPAN = ""


class EvidenceSpan(NamedTuple):
    """Where a field's evidence lies."""

    start: int
    end: int
    field: str


def hues(fields: Iterable[str]) -> dict[str, int]:
    """A colour for each field, nested ones as the field that they are part of."""
    roots = sorted({field.partition(".")[0] for field in fields})
    return {root: place % HUES for place, root in enumerate(roots)}


def hue_class(field: str, colours: Mapping[str, int]) -> str:
    """The CSS class of a field's colour."""
    return f"m{colours.get(field.partition('.')[0], 0)}"


def spans(abstract: str, evidence: Mapping[str, Sequence[Evidence]]) -> list[EvidenceSpan]:
    """Where the abstract holds what a field stands on. A quote that is not where it should be, nor anywhere once, is
    not marked.
    """
    found_spans = []
    for field, places in evidence.items():
        for place in places:
            start = locate(abstract, place)
            if start is not None:
                found_spans.append(EvidenceSpan(start, start + len(place.quote), field))
    return sorted(set(found_spans))


def locate(abstract: str, place: Evidence) -> int | None:
    """Where a quote begins; None if it is not in the abstract, or more than once without a position."""
    if place.where != "abstract" or not place.quote:
        return None
    if place.start is not None and abstract.startswith(place.quote, place.start) and place.start >= 0:
        return place.start
    return abstract.find(place.quote) if abstract.count(place.quote) == 1 else None


def mark_evidence(
    article: CanonicalPubMedArticle,
    evidence: Mapping[str, Sequence[Evidence]],
    colours: Mapping[str, int],
    goal: Sequence[tuple[int, int]] = (),
) -> Markup:
    """The abstract, a paragraph for each of its sections; ``goal`` is where it names what the goal is about."""
    abstract = article.abstract or ""
    found = [*spans(abstract, evidence), *(EvidenceSpan(start, end, _GOAL) for start, end in goal)]
    labels = tuple(f"{section.label}: " for section in article.sections if section.label)
    paragraphs, start = [], 0
    for line in abstract.split("\n"):
        end = start + len(line)
        label = _label_length(line, labels)
        pieces = _pieces(
            abstract, start, end, [*found, EvidenceSpan(start, start + label, _LABEL_SPAN)] if label else found
        )
        paragraphs.append(tag("p", *(_piece(piece, colours) for piece in pieces)))
        start = end + 1
    return join_markup(paragraphs)


def _label_length(line: str, labels: tuple[str, ...]) -> int:
    known = next((len(label) for label in labels if line.startswith(label)), 0)
    result = None if labels else _LABEL.match(line)
    return result.end() if result else known


class _Piece(NamedTuple):
    text: str
    fields: tuple[str, ...]
    beginning: tuple[str, ...]
    """Fields of which this is the first piece."""
    is_label: bool
    is_goal: bool


def _pieces(abstract: str, start: int, end: int, found: Sequence[EvidenceSpan]) -> list[_Piece]:
    """What lies between the places where spans begin or end."""
    fields = [span for span in found if span.field not in {_GOAL, _LABEL_SPAN}]
    edges = {edge for span in found for edge in span[:2] if start < edge < end} | {start, end}
    ordered = sorted(edges)
    return [
        _Piece(
            abstract[begin:stop],
            tuple(dict.fromkeys(span.field for span in fields if span.start <= begin < span.end)),
            tuple(dict.fromkeys(span.field for span in fields if span.start == begin)),
            *(any(span.field == kind and span.start <= begin < span.end for span in found)
              for kind in (_LABEL_SPAN, _GOAL)),
        )
        for begin, stop in itertools.pairwise(ordered)
    ]  # fmt: skip


def _labels(fields: Iterable[str]) -> Iterable[str]:
    """Names of fields, those of the same one together: value, low and high are one effect."""
    return dict.fromkeys(field_label(field.partition(".")[0]) for field in fields)


def _piece(piece: _Piece, colours: Mapping[str, int]) -> Markup:
    inside = tag("span", piece.text, class_="goal") if piece.is_goal else piece.text
    inside = tag("b", inside) if piece.is_label else inside
    if not piece.fields:
        return join_markup([inside])
    names = ", ".join(_labels(piece.fields))
    shade = hue_class(piece.fields[-1], colours) + (" several" if len(piece.fields) > 1 else "")
    begins = ", ".join(_labels(piece.beginning)) or None
    return tag("mark", inside, class_=shade, data_field=", ".join(piece.fields), data_begins=begins, title=names)
