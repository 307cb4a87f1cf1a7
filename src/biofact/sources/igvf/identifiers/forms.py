"""Identifiers by their form: accessions, terms, regions, variants, names, IDs of other databases. Pure."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from biofact.core.errors import AmbiguousQuery, CallTool, UnresolvedEntity
from biofact.dialects.genomic import regions, variants
from biofact.dialects.genomic.genomes import (
    ASSEMBLIES,
    NotationError,
    NotGenomicVariant,
    Organism,
    RegionError,
    RegionIsVariant,
)
from biofact.dialects.genomic.regions import Region
from biofact.dialects.genomic.variants import Variant
from biofact.sources.igvf.identifiers.kinds import (
    FIND_ASSOCIATIONS,
    GET_COMPOUND,
    GET_ENTITY,
    SEARCH_REGION,
    IdentifierReading,
    Kind,
    entity_call,
    quoted,
)

_SEVEN_DIGITS = "MONDO|EFO|HP|GO|UBERON|CL|CLO|OBA|OBI|BAO|NTR|PCL"
_ONTOLOGY_FORMS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(form, re.IGNORECASE | re.ASCII), template)
    for form, template in (
        (rf"({_SEVEN_DIGITS})[:_ ]?(\d{{7}})", "{0}_{1}"),
        (r"DOID[:_ ]?(\d{1,7})", "DOID_{0}"),
        (r"CHEBI[:_ ]?(\d{1,7})", "CHEBI_{0}"),
        (r"(?:Orphanet|ORPHA(?:NET)?|ORDO)[:_ ]?(?:Orphanet_|ORPHA)?:?(\d{1,7})", "Orphanet_{0}"),
        (r"NCIT[:_ ]?(C\d{3,7})", "NCIT_{0}"),
        (r"VARIO[:_ ]?(\d{4})", "VariO_{0}"),
        (r"(?:Cellosaurus[:_ ])?CVCL[:_]([A-Z0-9]{4})", "CVCL_{0}"),
        (r"ONCOTREE[:_]([A-Z0-9][A-Z0-9_/]{0,30})", "Oncotree_{0}"),
    )
)
_SHORT_TERM_ID = re.compile(rf"({_SEVEN_DIGITS})[:_](\d{{1,6}})", re.IGNORECASE | re.ASCII)
_IMPORTED = re.compile(r"([A-Za-z]{2,10})[:_](\d{7})", re.ASCII)


def term_id(text: str) -> str | None:
    """The ID of the ontology term that ``text`` spells, as the service writes it; None when it is something else."""
    for form, template in _ONTOLOGY_FORMS:
        if match := form.fullmatch(text):
            return template.format(*(group.upper() for group in match.groups()))
    return None


def imported_term_id(text: str) -> str | None:
    """Likewise of an ontology that the Catalog's own ones import, such as ``PATO_0000001``: any that is shaped so."""
    match = _IMPORTED.fullmatch(text)
    return f"{match[1].upper()}_{match[2]}" if match else None


def zero_padded(text: str) -> str | None:
    """The ID that ``text`` is without leading zeros, in our spelling: ``MONDO:0009861`` for ``MONDO:9861``."""
    match = _SHORT_TERM_ID.fullmatch(text)
    return f"{match[1].upper()}:{match[2].zfill(7)}" if match else None


def read_region(text: str, organism: Organism = "human") -> Region:
    """The region that ``text`` spells on the Catalog's assembly of ``organism``.

    Raises:
        AmbiguousQuery: it spells none, or may be read in two ways; ``recovery`` has the one that is obviously meant.
    """
    try:
        return regions.read_region(text, organism)
    except RegionError as error:
        raise AmbiguousQuery(
            f"{quoted(text)} {error.problem}",
            hint=_hint(error),
            invalid_input=text,
            recovery=entity_call(error.entity) if error.entity else _region_call(error, organism),
        ) from error


