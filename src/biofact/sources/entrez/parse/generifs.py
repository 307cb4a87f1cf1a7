"""What papers say of a gene: its GeneRIFs. Pure."""

from dataclasses import dataclass
from xml.etree.ElementTree import Element

from biofact.dialects.xml import DamagedRecord
from biofact.sources.entrez.parse.annotations import pmids
from biofact.sources.entrez.parse.genes import date, parsed, readable
from biofact.sources.entrez.parse.paths import each, text, value
from biofact.sources.entrez.records import GeneRif


@dataclass(frozen=True, slots=True)
class GeneRifs:
    """What papers say of one gene."""

    uid: str
    """The GeneID as a bare number."""
    is_live: bool
    rows: tuple[GeneRif, ...]
    """Newest PMID first; of one article the earliest first, so that a new one moves none before it."""


def generifs(payload: bytes) -> GeneRifs:
    """The GeneRIFs in one ``<Entrezgene>`` element, as ``trim.described`` cuts it.

    Raises:
        UpstreamError: it cannot be read, or one of them says nothing.
    """
    return readable(payload, _generifs)


def newest(rif: GeneRif) -> int:
    """The highest PMID of a GeneRIF as a number; 0 without any."""
    return int(rif.pmids[0].removeprefix("PMID:")) if rif.pmids else 0


def _generifs(root: Element) -> GeneRifs:
    gene = parsed(root)
    found = [_generif(one) for one in each(root, "Entrezgene_comments/Gene-commentary") if _is_generif(one)]
    found.sort(key=lambda rif: (-newest(rif), rif.date or "", rif.text))
    once = {(rif.text, *rif.pmids): rif for rif in reversed(found)}  # the earliest of those that say the same
    return GeneRifs(gene.uid, gene.status == "live", tuple(reversed(once.values())))


def _is_generif(commentary: Element) -> bool:
    """Those under a heading are interactions with other genes and with viruses."""
    is_headed = bool(text(commentary, "Gene-commentary_heading"))
    return value(commentary, "Gene-commentary_type") == "generif" and not is_headed


def _generif(commentary: Element) -> GeneRif:
    sentence = text(commentary, "Gene-commentary_text")
    if not sentence:
        raise DamagedRecord("A GeneRIF says nothing.")
    created = date(commentary, "Gene-commentary_create-date/Date/Date_std/Date-std")
    return GeneRif(text=sentence, pmids=pmids(commentary), date=created)
