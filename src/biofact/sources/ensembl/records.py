"""The records in Ensembl answers."""

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Literal

from biofact.core.identifiers import of_record
from biofact.core.kinds import MatchKind
from biofact.core.records import Frozen, Number, Part, Record, SlimRecord, absent, absent_list
from biofact.core.xrefs import CROSS_REFERENCES, CrossReferences
from biofact.sources.ensembl.identifiers import GENE_FORM, TRANSCRIPT_FORM

GeneId = Annotated[str, of_record("Ensembl gene ID", GENE_FORM, "ENSG00000141510")]
TranscriptId = Annotated[str, of_record("Ensembl transcript ID", TRANSCRIPT_FORM, "ENST00000269305")]


def _parts(transcripts: int, xrefs: int) -> dict[str, Part]:
    """The optional parts of a gene; by default some ``transcripts``, those in use first, and ``xrefs`` other IDs."""
    limits = {path: min(values, xrefs) for path, values in CROSS_REFERENCES.limits.items()}
    return {"cross_references": Part(limits={**limits, "cross_references.ensembl_transcript": transcripts})}


class SlimGene(SlimRecord):
    """One gene of Ensembl in short."""

    id: GeneId
    """The stable ID, without version."""
    symbol: str
    """The symbol that Ensembl displays; the ID for a gene without a name."""
    biotype: str
    """Ensembl's word: protein_coding, lncRNA, processed_pseudogene, ..."""
    replaces: str | None = absent("The asked ID, when this record has taken its place.")

    def slim(self) -> "SlimGene":
        """The short form."""
        return self.shortened(SlimGene)


class Gene(SlimGene):
    """One gene as Ensembl describes it. Fields without a value are absent."""

    record_parts: ClassVar[Mapping[str, Part]] = _parts(20, 20)
    tighter_parts: ClassVar[Sequence[Mapping[str, Part]]] = tuple(
        _parts(*limits) for limits in ((6, 10), (5, 10), (4, 10), (4, 5), (3, 5), (2, 3), (1, 1))
    )
    token_budget: ClassVar[int] = 250

    species: str
    """Ensembl's name of the species, such as homo_sapiens."""
    name: str | None = absent("Full name.")
    version: int | None = absent("Of the stable ID.")
    chromosome: str
    """Chromosome or scaffold."""
    start: int
    """1-based, inclusive, never above end."""
    end: int
    """1-based, inclusive."""
    strand: Literal[1, -1]
    assembly_name: str
    """The assembly of start and end, such as GRCh38."""
    canonical_transcript: str | None = absent("Transcript ID with its version.")
    transcript_count: int | None = absent()
    cross_references: CrossReferences
    """Keys without a value are absent."""
    category: Literal["biolink:Gene"] = "biolink:Gene"
    """Biolink class."""


class Exon(Frozen):
    """One exon, where it lies on the strand of its transcript."""

    id: str
    start: int
    """1-based, inclusive, never above ``end``."""
    end: int


class Translation(Frozen):
    """The protein of a coding transcript."""

    id: str
    length: int | None = absent("Amino acids.")
    start: int | None = absent("Genomic start of the coding sequence, never above end.")
    end: int | None = absent()


class SlimTranscript(SlimRecord):
    """One transcript of Ensembl in short."""

    id: TranscriptId
    """The stable ID, without version."""
    parent_gene: str
    """Gene ID."""
    biotype: str
    replaces: str | None = absent("The asked ID, when this record has taken its place.")

    def slim(self) -> "SlimTranscript":
        """The short form."""
        return self.shortened(SlimTranscript)


class Transcript(SlimTranscript):
    """One transcript as Ensembl describes it. Fields without a value are absent."""

    record_parts: ClassVar[Mapping[str, Part]] = {
        "exons": Part(limits={"exons": 40}),  # TTN's canonical transcript has 363
        "cross_references": CROSS_REFERENCES,
    }

    name: str | None = absent("Such as BRAF-201.")
    species: str
    """Ensembl's name of the species, such as homo_sapiens."""
    version: int | None = absent("Of the stable ID.")
    chromosome: str
    """Chromosome or scaffold."""
    start: int
    """1-based, inclusive, never above end."""
    end: int
    """1-based, inclusive."""
    strand: Literal[1, -1]
    assembly_name: str
    """The assembly of start and end, such as GRCh38."""
    length: int | None = absent("Spliced, in bases.")
    is_canonical: bool | None = absent("Whether it stands for its gene.")
    is_gencode_primary: bool | None = absent("Whether GENCODE Primary, the main set of human and mouse, has it.")
    mane_select: str | None = absent("The RefSeq transcript of the same sequence, with its version.")
    mane_plus_clinical: str | None = absent("Likewise, for clinical reporting.")
    exon_count: int | None = absent()
    exons: list[Exon] = absent_list("In the order of transcription.")
    translation: Translation | None = absent()
    cross_references: CrossReferences
    """IDs of the transcript, its protein and its gene."""
    category: Literal["biolink:Transcript"] = "biolink:Transcript"
    """Biolink class."""


