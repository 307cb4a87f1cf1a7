"""Identifiers that the Catalog does not know, and where they belong. Pure."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from biofact.core.errors import CallTool
from biofact.sources.igvf.identifiers.refusals import (
    FIND_ASSOCIATIONS,
    GET_COMPOUND,
    GET_ENTITY,
    SEARCH_REGION,
    entity_call,
)


@dataclass(frozen=True, slots=True)
class ForeignIdentifier:
    """An identifier of another database."""

    is_what: str
    """The rest of a sentence that begins with the text in quotes."""
    hint: str
    recovery: CallTool | None = None
    is_of_catalog: bool = False
    """The Catalog has it, and cannot be asked for it by this."""


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
    """How identifiers of one other kind are written."""

    is_what: str
    hint: str
    pattern: str
    is_of_catalog: bool = False


_FORMS = (
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
        is_of_catalog=True,
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
    for form in _FORMS:
        if re.fullmatch(form.pattern, text, re.IGNORECASE | re.ASCII):
            return ForeignIdentifier(form.is_what, form.hint.format(text), is_of_catalog=form.is_of_catalog)
    return None