def _hint(error: RegionError) -> str:
    if isinstance(error, RegionIsVariant):
        return f"Call {GET_ENTITY} for it."
    if error.entity:
        return f"{error.hint} A gene, variant or other entity is asked for with {GET_ENTITY}, which tells where it is."
    return error.hint


def _region_call(error: RegionError, organism: Organism) -> CallTool | None:
    if error.fixed is None:
        return None
    organism_argument = {"organism": error.organism or organism} if error.organism or organism != "human" else {}
    return CallTool(SEARCH_REGION, {"region": error.fixed, **organism_argument})


_BY_PLACE = "Give the variant by its place on the genome (NC_000017.11:43045710:T:C or NC_000017.11:g.43045711T>C)"
_GENOMIC = f"{_BY_PLACE}, as an rs number (rs58658771) or as an allele ID (CA16774863)."


def read_variant(text: str, input_text: str, organism: Organism | None) -> Variant | None:
    """The variant that ``text``, a part of ``input_text``, spells; None if it has no form of a variant.

    Raises:
        UnresolvedEntity: it is written like a variant, and the Catalog cannot look it up.
    """
    try:
        variant = variants.read_variant(text, organism)
    except NotationError as error:
        problem = error.problem
        if isinstance(error, NotGenomicVariant):
            problem = f"{problem.removesuffix('.')}; the Catalog lists variants by their place on the genome."
        raise UnresolvedEntity(
            f"{quoted(input_text)} {problem}", hint=error.hint or _GENOMIC, invalid_input=input_text
        ) from error
    if variant is None or variant.assumption is None:
        return variant
    *_, deleted, inserted = variant.id.split(":")
    if len(deleted) == len(inserted):
        return variant
    # The service's SPDI of an indel spans the whole repeat: NC_000001.11:1057460:TTTT:TT.
    spelling_note = "The Catalog may spell this insertion or deletion over more bases."
    return replace(variant, assumption=f"{variant.assumption} {spelling_note}")


FormReader = Callable[[re.Match[str]], tuple[IdentifierReading, ...]]

_ENSEMBL: dict[str, tuple[Kind, str]] = {
    "G": ("gene", "gene_id"),
    "T": ("transcript", "transcript_id"),
    "P": ("protein", "protein_id"),
}
_ORGANISM_BY_ASSEMBLY: dict[str, Organism] = {assembly.name.upper(): name for name, assembly in ASSEMBLIES.items()}
_ELEMENT = re.compile(
    r"[A-Z][\w-]*?_((?:chr)?(?:\d{1,2}|X|Y|M|MT))_(\d{1,12})_(\d{1,12})_(GRCh38|GRCm39)(?:_\w+)?",
    re.IGNORECASE | re.ASCII,
)
_LEAST_ALLELE = 5
"""Digits of an allele ID that no gene symbol has: CA1 to CA14 are carbonic anhydrases."""
_LEAST_VARIANT = 3
"""Digits after RS in capitals that no gene symbol has: RS1 is retinoschisin."""
_LEAST_DRUG = 5
"""Digits of a PharmGKB ID that nothing else has."""


def fixed_form(text: str) -> tuple[IdentifierReading, ...]:
    """The readings of an identifier whose form shows its kind, most likely first; empty for any other form."""
    for form, reader in _FORMS:
        if match := form.fullmatch(text):
            return reader(match)
    term = term_id(text)
    return (IdentifierReading("term", "term_id", term),) if term else ()


def _version_note(version: str | None) -> str | None:
    return f"The version .{version} was left out: IDs in the Catalog have none." if version else None


def _ensembl(match: re.Match[str]) -> tuple[IdentifierReading, ...]:
    of_mouse, letter, digits, version, par = match.groups()
    kind, id_type = _ENSEMBL[letter.upper()]
    stem = f"ENS{of_mouse or ''}{letter}{digits}{par or ''}".upper()
    return (IdentifierReading(kind, id_type, stem, "mouse" if of_mouse else "human", _version_note(version)),)


