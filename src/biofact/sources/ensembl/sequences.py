"""Sequences of what has a stable ID, and of regions: which one is meant, and how much of it is shown."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from biofact.core.errors import AmbiguousQuery, UpstreamError
from biofact.core.identifiers import query_text
from biofact.core.quoting import name_list
from biofact.core.records import Notice
from biofact.dialects.genomic.regions import region_of_page
from biofact.protocol.lookup import missing_record, verify
from biofact.sources.ensembl import parse, resolver
from biofact.sources.ensembl.identifiers import EnsemblRegion, Kind, bare, kind_of, read_region
from biofact.sources.ensembl.questions import EnsemblQuestions
from biofact.sources.ensembl.records import BiologicalSequence, Gap, MappedSegment, RegionMapping, SequenceType
from biofact.sources.ensembl.resolver import CurrentRecord, current_record, species_table

DEFAULT_LETTERS = 2_000
"""Letters of an answer for which no end is asked: some 1,200 tokens."""
MAX_LETTERS = 10_000
_MOST_STOPS = 3
_USUAL: dict[Kind, SequenceType] = {"Gene": "genomic", "Transcript": "cdna", "Translation": "protein"}


@dataclass(frozen=True, slots=True)
class SequencePart:
    """Which letters of a sequence are asked for, counted from 1."""

    first: int
    last: int | None

    def bounds(self, length: int, name: str) -> tuple[int, int]:
        """The first and last letter to return of a sequence with ``length`` letters.

        Raises:
            AmbiguousQuery: there are no such letters, or too many.
        """
        last = min(self.last or self.first + DEFAULT_LETTERS - 1, length)
        if not self.first <= last:
            raise AmbiguousQuery(
                f"{name} has {length} letters; from {self.first} to {self.last or 'the end'} there are none.",
                hint=f"Ask for letters from 1 to {length}.",
                invalid_input=self.first if self.first > length else self.last,
            )
        if last - self.first >= MAX_LETTERS:
            raise AmbiguousQuery(
                f"A call gives {MAX_LETTERS} letters at most, not {last - self.first + 1}.",
                hint=f"Ask for letters {self.first} to {self.first + MAX_LETTERS - 1} first.",
                invalid_input=self.last,
            )
        return self.first, last


@dataclass(frozen=True, slots=True)
class _Product:
    """A spliced or translated product, as its record describes it."""

    id: str
    type: SequenceType
    length: int | None
    version: int | None = None


async def of_region(
    questions: EnsemblQuestions, species: str, region: EnsemblRegion, part: SequencePart
) -> BiologicalSequence:
    """The sequence of a region of a species."""
    first, last = part.bounds(region.length, str(region))
    place = region.part(first, last)
    region_letters = await questions.region_letters(species, place)
    if region_letters.region != place:
        raise AmbiguousQuery(
            f"{region} reaches behind the end of {region.name}, which is at {region_letters.region.end} on"
            f" {region_letters.assembly}.",
            hint=f"End at {region_letters.region.end}.",
            invalid_input=str(region),
        )
    whole = BiologicalSequence(
        id=str(region),
        type="genomic",
        length=region.length,
        species=species,
        chromosome=region.name,
        start=region.start,
        end=region.end,
        strand=region.strand,
        assembly_name=region_letters.assembly or None,
    )
    return _excerpt(whole, region_letters.letters, first, last)


async def of_id(
    questions: EnsemblQuestions, stable_id: str, sequence_type: SequenceType | None, part: SequencePart
) -> BiologicalSequence:
    """The sequence of a gene, transcript or protein, or of the product of a gene's canonical transcript."""
    kind = kind_of(bare(stable_id))
    chosen_type = sequence_type or _USUAL[kind]
    is_slim = kind != "Transcript" or chosen_type == "genomic"  # only products need exons and the protein
    current = await current_record(questions, stable_id, kind, slim=is_slim)
    if kind == "Translation":
        biological_sequence = await _of_protein(questions, current, chosen_type, part)
    elif chosen_type == "genomic":
        biological_sequence = await _genomic(questions, current, part)
    elif kind == "Transcript":
        biological_sequence = await _product(questions, current, chosen_type, part)
    else:
        biological_sequence = await _of_canonical(questions, current, chosen_type, part)
    identity = {"id": current.id, "version": parse.version(current.payload), "replaces": current.replaces}
    return biological_sequence.model_copy(update=identity).noted(current.notices())


