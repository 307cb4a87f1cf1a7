"""Anchored lookups in a record, step by step: elements are found where they belong and nowhere else. Pure.

ElementTree takes one step in C and a path in Python; a record has some sixty.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self
from xml.etree.ElementTree import Element


def elements_at(element: Element, path: str) -> list[Element]:
    """All elements at ``path``, a chain of tags such as ``Gene-ref_syn/Gene-ref_syn_E``."""
    elements = [element]
    for tag in path.split("/"):
        elements = [child for parent in elements for child in parent.findall(tag)]
    return elements


def first(element: Element, path: str) -> Element | None:
    """The element at ``path``, going down by the first child of each tag."""
    found_element: Element | None = element
    for tag in path.split("/"):
        if found_element is None:
            return None
        found_element = found_element.find(tag)
    return found_element


def text(element: Element, path: str) -> str:
    """The text of the element at ``path``, stripped; empty where there is none."""
    found_element = first(element, path)
    return "" if found_element is None else (found_element.text or "").strip()


def texts(element: Element, path: str) -> list[str]:
    """The texts of all elements at ``path``, stripped."""
    return [(found_element.text or "").strip() for found_element in elements_at(element, path)]


def value(element: Element, path: str) -> str:
    """The attribute ``value`` of the element at ``path``: NCBI's name for a number."""
    found_element = first(element, path)
    return "" if found_element is None else found_element.get("value", "")


_GENE_REF = "Entrezgene_gene/Gene-ref"
_PROT_REF = "Entrezgene_prot/Prot-ref"
_AUTHORITY = f"{_GENE_REF}/Gene-ref_formal-name/Gene-nomenclature"


@dataclass(frozen=True, slots=True)
class Names:
    """The names of one gene; none of the others repeats the symbol or the name."""

    symbol: str
    """The authority's where there is one, else NCBI's: for a gene without any symbol, LOC and its GeneID."""
    name: str
    """The authority's full name, else NCBI's description; may be empty."""
    description: str
    aliases: list[str]
    designations: list[str]
    """In the order of gene_info: the product's preferred name, then the others."""

    @classmethod
    def from_record(cls, gene: Element, gene_id: str) -> Self:
        """The names in a gene record."""
        official_symbol, official_name = _authority(gene)
        locus, tag = text(gene, f"{_GENE_REF}/Gene-ref_locus"), text(gene, f"{_GENE_REF}/Gene-ref_locus-tag")
        description = text(gene, f"{_GENE_REF}/Gene-ref_desc")
        symbol = official_symbol or locus or tag or f"LOC{gene_id}"
        name = official_name or description
        aliases = [locus, *texts(gene, f"{_GENE_REF}/Gene-ref_syn/Gene-ref_syn_E")]
        products = [
            text(gene, f"{_PROT_REF}/Prot-ref_desc"),
            *texts(gene, f"{_PROT_REF}/Prot-ref_name/Prot-ref_name_E"),
        ]
        return cls(
            symbol, name, description, distinct_names(aliases, symbol), distinct_names(products, name, description)
        )


def _authority(gene: Element) -> tuple[str, str]:
    """Symbol and full name as the nomenclature authority gives them, official or interim."""
    formal = first(gene, _AUTHORITY)
    if formal is not None:
        return text(formal, "Gene-nomenclature_symbol"), text(formal, "Gene-nomenclature_name")
    facts = {
        text(fact, "Gene-commentary_label"): text(fact, "Gene-commentary_text")
        for commentary in elements_at(gene, "Entrezgene_properties/Gene-commentary")
        if text(commentary, "Gene-commentary_label") == "Nomenclature"
        for fact in elements_at(commentary, "Gene-commentary_properties/Gene-commentary")
    }
    symbol = facts.get("Official Symbol") or facts.get("Interim Symbol") or ""
    return symbol, facts.get("Official Full Name") or facts.get("Interim Full Name") or ""


def distinct_names(names: Iterable[str], *excluded: str) -> list[str]:
    """Each name once, without blank ones and those that are known."""
    return [name for name in dict.fromkeys(names) if name and name not in excluded]
