"""Elements that gene records are made of, and the commentaries that hold most of them. Pure."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

_CODES = {
    "genomic": "1",
    "mRNA": "3",
    "peptide": "8",
    "miscRNA": "14",
    "property": "16",
    "generif": "18",
    "phenotype": "19",
    "gene-group": "23",
    "comment": "254",
    "other": "255",
}
_PARTS = (  # of a commentary, in the order of the DTD
    *("heading", "label", "text", "accession", "version", "refs"),
    *("source", "seqs", "products", "properties", "comment", "create_date", "update_date"),
)


def node(tag: str, *content: Element | str, **attributes: str) -> Element:
    """An element of these parts; a text comes alone."""
    made = Element(tag, attributes)
    for item in content:
        if isinstance(item, str):
            made.text = item
        else:
            made.append(item)
    return made


def dbtag(db: str, value: str) -> Element:
    """An ID of a database: a number or a text."""
    form = "id" if value.isdecimal() else "str"
    tag = node("Dbtag_tag", node("Object-id", node(f"Object-id_{form}", value)))
    return node("Dbtag", node("Dbtag_db", db), tag)


def date(year: int, month: int, day: int) -> Element:
    """A day."""
    parts = [node(f"Date-std_{name}", str(part)) for name, part in (("year", year), ("month", month), ("day", day))]
    return node("Date", node("Date_std", node("Date-std", *parts)))


def commentary(kind: str, **parts: str | Sequence[Element]) -> Element:
    """A Gene-commentary with its parts in the order of the DTD; empty ones are left out."""
    made = node("Gene-commentary", node("Gene-commentary_type", _CODES[kind], value=kind))
    for part in sorted(parts, key=_PARTS.index):
        if content := parts[part]:
            tag = f"Gene-commentary_{part.replace('_', '-')}"
            made.append(node(tag, *([content] if isinstance(content, str) else content)))
    return made


def sequence(kind: str, accession: str, **parts: str | Sequence[Element]) -> Element:
    """The commentary of a sequence; ``accession`` is with its version."""
    bare, _, version = accession.partition(".")
    return commentary(kind, accession=bare, version=version, **parts)


def cited(db: str, value: str, anchor: str = "") -> Element:
    """A source: an ID of another database, under a name."""
    source = node("Other-source", node("Other-source_src", dbtag(db, value)))
    if anchor:
        source.append(node("Other-source_anchor", anchor))
    return source


def papers(pmids: Sequence[str]) -> list[Element]:
    """References to articles."""
    return [node("Pub", node("Pub_pmid", node("PubMedId", pmid))) for pmid in pmids]
