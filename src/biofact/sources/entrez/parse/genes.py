"""Gene XML to records. Pure: no network, no clock."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, get_args
from xml.etree.ElementTree import Element

from biofact.core.errors import UpstreamError
from biofact.core.records import Notice
from biofact.dialects.xml import DamagedRecord, plain_tree
from biofact.sources.entrez.parse import xrefs
from biofact.sources.entrez.parse.annotations import go_terms, phenotypes
from biofact.sources.entrez.parse.locus import Locus, loci
from biofact.sources.entrez.parse.names import Names, others
from biofact.sources.entrez.parse.paths import each, first, text, value
from biofact.sources.entrez.records import GENE_FORM, EntrezGene, Status, curie, uid_of

T = TypeVar("T")

_TRACK = "Entrezgene_track-info/Gene-track"
_SOURCE = "Entrezgene_source/BioSource"
_ORGANISM = f"{_SOURCE}/BioSource_org/Org-ref"


@dataclass(frozen=True, slots=True)
class ParsedGene:
    """A gene record, and whether it still stands."""

    gene: EntrezGene
    """Of a record that is not live, what is left of it: its symbol, hardly more."""
    status: Status
    current_ids: tuple[str, ...] = ()
    """GeneIDs, as bare numbers, of the records that took its place: one as a rule."""
    discontinued_on: str | None = None
    """ISO date; only year, or year and month, where NCBI tells no more."""

    @property
    def uid(self) -> str:
        """The GeneID as a bare number."""
        return uid_of(self.gene.id)

    @property
    def current_id(self) -> str | None:
        """The one GeneID, as a bare number, that took its place; None when there are none or several."""
        return self.current_ids[0] if len(self.current_ids) == 1 else None


def gene(payload: bytes, *, replaces: str | None = None) -> ParsedGene:
    """The record in one ``<Entrezgene>`` element, whole or as a ``GeneSplitter`` trims it: its lists are whole, GO
    terms and phenotypes are those that are left in it.

    ``replaces`` is the asked ID where that has led to this record.

    Raises:
        UpstreamError: it cannot be read, or lacks what no gene lacks.
    """
    return readable(payload, lambda root: parsed(root, replaces))


def readable(payload: bytes, read: Callable[[Element], T]) -> T:
    """What ``read`` makes of a record.

    Raises:
        UpstreamError: it cannot be read.
    """
    try:
        return read(plain_tree(payload))
    except (DamagedRecord, RecursionError) as error:
        raise _nonsense(str(error)) from error


def parsed(root: Element, replaces: str | None = None) -> ParsedGene:
    """The record in an ``<Entrezgene>`` element.

    Raises:
        DamagedRecord: it is none.
        UpstreamError: it lacks what no gene lacks.
    """
    track = first(root, _TRACK)
    if root.tag != "Entrezgene" or track is None:
        raise DamagedRecord("It is no gene record.")
    status = _status(track)
    return ParsedGene(
        gene=_gene(root, status, replaces),
        status=status,
        current_ids=_current_ids(track),
        discontinued_on=date(track, "Gene-track_discontinue-date/Date/Date_std/Date-std"),
    )


def _gene(root: Element, status: Status, replaces: str | None) -> EntrezGene:
    places = loci(root)
    gene_id = _gene_id(root)
    taxon_id = _taxon_id(root)
    gene_type = value(root, "Entrezgene_type") or _required(root, "Entrezgene_type")  # a number where it has no name
    names = Names.of(root, gene_id)
    collector = xrefs.collector(root, taxon_id, gene_type)
    collector.further += [f"at {place}" for place in places[1:]]
    cross_references = collector.collected()
    return EntrezGene(
        id=curie(gene_id),
        symbol=names.symbol,
        organism=_required(root, f"{_ORGANISM}/Org-ref_taxname"),
        name=names.name or None,
        description=names.description if names.description not in {"", names.name} else None,
        aliases=names.aliases,
        other_designations=names.designations,
        taxon_id=taxon_id,
        gene_type=gene_type,
        status=status,
        chromosome=_chromosome(root) or None,
        map_location=text(root, "Entrezgene_gene/Gene-ref/Gene-ref_maploc") or None,
        **_placed(places),
        summary=text(root, "Entrezgene_summary") or None,
        cross_references=cross_references,
        go_terms=go_terms(root),
        phenotypes=phenotypes(root),
        replaces=replaces,
        release=xrefs.release(root) or None,
        notices=[*_replaced(replaces, curie(gene_id)), *collector.notices],
    )


def _gene_id(root: Element) -> str:
    sent = _required(root, f"{_TRACK}/Gene-track_geneid")
    if re.fullmatch(GENE_FORM, curie(sent), re.ASCII) is None:
        raise DamagedRecord(f"Its GeneID is {sent!r:.40}.")
    return sent


def _replaced(replaces: str | None, current_id: str) -> list[Notice]:
    return [Notice(code="REPLACED", message=f"{replaces} was replaced by {current_id}.")] if replaces else []


def _status(track: Element) -> Status:
    sent = value(track, "Gene-track_status") or "live"
    return next((status for status in get_args(Status) if status == sent), "other")


def _current_ids(track: Element) -> tuple[str, ...]:
    tags = each(track, "Gene-track_current-id/Dbtag")
    # LocusID is the old name of GeneID; both stand there, with one value (recorded: 9606 to 8666).
    ids = [xrefs.tag_value(tag) for tag in tags if text(tag, "Dbtag_db") in {"GeneID", "LocusID"}]
    return tuple(dict.fromkeys(gene_id for gene_id in ids if gene_id.strip("0").isdecimal()))


def date(element: Element, path: str) -> str | None:
    """An ISO date; only year, or year and month, where no more stands at ``path``."""
    parts = (text(element, f"{path}/Date-std_{unit}") for unit in ("year", "month", "day"))
    return "-".join(part.zfill(2) for part in parts if part) or None


def _taxon_id(root: Element) -> int:
    for tag in each(root, f"{_ORGANISM}/Org-ref_db/Dbtag"):
        if text(tag, "Dbtag_db") == "taxon" and xrefs.tag_value(tag).isdecimal():
            return int(xrefs.tag_value(tag))
    raise _nonsense("Its organism has no taxon.")


def _chromosome(root: Element) -> str:
    """Several for a pseudoautosomal gene, written as esummary does: ``X, Y``."""
    sources = each(root, f"{_SOURCE}/BioSource_subtype/SubSource")
    names = [text(s, "SubSource_name") for s in sources if value(s, "SubSource_subtype") == "chromosome"]
    return ", ".join(others(names))


def _placed(places: list[Locus]) -> dict[str, Any]:
    if not places:
        return {}
    place = places[0]
    return {
        "assembly_name": place.assembly_name,
        "accession": None if place.is_on_chromosome else place.accession,
        "start": place.start,
        "end": place.end,
        "strand": place.strand,
    }


def _required(element: Element, path: str) -> str:
    found = text(element, path)
    if not found:
        raise _nonsense(f"It has no {path.rpartition('/')[2]}.")
    return found


def _nonsense(problem: str) -> UpstreamError:
    return UpstreamError(f"NCBI Gene sent a record that cannot be read. {problem}", hint="Call again later.")
