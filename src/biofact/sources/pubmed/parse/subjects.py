"""What an article is about, and what stands behind it: headings, keywords, substances, registers, grants."""

import re

from biofact.sources.pubmed.parse.elements import attribute, content, contents, leaf, leaves, marked, text
from biofact.sources.pubmed.records import DataBank, Grant, MeshHeading, MeshQualifier, Substance

_MESH = re.compile(
    r"""<(D|Q)(?:escriptor|ualifier)Name(?:(?=[^>]*?\sUI="(\w+)")|)(?:(?=[^>]*?\sMajorTopicYN="(Y)")|)[^>]*>([^<]*)<"""
)


def mesh(xml: str) -> list[MeshHeading]:
    """The headings, each with its qualifiers. A heading is major if it or one of its qualifiers is."""
    headings: list[MeshHeading] = []
    for kind, ui, major, raw in _MESH.findall(xml):
        if kind == "D":
            heading = MeshHeading(text(raw), bool(major), ui or None)
            headings.append(heading)
        else:
            heading.qualifiers.append(MeshQualifier(text(raw), bool(major), ui or None))
            heading.is_major = heading.is_major or bool(major)
    return headings


def keywords(xml: str) -> list[str]:
    """Keywords of all lists, each once: the authors' first, then those of other indexers."""
    lists = sorted(marked(xml, "KeywordList"), key=lambda found: "NOTNLM" not in found[0])
    return list(dict.fromkeys(keyword for _, written in lists for keyword in leaves(written, "Keyword")))


def substances(xml: str) -> list[Substance]:
    """What stands in the chemical list."""
    return [
        Substance(text(raw), attribute(written, "UI"), _number(told))
        for told in contents(xml, "Chemical")
        for written, raw in marked(told, "NameOfSubstance")
    ]


def data_banks(xml: str) -> list[DataBank]:
    """Registers and repositories with the accessions there."""
    banks = contents(content(xml, "DataBankList"), "DataBank")
    return [DataBank(leaf(told, "DataBankName") or "", leaves(told, "AccessionNumber")) for told in banks]


def grants(xml: str) -> list[Grant]:
    """Who paid for it."""
    names = ("GrantID", "Acronym", "Agency", "Country")
    return [Grant(*(leaf(told, name) for name in names)) for told in contents(content(xml, "GrantList"), "Grant")]


def _number(xml: str) -> str | None:
    number = leaf(xml, "RegistryNumber")
    return None if number == "0" else number  # 0 says that there is none
