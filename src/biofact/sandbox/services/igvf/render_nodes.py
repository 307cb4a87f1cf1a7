"""Entities as the Catalog writes them. Coordinates go from 1-based and inclusive to 0-based and half-open."""

from collections.abc import Iterable

from biofact.sandbox.services.igvf.asking import Row
from biofact.sandbox.services.igvf.facts import (
    CodingVariantFacts,
    ComplexFacts,
    DatasetFacts,
    DrugFacts,
    ElementFacts,
    GeneFacts,
    MotifFacts,
    Organism,
    PathwayFacts,
    ProteinFacts,
    StudyFacts,
    TermFacts,
    TranscriptFacts,
    VariantFacts,
)
from biofact.sandbox.services.igvf.graph import place
from biofact.sources.igvf.catalog import SPECIES

_GENCODE_URL = "https://ftp.ebi.ac.uk/pub/databases/gencode/Gencode_{}"
_GENCODE: dict[Organism, tuple[str, str]] = {
    "human": ("v43", _GENCODE_URL.format("human/release_43/gencode.v43.chr_patch_hapl_scaff.annotation.gtf.gz")),
    "mouse": ("vM33", _GENCODE_URL.format("mouse/release_M33/gencode.vM33.chr_patch_hapl_scaff.annotation.gtf.gz")),
}
_VARIANT_SOURCES: dict[Organism, tuple[str, str]] = {
    "human": ("FAVOR", "http://favor.genohub.org/"),
    "mouse": ("MGI", "https://www.informatics.jax.org/"),
}
_SOURCE_URLS = {
    "AFGR": "https://github.com/smontgomlab/AFGR",
    "BioGRID": "https://thebiogrid.org/",
    "BioGRID; IntAct": "https://thebiogrid.org/",
    "ClinGen": "https://search.clinicalgenome.org/kb/downloads",
    "COXPRESdb": "https://coxpresdb.jp/",
    "EBI": "https://www.ebi.ac.uk/eqtl/",
    "ENCODE": "https://www.encodeproject.org/",
    "GENCODE": _GENCODE["human"][1],
    "Gene Ontology": "http://geneontology.org/",
    "GenCC": "https://thegencc.org/",
    "HOCOMOCOv11": "hocomoco11.autosome.org",
    "IGVF": "https://data.igvf.org/",
    "IntAct": "https://www.ebi.ac.uk/intact/",
    "OpenTargets": "https://genetics.opentargets.org/",
    "Orphanet": "https://www.orphadata.com/genes/",
    "pharmGKB": "https://www.pharmgkb.org/",
    "Reactome": "https://reactome.org/",
    "UniProt": "https://www.uniprot.org/",
    "TopLD": "http://topld.genetics.unc.edu/",
}
COMPLEX_URL = "https://www.ebi.ac.uk/complexportal/"
_OBO = "http://purl.obolibrary.org/obo/"
_TERM_URIS = {"EFO": "http://www.ebi.ac.uk/efo/", "Orphanet": "http://www.orpha.net/ORDO/"}
_SCORES = (
    *("SIFT_score", "SIFT4G_score", "Polyphen2_HDIV_score", "Polyphen2_HVAR_score", "VEST4_score", "REVEL_score"),
    *("MutPred_score", "BayesDel_addAF_score", "BayesDel_noAF_score", "VARITY_R_score", "VARITY_ER_score"),
    *("VARITY_R_LOO_score", "VARITY_ER_LOO_score", "ESM1b_score", "AlphaMissense_score", "CADD_raw_score"),
)
_NO_FILE: Row = {"class": None, "method": None, "files_filesets": None}


def source_url(source: str) -> str:
    """Where a source's data are from."""
    return _SOURCE_URLS.get(source, "https://data.igvf.org/")


def chromosome(name: str) -> str:
    """``chr17``, ``chrM``."""
    return "chrM" if name == "MT" else f"chr{name}"


def gene(one: GeneFacts) -> Row:
    """A gene, whole."""
    version, url = _GENCODE[one.organism]
    return {
        "_id": one.id,
        "chr": chromosome(one.chromosome),
        "start": one.start - 1,
        "end": one.end,
        "gene_type": one.type,
        "name": one.symbol,
        "strand": one.strand or None,
        "hgnc": one.hgnc or None,
        "entrez": f"ENTREZ:{one.entrez}" if one.entrez else None,
        "collections": list(one.collections) or None,
        "study_sets": list(one.study_sets) or None,
        "source": "GENCODE",
        "version": version,
        "source_url": url,
        "synonyms": list(one.synonyms) or None,
    }


