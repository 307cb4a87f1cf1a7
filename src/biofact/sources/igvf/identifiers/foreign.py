"""Identifiers that the Catalog does not know, and where they belong. Pure."""

import re
from dataclasses import dataclass

from biofact.core.errors import CallTool
from biofact.sources.igvf.identifiers.refusals import GET_COMPOUND, SEARCH_REGION, entity_call


@dataclass(frozen=True, slots=True)
class ForeignIdentifier:
    """An identifier of another database."""

    is_what: str
    """The rest of a sentence that begins with the text in quotes."""
    hint: str
    recovery: CallTool | None = None


_GENE = "Ask for the gene by its symbol (BRCA1), Ensembl ID (ENSG00000012048), HGNC:1100 or ENTREZ:672."
_DISEASE = "Ask for the disease by its name, MONDO or Orphanet ID (MONDO:0009861, Orphanet:586)."
_DRUG = "Ask for the drug by its name or PharmGKB ID (PA448497)."
_VARIANT = "Ask for the variant by its rs number (rs58658771), allele ID (CA16774863), SPDI or genomic HGVS."
_SEQUENCE = "Ask for a transcript by ENST00000335556, a protein by ENSP00000334668, or the gene by its symbol."
_OTHER_SPECIES = f"The Catalog has human and mouse only. {_GENE}"
_MOTIF = re.compile(r"(\w+)\.H(\d{2})(?:MO|DI)\.\d\.[A-Z]", re.IGNORECASE | re.ASCII)
_CHEMBL = re.compile(r"(?:chembl(?:\.compound)?\s*:\s*)?chembl\s*[:_-]?\s*0*([1-9]\d{0,11})", re.IGNORECASE | re.ASCII)
_WITH_ALLELE = re.compile(r"(rs\d{1,12})(?:[-:_ (*]|\.).*", re.IGNORECASE | re.ASCII)
_SPECIES = "RAT|YEAST|BOVIN|DROME|CAEEL|DANRE|ECOLI|ARATH|CHICK|PIG|XENLA|SCHPO|RABIT|SHEEP|MACMU|PANTR|CANLF|DICDI"
_FORMS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "is a number without its database",
        "Write HGNC:{0} for an HGNC ID or ENTREZ:{0} for an NCBI Gene ID.",
        (r"\d+",),
    ),
    ("is an OMIM number", f"{_GENE} {_DISEASE}", (r"O?MIM(?:PS)?\s*[:_ ]?\s*\d{6}",)),
    (
        "is an MGI ID",
        "Ask for a mouse gene by its symbol (Trp53) or Ensembl ID (ENSMUSG00000059552).",
        (r"MGI\s*[:_ ]\s*\d+",),
    ),
    ("has not the 11 digits of an Ensembl ID", _GENE, (r"ENS(?:MUS)?[GTP]\d+(?:\.\d+)?",)),
    ("is an Ensembl exon", _SEQUENCE, (r"ENS(?:MUS)?E\d{11}(?:\.\d+)?",)),
    (
        "is an Ensembl regulatory feature",
        f"Ask for its region with {SEARCH_REGION}.",
        (r"ENS(?:MUS)?R\d[\d_A-Z]*",),
    ),
    (
        "is the accession of a candidate cis-regulatory element, and the Catalog finds elements by their place",
        f"Ask for its region with {SEARCH_REGION}.",
        (r"E[HM]\d{2}[DEC]\d{7}",),
    ),
    ("is an Ensembl ID of another species", _OTHER_SPECIES, (r"ENS[A-Z]{3,4}[GTPE]\d{11}(?:\.\d+)?",)),
    (
        "is an ID of another species' genes",
        _OTHER_SPECIES,
        (
            r"(?:FlyBase:)?FB[a-z]{2}\d{7}",
            r"(?:WormBase:)?WBGene\d{8}",
            r"(?:RGD|SGD|ZFIN|FB|WB|Xenbase|VGNC)\s*:\s*\S+",
            r"ZDB-GENE-\d+-\d+",
        ),
    ),
    (
        "is a protein of another species",
        "The Catalog has human and mouse only.",
        (rf"[A-Z0-9]{{1,10}}_(?:{_SPECIES})",),
    ),
    (
        "is a ClinVar accession",
        _VARIANT,
        (r"(?:ClinVar\s*[:_ ]?\s*)?[RVS]CV\d{9}(?:\.\d+)?", r"ClinVar\s*[:_ ]\s*\d+"),
    ),
    ("is a structural variant or study of dbVar", _VARIANT, (r"(?:dbVar\s*:\s*)?(?:[den]s?sv|[den]std)\d{2,}",)),
    ("is a submitted SNP of dbSNP", _VARIANT, (r"ss\d{4,}",)),
    ("is a COSMIC mutation", _VARIANT, (r"(?:COSMIC\s*:\s*)?COS[MVNF]\d+",)),
    (
        "is a PubChem ID",
        _DRUG,
        (
            r"(?:PubChem(?:[. ](?:compound|substance))?\s*[:_ ]?\s*)?[CS]ID\s*[:_ ]\s*\d+",
            r"PubChem(?:[. ](?:compound|substance))?\s*[:_ ]\s*\d+",
            r"(?-i:CID)\d{3,}",
        ),
    ),
    ("is a DrugBank ID", _DRUG, (r"(?:DrugBank\s*[:_ ]?\s*)?DB\d{5}",)),
    ("is a RefSeq sequence", _SEQUENCE, (r"(?:RefSeq\s*:\s*)?(?:[NX][MR]|[NXYW]P)_\d+(?:\.\d+)?",)),
    (
        "is a genomic sequence, not a place on it",
        f"Ask for a region of it with {SEARCH_REGION}: NC_000017.11:43044295-43125364.",
        (r"(?:RefSeq\s*:\s*)?N[CGTW]_\d+(?:\.\d+)?",),
    ),
    (
        "is an ID of another gene set",
        _SEQUENCE,
        (r"CCDS\d+(?:\.\d+)?", r"OTT(?:HUM|MUS)[GTP]\d{11}(?:\.\d+)?", r"uc\d{3}[a-z]{3}\.\d+"),
    ),
    (
        "is an ID of another vocabulary of diseases",
        _DISEASE,
        (
            r"(?:MESH|MSH)\s*[:_]\s*\w+",
            r"(?:UMLS(?:_?CUI)?\s*[:_]\s*)?CN?\d{7}",
            r"ICD[- ]?(?:9|10|11)(?:-?CM)?\s*[:_ ]\s*\S+",
            r"(?:SNOMED(?:CT)?|SCTID|MedGen|GARD|MedDRA)\s*[:_]\s*\S+",
        ),
    ),
    (
        "is a KEGG ID",
        f"{_GENE} Pathways are those of Reactome.",
        (r"(?:hsa|mmu):\d+", r"(?-i:hsa|mmu)\d{5}", r"KEGG\S*\s*:\s*\S+"),
    ),
    (
        "is not a human pathway of Reactome",
        "Write human pathways as R-HSA-164843.",
        (r"R-(?!HSA-)[A-Z]{3}-\d+(?:\.\d+)?", r"REACT_\d+(?:\.\d+)?"),
    ),
    ("is an article", "Ask for a study by its GCST number (GCST007798).", (r"(?:PMID|PubMed)\s*[:_ ]?\s*\d+",)),
    (
        "is an ID of another database of molecules",
        _SEQUENCE,
        (
            r"IPR\d{6}",
            r"PF\d{5}",
            r"(?:InterPro|Pfam|PROSITE|SMART|PDB|HMDB|STRING|BioGRID|IntAct)\s*:\s*\S+",
            r"9606\.ENSP\d{11}",
        ),
    ),
    (
        "is a sample, donor or library, not a data set",
        "Ask for a file (ENCFF004PFU, IGVFFI6893ZOAA) or file set (ENCSR359DFW).",
        (r"ENC(?:DO|BS|AB|LB|GM)\d{3}[A-Z]{3}", r"IGVF(?:DO|SM|LB|GM)\d{4}[A-Z]{4}"),
    ),
    ("is an ID of variants that the Catalog no longer uses", _VARIANT, (r"[0-9a-f]{64}",)),
    ("is a haplotype (star allele)", _VARIANT, (r"[A-Z][A-Z0-9-]*\*\d\S*",)),
)
"""What they are, what to do, and their forms."""
_READ = tuple(
    (what, hint, re.compile("|".join(f"(?:{form})" for form in forms), re.IGNORECASE | re.ASCII))
    for what, hint, forms in _FORMS
)


def foreign_identifier(text: str) -> ForeignIdentifier | None:
    """What ``text`` is in another database, or without enough said; None when it is no such ID."""
    if found := _CHEMBL.fullmatch(text):
        recovery = CallTool(GET_COMPOUND, {"chembl_id": f"CHEMBL:{found[1]}"})
        return ForeignIdentifier("is a ChEMBL ID", f"Call {GET_COMPOUND} for it. {_DRUG}", recovery)
    if found := _WITH_ALLELE.fullmatch(text):
        number = found[1].lower()
        return ForeignIdentifier(
            "is more than an rs number", f"Ask for {number}; its alleles are told.", entity_call(number)
        )
    if found := _MOTIF.fullmatch(text):
        name = f"{found[1].upper()}_HOCOMOCOv{found[2]}"
        return ForeignIdentifier("is a model of HOCOMOCO", f"The Catalog calls its motif {name}.", entity_call(name))
    for what, hint, form in _READ:
        if form.fullmatch(text):
            return ForeignIdentifier(what, hint.format(text))
    return None
