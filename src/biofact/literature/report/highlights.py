"""An abstract with its evidence marked: spans that overlap are cut where they begin and end. Pure."""

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from biofact.literature.records import Evidence
from biofact.literature.report.markup import Markup, join_markup, tag
from biofact.sources.pubmed.records import CanonicalPubMedArticle

HUES = 8
"""Colours of fields; a ninth field has the first again, and its name beside it as all have."""

_LABEL = re.compile(r"[A-Z][A-Z&/,' -]{2,60}: ")


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
    article: CanonicalPubMedArticle, evidence: Mapping[str, Sequence[Evidence]], colours: Mapping[str, int]
) -> Markup:
    """The abstract, a paragraph for each of its sections."""
    abstract = article.abstract or ""
    found = spans(abstract, evidence)
    labels = tuple(f"{section.label}: " for section in article.sections if section.label)
    paragraphs, start = [], 0
    for line in abstract.split("\n"):
        end = start + len(line)
        label = _label_length(line, labels)
        pieces = _pieces(abstract, start, end, [*found, EvidenceSpan(start, start + label, "")] if label else found)
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


def _pieces(abstract: str, start: int, end: int, found: Sequence[EvidenceSpan]) -> list[_Piece]:
    """What lies between the places where spans begin or end."""
    edges = {edge for span in found for edge in span[:2] if start < edge < end} | {start, end}
    ordered = sorted(edges)
    return [
        _Piece(
            abstract[begin:stop],
            tuple(dict.fromkeys(span.field for span in found if span.field and span.start <= begin < span.end)),
            tuple(dict.fromkeys(span.field for span in found if span.field and span.start == begin)),
            any(not span.field and span.start <= begin < span.end for span in found),
        )
        for begin, stop in itertools.pairwise(ordered)
    ]


def _piece(piece: _Piece, colours: Mapping[str, int]) -> Markup:
    inside = tag("b", piece.text) if piece.is_label else piece.text
    if not piece.fields:
        return join_markup([inside])
    names = ", ".join(piece.fields)
    shade = hue_class(piece.fields[-1], colours) + (" several" if len(piece.fields) > 1 else "")
    begins = ", ".join(piece.beginning) or None
    return tag("mark", inside, class_=shade, data_field=names, data_begins=begins, title=names)