def transcript(one: TranscriptFacts) -> Row:
    """A transcript, whole. Its gene's name is what its own begins with; a gene without a name has its ID there."""
    version, url = _GENCODE[one.organism]
    return {
        "_id": one.id,
        "transcript_type": one.type,
        "chr": chromosome(one.chromosome),
        "start": one.start - 1,
        "end": one.end,
        "strand": one.strand,
        "name": one.name,
        "gene_name": one.name.rpartition("-")[0] or one.gene,
        "MANE_Select": one.is_mane_select,
        "source": "GENCODE",
        "version": version,
        "source_url": url,
    }


def protein(one: ProteinFacts) -> Row:
    """A protein, whole."""
    return {
        **bare_protein(one),
        "dbxrefs": [{"name": name, "id": uid} for name, uid in one.xrefs] or None,
    }


def bare_protein(one: ProteinFacts) -> Row:
    """A protein without its cross-references, which some edges leave out."""
    return {
        "_id": one.id,
        "name": one.name,
        "uniprot_names": list(one.uniprot_names) or None,
        "uniprot_full_names": list(one.uniprot_full_names) or None,
        "uniprot_ids": list(one.uniprot_ids) or None,
        "MANE_Select": one.is_mane_select,
        "organism": SPECIES[one.organism],
        "source": "GENCODE",
        "source_url": _GENCODE[one.organism][1],
    }


def variant(one: VariantFacts) -> Row:
    """A variant, whole."""
    organism = place(one.spdi).organism
    source, url = _VARIANT_SOURCES[organism]
    told = {**one.frequencies, "GENCODE_category": one.category or None}
    hgvs = {"hgvs": one.hgvs} if one.hgvs else {}
    return {
        **{name: value for name, value in simple_variant(one).items() if name != "hgvs"},
        **hgvs,
        "strain": list(one.strains) or None,
        "qual": None,
        "files_filesets": None,
        "annotations": told,
        "source": source,
        "source_url": url,
        "organism": SPECIES[organism],
    }


def simple_variant(one: VariantFacts) -> Row:
    """A variant as most edges hold it."""
    where = place(one.spdi)
    return {
        "_id": one.spdi,
        "chr": chromosome(where.chromosome),
        "pos": where.position,
        "rsid": list(one.rsids) or None,
        "ref": where.ref,
        "alt": where.alt,
        "spdi": one.spdi,
        "hgvs": one.hgvs or None,
        "ca_id": one.ca_id or None,
    }


def nameless_variant(one: VariantFacts) -> Row:
    """A variant as edges to diseases hold it: without an ID."""
    row = {name: value for name, value in simple_variant(one).items() if name not in {"_id", "hgvs"}}
    return {**row, "hgvs": one.hgvs} if one.hgvs else row


def coding_variant(one: CodingVariantFacts) -> Row:
    """A change of a protein, whole."""
    return {
        "_id": one.id,
        "name": one.name,
        "ref": one.ref,
        "alt": one.alt,
        "protein_name": one.protein_name,
        "protein_id": one.protein,
        "gene_name": one.gene_name,
        "transcript_id": one.transcript,
        "aapos": one.position,
        "hgvsp": one.hgvs_p,
        "hgvsc": one.hgvs_c,
        "refcodon": None,
        "codonpos": None,
        **dict.fromkeys(_SCORES),
        **{name: value for name, value in one.scores.items() if name in _SCORES},
        "source": "dbNSFP" if one.scores else "IGVF",
        "source_url": "https://data.igvf.org/",
    }


def term(one: TermFacts) -> Row:
    """A term, whole."""
    prefix = one.id.partition("_")[0]
    return {
        "uri": f"{_TERM_URIS.get(prefix, _OBO)}{one.id}",
        "term_id": one.id,
        "name": one.name,
        "synonyms": list(one.synonyms) or None,
        "description": one.description or None,
        "source": one.source,
        "subontology": one.subontology or None,
        "source_url": None,
        **_NO_FILE,
    }


def drug(one: DrugFacts) -> Row:
    """A drug, whole."""
    return {
        "_id": one.id,
        "name": one.name,
        "drug_ontology_terms": list(one.terms),
        "source": "pharmGKB",
        "source_url": f"https://www.pharmgkb.org/chemical/{one.id}",
        **_NO_FILE,
    }


