"""Starter rows as the expected records, converted without the parser or the stand-in."""

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
    """The fields without unknown values. False is known."""
    message = {"id": record_id, "_type": kind, "category": f"biolink:{category}", **fields}
    return {name: value for name, value in message.items() if value not in (None, "", [], {})}


def _place(row: Row) -> Expected:
    organism = ORGANISMS[row["organism"]]
    return {
        "organism": organism,
        "chromosome": row["chr"].removeprefix("chr").replace("M", "MT"),
        "start": row["start"] + 1,
        "end": row["end"],
        "assembly_name": ASSEMBLIES[organism],
    }


def _gencode(row: Row) -> Expected:
    strand = {"+": 1, "-": -1}.get(row["strand"])
    place = _place(row)
    return {
        **place,
        "strand": strand,
        "source": "GENCODE",
        "release": {"human": "v43", "mouse": "vM33"}[place["organism"]],
    }


def gene(row: Row) -> Expected:
    xrefs = {"hgnc": row["hgnc"], "ensembl_gene": row["_id"], "entrez": (row["entrez"] or "").removeprefix("ENTREZ:")}
    return _whole(
        "gene",
        "Gene",
        row["_id"],
        **_gencode(row),
        name=row["name"],
        synonyms=row["synonyms"],
        cross_references={name: value for name, value in xrefs.items() if value},
        gene_type=row["gene_type"],
        collections=row["collections"],
        study_sets=row["study_sets"],
    )


def transcript(row: Row) -> Expected:
    options = {"transcript_type": row["transcript_type"], "gene_name": row["gene_name"]}
    return _whole(
        "transcript",
        "Transcript",
        row["_id"],
        **_gencode(row),
        name=row["name"],
        is_mane_select=row["MANE_Select"],
        **options,
    )


def protein(row: Row) -> Expected:
    return _whole(
        "protein",
        "Protein",
        row["_id"],
        name=row["name"],
        organism=ORGANISMS[row["organism"]],
        source="GENCODE",
        full_names=row["uniprot_full_names"],
        uniprot_names=row["uniprot_names"],
        uniprot_ids=row["uniprot_ids"],
        is_mane_select=row["MANE_Select"],
    )


def variant(row: Row) -> Expected:
    accession, before, ref, alt = row["spdi"].split(":")
    number = int(re.sub(r"NC_0*|\.\d+$", "", accession))
    is_mouse = number > _MOUSE
    plain = number - _MOUSE if is_mouse else number
    frequencies = {name: value for name, value in row["annotations"].items() if name != "GENCODE_category"}
    return _whole(
        "variant",
        "SequenceVariant",
        row["spdi"],
        name=row["rsid"][0] if row["rsid"] else None,
        organism="mouse" if is_mouse else "human",
        chromosome="X" if plain == _X else str(plain),
        start=int(before) + 1,
        end=int(before) + len(ref),
        assembly_name=ASSEMBLIES["mouse" if is_mouse else "human"],
        source="MGI" if is_mouse else "FAVOR",
        rsids=row["rsid"],
        hgvs=row["hgvs"],
        ca_id=row["ca_id"],
        ref=ref,
        alt=alt,
        allele_notation="SPDI" if len(ref) != len(alt) else None,
        gencode_category=row["annotations"]["GENCODE_category"],
        allele_frequencies=frequencies,
        strains=row["strain"],
    )


def coding_variant(row: Row) -> Expected:
    scores = {name: value for name, value in row.items() if name.endswith("_score") and value is not None}
    return _whole(
        "coding_variant",
        "SequenceVariant",
        row["_id"],
        name=row["name"],
        organism="human",
        source="dbNSFP" if scores else "IGVF",
        gene_name=row["gene_name"],
        protein_id=row["protein_id"],
        protein_name=row["protein_name"],
        transcript_id=row["transcript_id"],
        hgvs_p=row["hgvsp"],
        hgvs_c=row["hgvsc"],
        position=row["aapos"],
        ref=row["ref"],
        alt=row["alt"],
        scores={name.removesuffix("_score"): value for name, value in scores.items()},
    )


def term(row: Row) -> Expected:
    category = _OF_TERMS.get(row["subontology"] or row["term_id"].partition("_")[0], "biolink:OntologyClass")
    return _whole(
        "ontology_term",
        category.removeprefix("biolink:"),
        curie(row["term_id"]),
        name=row["name"],
        synonyms=row["synonyms"],
        source=row["source"],
        description=row["description"],
        ontology=row["source"],
        subontology=row["subontology"],
    )


def drug(row: Row) -> Expected:
    terms = [curie(term) for term in row["drug_ontology_terms"]]
    return _whole("drug", "Drug", row["_id"], name=row["name"], source="pharmGKB", ontology_terms=terms)


def protein_complex(row: Row) -> Expected:
    options = {"synonyms": row["alias"], "description": row["description"], "molecules": row["molecules"]}
    return _whole(
        "complex", "MacromolecularComplex", row["_id"], name=row["name"], organism="human", source="EBI", **options
    )


def pathway(row: Row) -> Expected:
    terms = [curie(term.removeprefix("ontology_terms/")) for term in row["disease_ontology_terms"] or ()]
    return _whole(
        "pathway",
        "Pathway",
        row["_id"],
        name=row["name"],
        organism="human",
        source="Reactome",
        release=row["id_version"],
        synonyms=[alias for alias in row["name_aliases"] if alias != row["name"]],
        is_in_disease=row["is_in_disease"],
        is_top_level=row["is_top_level_pathway"],
        disease_terms=terms,
        go_process=curie((row["go_biological_process"] or "").removeprefix("ontology_terms/")),
    )


def study(row: Row) -> Expected:
    return _whole(
        "study",
        "Study",
        row["_id"],
        name=row["_id"],
        source="OpenTargets",
        release="October 2022 (22.10)",
        trait=row["trait_reported"],
        trait_terms=[curie(term) for term in re.findall(r"\w+_\d+", row["trait_efos"] or "")],
        publication=row["pmid"],
        title=row["pub_title"],
        author=row["pub_author"],
        journal=row["pub_journal"],
        date=row["pub_date"],
        sample_size=None if row["n_initial"] is None else int(row["n_initial"]),
        cases=None if row["n_cases"] is None else int(float(row["n_cases"])),
    )


def motif(row: Row) -> Expected:
    kind, category = "motif", "NucleicAcidSequenceMotif"
    options = {"name": row["tf_name"], "organism": "human", "source": row["source"], "length": row["length"]}
    return _whole(kind, category, row["name"], **options)


def dataset(row: Row) -> Expected:
    host = "https://www.encodeproject.org" if row["source"] == "ENCODE" else "https://data.igvf.org"
    return _whole(
        "dataset",
        "Dataset",
        row["_id"],
        file_set=row["file_set_id"],
        lab=row["lab"],
        method=row["method"],
        kind=row["class"],
        source=row["source"],
        samples=row["simple_sample_summaries"],
        download=f"{host}/files/{row['_id']}/@@download/{row['_id']}.bed.gz",
    )


def element(row: Row) -> Expected:
    return _whole(
        "regulatory_element",
        "RegulatoryRegion",
        row["_id"],
        **_place(row),
        element_type=row["type"],
        annotation=row["source_annotation"],
        method=row["method"],
        source=row["source"],
    )
