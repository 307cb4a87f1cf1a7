"""Gene XML to records. Pure: no network, no clock."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, get_args
from xml.etree.ElementTree import Element

from biofact.core.records import Notice
from biofact.dialects.xml import DamagedRecord, plain_tree
from biofact.sources.entrez.parse import xrefs
from biofact.sources.entrez.parse.docsums import nonsense
from biofact.sources.entrez.parse.paths import Names, distinct_names, elements_at, first, text, value
from biofact.sources.entrez.parse.xrefs import go_terms, phenotypes, pmids
from biofact.sources.entrez.records import GENE_FORM, EntrezGene, GeneRif, Status, curie, uid_of

Strand = Literal[1, -1]

STRANDS: dict[str, Strand] = {"plus": 1, "minus": -1}


@dataclass(frozen=True, slots=True)
class Locus:
    """A stretch of one sequence; positions are 1-based and inclusive."""

    assembly_name: str
    accession: str
    """With its version, such as ``NC_000008.11``."""
    start: int
    end: int
    strand: Strand | None

    @property
    def is_on_chromosome(self) -> bool:
        """The chromosome and assembly names say which sequence it is; NC_ is RefSeq's prefix of whole molecules."""
        return self.accession.startswith("NC_")

    def __str__(self) -> str:
        return f"{self.accession}:{self.start}-{self.end}"


def loci(gene: Element) -> list[Locus]:
    """The loci on the reference assembly, that of the record first; empty if it has none.

    Raises:
        DamagedRecord: a position is not a number.
    """
    return reference_loci(_reference_loci(gene))


def reference_loci(assembly_loci: Iterable[Locus]) -> list[Locus]:
    """The loci on one assembly that count, that of the record first.

    A gene on both sex chromosomes has two, X before Y. Alternate loci and patches count only where there is
    nothing else: they are other copies of the same stretch.
    """
    places = list(dict.fromkeys(assembly_loci))
    chromosomal = [locus for locus in places if locus.is_on_chromosome]
    return sorted(chromosomal, key=lambda locus: locus.accession) or places[:1]


def _reference_loci(gene: Element) -> Iterator[Locus]:
    for commentary in elements_at(gene, "Entrezgene_locus/Gene-commentary"):
        heading = text(commentary, "Gene-commentary_heading")
        # "Reference assembly" heads the RefSeqGene of older records, which is no assembly (recorded 2014).
        if heading.startswith("Reference ") and heading != "Reference assembly":
            locus = _locus(commentary, _assembly_name(heading))
            if locus is not None:
                yield locus


def _assembly_name(heading: str) -> str:
    """``GRCh38.p14`` of "Reference GRCh38.p14 Primary Assembly"; the name of an assembly may have several words."""
    name = heading.removeprefix("Reference ")
    whole = name.removesuffix(" Primary Assembly")
    return whole if whole != name else name.split()[0]


def _locus(commentary: Element, assembly_name: str) -> Locus | None:
    accession, version = text(commentary, "Gene-commentary_accession"), text(commentary, "Gene-commentary_version")
    stretches = list(_stretches(elements_at(commentary, "Gene-commentary_seqs/Seq-loc")))
    if not accession or not stretches:
        return None
    strands = {strand for _, _, strand in stretches}
    return Locus(
        assembly_name=assembly_name,
        accession=f"{accession}.{version}" if version else accession,
        # NCBI counts from 0 and includes the end.
        start=min(start for start, _, _ in stretches) + 1,
        end=max(end for _, end, _ in stretches) + 1,
        strand=STRANDS.get(strands.pop()) if len(strands) == 1 else None,
    )


def _stretches(locations: list[Element]) -> Iterator[tuple[int, int, str]]:
    """First and last position, 0-based, whichever comes first, and strand of each interval or point of a Seq-loc."""
    for location in locations:
        packed = elements_at(location, "Seq-loc_packed-int/Packed-seqint/Seq-interval")
        for interval in (*elements_at(location, "Seq-loc_int/Seq-interval"), *packed):
            ends = sorted((_position(interval, "Seq-interval_from"), _position(interval, "Seq-interval_to")))
            yield ends[0], ends[1], _strand(interval)
        for point in elements_at(location, "Seq-loc_pnt/Seq-point"):
            point_position = _position(point, "Seq-point_point")
            yield point_position, point_position, _strand(point)
        yield from _stretches(elements_at(location, "Seq-loc_mix/Seq-loc-mix/Seq-loc"))


def _position(element: Element, tag: str) -> int:
    number = text(element, tag)
    if not (number.isascii() and number.isdigit()):
        raise DamagedRecord(f"The position {tag} is {number!r:.40}.")
    return int(number)


def _strand(element: Element) -> str:
    return value(element, f"{element.tag}_strand/Na-strand")


T = TypeVar("T")

_TRACK = "Entrezgene_track-info/Gene-track"
_SOURCE = "Entrezgene_source/BioSource"
_ORGANISM = f"{_SOURCE}/BioSource_org/Org-ref"


@dataclass(frozen=True, slots=True)
class ParsedGene:
    """A gene record, and whether it still stands."""

    gene: EntrezGene
    """The gene; a record that is not live has its symbol and hardly more."""
    status: Status
    current_ids: tuple[str, ...] = ()
    """GeneIDs, as bare numbers, of the records that took its place: one as a rule."""
    discontinued_on: str | None = None
    """ISO date; only year, or year and month, where NCBI has no more."""

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


