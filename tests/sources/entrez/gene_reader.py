"""A second reader of NCBI's gene records, for tests: plain paths from the root, written from what the DTD says."""

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
    found = element.findtext(path)
    return found.strip() if found and found.strip() else None


def heading(element):
    return words(element, "Gene-commentary_heading")


def kind(element):
    return element.find("Gene-commentary_type").get("value")


def ids(element, path, database):
    """The IDs of one database at a path that ends at Dbtag."""
    tags = [tag for tag in element.findall(path) if tag.findtext("Dbtag_db") == database]
    return [next(iter(tag.find("Dbtag_tag/Object-id"))).text.strip() for tag in tags]


def pmids(element):
    numbers = {int(one.text) for one in element.findall("Gene-commentary_refs/Pub/Pub_pmid/PubMedId")}
    return [f"PMID:{number}" for number in sorted(numbers, reverse=True)]


def told(**facts):
    return {name: value for name, value in facts.items() if value not in (None, [], "")}


def gene(root):
    """Everything that an EntrezGene has a place for."""
    official = {
        words(one, "Gene-commentary_label"): words(one, "Gene-commentary_text")
        for group in root.findall(PROPERTIES)
        if words(group, "Gene-commentary_label") == "Nomenclature"
        for one in group.findall("Gene-commentary_properties/Gene-commentary")
    }
    uid = words(root, "./Entrezgene_track-info/Gene-track/Gene-track_geneid")
    symbol = official.get("Official Symbol") or words(root, f"{REF}/Gene-ref_locus")
    described = words(root, f"{REF}/Gene-ref_desc")
    name = official.get("Official Full Name") or described
    aliases = [words(root, f"{REF}/Gene-ref_locus"), *(one.text for one in root.findall(f"{REF}/Gene-ref_syn/*"))]
    products = [
        *(one.text for one in root.findall("./Entrezgene_prot/Prot-ref/Prot-ref_desc")),
        *(one.text for one in root.findall("./Entrezgene_prot/Prot-ref/Prot-ref_name/Prot-ref_name_E")),
    ]
    status = root.find("./Entrezgene_track-info/Gene-track/Gene-track_status")
    return told(
        id=f"NCBIGene:{uid}",
        symbol=symbol,
        organism=words(root, f"{ORGANISM}/Org-ref_taxname"),
        name=name,
        description=described if described != name else None,
        aliases=[one for one in dict.fromkeys(aliases) if one != symbol],
        other_designations=[one for one in dict.fromkeys(products) if one not in (name, described)],
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
    kept = [one for one in subtypes if one.find("SubSource_subtype").get("value") == "chromosome"]
    return ", ".join(words(one, "SubSource_name") for one in kept)


def place(root):
    """The stretch on the reference assembly, counted from 1."""
    for locus in root.findall("./Entrezgene_locus/Gene-commentary"):
        found = re.fullmatch(r"Reference (\S+) Primary Assembly", heading(locus) or "")
        interval = locus.find("Gene-commentary_seqs/Seq-loc/Seq-loc_int/Seq-interval")
        if found and interval is not None and words(locus, "Gene-commentary_accession").startswith("NC_"):
            return {
                "assembly_name": found[1],
                "start": int(words(interval, "Seq-interval_from")) + 1,
                "end": int(words(interval, "Seq-interval_to")) + 1,
                "strand": {"plus": 1, "minus": -1}[interval.find("Seq-interval_strand/Na-strand").get("value")],
            }
    return {}


def refseq_sections(root):
    sections = [one for one in root.findall(COMMENTS) if heading(one) == "NCBI Reference Sequences (RefSeq)"]
    return [inner for one in sections for inner in one.findall(INNER)]


def release(root):
    found = [re.fullmatch(r"RefSeqs of Annotated Genomes: (.*)", heading(one) or "") for one in refseq_sections(root)]
    return next((one[1] for one in found if one), None)


def cross_references(root):
    tags = f"{REF}/Gene-ref_db/Dbtag"
    current = [one for one in refseq_sections(root) if not heading(one).startswith("Suppressed")]
    accessions = [one.text for section in current for one in section.iter("Gene-commentary_accession")]
    peptides = [
        one
        for related in root.findall(COMMENTS)
        if heading(related) == "Related Sequences"
        for one in related.iter("Gene-commentary")
        if kind(one) == "peptide"
        and ids(one, "Gene-commentary_source/Other-source/Other-source_src/Dbtag", "UniProtKB/Swiss-Prot")
    ]
    proteins = [one.findtext("Gene-commentary_accession") for one in peptides]
    return told(
        hgnc=next(iter(ids(root, tags, "HGNC")), "").replace("HGNC:", "") and f"HGNC:{hgnc_number(root, tags)}",
        ensembl_gene=next(iter(ids(root, tags, "Ensembl")), None),
        uniprot=[f"UniProtKB:{one}" for one in dict.fromkeys(proteins)],
        refseq=[one for one in dict.fromkeys(accessions) if one.startswith(("NM_", "NR_"))],
        omim=next(iter(ids(root, tags, "MIM")), None),
    )


def hgnc_number(root, tags):
    return ids(root, tags, "HGNC")[0].removeprefix("HGNC:")


def go_terms(root):
    found = []
    for group in root.findall(PROPERTIES):
        if heading(group) != "GeneOntology":
            continue
        for aspect in group.findall(INNER):
            for one in aspect.findall(INNER):
                source = one.find("Gene-commentary_source/Other-source")
                found.append(
                    told(
                        id=f"GO:{int(ids(source, 'Other-source_src/Dbtag', 'GO')[0]):07}",
                        name=words(source, "Other-source_anchor"),
                        aspect=words(aspect, "Gene-commentary_label").lower(),
                        qualifier=words(source, "Other-source_pre-text"),
                        evidence=words(source, "Other-source_post-text").removeprefix("evidence: "),
                        pmids=pmids(one),
                    )
                )
    return [one for place, one in enumerate(found) if one not in found[:place]]


def phenotypes(root):
    groups = [one for one in root.findall(COMMENTS) if heading(one) == "Phenotypes"]
    listed = [one for group in groups for one in group.findall(INNER) if heading(one) != "Copy number response"]
    return [phenotype(one) for one in listed]


def phenotype(one):
    tags = ".//Gene-commentary_source/Other-source/Other-source_src/Dbtag"
    cited = [pmid for part in one.findall(INNER) for pmid in pmids(part)]
    return told(
        name=heading(one),
        omim_ids=ids(one, tags, "MIM"),
        medgen_ids=ids(one, tags, "MedGen"),
        gene_reviews=ids(one, tags, "GeneReviews"),
        sources=[heading(part) for part in one.findall(INNER)],
        pmids=cited,
    )


def generifs(root):
    """In the order of the record, as a set of what each says: our order is tested elsewhere."""
    found = [one for one in root.findall(COMMENTS) if kind(one) == "generif" and heading(one) is None]
    return [
        told(
            text=words(one, "Gene-commentary_text"), pmids=pmids(one), date=day(one.find("Gene-commentary_create-date"))
        )
        for one in found
    ]


def day(date):
    parts = [date.findtext(f".//Date-std_{unit}") for unit in ("year", "month", "day")]
    return "-".join(part.zfill(2) for part in parts)
