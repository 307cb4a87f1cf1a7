"""A second reader of NCBI's gene records, for tests: plain paths from the root, written by the DTD."""

import gzip
import re
from xml.etree import ElementTree as ET

from tests.recordings import recording

REF = "./Entrezgene_gene/Gene-ref"
ORGANISM = "./Entrezgene_source/BioSource/BioSource_org/Org-ref"
PROPERTIES = "./Entrezgene_properties/Gene-commentary"
COMMENTS = "./Entrezgene_comments/Gene-commentary"
INNER = "Gene-commentary_comment/Gene-commentary"


def records(name):
    """The gene elements of a recorded answer."""
    body = recording(name)
    root = ET.fromstring(gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body)
    return [root] if root.tag == "Entrezgene" else root.findall("Entrezgene")


def words(element, path):
    text = element.findtext(path)
    return text.strip() if text and text.strip() else None


def heading(element):
    return words(element, "Gene-commentary_heading")


def kind(element):
    return element.find("Gene-commentary_type").get("value")


def ids(element, path, database):
    """The IDs of one database at a path that ends at Dbtag."""
    tags = [tag for tag in element.findall(path) if tag.findtext("Dbtag_db") == database]
    return [next(iter(tag.find("Dbtag_tag/Object-id"))).text.strip() for tag in tags]


def pmids(element):
    numbers = {int(item.text) for item in element.findall("Gene-commentary_refs/Pub/Pub_pmid/PubMedId")}
    return [f"PMID:{number}" for number in sorted(numbers, reverse=True)]


def gene_of(**facts):
    return {name: value for name, value in facts.items() if value not in (None, [], "")}


def gene(root):
    """Every field of an EntrezGene."""
    official = {
        words(item, "Gene-commentary_label"): words(item, "Gene-commentary_text")
        for group in root.findall(PROPERTIES)
        if words(group, "Gene-commentary_label") == "Nomenclature"
        for item in group.findall("Gene-commentary_properties/Gene-commentary")
    }
    uid = words(root, "./Entrezgene_track-info/Gene-track/Gene-track_geneid")
    symbol = official.get("Official Symbol") or words(root, f"{REF}/Gene-ref_locus")
    description = words(root, f"{REF}/Gene-ref_desc")
    name = official.get("Official Full Name") or description
    aliases = [words(root, f"{REF}/Gene-ref_locus"), *(item.text for item in root.findall(f"{REF}/Gene-ref_syn/*"))]
    products = [
        *(item.text for item in root.findall("./Entrezgene_prot/Prot-ref/Prot-ref_desc")),
        *(item.text for item in root.findall("./Entrezgene_prot/Prot-ref/Prot-ref_name/Prot-ref_name_E")),
    ]
    status = root.find("./Entrezgene_track-info/Gene-track/Gene-track_status")
    return gene_of(
        id=f"NCBIGene:{uid}",
        symbol=symbol,
        organism=words(root, f"{ORGANISM}/Org-ref_taxname"),
        name=name,
        description=description if description != name else None,
        aliases=[fromkey for fromkey in dict.fromkeys(aliases) if fromkey != symbol],
        other_designations=[fromkey for fromkey in dict.fromkeys(products) if fromkey not in (name, description)],
        taxon_id=int(ids(root, f"{ORGANISM}/Org-ref_db/Dbtag", "taxon")[0]),
        gene_type=root.find("./Entrezgene_type").get("value"),
        status=status.get("value"),
        chromosome=chromosome(root),
        map_location=words(root, f"{REF}/Gene-ref_maploc"),
        summary=words(root, "./Entrezgene_summary"),
        go_terms=go_terms(root),
        phenotypes=phenotypes(root),
        category="biolink:Gene",
        release=release(root),
        **place(root),
    ) | {"cross_references": cross_references(root)}


def chromosome(root):
    subtypes = root.findall("./Entrezgene_source/BioSource/BioSource_subtype/SubSource")
    kept_values = [subtype for subtype in subtypes if subtype.find("SubSource_subtype").get("value") == "chromosome"]
    return ", ".join(words(item, "SubSource_name") for item in kept_values)


