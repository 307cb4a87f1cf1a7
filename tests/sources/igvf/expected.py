"""Starter rows as the records that they should become, converted without the parser or the stand-in."""

import re
from typing import Any

ORGANISMS = {"Homo sapiens": "human", "Mus musculus": "mouse"}
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
Row = dict[str, Any]


def curie(term: str) -> str:
    """``MONDO:0009861``; IDs of Cellosaurus have their underscore."""
    return term if term.startswith("CVCL") else term.replace("_", ":", 1)


def _whole(kind: str, category: str, record_id: str, /, **fields: Any) -> Expected:
    """Without what is not known. False is known."""
    told = {"id": record_id, "_type": kind, "category": f"biolink:{category}", **fields}
    return {name: value for name, value in told.items() if value not in (None, "", [], {})}


def _place(one: Row) -> Expected:
    organism = ORGANISMS[one["organism"]]
    return {
        "organism": organism,
        "chromosome": one["chr"].removeprefix("chr").replace("M", "MT"),
        "start": one["start"] + 1,
        "end": one["end"],
        "assembly_name": ASSEMBLIES[organism],
    }


def _gencode(one: Row) -> Expected:
    strand = {"+": 1, "-": -1}.get(one["strand"])
    place = _place(one)
    return {
        **place,
        "strand": strand,
        "source": "GENCODE",
        "release": {"human": "v43", "mouse": "vM33"}[place["organism"]],
    }


def gene(one: Row) -> Expected:
    xrefs = {"hgnc": one["hgnc"], "ensembl_gene": one["_id"], "entrez": (one["entrez"] or "").removeprefix("ENTREZ:")}
    return _whole(
        "gene",
        "Gene",
        one["_id"],
        **_gencode(one),
        name=one["name"],
        synonyms=one["synonyms"],
        cross_references={name: value for name, value in xrefs.items() if value},
        gene_type=one["gene_type"],
        collections=one["collections"],
        study_sets=one["study_sets"],
    )


def transcript(one: Row) -> Expected:
    more = {"transcript_type": one["transcript_type"], "gene_name": one["gene_name"]}
    return _whole(
        "transcript",
        "Transcript",
        one["_id"],
        **_gencode(one),
        name=one["name"],
        is_mane_select=one["MANE_Select"],
        **more,
    )


def protein(one: Row) -> Expected:
    return _whole(
        "protein",
        "Protein",
        one["_id"],
        name=one["name"],
        organism=ORGANISMS[one["organism"]],
        source="GENCODE",
        full_names=one["uniprot_full_names"],
        uniprot_names=one["uniprot_names"],
        uniprot_ids=one["uniprot_ids"],
        is_mane_select=one["MANE_Select"],
    )


def variant(one: Row) -> Expected:
    accession, before, ref, alt = one["spdi"].split(":")
    number = int(re.sub(r"NC_0*|\.\d+$", "", accession))
    is_mouse = number > _MOUSE
    plain = number - _MOUSE if is_mouse else number
    frequencies = {name: value for name, value in one["annotations"].items() if name != "GENCODE_category"}
    return _whole(
        "variant",
        "SequenceVariant",
        one["spdi"],
        name=one["rsid"][0] if one["rsid"] else None,
        organism="mouse" if is_mouse else "human",
        chromosome="X" if plain == _X else str(plain),
        start=int(before) + 1,
        end=int(before) + len(ref),
        assembly_name=ASSEMBLIES["mouse" if is_mouse else "human"],
        source="MGI" if is_mouse else "FAVOR",
        rsids=one["rsid"],
        hgvs=one["hgvs"],
        ca_id=one["ca_id"],
        ref=ref,
        alt=alt,
        allele_notation="SPDI" if len(ref) != len(alt) else None,
        gencode_category=one["annotations"]["GENCODE_category"],
        allele_frequencies=frequencies,
        strains=one["strain"],
    )