def readable(payload: bytes, parser: Callable[[Element], T]) -> T:
    """The result of ``parser`` on a record.

    Raises:
        UpstreamError: it cannot be read.
    """
    try:
        return parser(plain_tree(payload))
    except (DamagedRecord, RecursionError) as error:
        raise nonsense(str(error)) from error


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
    names = Names.from_record(root, gene_id)
    xref_collector = xrefs.collector(root, taxon_id, gene_type)
    xref_collector.further += [f"at {place}" for place in places[1:]]
    cross_references = xref_collector.collected()
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
        **location_fields(places),
        summary=text(root, "Entrezgene_summary") or None,
        cross_references=cross_references,
        go_terms=go_terms(root),
        phenotypes=phenotypes(root),
        replaces=replaces,
        release=xrefs.release(root) or None,
        notices=[*replacement_notices(replaces, gene_id), *xref_collector.notices],
    )


def _gene_id(root: Element) -> str:
    gene_id = _required(root, f"{_TRACK}/Gene-track_geneid")
    if re.fullmatch(GENE_FORM, curie(gene_id), re.ASCII) is None:
        raise DamagedRecord(f"Its GeneID is {gene_id!r:.40}.")
    return gene_id


def _status(track: Element) -> Status:
    status_name = value(track, "Gene-track_status") or "live"
    return next((status for status in get_args(Status) if status == status_name), "other")


def _current_ids(track: Element) -> tuple[str, ...]:
    tags = elements_at(track, "Gene-track_current-id/Dbtag")
    # LocusID is the old name of GeneID; both stand there, with one value (recorded: 9606 to 8666).
    ids = [xrefs.tag_value(tag) for tag in tags if text(tag, "Dbtag_db") in {"GeneID", "LocusID"}]
    return tuple(dict.fromkeys(gene_id for gene_id in ids if gene_id.strip("0").isdecimal()))


def date(element: Element, path: str) -> str | None:
    """An ISO date; only year, or year and month, where no more stands at ``path``."""
    parts = (text(element, f"{path}/Date-std_{unit}") for unit in ("year", "month", "day"))
    return "-".join(part.zfill(2) for part in parts if part) or None


def _taxon_id(root: Element) -> int:
    for tag in elements_at(root, f"{_ORGANISM}/Org-ref_db/Dbtag"):
        if text(tag, "Dbtag_db") == "taxon" and xrefs.tag_value(tag).isdecimal():
            return int(xrefs.tag_value(tag))
    raise nonsense("Its organism has no taxon.")


def _chromosome(root: Element) -> str:
    """Several for a pseudoautosomal gene, written as esummary does: ``X, Y``."""
    sources = elements_at(root, f"{_SOURCE}/BioSource_subtype/SubSource")
    names = [text(s, "SubSource_name") for s in sources if value(s, "SubSource_subtype") == "chromosome"]
    return ", ".join(distinct_names(names))


def location_fields(places: Sequence[Locus]) -> dict[str, Any]:
    """The fields of a record that tell its first place; none without a place."""
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


def replacement_notices(replaces: str | None, gene_id: str) -> list[Notice]:
    """The notice of a gene that has taken the place of the asked one."""
    message = f"{replaces} was replaced by {curie(gene_id)}."
    return [Notice(code="REPLACED", message=message)] if replaces else []


def _required(element: Element, path: str) -> str:
    content = text(element, path)
    if not content:
        raise nonsense(f"It has no {path.rpartition('/')[2]}.")
    return content


@dataclass(frozen=True, slots=True)
class GeneRifs:
    """The GeneRIFs of one gene."""

    uid: str
    """The GeneID as a bare number."""
    is_live: bool
    rows: tuple[GeneRif, ...]
    """Newest PMID first; of one article the earliest first, so that a new one moves none before it."""


def generifs(payload: bytes) -> GeneRifs:
    """The GeneRIFs in one ``<Entrezgene>`` element, as ``trim.with_generifs`` cuts it.

    Raises:
        UpstreamError: it cannot be read, or one of them says nothing.
    """
    return readable(payload, _generifs)


def newest(rif: GeneRif) -> int:
    """The highest PMID of a GeneRIF as a number; 0 without any."""
    return int(rif.pmids[0].removeprefix("PMID:")) if rif.pmids else 0


def _generifs(root: Element) -> GeneRifs:
    gene = parsed(root)
    gene_rifs = [
        _generif(element)
        for element in elements_at(root, "Entrezgene_comments/Gene-commentary")
        if _is_generif(element)
    ]
    gene_rifs.sort(key=lambda rif: (-newest(rif), rif.date or "", rif.text))
    unique_rifs = {
        (rif.text, *rif.pmids): rif for rif in reversed(gene_rifs)
    }  # the earliest of those that say the same
    return GeneRifs(gene.uid, gene.status == "live", tuple(reversed(unique_rifs.values())))


def _is_generif(commentary: Element) -> bool:
    """GeneRIFs under a heading are interactions with other genes and with viruses."""
    is_headed = bool(text(commentary, "Gene-commentary_heading"))
    return value(commentary, "Gene-commentary_type") == "generif" and not is_headed


def _generif(commentary: Element) -> GeneRif:
    sentence = text(commentary, "Gene-commentary_text")
    if not sentence:
        raise DamagedRecord("A GeneRIF says nothing.")
    created = date(commentary, "Gene-commentary_create-date/Date/Date_std/Date-std")
    return GeneRif(text=sentence, pmids=pmids(commentary), date=created)
