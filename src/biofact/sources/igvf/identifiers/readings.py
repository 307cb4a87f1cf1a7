"""The readings of an identifier, most likely first. Pure."""

import re
from collections.abc import Collection
from dataclasses import replace
from typing import cast, get_args

from biofact.core import curies
from biofact.core.errors import AmbiguousQuery, CallTool, UnresolvedEntity
from biofact.core.identifiers import query_text
from biofact.dialects.genomic.genomes import ASSEMBLIES, Organism
from biofact.dialects.genomic.regions import is_written_like_a_region, region_organism
from biofact.sources.igvf.identifiers.forms import (
    fixed_form,
    foreign_identifier,
    imported_term_id,
    names,
    read_region,
    read_variant,
    zero_padded,
)
from biofact.sources.igvf.identifiers.kinds import (
    GET_ENTITY,
    KIND_PHRASES,
    KINDS_BY_HINT,
    KINDS_WITH_NAMES,
    KINDS_WITH_ORGANISM,
    Hint,
    IdentifierReading,
    Kind,
    entity_call,
    quoted,
)

LONGEST = 300
"""Characters of a name."""
LONGEST_VARIANT = 2000
"""Characters of an SPDI or HGVS, whose alleles may be long."""

_UNSAFE = re.compile(r"[\x00-\x1f\x7f\"'\\`\u00b4\u2018-\u201f]")
"""Characters that break the service's queries (seen in its source, 1.2.0): control characters and all quotes."""
_UNSAFE_BLANKS = re.compile(r"[\t\r\n]+")
_COLLECTION = re.compile(
    r"(?:genes|transcripts|proteins|variants|coding_variants|ontology_terms|drugs|complexes|studies|pathways|motifs"
    r"|files_filesets|genomic_elements|regulatory_regions)/(?=\S)"
)
_LABEL = re.compile(r"([A-Za-z][\w. ]{1,20}?)\s*:\s*(\S.*)")
_LABELS: dict[str, tuple[Kind, ...]] = {
    **dict.fromkeys(("uniprotkb", "uniprot", "swissprot", "protein"), ("protein",)),
    **dict.fromkeys(("pharmgkb", "pharmgkb.drug", "drug"), ("drug",)),
    **dict.fromkeys(("dbsnp", "rsid", "caid", "clingen", "spdi", "hgvs"), ("variant",)),
    **dict.fromkeys(("gene", "symbol", "gene symbol", "hgnc.symbol"), ("gene",)),
    **dict.fromkeys(("disease", "phenotype", "tissue"), ("term",)),
    **dict.fromkeys(("reactome", "pathway"), ("pathway",)),
    **dict.fromkeys(("gwas", "gwas catalog"), ("study",)),
    "ensembl": ("gene", "transcript", "protein"),
    "variant": ("variant", "coding_variant"),
    "complexportal": ("complex",),
    "transcript": ("transcript",),
}
"""Labels before an identifier that name its kind."""
_ACCEPTED = (
    "Ask for a gene by BRCA1 or ENSG00000012048, a variant by rs58658771 or NC_000020.11:3658947:A:G, "
    "a protein by P49711, a term by MONDO:0009861, a drug by PA448497."
)


def readings(text: str, hint: str | None = None, organism: Organism | None = None) -> tuple[IdentifierReading, ...]:
    """Every reading of an identifier, most likely first; later ones apply if the earlier ones name nothing.

    Raises:
        UnresolvedEntity: it belongs elsewhere, is refused by the service, or is not what ``hint`` or ``organism`` says.
        AmbiguousQuery: it is empty or too long, or a region that cannot be understood.
    """
    plain = _safe_text(text)
    bare = _bare(plain)
    label = _LABEL.fullmatch(bare)
    kinds = _LABELS.get(label[1].lower()) if label else None
    identifier = label[2] if label and kinds else bare
    candidates = _text_readings(identifier, text, organism)
    if kinds:
        candidates = _of_kinds(candidates, kinds, text, entity_call(identifier), is_hint=False)
    candidates = _of_organism(candidates, organism, text)
    if hint is None:
        return candidates
    if hint not in get_args(Hint):
        raise AmbiguousQuery(
            f"{hint!r} is not a hint.", hint=f"Valid are {', '.join(get_args(Hint))}.", invalid_input=hint
        )
    hint_kinds = KINDS_BY_HINT.get(hint) or (cast("Kind", hint),)
    return _of_kinds(candidates, hint_kinds, text, entity_call(text), is_hint=True)


def _safe_text(text: str) -> str:
    """``text`` trimmed, single-spaced and safe to send."""
    stripped = text.strip()
    if not stripped or len(stripped) > LONGEST_VARIANT:
        raise AmbiguousQuery(
            f"An identifier has 1 to {LONGEST} characters; {quoted(text)} has {len(stripped)}.",
            hint=_ACCEPTED,
            invalid_input=text,
        )
    if _UNSAFE.search(stripped):
        cleaned = _UNSAFE.sub("", re.sub(r"['\u2019]s\b", "", _UNSAFE_BLANKS.sub(" ", stripped))).strip()
        raise UnresolvedEntity(
            f"{quoted(text)} has quotes, backslashes or control characters, which no identifier has.",
            hint=f"Leave them out: {cleaned[:LONGEST]}" if cleaned else _ACCEPTED,
            invalid_input=text,
            recovery=entity_call(cleaned[:LONGEST]) if re.fullmatch(r"\w[\w .:+-]*", cleaned) else None,
        )
    return query_text(stripped)