def _uniprot_name(match: re.Match[str]) -> tuple[IdentifierReading, ...]:
    organism: Organism = "mouse" if match[2].upper() == "MOUSE" else "human"
    return (IdentifierReading("protein", "uniprot_name", match[0].upper(), organism),)


def _reference_snp(match: re.Match[str]) -> tuple[IdentifierReading, ...]:
    variant = IdentifierReading("variant", "rsid", f"rs{match[2]}")
    gene = IdentifierReading("gene", "name", match[0])
    if match[1] == "rs":
        return (variant,)
    return (variant, gene) if len(match[2]) >= _LEAST_VARIANT else (gene, variant)


def _allele(match: re.Match[str]) -> tuple[IdentifierReading, ...]:
    allele = IdentifierReading("variant", "ca_id", f"CA{match[1]}", "human")
    return (allele,) if len(match[1]) >= _LEAST_ALLELE else (IdentifierReading("gene", "name", match[0]), allele)


def _drug(match: re.Match[str]) -> tuple[IdentifierReading, ...]:
    drug = IdentifierReading("drug", "drug_id", f"PA{match[1]}")
    return (drug,) if len(match[1]) >= _LEAST_DRUG else (drug, IdentifierReading("gene", "name", match[0]))


def _coding_variant(match: re.Match[str]) -> tuple[IdentifierReading, ...]:
    gene, _, change = match[0].partition("_")
    # The service's IDs have these two where its names have > and ? (seen in answers of /variants/coding-variants).
    name = f"{gene}_{change.replace('>', '-').replace('?', '!')}"
    return (IdentifierReading("coding_variant", "coding_variant", name, "human"),)


def place_in_name(name: str) -> Region | None:
    """The region of an element that is named after its place (0-based, half-open); None for any other name."""
    match = _ELEMENT.fullmatch(name)
    if match is None:
        return None
    chromosome, start, end, assembly = match.groups()
    return read_region(f"{chromosome}:{int(start) + 1}-{end}", _ORGANISM_BY_ASSEMBLY[assembly.upper()])


def _element(match: re.Match[str]) -> tuple[IdentifierReading, ...]:
    place_in_name(match[0])  # refuses one that lies beyond its chromosome
    return (IdentifierReading("element", "element", match[0], _ORGANISM_BY_ASSEMBLY[match[4].upper()]),)


def _simple(
    kind: Kind, id_type: str, template: str, organism: Organism | None = None, *, is_versioned: bool = False
) -> FormReader:
    """A reading whose ID is ``template`` with the groups of the match, in capitals; the last may be a version."""

    def read(match: re.Match[str]) -> tuple[IdentifierReading, ...]:
        identifier = template.format(*(group.upper() for group in match.groups("")))
        note = _version_note(match.groups()[-1]) if is_versioned else None
        return (IdentifierReading(kind, id_type, identifier, organism, note),)

    return read


def _as_written(kind: Kind, id_type: str) -> FormReader:
    return lambda match: (IdentifierReading(kind, id_type, match[0]),)


