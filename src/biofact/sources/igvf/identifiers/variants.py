"""Variants as callers write them; a refusal says how the Catalog takes them. Pure."""

from dataclasses import replace

from biofact.core.errors import UnresolvedEntity
from biofact.dialects.genomic import variants
from biofact.dialects.genomic.genomes import NotationError, NotGenomicVariant, Organism
from biofact.dialects.genomic.variants import Variant
from biofact.sources.igvf.identifiers.refusals import quoted

_BY_PLACE = "Give the variant by its place on the genome (NC_000017.11:43045710:T:C or NC_000017.11:g.43045711T>C)"
_GENOMIC = f"{_BY_PLACE}, as an rs number (rs58658771) or as an allele ID (CA16774863)."


def read_variant(text: str, given: str, organism: Organism | None) -> Variant | None:
    """The variant that ``text`` spells, a part of what was ``given``; None when it is written like none.

    Raises:
        UnresolvedEntity: it is written like a variant, and the Catalog cannot look it up.
    """
    try:
        variant = variants.read_variant(text, organism)
    except NotationError as error:
        why = error.why
        if isinstance(error, NotGenomicVariant):
            why = f"{why.removesuffix('.')}; the Catalog lists variants by their place on the genome."
        raise UnresolvedEntity(f"{quoted(given)} {why}", hint=error.hint or _GENOMIC, invalid_input=given) from error
    if variant is None or variant.assumed is None:
        return variant
    *_, deleted, inserted = variant.id.split(":")
    if len(deleted) == len(inserted):
        return variant
    # The service's SPDI of an indel spans the whole repeat: NC_000001.11:1057460:TTTT:TT.
    also = "The Catalog may spell this insertion or deletion over more bases."
    return replace(variant, assumed=f"{variant.assumed} {also}")