def _bare(text: str) -> str:
    """The identifier without brackets, full stop, collection or web address around it."""
    if written_id := curies.read_id(text):
        return written_id
    text = text.strip(",; ").removesuffix(".")
    if re.fullmatch(r"\([^()]*\)|\[[^\[\]]*\]|<[^<>]*>", text):
        text = text[1:-1].strip()
    text = _COLLECTION.sub("", text, count=1)
    return re.sub(r"^(\w+):(?=\1[:_])", "", text, flags=re.IGNORECASE)  # HGNC:HGNC:1100 and the like


def _text_readings(text: str, input_text: str, organism: Organism | None) -> tuple[IdentifierReading, ...]:
    if candidates := fixed_form(text):
        return candidates
    if variant := read_variant(text, input_text, organism):
        return (IdentifierReading("variant", variant.form, variant.id, variant.organism, variant.assumption),)
    if is_written_like_a_region(text):
        return _region(text, organism)
    if other := foreign_identifier(text):
        suffix = "" if other.is_in_catalog else "; the Catalog does not know it"
        raise UnresolvedEntity(
            f"{quoted(input_text)} {other.description}{suffix}.",
            hint=other.hint,
            invalid_input=input_text,
            recovery=other.recovery,
        )
    if term := imported_term_id(text):
        return (IdentifierReading("term", "term_id", term),)
    _check_name(text, input_text)
    return names(text, organism)


def _region(text: str, organism: Organism | None) -> tuple[IdentifierReading, ...]:
    stated_organism = region_organism(text) or organism
    species = stated_organism or "human"
    region = read_region(text, species)
    assumption = None if stated_organism else f"The region was read on human {ASSEMBLIES[species].name}."
    return (IdentifierReading("element", "region", region.half_open, species, assumption),)


def _check_name(text: str, input_text: str) -> None:
    """Refuse a text that is neither a symbol nor words."""
    if longer := zero_padded(text):
        raise UnresolvedEntity(
            f"{quoted(input_text)} has not the 7 digits of such an ID; {longer} has.",
            hint=f"If you mean {longer}, write it that way.",
            invalid_input=input_text,
            recovery=entity_call(longer),
        )
    is_name = re.search(r"[^\W\d_]", text) and (" " in text or not re.search(r"[:=<>|{}~^!?$%]", text))
    if not is_name or len(text) > LONGEST:
        raise UnresolvedEntity(
            f"{quoted(input_text)} is no identifier that the Catalog knows.", hint=_ACCEPTED, invalid_input=input_text
        )


def _of_organism(
    candidates: tuple[IdentifierReading, ...], organism: Organism | None, input_text: str
) -> tuple[IdentifierReading, ...]:
    if organism is None:
        return candidates
    matches = tuple(
        replace(identifier, organism=organism) if identifier.kind in KINDS_WITH_ORGANISM else identifier
        for identifier in candidates
        if identifier.organism in (None, organism)
    )
    if matches:
        return matches
    first = candidates[0]
    raise UnresolvedEntity(
        f"{quoted(input_text)} is {KIND_PHRASES[first.kind]} of {first.organism}, not of {organism}.",
        hint=f"Leave out organism, or call it {first.organism!r}.",
        invalid_input=input_text,
        recovery=CallTool(GET_ENTITY, {"id": input_text, "organism": first.organism}),
    )


def _of_kinds(
    candidates: tuple[IdentifierReading, ...],
    kinds: Collection[Kind],
    input_text: str,
    recovery: CallTool,
    *,
    is_hint: bool,
) -> tuple[IdentifierReading, ...]:
    """The readings of these kinds. A name may be of any kind that the service finds by name."""
    matches = tuple(identifier for identifier in candidates if identifier.kind in kinds)
    name_reading = next((identifier for identifier in candidates if identifier.id_type == "name"), None)
    named_kinds = tuple(kind for kind in kinds if kind in KINDS_WITH_NAMES)
    is_wanted = not matches or (is_hint and all(identifier.id_type != "name" for identifier in matches))
    if name_reading and named_kinds and is_wanted:
        organism = name_reading.organism if named_kinds[0] in KINDS_WITH_ORGANISM else None
        matches = (*matches, IdentifierReading(named_kinds[0], "name", name_reading.id, organism))
    if matches:
        return matches
    candidate_kinds = " or ".join(dict.fromkeys(KIND_PHRASES[identifier.kind] for identifier in candidates))
    expected_kinds = " or ".join(KIND_PHRASES[kind] for kind in sorted(kinds))
    raise UnresolvedEntity(
        f"{quoted(input_text)} looks like {candidate_kinds}, not like {expected_kinds}.",
        hint=f"Leave out that it is {expected_kinds}, or give the identifier of what you mean.",
        invalid_input=input_text,
        recovery=recovery,
    )