def protein_complex(one: ComplexFacts) -> Row:
    """A complex, whole."""
    return {
        "_id": one.id,
        "name": one.name,
        "alias": list(one.aliases) or None,
        "molecules": list(one.molecules) or None,
        "evidence_code": None,
        "experimental_evidence": None,
        "description": one.description or None,
        "complex_assembly": None,
        "complex_source": None,
        "reactome_xref": None,
        **_NO_FILE,
        "label": None,
        "source": "EBI",
        "source_url": COMPLEX_URL,
    }


def study(one: StudyFacts) -> Row:
    """A study, whole. Lists and numbers are text, as the service has them."""
    return {
        "_id": one.id,
        "name": one.id,
        **dict.fromkeys(("ancestry_initial", "ancestry_replication", "n_replication", "has_sumstats")),
        **dict.fromkeys(("num_assoc_loci", "study_source", "trait_category", "study_type", "files_filesets")),
        "n_cases": None if one.cases is None else f"{one.cases}.0",
        "n_initial": None if one.sample_size is None else str(one.sample_size),
        "pmid": one.pmid or None,
        "pub_author": one.author or None,
        "pub_date": one.date or None,
        "pub_journal": one.journal or None,
        "pub_title": one.title or None,
        "trait_reported": one.trait or None,
        "trait_efos": str(list(one.terms)) if one.terms else None,
        "source": "OpenTargets",
        "version": "October 2022 (22.10)",
    }


def pathway(one: PathwayFacts) -> Row:
    """A pathway, whole."""
    return {
        "_id": one.id,
        "name": one.name,
        "organism": SPECIES["human"],
        "source": "Reactome",
        "source_url": source_url("Reactome"),
        "id_version": f"{one.id}.{one.version}",
        "is_in_disease": one.is_in_disease,
        "name_aliases": list(one.aliases) or [one.name],
        "is_top_level_pathway": one.is_top_level,
        "disease_ontology_terms": references("ontology_terms", one.disease_terms) or None,
        "go_biological_process": reference("ontology_terms", one.go_process) if one.go_process else None,
        "class": "biological relationship",
        "method": None,
        "label": None,
        "files_filesets": "",
    }


def motif(one: MotifFacts) -> Row:
    """A motif. Its weights are not known here: all are 0."""
    return {
        "name": one.id,
        "tf_name": one.tf_name,
        "length": one.length,
        "pwm": [["0.0"] * 4 for _ in range(one.length)],
        "source": one.source,
        "source_url": source_url(one.source),
        **_NO_FILE,
    }


def element(one: ElementFacts) -> Row:
    """An element with every field that some endpoint tells."""
    return {
        "_id": one.id,
        "name": one.id,
        "chr": chromosome(one.chromosome),
        "start": one.start - 1,
        "end": one.end,
        "strand": None,
        "type": one.type,
        "method": one.method or None,
        "source_annotation": one.annotation or None,
        "source": one.source,
        "source_url": source_url(one.source),
    }


def dataset(one: DatasetFacts) -> Row:
    """A file of results, whole."""
    is_encode = one.source == "ENCODE"
    url = f"https://www.encodeproject.org/files/{one.id}/" if is_encode else f"https://data.igvf.org/files/{one.id}/"
    return {
        "_id": one.id,
        "file_set_id": one.file_set,
        "lab": one.lab,
        **dict.fromkeys(("preferred_assay_titles", "assay_term_ids", "software", "samples", "sample_ids", "donors")),
        "method": one.method or None,
        "class": one.kind,
        "collections": list(one.collections) or None,
        "simple_sample_summaries": list(one.samples) or None,
        "source": one.source,
        "source_url": url,
        "download_link": f"{url}@@download/{one.id}.bed.gz",
        **dict.fromkeys(("cell_annotation", "cell_annotation_term", "genome_browser_link", "crispr_modality")),
    }


def reference(collection: str, uid: str) -> str:
    """``genes/ENSG00000012048``; as it is where the collection stands there already."""
    return uid if uid.startswith(f"{collection}/") else f"{collection}/{uid}"


def references(collection: str, ids: Iterable[str]) -> list[str]:
    """References to several."""
    return [reference(collection, uid) for uid in ids]