def place(root):
    """The region on the reference assembly, counted from 1."""
    for locus in root.findall("./Entrezgene_locus/Gene-commentary"):
        match = re.fullmatch(r"Reference (\S+) Primary Assembly", heading(locus) or "")
        interval = locus.find("Gene-commentary_seqs/Seq-loc/Seq-loc_int/Seq-interval")
        if match and interval is not None and words(locus, "Gene-commentary_accession").startswith("NC_"):
            return {
                "assembly_name": match[1],
                "start": int(words(interval, "Seq-interval_from")) + 1,
                "end": int(words(interval, "Seq-interval_to")) + 1,
                "strand": {"plus": 1, "minus": -1}[interval.find("Seq-interval_strand/Na-strand").get("value")],
            }
    return {}


def refseq_sections(root):
    sections = [item for item in root.findall(COMMENTS) if heading(item) == "NCBI Reference Sequences (RefSeq)"]
    return [inner for section in sections for inner in section.findall(INNER)]


def release(root):
    matches = [
        re.fullmatch(r"RefSeqs of Annotated Genomes: (.*)", heading(refseq_section) or "")
        for refseq_section in refseq_sections(root)
    ]
    return next((item[1] for item in matches if item), None)


def cross_references(root):
    tags = f"{REF}/Gene-ref_db/Dbtag"
    current = [
        refseq_section
        for refseq_section in refseq_sections(root)
        if not heading(refseq_section).startswith("Suppressed")
    ]
    accessions = [item.text for section in current for item in section.iter("Gene-commentary_accession")]
    peptides = [
        item
        for related in root.findall(COMMENTS)
        if heading(related) == "Related Sequences"
        for item in related.iter("Gene-commentary")
        if kind(item) == "peptide"
        and ids(item, "Gene-commentary_source/Other-source/Other-source_src/Dbtag", "UniProtKB/Swiss-Prot")
    ]
    proteins = [peptide.findtext("Gene-commentary_accession") for peptide in peptides]
    return gene_of(
        hgnc=next(iter(ids(root, tags, "HGNC")), "").replace("HGNC:", "") and f"HGNC:{hgnc_number(root, tags)}",
        ensembl_gene=next(iter(ids(root, tags, "Ensembl")), None),
        uniprot=[f"UniProtKB:{fromkey}" for fromkey in dict.fromkeys(proteins)],
        refseq=[fromkey for fromkey in dict.fromkeys(accessions) if fromkey.startswith(("NM_", "NR_"))],
        omim=next(iter(ids(root, tags, "MIM")), None),
    )


def hgnc_number(root, tags):
    return ids(root, tags, "HGNC")[0].removeprefix("HGNC:")


def go_terms(root):
    result = []
    for group in root.findall(PROPERTIES):
        if heading(group) != "GeneOntology":
            continue
        for aspect in group.findall(INNER):
            for item in aspect.findall(INNER):
                source = item.find("Gene-commentary_source/Other-source")
                result.append(
                    gene_of(
                        id=f"GO:{int(ids(source, 'Other-source_src/Dbtag', 'GO')[0]):07}",
                        name=words(source, "Other-source_anchor"),
                        aspect=words(aspect, "Gene-commentary_label").lower(),
                        qualifier=words(source, "Other-source_pre-text"),
                        evidence=words(source, "Other-source_post-text").removeprefix("evidence: "),
                        pmids=pmids(item),
                    )
                )
    return [item for place, item in enumerate(result) if item not in result[:place]]


def phenotypes(root):
    groups = [item for item in root.findall(COMMENTS) if heading(item) == "Phenotypes"]
    listed_values = [
        item for group in groups for item in group.findall(INNER) if heading(item) != "Copy number response"
    ]
    return [phenotype(item) for item in listed_values]


def phenotype(item):
    tags = ".//Gene-commentary_source/Other-source/Other-source_src/Dbtag"
    cited = [pmid for part in item.findall(INNER) for pmid in pmids(part)]
    return gene_of(
        name=heading(item),
        omim_ids=ids(item, tags, "MIM"),
        medgen_ids=ids(item, tags, "MedGen"),
        gene_reviews=ids(item, tags, "GeneReviews"),
        sources=[heading(part) for part in item.findall(INNER)],
        pmids=cited,
    )


def generifs(root):
    """In the order of the record, as a set of the values of each: our order is tested elsewhere."""
    commentaries = [item for item in root.findall(COMMENTS) if kind(item) == "generif" and heading(item) is None]
    return [
        gene_of(
            text=words(item, "Gene-commentary_text"),
            pmids=pmids(item),
            date=day(item.find("Gene-commentary_create-date")),
        )
        for item in commentaries
    ]


def day(date):
    parts = [date.findtext(f".//Date-std_{unit}") for unit in ("year", "month", "day")]
    return "-".join(part.zfill(2) for part in parts)
