"""A region on another assembly: what each assembly is called, and what is left of the region there."""

import re
from collections.abc import Iterable, Sequence

from biofact.core.errors import AmbiguousQuery
from biofact.core.records import Notice
from biofact.sources.ensembl.identifiers import EnsemblRegion
from biofact.sources.ensembl.questions import EnsemblQuestions
from biofact.sources.ensembl.records import Gap, MappedSegment, RegionMapping

_UCSC = {"hg19": "GRCh37", "hg38": "GRCh38", "hg18": "NCBI36", "mm9": "NCBIM37", "mm10": "GRCm38", "mm39": "GRCm39"}
_ENSEMBL = {name.lower(): name for name in _UCSC.values()}
_BY_NAME = (
    (re.compile(r"GRCh\d|NCBI3\d|T2T-CHM13", re.IGNORECASE), "homo_sapiens"),
    (re.compile(r"GRCm\d|NCBIM\d", re.IGNORECASE), "mus_musculus"),
)
_MITOCHONDRIAL = {"MT", "M"}


async def mapped(questions: EnsemblQuestions, region: EnsemblRegion, assemblies: tuple[str, str]) -> RegionMapping:
    """What the second assembly has of a region of the first.

    Raises:
        AmbiguousQuery: both are the same, or Ensembl has no such chromosome or assembly.
    """
    before, after = map(_assembly, assemblies)
    if before == after:
        raise AmbiguousQuery(
            f"{assemblies[0]} and {assemblies[1]} are the same assembly.",
            hint="Name the assembly that the region is on, and another one.",
            invalid_input=assemblies[1],
        )
    species = await _species(questions, before, after)
    forward = EnsemblRegion(region.name, region.start, region.end)
    segments = await questions.segments(species, before, forward, after)
    gaps = list(_gaps(forward, segments))
    missing = sum(gap.from_end - gap.from_start + 1 for gap in gaps)
    return RegionMapping(
        region=str(forward),
        species=species,
        from_assembly=before,
        to_assembly=after,
        length=forward.length,
        mapped_bases=forward.length - missing,
        segments=segments,
        unmapped=gaps,
        notices=[*_remarks(forward, assemblies, segments, missing)],
    )


def _assembly(name: str) -> str:
    """As Ensembl calls it: UCSC's hg19 is GRCh37."""
    plain = name.strip()
    return _UCSC.get(plain.lower()) or _ENSEMBL.get(plain.lower()) or plain


async def _species(questions: EnsemblQuestions, *assemblies: str) -> str:
    """Whose assemblies they are: human's and mouse's say so, of others one has to be today's.

    Raises:
        AmbiguousQuery: they are not of one species, or of none.
    """
    known = {name for assembly in assemblies for form, name in _BY_NAME if form.match(assembly)}
    if not known:
        table = await questions.species()
        known = {reach.name for assembly in assemblies if (reach := table.with_assembly(assembly))}
    if len(known) != 1:
        named = " and ".join(assemblies)
        raise AmbiguousQuery(
            f"{named} are {'not of one species' if known else 'assemblies of no species that Ensembl has'}.",
            hint="Name two assemblies of one species, as GRCh37 and GRCh38; one of them has to be today's.",
            invalid_input=assemblies[0],
        )
    return known.pop()


def _gaps(region: EnsemblRegion, segments: Sequence[MappedSegment]) -> Iterable[Gap]:
    """The parts of the region that no segment holds."""
    position = region.start
    for segment in segments:
        if segment.from_start > position:
            yield Gap(from_start=position, from_end=segment.from_start - 1)
        position = max(position, segment.from_end + 1)
    if position <= region.end:
        yield Gap(from_start=position, from_end=region.end)


def _remarks(
    region: EnsemblRegion, assemblies: tuple[str, str], segments: Sequence[MappedSegment], missing: int
) -> Iterable[Notice]:
    before, after = map(_assembly, assemblies)
    if not segments:
        message = f"{after} has nothing of {region} on {before}: check that the region is on {before}."
        yield Notice(code="UNMATCHED", message=message)
    elif missing:
        yield Notice(code="NOT_COVERED", message=f"{missing} of {region.length} bases have no place on {after}.")
    if len({(segment.chromosome, segment.strand) for segment in segments}) > 1:
        message = f"The parts of the region lie on several chromosomes or strands of {after}."
        yield Notice(code="SEVERAL_VALUES", message=message)
    if _covered(segments) > region.length - missing:
        yield Notice(code="SEVERAL_VALUES", message=f"Some bases of the region lie in several places of {after}.")
    if region.name in _MITOCHONDRIAL and "hg19" in {name.lower() for name in assemblies}:
        message = "hg19 was read as GRCh37, whose MT is another sequence than UCSC's chrM of hg19."
        yield Notice(code="MISMATCH", message=message)


def _covered(segments: Sequence[MappedSegment]) -> int:
    return sum(segment.from_end - segment.from_start + 1 for segment in segments)
