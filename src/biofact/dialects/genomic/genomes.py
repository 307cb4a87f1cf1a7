"""Two reference genomes, human GRCh38 and mouse GRCm39: names, lengths and RefSeq accessions of their chromosomes (NCBI
Assembly GCF_000001405.40 and GCF_000001635.27), and what readers of genomic notation raise. Pure.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Organism = Literal["human", "mouse"]


@dataclass(frozen=True, slots=True)
class Chromosome:
    """One assembled molecule."""

    name: str
    """``17``, ``X``, ``MT``."""
    length: int
    """In bases."""
    accession: str
    """RefSeq, with version."""


@dataclass(frozen=True, slots=True)
class Assembly:
    """A reference genome."""

    name: str
    chromosomes: Mapping[str, Chromosome]


_HUMAN = """
    1 NC_000001.11 248956422
    2 NC_000002.12 242193529
    3 NC_000003.12 198295559
    4 NC_000004.12 190214555
    5 NC_000005.10 181538259
    6 NC_000006.12 170805979
    7 NC_000007.14 159345973
    8 NC_000008.11 145138636
    9 NC_000009.12 138394717
    10 NC_000010.11 133797422
    11 NC_000011.10 135086622
    12 NC_000012.12 133275309
    13 NC_000013.11 114364328
    14 NC_000014.9 107043718
    15 NC_000015.10 101991189
    16 NC_000016.10 90338345
    17 NC_000017.11 83257441
    18 NC_000018.10 80373285
    19 NC_000019.10 58617616
    20 NC_000020.11 64444167
    21 NC_000021.9 46709983
    22 NC_000022.11 50818468
    X NC_000023.11 156040895
    Y NC_000024.10 57227415
    MT NC_012920.1 16569
"""
_MOUSE = """
    1 NC_000067.7 195154279
    2 NC_000068.8 181755017
    3 NC_000069.7 159745316
    4 NC_000070.7 156860686
    5 NC_000071.7 151758149
    6 NC_000072.7 149588044
    7 NC_000073.7 144995196
    8 NC_000074.7 130127694
    9 NC_000075.7 124359700
    10 NC_000076.7 130530862
    11 NC_000077.7 121973369
    12 NC_000078.7 120092757
    13 NC_000079.7 120883175
    14 NC_000080.7 125139656
    15 NC_000081.7 104073951
    16 NC_000082.7 98008968
    17 NC_000083.7 95294699
    18 NC_000084.7 90720763
    19 NC_000085.7 61420004
    X NC_000086.8 169476592
    Y NC_000087.8 91455967
    MT NC_005089.1 16299
"""


def _chromosomes(table: str) -> dict[str, Chromosome]:
    rows = (row.split() for row in table.strip().splitlines())
    return {name: Chromosome(name, int(length), accession) for name, accession, length in rows}


ASSEMBLIES: Mapping[Organism, Assembly] = {
    "human": Assembly("GRCh38", _chromosomes(_HUMAN)),
    "mouse": Assembly("GRCm39", _chromosomes(_MOUSE)),
}
PREVIOUS: Mapping[Organism, str] = {"human": "GRCh37", "mouse": "GRCm38"}
"""The assembly before: its nuclear chromosomes have the accession version before."""

_CHROMOSOMES: dict[str, tuple[Organism, str]] = {
    chromosome.accession: (organism, chromosome.name)
    for organism, assembly in ASSEMBLIES.items()
    for chromosome in assembly.chromosomes.values()
}
_CURRENT = {accession.partition(".")[0]: accession for accession in _CHROMOSOMES}
_NAME = re.compile(r"(?:chromosome|chrom|chr)?[\s_.]*0?([0-9]{1,2}|[A-Z]{1,2})", re.IGNORECASE)


def chromosome_name(text: str, organism: Organism) -> str | None:
    """The plain name of the chromosome that ``text`` means: ``17`` for ``chr17``, ``MT`` for ``chrM``; or None."""
    match = _NAME.fullmatch(text.strip())
    name = match[1].upper() if match else ""
    name = "MT" if name == "M" else name
    return name if name in ASSEMBLIES[organism].chromosomes else None


def accession_of(chromosome: str, organism: Organism) -> str:
    """The RefSeq accession, with version, of a chromosome by its plain name: ``17``, ``X``, ``MT``."""
    return ASSEMBLIES[organism].chromosomes[chromosome].accession


def chromosome_of(accession: str) -> tuple[Organism, str] | None:
    """Organism and name of the chromosome with this accession on today's assemblies, or None for any other."""
    return _CHROMOSOMES.get(accession.upper())


def current_accession(accession: str) -> str | None:
    """The accession of the same chromosome on today's assembly, whatever version was given; None if it is no
    chromosome.
    """
    return _CURRENT.get(accession.upper().partition(".")[0])


def other_assembly(accession: str) -> str | None:
    """The other assembly that an accession version stands for; None if it is today's, has none, or is no chromosome."""
    stem, _, version = accession.upper().partition(".")
    today = _CURRENT.get(stem)
    if today is None or not version.isdecimal() or f"{stem}.{version}" == today:
        return None
    organism, _ = _CHROMOSOMES[today]
    is_previous = int(version) == int(today.partition(".")[2]) - 1
    return PREVIOUS[organism] if is_previous else "another assembly"


class NotationError(ValueError):
    """Text that cannot be read, or in more than one way."""

    def __init__(self, problem: str, hint: str = "", fixed: str | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        """The rest of a sentence that begins with the text in quotes."""
        self.hint = hint
        """What to write instead; empty where any other spelling will do."""
        self.fixed = fixed
        """The one spelling that is obviously meant."""


class RegionError(NotationError):
    """Text that is no region of the genome on which it was read."""

    def __init__(
        self, problem: str, hint: str, fixed: str | None = None, *, organism: Organism | None = None, entity: str = ""
    ) -> None:
        super().__init__(problem, hint, fixed)
        self.organism = organism
        """The organism of ``fixed``, if its genome is another than the expected one."""
        self.entity = entity
        """Text that may be the name or ID of something else, such as a gene."""


class RegionIsVariant(RegionError):
    """Text that spells a variant; ``entity`` is all of it."""


class NotGenomicVariant(NotationError):
    """A change in a transcript or protein, which does not say where it lies on the genome."""
