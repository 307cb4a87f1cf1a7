"""Made-up sequences and places: nothing in them is a fact.

The sandbox holds no genome. A base is computed from where it lies, and is A, C or G and never T: nobody takes it for a
real one, and no stop codon stands in it on either strand, so that whatever is spliced from it can be translated.
"""

import hashlib
from itertools import product

PLACE = {"seq_region_name": "unplaced", "start": 1, "end": 1, "strand": 1}
"""Of a gene or transcript whose place no row tells: Ensembl always tells one."""
_BASES = "ACG"
_BLOCK = 32  # bases that one digest gives
_COMPLEMENT = str.maketrans("ACGTN", "TGCAN")
_AMINO_ACIDS = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"  # the standard code, in TCAG order
_CODONS = dict(zip(map("".join, product("TCAG", repeat=3)), _AMINO_ACIDS, strict=True))


def bases(of: str, start: int, end: int) -> str:
    """The bases from one position to another, counted from 1; ``of`` is what they are of."""
    blocks = range((start - 1) // _BLOCK, (end - 1) // _BLOCK + 1)
    text = "".join(_block(of, number) for number in blocks)
    offset = (start - 1) % _BLOCK
    return text[offset : offset + end - start + 1]


def _block(of: str, number: int) -> str:
    digest = hashlib.sha256(f"{of} {number}".encode()).digest()
    return "".join(_BASES[byte % len(_BASES)] for byte in digest)


def reverse_complement(sequence: str) -> str:
    """The other strand, 5' to 3'."""
    return sequence.translate(_COMPLEMENT)[::-1]


def translated(cds: str) -> str:
    """The protein of a coding sequence, without what stands for its stop codon."""
    codons = (cds[position : position + 3] for position in range(0, len(cds), 3))
    return "".join(_CODONS[codon] for codon in codons if codon in _CODONS)[:-1]
