"""Rows of entities to records. Pure."""

import re
from collections.abc import Callable
from typing import Any

from biofact.core.xrefs import XrefCollector
from biofact.dialects.genomic.genomes import ASSEMBLIES, Organism
from biofact.dialects.json_values import decimal, flag, needed, number, text, texts, within
from biofact.sources.igvf import records
from biofact.sources.igvf.parse.documents import Row
from biofact.sources.igvf.parse.mismatches import of_variant
from biofact.sources.igvf.parse.places import chromosome, place, position
from biofact.sources.igvf.parse.publications import publications
from biofact.sources.igvf.records import Entity
from biofact.sources.igvf.term_ids import curie, prefix, without_collection

_ORGANISMS: dict[str, Organism] = {"Homo sapiens": "human", "Mus musculus": "mouse"}
_CATEGORIES = {
    "gene": "biolink:Gene",
    "transcript": "biolink:Transcript",
    "protein": "biolink:Protein",
    "variant": "biolink:SequenceVariant",
    "coding_variant": "biolink:SequenceVariant",
    "ontology_term": "biolink:OntologyClass",
    "drug": "biolink:Drug",
    "complex": "biolink:MacromolecularComplex",
    "pathway": "biolink:Pathway",
    "study": "biolink:Study",
    "motif": "biolink:NucleicAcidSequenceMotif",
    "dataset": "biolink:Dataset",
    "regulatory_element": "biolink:RegulatoryRegion",
}
# Of terms, by ontology; those with several kinds of things in them (EFO, NCIT) stay terms.
_CATEGORIES_OF_TERMS = {
    "MONDO": "biolink:Disease",
    "Orphanet": "biolink:Disease",
    "DOID": "biolink:Disease",
    "Oncotree": "biolink:Disease",
    "HP": "biolink:PhenotypicFeature",
    "UBERON": "biolink:AnatomicalEntity",
    "CL": "biolink:Cell",
    "PCL": "biolink:Cell",
    "CLO": "biolink:CellLine",
    "CVCL": "biolink:CellLine",
    "CHEBI": "biolink:ChemicalEntity",
}
_CATEGORIES_OF_GO = {
    "biological_process": "biolink:BiologicalProcess",
    "molecular_function": "biolink:MolecularActivity",
    "cellular_component": "biolink:CellularComponent",
}


def entity(kind: str, row: Row, organism: Organism = "human") -> Entity:
    """The record of one row; ``organism`` is the requested one, for rows without any.

    Raises:
        UpstreamError: it has no ID.
    """
    return _READERS[kind](row, _ORGANISMS.get(text(row, "organism") or "", organism))


def _gene(row: Row, organism: Organism) -> Entity:
    gene_id = needed(row, "_id", "a gene", "The IGVF Catalog")
    found = XrefCollector()
    found.add("ensembl_gene", gene_id.partition("_")[0])
    found.add("entrez", (text(row, "entrez") or "").removeprefix("ENTREZ:"))
    if organism == "human":
        found.add("hgnc", text(row, "hgnc"))
    name = text(row, "name")
    return records.GeneEntity(
        **_known("gene", gene_id, row),
        organism=organism,
        **place(row, assembly=ASSEMBLIES[organism].name),
        name=name,
        synonyms=[one for one in texts(row, "synonyms") if one != name],
        gene_type=text(row, "gene_type"),
        collections=texts(row, "collections"),
        study_sets=texts(row, "study_sets"),
        cross_references=found.collected(),
        notices=found.notices,
    )


def _transcript(row: Row, organism: Organism) -> Entity:
    return records.TranscriptEntity(
        **_known("transcript", _id(row, "a transcript"), row),
        organism=organism,
        **place(row, assembly=ASSEMBLIES[organism].name),
        name=text(row, "name"),
        transcript_type=text(row, "transcript_type"),
        gene_name=text(row, "gene_name"),
        is_mane_select=flag(row, "MANE_Select"),
    )


def _protein(row: Row, organism: Organism) -> Entity:
    return records.ProteinEntity(
        **_known("protein", _id(row, "a protein"), row),
        organism=organism,
        name=text(row, "name"),
        full_names=texts(row, "uniprot_full_names"),
        uniprot_names=texts(row, "uniprot_names"),
        uniprot_ids=texts(row, "uniprot_ids"),
        is_mane_select=flag(row, "MANE_Select"),
    )


def _variant(row: Row, organism: Organism) -> Entity:
    at = position(row, "pos")
    ref = text(row, "ref")
    annotations = within(row, "annotations")
    frequencies = {name: decimal(annotations, name) for name in annotations if "_af" in name}
    return records.VariantEntity(
        **_known("variant", _id(row, "a variant"), row),
        organism=organism,
        name=next(iter(texts(row, "rsid")), None),
        chromosome=chromosome(row),
        start=at,
        end=None if at is None else at + max(len(ref or ""), 1) - 1,
        assembly_name=ASSEMBLIES[organism].name,
        rsids=texts(row, "rsid"),
        hgvs=text(row, "hgvs"),
        ca_id=text(row, "ca_id"),
        ref=ref,
        alt=text(row, "alt"),
        gencode_category=text(annotations, "GENCODE_category"),
        allele_frequencies={name: value for name, value in frequencies.items() if value is not None},
        strains=texts(row, "strain"),
        notices=of_variant(row),
    )


