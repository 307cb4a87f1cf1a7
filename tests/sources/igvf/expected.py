"""Starter facts as the records that they should become, converted without the parser or the stand-in."""

import re
from typing import Any

from biofact.sandbox.services.igvf.starters import starter_facts

FACTS = starter_facts()
ASSEMBLIES = {"human": "GRCh38", "mouse": "GRCm39"}
_X = 23
_MOUSE = 66  # NC_000067 is chromosome 1 of the mouse
_OF_TERMS = {
    "MONDO": "biolink:Disease",
    "Orphanet": "biolink:Disease",
    "DOID": "biolink:Disease",
    "HP": "biolink:PhenotypicFeature",
    "UBERON": "biolink:AnatomicalEntity",
    "CL": "biolink:Cell",
    "CLO": "biolink:CellLine",
    "CVCL": "biolink:CellLine",
    "CHEBI": "biolink:ChemicalEntity",
    "biological_process": "biolink:BiologicalProcess",
    "molecular_function": "biolink:MolecularActivity",
    "cellular_component": "biolink:CellularComponent",
}

Expected = dict[str, Any]


def curie(term: str) -> str:
    """``MONDO:0009861``; IDs of Cellosaurus have their underscore."""
    return term if term.startswith("CVCL") else term.replace("_", ":", 1)


def _whole(kind: str, category: str, record_id: str, /, **fields: Any) -> Expected:
    """Without what is not known. False is known."""
    told = {"id": record_id, "_type": kind, "category": f"biolink:{category}", **fields}
    return {name: value for name, value in told.items() if value not in (None, "", [], {})}


def _place(one: Any) -> Expected:
    return {
        "organism": one.organism,
        "chromosome": one.chromosome,
        "start": one.start,
        "end": one.end,
        "assembly_name": ASSEMBLIES[one.organism],
    }


def _gencode(one: Any) -> Expected:
    strand = {"+": 1, "-": -1, "": None}[one.strand]
    return {**_place(one), "strand": strand, "source": "GENCODE", "release": {"human": "v43"}.get(one.organism, "vM33")}


def gene(one: Any) -> Expected:
    xrefs = {"hgnc": one.hgnc, "ensembl_gene": one.id, "entrez": one.entrez}
    return _whole(
        "gene",
        "Gene",
        one.id,
        **_gencode(one),
        name=one.symbol,
        synonyms=list(one.synonyms),
        cross_references={name: value for name, value in xrefs.items() if value},
        gene_type=one.type,
        collections=list(one.collections),
        study_sets=list(one.study_sets),
    )


def transcript(one: Any) -> Expected:
    named = one.name.rpartition("-")[0] or one.gene  # those without a name of their own have the gene's ID
    more = {"transcript_type": one.type, "gene_name": named, "is_mane_select": one.is_mane_select}
    return _whole("transcript", "Transcript", one.id, **_gencode(one), name=one.name, **more)


def protein(one: Any) -> Expected:
    return _whole(
        "protein",
        "Protein",
        one.id,
        name=one.name,
        organism=one.organism,
        source="GENCODE",
        full_names=list(one.uniprot_full_names),
        uniprot_names=list(one.uniprot_names),
        uniprot_ids=list(one.uniprot_ids),
        is_mane_select=one.is_mane_select,
    )


def variant(one: Any) -> Expected:
    accession, before, ref, alt = one.spdi.split(":")
    number = int(re.sub(r"NC_0*|\.\d+$", "", accession))
    is_mouse = number > _MOUSE
    plain = number - _MOUSE if is_mouse else number
    return _whole(
        "variant",
        "SequenceVariant",
        one.spdi,
        name=one.rsids[0] if one.rsids else None,
        organism="mouse" if is_mouse else "human",
        chromosome="X" if plain == _X else str(plain),
        start=int(before) + 1,
        end=int(before) + len(ref),
        assembly_name=ASSEMBLIES["mouse" if is_mouse else "human"],
        source="MGI" if is_mouse else "FAVOR",
        rsids=list(one.rsids),
        hgvs=one.hgvs,
        ca_id=one.ca_id,
        ref=ref,
        alt=alt,
        gencode_category=one.category,
        allele_frequencies=dict(one.frequencies),
        strains=list(one.strains),
    )


def coding_variant(one: Any) -> Expected:
    return _whole(
        "coding_variant",
        "SequenceVariant",
        one.id,
        name=one.name,
        organism="human",
        source="dbNSFP" if one.scores else "IGVF",
        gene_name=one.gene_name,
        protein_id=one.protein,
        protein_name=one.protein_name,
        transcript_id=one.transcript,
        hgvs_p=one.hgvs_p,
        hgvs_c=one.hgvs_c,
        position=one.position,
        ref=one.ref,
        alt=one.alt,
        scores={name.removesuffix("_score"): value for name, value in one.scores.items()},
    )


def term(one: Any) -> Expected:
    category = _OF_TERMS.get(one.subontology) or _OF_TERMS.get(one.id.partition("_")[0], "biolink:OntologyClass")
    return _whole(
        "ontology_term",
        category.removeprefix("biolink:"),
        curie(one.id),
        name=one.name,
        synonyms=list(one.synonyms),
        source=one.source,
        description=one.description,
        ontology=one.source,
        subontology=one.subontology,
    )


def drug(one: Any) -> Expected:
    terms = [curie(term) for term in one.terms]
    return _whole("drug", "Drug", one.id, name=one.name, source="pharmGKB", ontology_terms=terms)


def protein_complex(one: Any) -> Expected:
    more = {"synonyms": list(one.aliases), "description": one.description, "molecules": list(one.molecules)}
    return _whole("complex", "MacromolecularComplex", one.id, name=one.name, organism="human", source="EBI", **more)


def pathway(one: Any) -> Expected:
    return _whole(
        "pathway",
        "Pathway",
        one.id,
        name=one.name,
        organism="human",
        source="Reactome",
        release=f"{one.id}.{one.version}",
        synonyms=[alias for alias in one.aliases if alias != one.name],
        is_in_disease=one.is_in_disease,
        is_top_level=one.is_top_level,
        disease_terms=[curie(term) for term in one.disease_terms],
        go_process=curie(one.go_process),
    )


def study(one: Any) -> Expected:
    return _whole(
        "study",
        "Study",
        one.id,
        name=one.id,
        source="OpenTargets",
        release="October 2022 (22.10)",
        trait=one.trait,
        trait_terms=[curie(term) for term in one.terms],
        publication=one.pmid,
        title=one.title,
        author=one.author,
        journal=one.journal,
        date=one.date,
        sample_size=one.sample_size,
        cases=one.cases,
    )


def motif(one: Any) -> Expected:
    kind, category = "motif", "NucleicAcidSequenceMotif"
    return _whole(kind, category, one.id, name=one.tf_name, organism="human", source=one.source, length=one.length)


def dataset(one: Any) -> Expected:
    host = "https://www.encodeproject.org" if one.source == "ENCODE" else "https://data.igvf.org"
    more = {"file_set": one.file_set, "lab": one.lab, "method": one.method, "kind": one.kind, "source": one.source}
    download = f"{host}/files/{one.id}/@@download/{one.id}.bed.gz"
    return _whole("dataset", "Dataset", one.id, **more, samples=list(one.samples), download=download)


def element(one: Any) -> Expected:
    more = {"element_type": one.type, "annotation": one.annotation, "method": one.method, "source": one.source}
    return _whole("regulatory_element", "RegulatoryRegion", one.id, **_place(one), **more)