_ENTREZ = r"(?:NCBI[ _-]?Gene|Entrez[ _-]?Gene|Entrez|Gene(?=[ _-]?ID)|NCBI|LocusLink)(?:[ _-]?ID)?"
_PROTEIN = _simple("protein", "protein_id", "{0}", is_versioned=True)
_FORMS: tuple[tuple[re.Pattern[str], FormReader], ...] = tuple(
    (re.compile(form, re.IGNORECASE | re.ASCII), reader)
    for form, reader in (
        (r"ENS(MUS)?([GTP])(\d{11})(?:\.(\d{1,3}))?(_PAR_Y)?", _ensembl),
        (r"HGNC\s*[:_ ]?\s*0*([1-9]\d{0,6})", _simple("gene", "hgnc_id", "HGNC:{0}", "human")),
        (rf"{_ENTREZ}\s*[:=#_ ]\s*0*([1-9]\d{{0,11}})", _simple("gene", "entrez", "ENTREZ:{0}")),
        (r"[A-Z0-9-]+_ENST\d{11}_{1,2}(?:p\.|NC_\d+\.\d+:g\.|c\.).+", _coding_variant),
        (r"\w+_(HOCOMOCOv\d{1,2}|SEMpl)", _as_written("motif", "motif")),
        (_ELEMENT.pattern, _element),
        (r"(IGVFFI\d{4}[A-Z]{4}|ENCFF\d{3}[A-Z]{3})", _simple("dataset", "file_fileset_id", "{0}")),
        (r"(IGVFDS\d{4}[A-Z]{4}|ENCSR\d{3}[A-Z]{3})", _simple("dataset", "fileset_id", "{0}")),
        (r"([A-Z0-9]{1,10})_(HUMAN|MOUSE)", _uniprot_name),
        (
            r"((?:[OPQ]\d[A-Z0-9]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z0-9]{2}\d){1,2})-\d{1,3})(?:\.(\d{1,3}))?",
            _PROTEIN,
        ),
        (r"([OPQ]\d[A-Z0-9]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z0-9]{2}\d){1,2})\.(\d{1,3})", _PROTEIN),
        (r"([A-NR-Z]\d(?:[A-Z][A-Z0-9]{2}\d){2})", _simple("protein", "protein_id", "{0}")),
        (r"(rs)(\d{1,12})", _reference_snp),
        (r"CA(\d{1,12})", _allele),
        (r"GCST(\d{5,9}(?:_\d{1,6})?)", _simple("study", "study_id", "GCST{0}")),
        (r"(?:NEALE\d?|SAIGE|FINNGEN(?:_R\d+)?)_\w+", _as_written("study", "study_id")),
        (r"R-HSA-(\d{1,9})(?:\.(\d{1,3}))?", _simple("pathway", "pathway_id", "R-HSA-{0}", is_versioned=True)),
        (r"PA(\d{1,12})", _drug),
        (r"CPX-(\d{1,6})", _simple("complex", "complex_id", "CPX-{0}")),
    )
)


_ACCESSION = re.compile(r"[OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9][A-Z][A-Z0-9]{2}[0-9]")
"""UniProt's, in capitals (https://www.uniprot.org/help/accession_numbers)."""
_FAMILY = re.compile(
    r"(?:H2A|H2B|P2R[XY]|P[34]H|[AB][34]G(?:NT|AT|AL)|R3H|E2F|N6AMT|M6PR|C3CER|H[134][CF]|D[0-9](?:H[0-9])?S)[A-Z0-9]+"
)
"""Families of genes, and DNA segments (D6S204), whose symbols are shaped like accessions."""
_PAIR = re.compile(r"[A-Z][0-9][A-Z]{2}.*")
"""The shape of a symbol that resembles an accession: letters after its first digit."""
_RIKEN_CLONE = re.compile(r"(?i)[0-9]{7}[A-Z][0-9]{2}Rik")
"""Mouse genes named by RIKEN's clones."""
_MOUSE_SYMBOL = re.compile(r"[A-Z][a-z]+")
_WORD = re.compile(r"[a-z]{5}")
_CELL_LINES = frozenset(
    ("k562", "a549", "gm12878", "hek293", "hek293t", "hct116", "wtc11", "hues8", "hepg2", "mcf7", "sknsh", "thp1")
)
"""Cell lines of many experiments in the Catalog; none is a gene symbol."""
_SHORT = 4
_SHORT_CAPITALISED = 5


def names(text: str, organism: Organism | None) -> tuple[IdentifierReading, ...]:
    """The readings of a symbol, or of a name in words, most likely first."""
    if accession := _like_an_accession(text):
        return accession
    if " " in text:
        gene = re.fullmatch(r"(\S+) genes?", text, re.IGNORECASE)
        return _by_name(gene[1], "gene") if gene else _by_name(text, "term", "drug", "pathway")
    if _RIKEN_CLONE.fullmatch(text):
        return (IdentifierReading("gene", "name", text, "mouse"),)
    return _by_name(text, *_kinds(text, organism))