def _coding_variant(row: Row, organism: Organism) -> Entity:
    scores = {name.removesuffix("_score"): decimal(row, name) for name in row if name.endswith("_score")}
    return records.CodingVariantEntity(
        **_known("coding_variant", _id(row, "a coding variant"), row),
        organism=organism,
        name=text(row, "name"),
        gene_name=text(row, "gene_name"),
        protein_id=text(row, "protein_id"),
        protein_name=text(row, "protein_name"),
        transcript_id=text(row, "transcript_id"),
        hgvs_p=text(row, "hgvsp"),
        hgvs_c=text(row, "hgvsc"),
        position=number(row, "aapos"),
        ref=text(row, "ref"),
        alt=text(row, "alt"),
        scores={name: value for name, value in scores.items() if value is not None},
    )


def _term(row: Row, _: Organism) -> Entity:
    term_id = needed(row, "term_id", "a term", "The IGVF Catalog")
    name, subontology = text(row, "name"), text(row, "subontology")
    known = _known("ontology_term", curie(term_id), row)
    known["category"] = _CATEGORIES_OF_GO.get(subontology or "") or _CATEGORIES_OF_TERMS.get(
        prefix(term_id), known["category"]
    )
    return records.TermEntity(
        **known,
        name=name,
        synonyms=[one for one in texts(row, "synonyms") if one != name],
        description=text(row, "description"),
        ontology=text(row, "source"),
        subontology=subontology,
    )


def _drug(row: Row, _: Organism) -> Entity:
    terms = [curie(term) for term in texts(row, "drug_ontology_terms")]
    return records.DrugEntity(**_known("drug", _id(row, "a drug"), row), name=text(row, "name"), ontology_terms=terms)


def _complex(row: Row, organism: Organism) -> Entity:
    assembly = row.get("complex_assembly")
    return records.ComplexEntity(
        **_known("complex", _id(row, "a complex"), row),
        organism=organism,
        name=text(row, "name"),
        synonyms=texts(row, "alias"),
        description=text(row, "description"),
        molecules=texts(row, "molecules"),
        assembly=[assembly] if isinstance(assembly, str) else texts(row, "complex_assembly"),
    )


def _pathway(row: Row, organism: Organism) -> Entity:
    name, process = text(row, "name"), text(row, "go_biological_process")
    return records.PathwayEntity(
        **_known("pathway", _id(row, "a pathway"), row) | {"release": text(row, "id_version")},
        organism=organism,
        name=name,
        synonyms=[one for one in texts(row, "name_aliases") if one != name],
        is_in_disease=flag(row, "is_in_disease"),
        is_top_level=flag(row, "is_top_level_pathway"),
        disease_terms=[curie(term) for term in texts(row, "disease_ontology_terms")],
        go_process=curie(process) if process else None,
    )


def _study(row: Row, _: Organism) -> Entity:
    return records.StudyEntity(
        **_known("study", _id(row, "a study"), row),
        name=text(row, "name"),
        trait=text(row, "trait_reported"),
        trait_terms=[curie(term) for term in re.findall(r"[A-Za-z]+_\w+", text(row, "trait_efos") or "")],
        publication=next(iter(publications(row)), None),
        title=text(row, "pub_title"),
        author=text(row, "pub_author"),
        journal=text(row, "pub_journal"),
        date=text(row, "pub_date"),
        sample_size=_count(row, "n_initial"),
        cases=_count(row, "n_cases"),
    )


def _motif(row: Row, organism: Organism) -> Entity:
    motif_id = needed(row, "name", "a motif", "The IGVF Catalog")
    known = _known("motif", motif_id, row)
    return records.MotifEntity(**known, organism=organism, name=text(row, "tf_name"), length=number(row, "length"))


def _dataset(row: Row, _: Organism) -> Entity:
    return records.DatasetEntity(
        **_known("dataset", _id(row, "a data set"), row),
        file_set=text(row, "file_set_id"),
        lab=text(row, "lab"),
        method=text(row, "method"),
        kind=text(row, "class"),
        samples=texts(row, "simple_sample_summaries"),
        download=text(row, "download_link"),
    )


def _element(row: Row, organism: Organism) -> Entity:
    name = needed(row, "name", "a regulatory element", "The IGVF Catalog")
    return records.ElementEntity(
        **_known("regulatory_element", name, row),
        organism=organism,
        **place(row, assembly=ASSEMBLIES[organism].name),
        element_type=text(row, "type"),
        annotation=text(row, "source_annotation"),
        method=text(row, "method"),
    )


def _id(row: Row, what: str) -> str:
    return without_collection(needed(row, "_id", what, "The IGVF Catalog"))


def _known(kind: str, record_id: str, row: Row) -> dict[str, Any]:
    """What every record has."""
    return {
        "id": record_id,
        "type": kind,
        "category": _CATEGORIES[kind],
        "source": text(row, "source"),
        "release": text(row, "version"),
    }


def _count(row: Row, name: str) -> int | None:
    """How many people, which the service writes as text, sometimes as ``100.0``."""
    count = decimal(row, name)
    return None if count is None else int(count)


_READERS: dict[str, Callable[[Row, Organism], Entity]] = {
    "gene": _gene,
    "transcript": _transcript,
    "protein": _protein,
    "variant": _variant,
    "coding_variant": _coding_variant,
    "term": _term,
    "drug": _drug,
    "complex": _complex,
    "pathway": _pathway,
    "study": _study,
    "motif": _motif,
    "dataset": _dataset,
    "element": _element,
}
