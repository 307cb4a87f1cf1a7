"""How Ensembl writes its stable IDs, and what people make of them. Pure."""

import re
from collections.abc import Callable
from typing import Literal

from biofact.core import xrefs
from biofact.core.words import without_generic

Kind = Literal["Gene", "Transcript", "Translation"]
PARENTS: dict[Kind, tuple[Kind, ...]] = {
    "Gene": (),
    "Transcript": ("Gene",),
    "Translation": ("Transcript", "Gene"),
}
"""What leads from a product to its gene."""

_OWN = r"(?:ENS[A-Z]*|MGP_[A-Za-z0-9]+_)"  # Ensembl's own IDs, which have versions
GENE_FORM = rf"{xrefs.ENSEMBL_GENE}|{_OWN}G\d{{7,11}}\.\d{{1,3}}|LRG_\d+"
"""Of genes, for the whole of an ID."""
TRANSCRIPT_FORM = rf"{xrefs.ENSEMBL_TRANSCRIPT}|{_OWN}T\d{{7,11}}\.\d{{1,3}}|LRG_\d+t\d+"
"""Of transcripts: worms' are named by clone, yeast's after their gene."""

PROTEIN_FORM = rf"{_OWN}P\d{{7,11}}(?:\.\d{{1,3}})?|FBpp\d{{7}}|LRG_\d+p\d+"
"""Of proteins that have IDs of their own."""

_AROUND = " ()[]<>\"'.,;?!#"
_PREFIX = re.compile(r"^(?:(?:ensembl|gene|transcript|protein|id)+(?:\s*[:#=]\s*|\s+))+", re.IGNORECASE)
_SUFFIX = re.compile(r"(?P<version>\.\d{1,3})?(?:_PAR_Y)?$")
_WRITTEN: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (r"ENS[A-Z]*[GTP]\d{11}", lambda found: found[0].upper()),
    (r"MGP_[A-Za-z0-9]+_[GTP]\d{7}", lambda found: found[0]),
    (r"FB(gn|tr|pp)(\d{7})", lambda found: f"FB{found[1].lower()}{found[2]}"),
    (r"WBGene(\d{8})", lambda found: f"WBGene{found[1]}"),
    (r"LRG_(\d+(?:[tp]\d+)?)", lambda found: f"LRG_{found[1].lower()}"),
    (rf"({xrefs.YEAST})(_mRNA)?", lambda found: found[1].upper() + ("_mRNA" if found[2] else "")),
)
"""The kinds there are, in any letter case, and the canonical spelling of each."""


def recognised(text: str) -> tuple[str, str | None] | None:
    """The stable ID that ``text`` is, in Ensembl's spelling, and its version; None when it is something else."""
    written = _PREFIX.sub("", without_generic(text.strip(_AROUND)))
    if re.fullmatch(xrefs.OF_WORM, written, re.IGNORECASE | re.ASCII):
        clone, _, rest = written.partition(".")
        is_named_so = re.fullmatch(r"ctel(\w+)", clone, re.IGNORECASE)
        return f"{f'cTel{is_named_so[1].upper()}' if is_named_so else clone.upper()}.{rest.lower()}", None
    suffix = _SUFFIX.search(written)
    version = suffix["version"] if suffix else None
    stem = written[: suffix.start()] if suffix else written
    for form, canonical in _WRITTEN:
        if found := re.fullmatch(form, stem, re.IGNORECASE | re.ASCII):
            return canonical(found), version[1:] if version else None
    return None


def kind_of(stable_id: str) -> Kind:
    """What a recognised stable ID is of, by its form."""
    if re.fullmatch(TRANSCRIPT_FORM, stable_id, re.ASCII):
        return "Transcript"
    return "Gene" if re.fullmatch(GENE_FORM, stable_id, re.ASCII) else "Translation"


def bare(stable_id: str) -> str:
    """A stable ID without its version."""
    stem, _, version = stable_id.rpartition(".")
    return stem if version.isdecimal() and stem.startswith(("ENS", "MGP_")) else stable_id