async def _genomic(questions: EnsemblQuestions, current: CurrentRecord, part: SequencePart) -> BiologicalSequence:
    """From the first to the last base of a gene or transcript, introns included, along its strand."""
    place = parse.place_of(current.payload)
    if place is None:
        raise UpstreamError(f"Ensembl does not say where {current.id} lies.", hint="Call again later, or report it.")
    species, region, assembly = place
    biological_sequence = await of_region(questions, species, region, part)
    if assembly and biological_sequence.assembly_name and assembly != biological_sequence.assembly_name:
        raise UpstreamError(
            f"Ensembl places {current.id} on {assembly} and sent the sequence of {biological_sequence.assembly_name}.",
            hint="Call again later.",
        )
    return biological_sequence


async def _of_protein(
    questions: EnsemblQuestions, current: CurrentRecord, sequence_type: SequenceType, part: SequencePart
) -> BiologicalSequence:
    """The protein with an ID of its own."""
    if sequence_type != "protein":
        raise resolver.no_sequence(current.requested_id, sequence_type, "is a protein", "Ask for its transcript's.")
    protein = _Product(current.id, sequence_type, parse.length(current.payload), parse.version(current.payload))
    return await _whole(questions, protein, part)


async def _product(
    questions: EnsemblQuestions, current: CurrentRecord, sequence_type: SequenceType, part: SequencePart
) -> BiologicalSequence:
    """The spliced or translated product of a transcript."""
    transcript = parse.transcript(current.payload)
    verify("Ensembl", current.id, transcript.id)
    if sequence_type == "cdna":
        cdna = _Product(current.id, sequence_type, transcript.length, transcript.version)
        return await _whole(questions, cdna, part)
    protein = transcript.translation
    if protein is None:
        reason = f"is a {transcript.biotype}, and codes for no protein"
        raise resolver.no_sequence(current.requested_id, sequence_type, reason, "Its cdna can be had.")
    if sequence_type == "cds":
        return await _whole(questions, _Product(current.id, sequence_type, None, transcript.version), part)
    return await _whole(questions, _Product(protein.id, sequence_type, protein.length), part)


async def _of_canonical(
    questions: EnsemblQuestions, gene: CurrentRecord, sequence_type: SequenceType, part: SequencePart
) -> BiologicalSequence:
    """The product of the transcript that stands for a gene."""
    transcript_id = parse.canonical_transcript(gene.payload)
    if transcript_id is None:
        reason = "has no canonical transcript"
        raise resolver.no_sequence(gene.requested_id, sequence_type, reason, "Ask for one transcript's.")
    current = await current_record(questions, transcript_id, "Transcript")
    biological_sequence = await _product(questions, current, sequence_type, part)
    verify("Ensembl", gene.id, parse.parent(current.payload) or "nothing")
    message = (
        f"The {sequence_type} is of {current.id}, the gene's canonical transcript; another's can be had by its ID."
    )
    return biological_sequence.model_copy(update={"transcript": current.id}).noted(
        [Notice(code="ASSUMED", message=message)]
    )


async def _whole(questions: EnsemblQuestions, product: _Product, part: SequencePart) -> BiologicalSequence:
    """A spliced or translated sequence, of the length in its record."""
    letters = await questions.letters(product.id, product.type)
    if letters is None:
        raise missing_record("Ensembl", product.id, status=f"with a {product.type}")
    # A star stands for the stop codon, which a record's length does not count.
    count = len(letters.letters.removesuffix("*") if product.type == "protein" else letters.letters)
    stops = [place + 1 for place, letter in enumerate(letters.letters[:count]) if letter == "*"]
    # With stops within, only the length in its record tells the protein from a reading in another frame.
    if product.length != count if stops else product.length not in {None, count}:
        size = f"{count} letters" + (f", {len(stops)} of them stops," if stops else "")
        message = (
            f"Ensembl sent a {product.type} of {size} for {product.id}, which has {product.length or 'no length'}."
        )
        raise UpstreamError(message, hint="Call again later.")
    first, last = part.bounds(len(letters.letters), product.id)
    whole = BiologicalSequence(id=product.id, type=product.type, length=len(letters.letters))
    shown_biological_sequence = _excerpt(whole, letters.letters[first - 1 : last], first, last)
    return shown_biological_sequence.noted([*_stops_within(product, stops), *_other_version(product, letters)])


