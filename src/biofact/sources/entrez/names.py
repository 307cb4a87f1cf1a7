"""What a gene is called: by its nomenclature authority, by NCBI, and by others. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self
from xml.etree.ElementTree import Element

_GENE_REF = "Entrezgene_gene/Gene-ref"
_PROT_REF = "Entrezgene_prot/Prot-ref"
_AUTHORITY = f"{_GENE_REF}/Gene-ref_formal-name/Gene-nomenclature"


@dataclass(frozen=True, slots=True)
class Names:
    """The names of one gene; none of the others repeats the symbol or the name."""

    symbol: str
    """The authority's where there is one, else NCBI's: for a gene without any symbol, LOC and its GeneID."""
    name: str | None
    """The authority's full name, else NCBI's description."""
    description: str | None
    aliases: list[str]
    designations: list[str]
    """In the order of gene_info: the product's preferred name, then the others."""

    @classmethod
    def of(cls, gene: Element, gene_id: str) -> Self:
        """The names in a gene record."""
        official_symbol, official_name = _authority(gene)
        locus = text(gene, f"{_GENE_REF}/Gene-ref_locus")
        description = text(gene, f"{_GENE_REF}/Gene-ref_desc")
        symbol = official_symbol or locus or text(gene, f"{_GENE_REF}/Gene-ref_locus-tag") or f"LOC{gene_id}"
        name = official_name or description
        aliases = [locus, *_texts(gene, f"{_GENE_REF}/Gene-ref_syn/Gene-ref_syn_E")]
        products = [
            text(gene, f"{_PROT_REF}/Prot-ref_desc"),
            *_texts(gene, f"{_PROT_REF}/Prot-ref_name/Prot-ref_name_E"),
        ]
        return cls(symbol, name, description, others(aliases, symbol), others(products, name, description))


def _authority(gene: Element) -> tuple[str | None, str | None]:
    """Symbol and full name as the nomenclature authority gives them, official or interim."""
    formal = gene.find(_AUTHORITY)
    if formal is not None:
        return text(formal, "Gene-nomenclature_symbol"), text(formal, "Gene-nomenclature_name")
    told = {
        text(fact, "Gene-commentary_label"): text(fact, "Gene-commentary_text")
        for commentary in gene.iterfind("Entrezgene_properties/Gene-commentary")
        if text(commentary, "Gene-commentary_label") == "Nomenclature"
        for fact in commentary.iterfind("Gene-commentary_properties/Gene-commentary")
    }
    return (
        told.get("Official Symbol") or told.get("Interim Symbol"),
        told.get("Official Full Name") or told.get("Interim Full Name"),
    )


def others(names: Iterable[str | None], *known: str | None) -> list[str]:
    """Each name once, without those that are known."""
    return [name for name in dict.fromkeys(names) if name and name not in known]


def text(element: Element, path: str) -> str | None:
    """The text at ``path``, or None where there is none."""
    return (element.findtext(path) or "").strip() or None


def _texts(element: Element, path: str) -> list[str | None]:
    return [(found.text or "").strip() or None for found in element.iterfind(path)]
