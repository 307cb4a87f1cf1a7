"""What a region of one assembly is on another. Pure."""

from typing import Any

from biofact.core.errors import UpstreamError
from biofact.dialects import json_values
from biofact.dialects.json_values import number, text, within
from biofact.sources.ensembl.identifiers import EnsemblRegion
from biofact.sources.ensembl.parse.documents import mapping
from biofact.sources.ensembl.records import MappedSegment


def segments(region: EnsemblRegion, assemblies: tuple[str, str], body: bytes) -> list[MappedSegment]:
    """The parts of a region that the other assembly has, in the order of the region, each once.

    Raises:
        Transient: the body is damaged, or without a list of mappings: an empty one says that there are none.
        UpstreamError: a part is of another region or assembly, or longer on one of the two.
    """
    rows = json_values.rows(mapping(body), "mappings")
    found = {_segment(row, region, assemblies) for row in rows}
    return sorted(found, key=lambda one: (one.from_start, one.from_end, one.chromosome, one.start))


def _segment(row: dict[str, Any], region: EnsemblRegion, assemblies: tuple[str, str]) -> MappedSegment:
    ends = [
        _place(within(row, name), assembly) for name, assembly in zip(("original", "mapped"), assemblies, strict=True)
    ]
    (name, start, end, _), (other, other_start, other_end, strand) = ends
    is_inside = name == region.name and region.start <= start <= end <= region.end
    if not is_inside or other_end - other_start != end - start:
        message = f"Ensembl mapped {region} as {name}:{start}-{end} to {other}:{other_start}-{other_end}."
        raise UpstreamError(message, hint="Call again later, or report it.")
    return MappedSegment(
        from_start=start,
        from_end=end,
        chromosome=other,
        start=other_start,
        end=other_end,
        strand=1 if strand == ends[0][3] else -1,
    )


def _place(values: dict[str, Any], assembly: str) -> tuple[str, int, int, int]:
    name, start, end = text(values, "seq_region_name"), number(values, "start"), number(values, "end")
    strand = {"1": 1, "-1": -1}.get(str(values.get("strand")))
    sent = text(values, "assembly") or text(values, "assembly_name")
    if name is None or start is None or end is None or strand is None or start > end:
        raise UpstreamError("Ensembl sent a mapping without a place.", hint="Call again later, or report it.")
    if sent is None or sent.casefold() != assembly.casefold():
        raise UpstreamError(f"Ensembl was asked for {assembly} and answered with {sent}.", hint="Call again later.")
    return name, start, end, strand