def _stops_within(product: _Product, stops: Sequence[int]) -> Iterable[Notice]:
    """A notice that a protein goes on behind a stop codon."""
    if stops:
        places = name_list([str(place) for place in stops], _MOST_STOPS)
        message = f"{product.id} has a stop codon within, written *, as letter {places}; Ensembl translates past it."
        yield Notice(code="MISMATCH", message=message)


def _other_version(product: _Product, letters: parse.Letters) -> Iterable[Notice]:
    """A notice that record and sequence are of two versions."""
    if product.version and letters.version and product.version != letters.version:
        message = (
            f"The sequence is of version {letters.version} of {product.id}, its record of version {product.version}."
        )
        yield Notice(code="MISMATCH", message=message)


def _excerpt(whole: BiologicalSequence, letters: str, first: int, last: int) -> BiologicalSequence:
    """The sequence with these of its letters; what was left out can be had by another call."""
    if (first, last) == (1, whole.length):
        return whole.model_copy(update={"sequence": letters})
    continuation = f"first={last + 1} continues" if last < whole.length else "first=1 begins at the beginning"
    message = f"sequence: letters {first} to {last} of {whole.length}; {continuation}."
    shown_biological_sequence = whole.model_copy(update={"sequence": letters, "first": first, "last": last})
    return shown_biological_sequence.noted([Notice(code="LIST_CUT", message=message)])


_UCSC = {"hg19": "GRCh37", "hg38": "GRCh38", "hg18": "NCBI36", "mm9": "NCBIM37", "mm10": "GRCm38", "mm39": "GRCm39"}
_ENSEMBL = {name.lower(): name for name in _UCSC.values()}
_BY_NAME = (
    (re.compile(r"GRCh\d|NCBI3\d|T2T-CHM13", re.IGNORECASE), "homo_sapiens"),
    (re.compile(r"GRCm\d|NCBIM\d", re.IGNORECASE), "mus_musculus"),
)
_MITOCHONDRIAL = {"MT", "M"}


async def mapped(questions: EnsemblQuestions, region: EnsemblRegion, assemblies: tuple[str, str]) -> RegionMapping:
    """The mapping of a region from the first assembly to the second.

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
    # A region lies in the same place on both strands: it is mapped along the forward one.
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


def region_on(assembly: str, text: str) -> EnsemblRegion:
    """The region that ``text`` spells, or that the page at an address shows on this assembly.

    Raises:
        AmbiguousQuery: it spells none, or the page is on another assembly.
    """
    page_assembly, _, page_region = (region_of_page(query_text(text)) or "").partition(" ")
    if page_assembly and _assembly(page_assembly) != _assembly(assembly):
        raise AmbiguousQuery(
            f"The page at this address is on {page_assembly}, not on {assembly}.",
            hint=f"Name the assembly that the region is on: {page_assembly}.",
            invalid_input=text,
        )
    return read_region(page_region or text)


def _assembly(name: str) -> str:
    """As Ensembl calls it: UCSC's hg19 is GRCh37."""
    plain = name.strip()
    return _UCSC.get(plain.lower()) or _ENSEMBL.get(plain.lower()) or plain


async def _species(questions: EnsemblQuestions, *assemblies: str) -> str:
    """The species of the assemblies, known by name for human and mouse; of others one has to be current.

    Raises:
        AmbiguousQuery: they are not of one species, or of none.
    """
    species_names = {name for assembly in assemblies for form, name in _BY_NAME if form.match(assembly)}
    if not species_names:
        table = await species_table(questions)
        species_names = {reach.name for assembly in assemblies if (reach := table.with_assembly(assembly))}
    if len(species_names) != 1:
        listing = " and ".join(assemblies)
        raise AmbiguousQuery(
            f"{listing} are {'not of one species' if species_names else 'assemblies of no species that Ensembl has'}.",
            hint="Name two assemblies of one species, as GRCh37 and GRCh38; one of them has to be today's.",
            invalid_input=assemblies[0],
        )
    return species_names.pop()


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
    if sum(segment.from_end - segment.from_start + 1 for segment in segments) > region.length - missing:
        yield Notice(code="SEVERAL_VALUES", message=f"Some bases of the region lie in several places of {after}.")
    if region.name in _MITOCHONDRIAL and "hg19" in {name.lower() for name in assemblies}:
        message = "hg19 was read as GRCh37, whose MT is another sequence than UCSC's chrM of hg19."
        yield Notice(code="MISMATCH", message=message)
