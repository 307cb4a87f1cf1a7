"""What an article is about, and what stands behind it: headings, keywords, substances, registers, grants."""

import re

from biofact.sources.pubmed.parse.elements import (
    attribute,
    content,
    contents,
    leaf,
    leaves,
    marked,
    plain,
    reader,
    text,
)
from biofact.sources.pubmed.records import DataBank, Grant, MeshHeading, MeshQualifier, Substance

_GRANT = ("GrantID", "Acronym", "Agency", "Country")
_MESH = re.compile(r'<([DQ])[a-z]+Name(?: UI="([^"]*)"|)([^>]*)>([^<]*)<')
_SUBSTANCE = re.compile(  # the registry number 0 says that there is none
    r"<Chemical>\s*(?:<RegistryNumber>(?:0<|([^<]*)<)/RegistryNumber>\s*|)<NameOfSubstance([^>]*)>([^<]*)<"
)


def mesh(xml: str) -> list[MeshHeading]:
    """The headings, each with its qualifiers. A heading is major if it or one of its qualifiers is."""
    read = reader(xml)
    headings: list[MeshHeading] = []
    for kind, first, written, raw in _MESH.findall(xml):
        ui, is_major = first or attribute(written, "UI"), ' MajorTopicYN="Y"' in written
        if kind == "D":
            heading = MeshHeading(read(raw), is_major, ui, [])
            headings.append(heading)
        else:
            heading.qualifiers.append(MeshQualifier(read(raw), is_major, ui))
            heading.is_major = heading.is_major or is_major
    return headings


def keywords(xml: str) -> list[str]:
    """Keywords of all lists, each once: the authors' first, then those of other indexers."""
    if "<KeywordList" not in xml:
        return []
    lists = sorted(marked(xml, "KeywordList"), key=lambda found: "NOTNLM" not in found[0])
    return list(dict.fromkeys(keyword for _, written in lists for keyword in leaves(written, "Keyword")))


def substances(xml: str) -> list[Substance]:
    """What stands in the chemical list."""
    return [
        Substance(text(raw), attribute(written, "UI"), text(number) or None)
        for number, written, raw in _SUBSTANCE.findall(xml)
    ]


def data_banks(xml: str) -> list[DataBank]:
    """Registers and repositories with the accessions there."""
    banks = contents(content(xml, "DataBankList"), "DataBank")
    return [DataBank(leaf(bank, "DataBankName") or "", leaves(bank, "AccessionNumber")) for bank in banks]


def grants(xml: str) -> list[Grant]:
    """Who paid for it."""
    rows = map(plain, contents(content(xml, "GrantList"), "Grant"))
    return [Grant(*(one.get(name) or None for name in _GRANT)) for one in rows]