def coding_variant(one: Row) -> Expected:
    scores = {name: value for name, value in one.items() if name.endswith("_score") and value is not None}
    return _whole(
        "coding_variant",
        "SequenceVariant",
        one["_id"],
        name=one["name"],
        organism="human",
        source="dbNSFP" if scores else "IGVF",
        gene_name=one["gene_name"],
        protein_id=one["protein_id"],
        protein_name=one["protein_name"],
        transcript_id=one["transcript_id"],
        hgvs_p=one["hgvsp"],
        hgvs_c=one["hgvsc"],
        position=one["aapos"],
        ref=one["ref"],
        alt=one["alt"],
        scores={name.removesuffix("_score"): value for name, value in scores.items()},
    )


def term(one: Row) -> Expected:
    category = _OF_TERMS.get(one["subontology"] or one["term_id"].partition("_")[0], "biolink:OntologyClass")
    return _whole(
        "ontology_term",
        category.removeprefix("biolink:"),
        curie(one["term_id"]),
        name=one["name"],
        synonyms=one["synonyms"],
        source=one["source"],
        description=one["description"],
        ontology=one["source"],
        subontology=one["subontology"],
    )


def drug(one: Row) -> Expected:
    terms = [curie(term) for term in one["drug_ontology_terms"]]
    return _whole("drug", "Drug", one["_id"], name=one["name"], source="pharmGKB", ontology_terms=terms)


def protein_complex(one: Row) -> Expected:
    more = {"synonyms": one["alias"], "description": one["description"], "molecules": one["molecules"]}
    return _whole(
        "complex", "MacromolecularComplex", one["_id"], name=one["name"], organism="human", source="EBI", **more
    )


def pathway(one: Row) -> Expected:
    terms = [curie(term.removeprefix("ontology_terms/")) for term in one["disease_ontology_terms"] or ()]
    return _whole(
        "pathway",
        "Pathway",
        one["_id"],
        name=one["name"],
        organism="human",
        source="Reactome",
        release=one["id_version"],
        synonyms=[alias for alias in one["name_aliases"] if alias != one["name"]],
        is_in_disease=one["is_in_disease"],
        is_top_level=one["is_top_level_pathway"],
        disease_terms=terms,
        go_process=curie((one["go_biological_process"] or "").removeprefix("ontology_terms/")),
    )


def study(one: Row) -> Expected:
    return _whole(
        "study",
        "Study",
        one["_id"],
        name=one["_id"],
        source="OpenTargets",
        release="October 2022 (22.10)",
        trait=one["trait_reported"],
        trait_terms=[curie(term) for term in re.findall(r"\w+_\d+", one["trait_efos"] or "")],
        publication=one["pmid"],
        title=one["pub_title"],
        author=one["pub_author"],
        journal=one["pub_journal"],
        date=one["pub_date"],
        sample_size=None if one["n_initial"] is None else int(one["n_initial"]),
        cases=None if one["n_cases"] is None else int(float(one["n_cases"])),
    )


def motif(one: Row) -> Expected:
    kind, category = "motif", "NucleicAcidSequenceMotif"
    more = {"name": one["tf_name"], "organism": "human", "source": one["source"], "length": one["length"]}
    return _whole(kind, category, one["name"], **more)


def dataset(one: Row) -> Expected:
    host = "https://www.encodeproject.org" if one["source"] == "ENCODE" else "https://data.igvf.org"
    return _whole(
        "dataset",
        "Dataset",
        one["_id"],
        file_set=one["file_set_id"],
        lab=one["lab"],
        method=one["method"],
        kind=one["class"],
        source=one["source"],
        samples=one["simple_sample_summaries"],
        download=f"{host}/files/{one['_id']}/@@download/{one['_id']}.bed.gz",
    )


def element(one: Row) -> Expected:
    return _whole(
        "regulatory_element",
        "RegulatoryRegion",
        one["_id"],
        **_place(one),
        element_type=one["type"],
        annotation=one["source_annotation"],
        method=one["method"],
        source=one["source"],
    )
