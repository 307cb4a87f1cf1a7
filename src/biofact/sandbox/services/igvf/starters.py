"""The starter facts of the IGVF Catalog, chosen for this project, in ``starter/``."""

import functools
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from biofact.sandbox.dialects import starter
from biofact.sandbox.dialects.starter import decimal, integer
from biofact.sandbox.services.igvf.facts import (
    CodingVariantFacts,
    ComplexFacts,
    DatasetFacts,
    DrugFacts,
    EdgeFacts,
    ElementFacts,
    Facts,
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

EDGES = (
    "regulatory.tsv",
    "genetic.tsv",
    "physical.tsv",
    "functional.tsv",
    "pharmacological.tsv",
    "coding.tsv",
    "ld.tsv",
)
"""The files with rows of edges; those of genes, transcripts and proteins stand in the tables of these."""

_PLACE = re.compile(r"(\d+|X|Y|MT):(\d+)-(\d+)(?::([+-]))?")
_FIELD = re.compile(r"\w+=")
_SPAN = re.compile(r"(\d+)-(\d+)")
_MOUSE = re.compile(r"NC_0000(?:6[7-9]|7\d|8[0-7])\.\d+|NC_005089\.\d+")
_FLAGS = {"": False, "yes": True}
_GIVEN_BY = {"gene_transcript": {"source": "GENCODE"}, "transcript_protein": {"source": "UniProt"}}
_rows = functools.partial(starter.rows, __package__)
_lines = functools.partial(starter.lines, __package__)


@functools.cache
def starter_facts() -> Facts:
    """All starter facts, in the order of the files.

    Raises:
        ValueError: A file holds what cannot be read; the message says what was expected.
    """
    genes = tuple(_gene(cells) for cells in _rows("genes.tsv", 8))
    by_id = {gene.id: gene for gene in genes}
    transcripts = tuple(_transcript(cells, by_id) for cells in _rows("transcripts.tsv", 6))
    proteins = list(_rows("proteins.tsv", 8))
    return Facts(
        genes=genes,
        transcripts=transcripts,
        proteins=tuple(_protein(cells, by_id) for cells in proteins),
        variants=tuple(_variant(cells) for cells in _rows("variants.tsv", 7)),
        coding_variants=tuple(_coding_variant(cells) for cells in _rows("coding_variants.tsv", 12)),
        terms=tuple(_term(cells) for cells in _rows("terms.tsv", 6)),
        drugs=tuple(DrugFacts(id=cells[0], name=cells[1], terms=_list(cells[2])) for cells in _rows("drugs.tsv", 3)),
        complexes=tuple(_complex(cells) for cells in _rows("complexes.tsv", 5)),
        studies=tuple(_study(cells) for cells in _rows("studies.tsv", 10)),
        pathways=tuple(_pathway(cells) for cells in _rows("pathways.tsv", 8)),
        motifs=tuple(_motif(cells) for cells in _rows("motifs.tsv", 4)),
        elements=tuple(_element(cells) for cells in _rows("elements.tsv", 7)),
        datasets=tuple(_dataset(cells) for cells in _rows("datasets.tsv", 8)),
        edges=(*_structure(transcripts, proteins), *(edge for name in EDGES for edge in _edges(_lines(name), name))),
    )


def _edges(lines: Iterator[str], name: str) -> Iterator[EdgeFacts]:
    """The rows of a file of edges: below ``@edge`` and what its rows have in common, subject, object and the rest."""
    edge, shared = "", dict[str, Any]()
    for line in lines:
        first, *cells = line.split("\t")
        if first.startswith("@"):
            edge, shared = first[1:], _fields(cells, line)
            continue
        if not edge or not cells or _FIELD.match(first) or _FIELD.match(cells[0]):
            raise ValueError(f"{line!r} of {name} is not a row; expected a subject and an object below a line '@edge'.")
        yield EdgeFacts(edge=edge, subject=first, object=cells[0], fields={**shared, **_fields(cells[1:], line)})


def _fields(cells: list[str], line: str) -> dict[str, Any]:
    return dict(_field(cell, line) for cell in cells)


def _field(cell: str, line: str) -> tuple[str, Any]:
    """``name=value``; a value is JSON where it reads as such, else text."""
    name, equals, value = cell.partition("=")
    if not equals or not name or not value:
        raise ValueError(f"{line!r} has a cell {cell!r}; expected a form like 'z_score=1.5'.")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        if value[0] in '[{"':
            raise ValueError(
                f'{line!r} has {value!r}, which is not JSON; expected a form like \'["a", "b"]\'.'
            ) from None
        return name, value


def _structure(transcripts: tuple[TranscriptFacts, ...], proteins: list[list[str]]) -> Iterator[EdgeFacts]:
    for transcript in transcripts:
        yield _made("gene_transcript", transcript.gene, transcript.id)
    known = {transcript.id for transcript in transcripts}
    for protein, gene, made_of, *_ in proteins:
        yield _made("gene_protein", gene, protein)
        if made_of and made_of not in known:
            raise ValueError(f"{protein} names the transcript {made_of!r}; expected one of transcripts.tsv.")
        if made_of:
            yield _made("transcript_protein", made_of, protein)


def _made(edge: str, subject: str, made: str) -> EdgeFacts:
    return EdgeFacts(edge=edge, subject=subject, object=made, fields=_GIVEN_BY.get(edge, {}))


def _gene(cells: list[str]) -> GeneFacts:
    gene_id, symbol, place, kind, hgnc, entrez, synonyms, sets = cells
    collections, _, study_sets = sets.partition(";")
    return GeneFacts(
        id=gene_id,
        symbol=symbol,
        type=kind,
        hgnc=hgnc,
        entrez=entrez,
        synonyms=_list(synonyms),
        collections=_list(collections),
        study_sets=_list(study_sets),
        organism=_organism(gene_id),
        **_place(place, gene_id),
    )


def _transcript(cells: list[str], genes: Mapping[str, GeneFacts]) -> TranscriptFacts:
    transcript_id, name, gene_id, span, kind, is_mane_select = cells
    gene = _known_gene(gene_id, transcript_id, genes)
    start, end = _span(span, transcript_id) if span else (gene.start, gene.end)
    return TranscriptFacts(
        id=transcript_id,
        name=name or transcript_id,
        gene=gene_id,
        chromosome=gene.chromosome,
        start=start,
        end=end,
        strand=gene.strand,
        type=kind,
        is_mane_select=_flag(is_mane_select, transcript_id),
        organism=gene.organism,
    )


def _protein(cells: list[str], genes: Mapping[str, GeneFacts]) -> ProteinFacts:
    protein_id, gene_id, _, names, full_names, accessions, xrefs, is_mane_select = cells
    gene = _known_gene(gene_id, protein_id, genes)
    return ProteinFacts(
        id=protein_id,
        name=gene.symbol,
        uniprot_names=_list(names),
        uniprot_full_names=_list(full_names),
        uniprot_ids=_list(accessions),
        xrefs=tuple(_pair(word, protein_id) for word in xrefs.split()),
        is_mane_select=_flag(is_mane_select, protein_id),
        organism=gene.organism,
    )


def _variant(cells: list[str]) -> VariantFacts:
    spdi, rsids, hgvs, ca_id, category, frequencies, strains = cells
    facts: dict[str, Any] = {"category": category}
    return VariantFacts(
        spdi=spdi,
        rsids=_list(rsids),
        hgvs=hgvs,
        ca_id=ca_id,
        frequencies=_numbers(frequencies, spdi),
        strains=_list(strains),
        organism="mouse" if _MOUSE.match(spdi) else "human",
        **facts,
    )


def _coding_variant(cells: list[str]) -> CodingVariantFacts:
    coding_id, name, gene, protein, protein_name, transcript, hgvs_p, hgvs_c, position, ref, alt, scores = cells
    return CodingVariantFacts(
        id=coding_id,
        name=name or coding_id,
        gene_name=gene,
        protein=protein,
        protein_name=protein_name,
        transcript=transcript,
        hgvs_p=hgvs_p,
        hgvs_c=hgvs_c,
        position=integer(position),
        ref=ref,
        alt=alt,
        scores=_numbers(scores, coding_id),
    )


def _term(cells: list[str]) -> TermFacts:
    term_id, source, name, synonyms, subontology, description = cells
    return TermFacts(
        id=term_id,
        name=name,
        source=source,
        synonyms=_list(synonyms),
        description=description,
        subontology=subontology,
    )


def _complex(cells: list[str]) -> ComplexFacts:
    complex_id, name, aliases, molecules, description = cells
    return ComplexFacts(
        id=complex_id, name=name, description=description, aliases=_list(aliases), molecules=_list(molecules)
    )


def _study(cells: list[str]) -> StudyFacts:
    study_id, pmid, author, date, journal, title, trait, terms, sample_size, cases = cells
    return StudyFacts(
        id=study_id,
        pmid=pmid,
        author=author,
        date=date,
        journal=journal,
        title=title,
        trait=trait,
        terms=_list(terms),
        sample_size=integer(sample_size) if sample_size else None,
        cases=integer(cases) if cases else None,
    )


def _pathway(cells: list[str]) -> PathwayFacts:
    pathway_id, version, name, aliases, is_in_disease, is_top_level, disease_terms, go_process = cells
    return PathwayFacts(
        id=pathway_id,
        version=integer(version),
        name=name,
        aliases=_list(aliases),
        is_in_disease=_flag(is_in_disease, pathway_id),
        is_top_level=_flag(is_top_level, pathway_id),
        disease_terms=_list(disease_terms),
        go_process=go_process,
    )


def _motif(cells: list[str]) -> MotifFacts:
    motif_id, tf_name, length, source = cells
    return MotifFacts(id=motif_id, tf_name=tf_name, length=integer(length), source=source)


def _element(cells: list[str]) -> ElementFacts:
    element_id, organism, place, kind, annotation, method, source = cells
    where = _place(place, element_id)
    facts: dict[str, Any] = {"organism": organism, **{key: where[key] for key in ("chromosome", "start", "end")}}
    return ElementFacts(id=element_id, type=kind, annotation=annotation, method=method, source=source, **facts)


def _dataset(cells: list[str]) -> DatasetFacts:
    dataset_id, file_set, lab, method, kind, source, samples, collections = cells
    return DatasetFacts(
        id=dataset_id,
        file_set=file_set,
        lab=lab,
        method=method,
        kind=kind,
        source=source,
        samples=_list(samples),
        collections=_list(collections),
    )


def _known_gene(gene_id: str, where: str, genes: Mapping[str, GeneFacts]) -> GeneFacts:
    if gene_id not in genes:
        raise ValueError(f"{where} names the gene {gene_id!r}; expected one of genes.tsv.")
    return genes[gene_id]


def _organism(ensembl_id: str) -> Organism:
    return "mouse" if ensembl_id.startswith("ENSMUS") else "human"


def _place(text: str, where: str) -> dict[str, Any]:
    match = _PLACE.fullmatch(text)
    if not match:
        raise ValueError(f"{where} has the place {text!r}; expected a form like '17:43044295-43170245:-'.")
    return {"chromosome": match[1], "start": int(match[2]), "end": int(match[3]), "strand": match[4] or ""}


def _span(text: str, where: str) -> tuple[int, int]:
    match = _SPAN.fullmatch(text)
    if not match:
        raise ValueError(f"{where} has the span {text!r}; expected a form like '43044295-43125364'.")
    return int(match[1]), int(match[2])


def _list(text: str) -> tuple[str, ...]:
    return tuple(text.split("|")) if text else ()


def _numbers(text: str, where: str) -> dict[str, float]:
    return {key: decimal(value) for key, value in (_pair(word, where) for word in text.split())}


def _pair(word: str, where: str) -> tuple[str, str]:
    key, equals, value = word.partition("=")
    if not equals or not key or not value:
        raise ValueError(f"{where} has {word!r}; expected a form like 'gnomad_af_total=0.25'.")
    return key, value


def _flag(text: str, where: str) -> bool:
    if text not in _FLAGS:
        raise ValueError(f"{where} has {text!r}; expected 'yes' or '-'.")
    return _FLAGS[text]
