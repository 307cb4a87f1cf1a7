"""Where a gene lies: the loci of a gene record on the reference assembly. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from xml.etree.ElementTree import Element

from biofact.dialects.xml import DamagedRecord
from biofact.sources.entrez.parse.paths import each, text, value

Strand = Literal[1, -1]

_STRANDS: dict[str, Strand] = {"plus": 1, "minus": -1}


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

    A gene on both sex chromosomes has two, X before Y. Alternate loci and patches count only where there is
    nothing else: they are other copies of the same stretch.

    Raises:
        DamagedRecord: a position is not a number.
    """
    found = list(dict.fromkeys(_reference_loci(gene)))
    chromosomal = [locus for locus in found if locus.is_on_chromosome]
    return sorted(chromosomal, key=lambda locus: locus.accession) or found[:1]


def _reference_loci(gene: Element) -> Iterator[Locus]:
    for commentary in each(gene, "Entrezgene_locus/Gene-commentary"):
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
    stretches = list(_stretches(each(commentary, "Gene-commentary_seqs/Seq-loc")))
    if not accession or not stretches:
        return None
    strands = {strand for _, _, strand in stretches}
    return Locus(
        assembly_name=assembly_name,
        accession=f"{accession}.{version}" if version else accession,
        start=min(start for start, _, _ in stretches) + 1,
        end=max(end for _, end, _ in stretches) + 1,
        strand=_STRANDS.get(strands.pop()) if len(strands) == 1 else None,
    )


def _stretches(locations: list[Element]) -> Iterator[tuple[int, int, str]]:
    """First and last position, 0-based, whichever comes first, and strand of each interval or point of a Seq-loc."""
    for location in locations:
        packed = each(location, "Seq-loc_packed-int/Packed-seqint/Seq-interval")
        for interval in (*each(location, "Seq-loc_int/Seq-interval"), *packed):
            ends = sorted((_position(interval, "Seq-interval_from"), _position(interval, "Seq-interval_to")))
            yield ends[0], ends[1], _strand(interval)
        for point in each(location, "Seq-loc_pnt/Seq-point"):
            at = _position(point, "Seq-point_point")
            yield at, at, _strand(point)
        yield from _stretches(each(location, "Seq-loc_mix/Seq-loc-mix/Seq-loc"))


def _position(element: Element, tag: str) -> int:
    number = text(element, tag)
    if not (number.isascii() and number.isdigit()):
        raise DamagedRecord(f"The position {tag} is {number!r:.40}.")
    return int(number)


def _strand(element: Element) -> str:
    return value(element, f"{element.tag}_strand/Na-strand")