def _like_an_accession(text: str) -> tuple[IdentifierReading, ...]:
    """The readings of a text in the shape of a UniProt accession, without a mixture of letter cases."""
    if not _ACCESSION.fullmatch(text.upper()) or text not in (text.upper(), text.lower()):
        return ()
    protein = IdentifierReading("protein", "protein_id", text.upper())
    gene = IdentifierReading("gene", "name", text)
    if _FAMILY.fullmatch(text.upper()):
        return (gene, protein)
    return (protein, gene) if _PAIR.fullmatch(text.upper()) else (protein,)


def _kinds(text: str, organism: Organism | None) -> tuple[Kind, ...]:
    """The kinds that one word may be of, in the order that its letters suggest."""
    if text.lower().replace("-", "") in _CELL_LINES:
        return ("term", "gene")
    if re.search(r"[0-9]", text):
        return _with_digits(text)
    is_mouse = organism == "mouse" and _MOUSE_SYMBOL.fullmatch(text)
    is_word = (text.islower() and len(text) > _SHORT) or (
        _MOUSE_SYMBOL.fullmatch(text) and len(text) > _SHORT_CAPITALISED
    )
    return ("drug", "term", "gene") if is_word and not is_mouse else ("gene", "drug", "term")


def _with_digits(text: str) -> tuple[Kind, ...]:
    is_wordy = _WORD.search(text) is not None
    if text[0].isdigit():
        return ("drug", "term") if is_wordy else ("gene",)
    return ("gene", "drug", "term") if is_wordy and text[0].islower() else ("gene",)


def _by_name(text: str, *kinds: Kind) -> tuple[IdentifierReading, ...]:
    return tuple(IdentifierReading(kind, "name", text) for kind in kinds)


@dataclass(frozen=True, slots=True)
class ForeignIdentifier:
    """An identifier of another database."""

    description: str
    """The rest of a sentence that begins with the text in quotes."""
    hint: str
    recovery: CallTool | None = None
    is_in_catalog: bool = False
    """Whether the Catalog has it, but takes no such identifier in requests."""


_GENE = "Ask for the gene by its symbol (BRCA1), Ensembl ID (ENSG00000012048), HGNC:1100 or ENTREZ:672."
_DISEASE = "Ask for the disease by its name, MONDO or Orphanet ID (MONDO:0009861, Orphanet:586)."
_DRUG = "Ask for the drug by its name or PharmGKB ID (PA448497)."
_VARIANT = "Ask for the variant by its rs number (rs58658771), allele ID (CA16774863), SPDI or genomic HGVS."
_SEQUENCE = "Ask for a transcript by ENST00000335556, a protein by ENSP00000334668, or the gene by its symbol."
_REGION = f"Ask for its region with {SEARCH_REGION}."
_OTHER_SPECIES = f"The Catalog has human and mouse only. {_GENE}"
_MOTIF = re.compile(r"(\w+)\.H(\d{2})(?:MO|DI)\.\d\.[A-Z]", re.IGNORECASE | re.ASCII)
_CHEMBL = re.compile(r"(?:chembl(?:\.compound)?\s*:\s*)?chembl\s*[:_-]?\s*0*([1-9]\d{0,11})", re.IGNORECASE | re.ASCII)
_WITH_ALLELE = re.compile(r"(rs\d{1,12})(?:[-:_ (*]|\.).*", re.IGNORECASE | re.ASCII)
_SPECIES = "RAT|YEAST|BOVIN|DROME|CAEEL|DANRE|ECOLI|ARATH|CHICK|PIG|XENLA|SCHPO|RABIT|SHEEP|MACMU|PANTR|CANLF|DICDI"