class SlimEnsemblGeneCandidate(SlimRecord):
    """One hit of a gene search in short."""

    id: GeneId
    """The stable ID, without version."""
    symbol: str
    """The symbol that Ensembl displays; the ID for a gene without a name."""
    biotype: str
    score: Number
    """0-1; never increases along a list, later pages included."""
    match: MatchKind
    replaces: str | None = absent("The asked ID, when this gene has taken its place.")

    def slim(self) -> "SlimEnsemblGeneCandidate":
        """The short form."""
        return self.shortened(SlimEnsemblGeneCandidate)


class EnsemblGeneCandidate(SlimEnsemblGeneCandidate):
    """One hit of a gene search. Fields without a value are absent."""

    name: str | None = absent("Full name.")
    species: str
    """Ensembl's name of the species, such as homo_sapiens."""
    chromosome: str
    """Chromosome or scaffold."""
    start: int
    """1-based, inclusive, never above end."""
    end: int
    """1-based, inclusive."""
    strand: Literal[1, -1]
    assembly_name: str
    """The assembly of start and end, such as GRCh38."""


SequenceType = Literal["genomic", "cdna", "cds", "protein"]


class BiologicalSequence(Record):
    """The letters of a gene, transcript, protein or region, or a part of them. Fields without a value are absent."""

    slim_fields: ClassVar[tuple[str, ...]] = ("id", "type", "length")

    id: str
    """The stable ID, without version, or the region."""
    type: SequenceType
    length: int
    """Letters of the whole."""
    first: int | None = absent("The first letter that is here, counted from 1 along the sequence.")
    last: int | None = absent("The last one; first and last are absent where all are here.")
    sequence: str = ""
    """5' to 3' along the strand; of a protein from its N terminus."""
    transcript: str | None = absent("The transcript whose product it is, of a gene the canonical one.")
    version: int | None = absent("Of the stable ID.")
    species: str | None = absent("Ensembl's name of the species, such as homo_sapiens.")
    chromosome: str | None = absent("Of a genomic sequence, as all below: chromosome or scaffold.")
    start: int | None = absent("Of the whole; 1-based, inclusive, never above end.")
    end: int | None = absent("1-based, inclusive.")
    strand: Literal[1, -1] | None = absent()
    assembly_name: str | None = absent("What start and end count on, such as GRCh38.")
    replaces: str | None = absent("The asked ID, when this record has taken its place.")


class MappedSegment(Frozen):
    """A part of a region that the other assembly has, of the same length there."""

    from_start: int
    """On the first assembly; 1-based, inclusive."""
    from_end: int
    chromosome: str
    """On the other assembly, as all below."""
    start: int
    """1-based, inclusive, never above end."""
    end: int
    strand: Literal[1, -1]
    """-1 where the part is turned round."""


class Gap(Frozen):
    """A part of a region that the other assembly does not have."""

    from_start: int
    """On the first assembly; 1-based, inclusive."""
    from_end: int


class RegionMapping(Record):
    """A region on another assembly: what it has of it, and what not. Fields without a value are absent."""

    slim_fields: ClassVar[tuple[str, ...]] = ("region", "from_assembly", "to_assembly", "mapped_bases")
    record_parts: ClassVar[Mapping[str, Part]] = {"segments": Part(limits={"segments": 40, "unmapped": 40})}

    region: str
    """As it was read, on the first assembly."""
    species: str
    """Ensembl's name."""
    from_assembly: str
    to_assembly: str
    length: int
    """Bases of the region."""
    mapped_bases: int
    """Bases of it that the other assembly has."""
    segments: list[MappedSegment] = absent_list("In the order of the region.")
    unmapped: list[Gap] = absent_list("Parts that the other assembly does not have.")


class Homologue(Record):
    """One gene that descends from the same one. Fields without a value are absent."""

    slim_fields: ClassVar[tuple[str, ...]] = ("id", "symbol", "species", "type")

    id: str
    """The stable ID, without version."""
    type: str
    """Ensembl's word: ortholog_one2one, ortholog_one2many, ortholog_many2many, within_species_paralog, ..."""
    species: str
    """Ensembl's name, such as mus_musculus."""
    symbol: str | None = absent("What Ensembl displays.")
    percent_identity: Number | None = absent("Of this gene's protein, what is the same in the other.")
    percent_identity_of_query: Number | None = absent("Of the protein of the gene asked for.")
    protein_id: str | None = absent()
    common_ancestor: str | None = absent("The taxon of the last common ancestor.")
