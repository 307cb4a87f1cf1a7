"""Abstracts as one text, and where its sections lie in it."""

from typing import NamedTuple

from biofact.sources.pubmed.parse.elements import attribute, leaf, marked, text
from biofact.sources.pubmed.records import OtherAbstract, Section


class Abstract(NamedTuple):
    """What an article says of itself."""

    text: str | None
    """One line for each section, its label in front."""
    sections: list[Section]
    """Empty unless one has a label or a category."""
    copyright: str | None


def abstract(xml: str) -> Abstract:
    """The abstract of a record."""
    lines: list[str] = []
    sections: list[Section] = []
    length = 0
    for written, raw in marked(xml, "AbstractText"):
        sentences = text(raw)
        if not sentences:
            continue
        section = _section(written) if written else Section(0, 0)
        line = f"{section.label}: {sentences}" if section.label else sentences
        length += len(line) + 1  # and the line end
        section.start, section.end = length - 1 - len(sentences), length - 1
        lines.append(line)
        sections.append(section)
    is_structured = any(section.label or section.category for section in sections)
    return Abstract("\n".join(lines) or None, sections if is_structured else [], leaf(xml, "CopyrightInformation"))


def other_abstracts(xml: str) -> list[OtherAbstract]:
    """Abstracts by others or for others than the journal's readers."""
    return [
        OtherAbstract(attribute(written, "Type") or "other", sentences, attribute(written, "Language"))
        for written, raw in marked(xml, "OtherAbstract")
        if (sentences := abstract(raw).text)
    ]


def _section(written: str) -> Section:
    label, category = attribute(written, "Label"), attribute(written, "NlmCategory")
    is_none = not label or label.upper() == "UNLABELLED"
    return Section(0, 0, None if is_none else label, None if category == "UNASSIGNED" else category)