class _Form(NamedTuple):
    """The form of one kind of foreign identifiers."""

    description: str
    hint: str
    pattern: str
    is_in_catalog: bool = False


_FOREIGN_FORMS = (
    _Form(
        "is a number without its database", "Write HGNC:{0} for an HGNC ID or ENTREZ:{0} for an NCBI Gene ID.", r"\d+"
    ),
    _Form("is an OMIM number", f"{_GENE} {_DISEASE}", r"O?MIM(?:PS)?\s*[:_ ]?\s*\d{6}"),
    _Form(
        "is an MGI ID",
        "Ask for a mouse gene by its symbol (Trp53) or Ensembl ID (ENSMUSG00000059552).",
        r"MGI\s*[:_ ]\s*\d+",
    ),
    _Form("has not the 11 digits of an Ensembl ID", _GENE, r"ENS(?:MUS)?[GTP]\d+(?:\.\d+)?"),
    _Form("is an Ensembl exon", _SEQUENCE, r"ENS(?:MUS)?E\d{11}(?:\.\d+)?"),
    _Form("is an Ensembl regulatory feature", _REGION, r"ENS(?:MUS)?R\d[\d_A-Z]*"),
    _Form(
        "is the accession of a candidate cis-regulatory element: the Catalog sends it as a name, but takes no "
        "name of an element in any question, only its place",
        f"Its place stands beside it where the Catalog sent it: ask {SEARCH_REGION}, {GET_ENTITY} or "
        f"{FIND_ASSOCIATIONS} for that region, such as chr1:1157528-1158185.",
        r"E[HM]\d{2}[DEC]\d{7}",
        is_in_catalog=True,
    ),
    _Form("is an Ensembl ID of another species", _OTHER_SPECIES, r"ENS[A-Z]{3,4}[GTPE]\d{11}(?:\.\d+)?"),
    _Form(
        "is an ID of another species' genes",
        _OTHER_SPECIES,
        r"(?:FlyBase:)?FB[a-z]{2}\d{7}"
        r"|(?:WormBase:)?WBGene\d{8}"
        r"|(?:RGD|SGD|ZFIN|FB|WB|Xenbase|VGNC)\s*:\s*\S+"
        r"|ZDB-GENE-\d+-\d+",
    ),
    _Form(
        "is a protein of another species", "The Catalog has human and mouse only.", rf"[A-Z0-9]{{1,10}}_(?:{_SPECIES})"
    ),
    _Form("is a ClinVar accession", _VARIANT, r"(?:ClinVar\s*[:_ ]?\s*)?[RVS]CV\d{9}(?:\.\d+)?|ClinVar\s*[:_ ]\s*\d+"),
    _Form("is a structural variant or study of dbVar", _VARIANT, r"(?:dbVar\s*:\s*)?(?:[den]s?sv|[den]std)\d{2,}"),
    _Form("is a submitted SNP of dbSNP", _VARIANT, r"ss\d{4,}"),
    _Form("is a COSMIC mutation", _VARIANT, r"(?:COSMIC\s*:\s*)?COS[MVNF]\d+"),
    _Form(
        "is a PubChem ID",
        _DRUG,
        r"(?:PubChem(?:[. ](?:compound|substance))?\s*[:_ ]?\s*)?[CS]ID\s*[:_ ]\s*\d+"
        r"|PubChem(?:[. ](?:compound|substance))?\s*[:_ ]\s*\d+"
        r"|(?-i:CID)\d{3,}",
    ),
    _Form("is a DrugBank ID", _DRUG, r"(?:DrugBank\s*[:_ ]?\s*)?DB\d{5}"),
    _Form("is a RefSeq sequence", _SEQUENCE, r"(?:RefSeq\s*:\s*)?(?:[NX][MR]|[NXYW]P)_\d+(?:\.\d+)?"),
    _Form(
        "is a genomic sequence, not a place on it",
        f"Ask for a region of it with {SEARCH_REGION}: NC_000017.11:43044295-43125364.",
        r"(?:RefSeq\s*:\s*)?N[CGTW]_\d+(?:\.\d+)?",
    ),
    _Form(
        "is an ID of another gene set",
        _SEQUENCE,
        r"CCDS\d+(?:\.\d+)?|OTT(?:HUM|MUS)[GTP]\d{11}(?:\.\d+)?|uc\d{3}[a-z]{3}\.\d+",
    ),
    _Form(
        "is an ID of another vocabulary of diseases",
        _DISEASE,
        r"(?:MESH|MSH)\s*[:_]\s*\w+"
        r"|(?:UMLS(?:_?CUI)?\s*[:_]\s*)?CN?\d{7}"
        r"|ICD[- ]?(?:9|10|11)(?:-?CM)?\s*[:_ ]\s*\S+"
        r"|(?:SNOMED(?:CT)?|SCTID|MedGen|GARD|MedDRA)\s*[:_]\s*\S+",
    ),
    _Form(
        "is a KEGG ID",
        f"{_GENE} Pathways are those of Reactome.",
        r"(?:hsa|mmu):\d+|(?-i:hsa|mmu)\d{5}|KEGG\S*\s*:\s*\S+",
    ),
    _Form(
        "is not a human pathway of Reactome",
        "Write human pathways as R-HSA-164843.",
        r"R-(?!HSA-)[A-Z]{3}-\d+(?:\.\d+)?|REACT_\d+(?:\.\d+)?",
    ),
    _Form("is an article", "Ask for a study by its GCST number (GCST007798).", r"(?:PMID|PubMed)\s*[:_ ]?\s*\d+"),
    _Form(
        "is an ID of another database of molecules",
        _SEQUENCE,
        r"IPR\d{6}"
        r"|PF\d{5}"
        r"|(?:InterPro|Pfam|PROSITE|SMART|PDB|HMDB|STRING|BioGRID|IntAct)\s*:\s*\S+"
        r"|9606\.ENSP\d{11}",
    ),
    _Form(
        "is a sample, donor or library, not a data set",
        "Ask for a file (ENCFF004PFU, IGVFFI6893ZOAA) or file set (ENCSR359DFW).",
        r"ENC(?:DO|BS|AB|LB|GM)\d{3}[A-Z]{3}|IGVF(?:DO|SM|LB|GM)\d{4}[A-Z]{4}",
    ),
    _Form("is an ID of variants that the Catalog no longer uses", _VARIANT, r"[0-9a-f]{64}"),
    _Form("is a haplotype (star allele)", _VARIANT, r"[A-Z][A-Z0-9-]*\*\d\S*"),
)
_FOREIGN_PATTERNS = [(form, re.compile(form.pattern, re.IGNORECASE | re.ASCII)) for form in _FOREIGN_FORMS]


def foreign_identifier(text: str) -> ForeignIdentifier | None:
    """The identifier of another database, or the incomplete one, that ``text`` is; None if it is neither."""
    if match := _CHEMBL.fullmatch(text):
        recovery = CallTool(GET_COMPOUND, {"chembl_id": f"CHEMBL:{match[1]}"})
        return ForeignIdentifier("is a ChEMBL ID", f"Call {GET_COMPOUND} for it. {_DRUG}", recovery)
    if match := _WITH_ALLELE.fullmatch(text):
        number = match[1].lower()
        return ForeignIdentifier(
            "is more than an rs number", f"Ask for {number}; its alleles are told.", entity_call(number)
        )
    if match := _MOTIF.fullmatch(text):
        name = f"{match[1].upper()}_HOCOMOCOv{match[2]}"
        return ForeignIdentifier("is a model of HOCOMOCO", f"The Catalog calls its motif {name}.", entity_call(name))
    for form, pattern in _FOREIGN_PATTERNS:
        if pattern.fullmatch(text):
            return ForeignIdentifier(form.description, form.hint.format(text), is_in_catalog=form.is_in_catalog)
    return None
