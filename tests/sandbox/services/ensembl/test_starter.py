"""The starter facts, held against every recorded answer and name table that knows the same; files in test_gtf.py."""

import csv
import functools
import json
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

from biofact.sandbox.services.ensembl.facts import EnsemblGeneFacts, EnsemblTranscriptFacts
from biofact.sandbox.services.ensembl.starters import (
    STARTER_RELEASE,
    starter_genes,
    starter_retired,
    starter_species,
)
from tests.recordings import recording

GENES = {gene.id: gene for gene in starter_genes()}
HUMAN = [gene for gene in starter_genes() if gene.species == "homo_sapiens"]
TRANSCRIPTS = {transcript.id: transcript for gene in starter_genes() for transcript in gene.transcripts}
RETIRED = {retired.id: retired for retired in starter_retired()}
MODEL_ORGANISMS = {
    *("homo_sapiens", "mus_musculus", "rattus_norvegicus", "danio_rerio"),
    *("drosophila_melanogaster", "caenorhabditis_elegans", "saccharomyces_cerevisiae"),
}
GENE_FORMS = {
    "homo_sapiens": r"ENSG\d{11}",
    "mus_musculus": r"ENSMUSG\d{11}",
    "rattus_norvegicus": r"ENSRNOG\d{11}",
    "danio_rerio": r"ENSDARG\d{11}",
    "drosophila_melanogaster": r"FBgn\d{7}",
    "caenorhabditis_elegans": r"WBGene\d{8}",
    "saccharomyces_cerevisiae": r"Y[A-P][LR]\d{3}[CW]",
}
TRANSCRIPT_FORMS = {
    "homo_sapiens": r"ENST\d{11}",
    "mus_musculus": r"ENSMUST\d{11}",
    "drosophila_melanogaster": r"FBtr\d{7}",
    "caenorhabditis_elegans": r"[A-Z0-9]+\.\d+[a-z]?\.\d+",
    "saccharomyces_cerevisiae": r"Y[A-P][LR]\d{3}[CW]_mRNA",
}
XREF_FORMS = {
    "HGNC": r"HGNC:\d+",
    "EntrezGene": r"\d+",
    "MIM_GENE": r"\d{6}",
    "MIM_MORBID": r"\d{6}",
    "Uniprot/SWISSPROT": r"[A-Z]\d[A-Z0-9]{3}\d",
    "Uniprot_gn": r"[A-Z][A-Z0-9]{5,9}",
    "RefSeq_mRNA": r"NM_\d+\.\d+",
    "CCDS": r"CCDS\d+\.\d+",
    "MGI": r"MGI:\d+",
    "RGD": r"\d+",
    "ZFIN_ID": r"ZDB-GENE-\d{6}-\d+",
    "SGD": r"S\d{9}",
}
GENE_INFO = (  # the newest first: a gene in one of them is not compared with the next
    "bulk/genenorm_ncbi_info_20260421.tsv",
    "bulk/Homo_sapiens.gene_info.gz",
    "bulk/igvfsample_Mus_musculus.gene_info.gz",
    "bulk/Danio_rerio.gene_info.gz",
    "bulk/gene_info_excerpt_bio2bel.tsv",
)
SCAFFOLD = re.compile(r"HSCHR\w+|KI\d+\.\d")

# Where a starter fact is not of the recording's release.
VINTAGE = {
    ("ENSG00000198851", "name"): "renamed in 2021 or 2022",
    ("ENSG00000198899", "name"): "HGNC's own name, as its recorded table has it; gene_info has an older one",
}


def xrefs(gene: EnsemblGeneFacts, dbname: str) -> set[str]:
    return {xref.primary_id for xref in gene.xrefs if xref.dbname == dbname and xref.info_type != "PROJECTION"}


def named(gene: EnsemblGeneFacts) -> str:
    return gene.description.partition(" [Source:")[0]


def place(gene: EnsemblGeneFacts) -> tuple[str, int, int]:
    assert gene.span
    return gene.span.region, gene.span.start, gene.span.end


def table(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(recording(name).decode().splitlines(), delimiter="\t"))


def answer(name: str) -> dict[str, object]:
    return json.loads(recording(f"ensembl/{name}.json"))


def versioned(record: EnsemblGeneFacts | EnsemblTranscriptFacts) -> str:
    return f"{record.id}.{record.version}"


def test_there_are_enough_genes_of_every_kind():
    assert len(HUMAN) >= 60
    assert len(GENES) >= 85
    assert {gene.species for gene in starter_genes()} == MODEL_ORGANISMS
    assert sum(bool(gene.span and gene.version and gene.transcripts) for gene in starter_genes()) >= 30
    assert {gene.biotype for gene in HUMAN} >= {"protein_coding", "lncRNA", "miRNA", "Mt_tRNA", "processed_pseudogene"}
    assert sum(gene.description.startswith("tumor protein") for gene in HUMAN) >= 3


def test_genes_without_a_name_and_without_cross_references_are_among_them():
    assert any(not gene.symbol for gene in HUMAN)
    assert any(gene.symbol and not gene.xrefs for gene in HUMAN)


def test_a_gene_has_a_twin_of_the_same_symbol_on_a_scaffold():
    places = {gene.id: gene.span.region for gene in HUMAN if gene.symbol == "GPSM3" and gene.span}

    assert places == {"ENSG00000213654": "6", "ENSG00000236697": "HSCHR6_MHC_MANN_CTG1"}


def test_every_id_is_written_as_its_species_writes_it_and_given_once():
    ids = [gene.id for gene in starter_genes()]
    transcripts = [transcript.id for gene in starter_genes() for transcript in gene.transcripts]
    proteins = [found.translation.id for found in TRANSCRIPTS.values() if found.translation]

    assert all(re.fullmatch(GENE_FORMS[gene.species], gene.id) for gene in starter_genes())
    assert all(
        re.fullmatch(TRANSCRIPT_FORMS[gene.species], transcript.id)
        for gene in starter_genes()
        for transcript in gene.transcripts
    )
    for given in (ids, transcripts, proteins):
        assert len(given) == len(set(given))


def test_every_cross_reference_is_written_as_its_database_writes_it():
    told = {(xref.dbname, xref.primary_id) for gene in starter_genes() for xref in gene.xrefs}

    assert {dbname for dbname, _ in told} == XREF_FORMS.keys()
    assert {(dbname, value) for dbname, value in told if not re.fullmatch(XREF_FORMS[dbname], value)} == set()


def test_a_cross_reference_stands_for_gene_transcript_or_protein():
    levels = {(xref.dbname, xref.level) for xref in GENES["ENSG00000141510"].xrefs}

    assert levels == {
        *((dbname, "gene") for dbname in ("HGNC", "EntrezGene", "MIM_GENE", "MIM_MORBID", "Uniprot_gn")),
        *(("CCDS", "transcript"), ("RefSeq_mRNA", "transcript"), ("Uniprot/SWISSPROT", "translation")),
    }


def test_a_mouse_gene_has_a_projected_hgnc_row():
    rows = [xref for xref in GENES["ENSMUSG00000059552"].xrefs if xref.info_type == "PROJECTION"]

    assert [(xref.dbname, xref.primary_id, xref.display_id) for xref in rows] == [("HGNC", "HGNC:11998", "TP53")]


def test_every_gene_is_on_the_assembly_of_its_species():
    assemblies = {species.name: species.assembly for species in starter_species()}

    assert all(gene.assembly == assemblies[gene.species] for gene in starter_genes())


def test_transcripts_lie_within_their_gene():
    for gene in starter_genes():
        for transcript in gene.transcripts:
            if transcript.span:
                assert gene.span
                assert (transcript.span.region, transcript.span.strand) == (gene.span.region, gene.span.strand)
                assert gene.span.start <= transcript.span.start <= transcript.span.end <= gene.span.end, transcript.id


def test_the_canonical_transcript_is_one_of_the_gene_s_own():
    told = [gene for gene in starter_genes() if gene.canonical]

    assert len(told) >= 30
    for gene in told:
        written = {found.id if found.version is None else versioned(found) for found in gene.transcripts}
        assert gene.canonical in written, gene.id


def test_exons_lie_in_the_order_of_transcription_and_span_their_transcript():
    told = [transcript for transcript in TRANSCRIPTS.values() if transcript.exons]

    assert len(told) >= 15
    for transcript in told:
        span, exons = transcript.span, transcript.exons
        assert span, transcript.id
        assert (min(exon.start for exon in exons), max(exon.end for exon in exons)) == (span.start, span.end)
        assert all(exon.start <= exon.end for exon in exons)
        forward = exons if span.strand == 1 else exons[::-1]
        assert all(left.end < right.start for left, right in pairwise(forward)), transcript.id


def test_a_protein_is_as_long_as_the_coding_part_of_its_exons_says():
    told = [found for found in TRANSCRIPTS.values() if found.exons and found.translation and found.translation.start]

    assert {transcript.id for transcript in told} >= {"ENST00000269305", "ENST00000646891", "YFL039C_mRNA"}
    for transcript in told:
        start, end = transcript.translation.start, transcript.translation.end
        bases = sum(max(0, min(exon.end, end) - max(exon.start, start) + 1) for exon in transcript.exons)
        assert bases == 3 * (transcript.translation.length + 1), transcript.id


def test_tp53_has_its_mane_transcript_with_exons_and_protein():
    transcript = TRANSCRIPTS["ENST00000269305"]

    assert transcript in GENES["ENSG00000141510"].transcripts
    assert (transcript.mane_select, len(transcript.exons), transcript.length) == ("NM_000546.6", 11, 2512)
    assert transcript.translation
    assert (transcript.translation.id, transcript.translation.length) == ("ENSP00000269305", 393)


def test_retired_ids_are_of_every_kind_and_none_is_current():
    counts = {retired.id: len(retired.replacements) for retired in starter_retired() if retired.type == "Gene"}

    assert not RETIRED.keys() & {*GENES, *TRANSCRIPTS}
    assert set(counts.values()) == {0, 1, 2}
    assert {retired.type for retired in starter_retired()} == {"Gene", "Transcript", "Translation"}
    assert all(0 < score <= 1 for retired in starter_retired() for _, score in retired.replacements)
    assert all(retired.release < STARTER_RELEASE for retired in starter_retired())


def test_every_replacement_leads_to_a_current_record():
    proteins = {found.translation.id for found in TRANSCRIPTS.values() if found.translation}
    current = {*GENES, *TRANSCRIPTS, *proteins}
    direct = {found for retired in starter_retired() for found, _ in retired.replacements}
    onward = {found for stable_id in direct - current for found, _ in RETIRED[stable_id].replacements}

    assert direct - current == {"ENSG00000104725"}
    assert onward == {"ENSG00000277586"}
    assert onward <= current


def test_the_recorded_species_agree():
    recorded = {row["name"]: row for row in answer("info_species_species-bd9eab")["species"]}

    assert len(starter_species()) >= 20
    assert {species.name for species in starter_species()} >= MODEL_ORGANISMS
    for species in starter_species():
        row = recorded[species.name]
        assert row["release"] == STARTER_RELEASE
        assert species.display_name == row["display_name"]
        assert species.common_name == row["common_name"]
        assert species.taxon_id == int(row["taxon_id"])
        assert species.assembly == row["assembly"]
        assert species.strain == (row["strain"] or "")
        assert species.accession == (row["accession"] or "")
        assert set(species.aliases) == set(row["aliases"])


@functools.cache
def recorded_gene_info() -> dict[str, dict[str, str]]:
    """Rows of gene_info by GeneID."""
    ours = {gene_id for gene in starter_genes() for gene_id in xrefs(gene, "EntrezGene")}
    found: dict[str, dict[str, str]] = {}
    for name in GENE_INFO:
        header, *lines = recording(name).decode().splitlines()
        names = header.removeprefix("#").split("\t")
        for line in lines:
            if line.split("\t", 2)[1] in ours:
                row = dict(zip(names, line.split("\t"), strict=True))
                found.setdefault(row["GeneID"], row)
    return found


def informed() -> Iterator[tuple[EnsemblGeneFacts, dict[str, str], dict[str, set[str]]]]:
    """Genes with their row of gene_info and the IDs in it, by database."""
    rows = recorded_gene_info()
    for gene in starter_genes():
        for gene_id in xrefs(gene, "EntrezGene") & rows.keys():
            ids: dict[str, set[str]] = {}
            for reference in rows[gene_id]["dbXrefs"].split("|"):
                database, _, value = reference.partition(":")
                ids.setdefault(database, set()).add(value)
            yield gene, rows[gene_id], ids


def test_the_recorded_gene_info_agrees():
    compared = list(informed())

    differences = {}
    for gene, row, ids in compared:
        official = row["Symbol_from_nomenclature_authority"]
        told = {
            "symbol": row["Symbol"] if official == "-" else official,
            "name": row["description"] if official == "-" else row["Full_name_from_nomenclature_authority"],
            "HGNC": ids.get("HGNC", set()),
            "MGI": ids.get("MGI", set()),
            "ZFIN_ID": ids.get("ZFIN", set()),
            "MIM_GENE": ids.get("MIM", set()) if gene.span and not SCAFFOLD.match(gene.span.region) else set(),
        }
        ours = {"symbol": gene.symbol, "name": named(gene)} | {key: xrefs(gene, key) for key in [*told][2:]}
        differences |= {(gene.id, key): (ours[key], told[key]) for key in told if ours[key] != told[key]}
    assert len(compared) > 80
    assert set(differences) == set(VINTAGE), differences


def test_the_recorded_gene_info_knows_every_synonym_and_the_ensembl_id():
    for gene, row, ids in informed():
        assert {*gene.synonyms} <= {row["Symbol"], *row["Synonyms"].split("|")}, gene.id
        if "Ensembl" in ids and gene.span and not SCAFFOLD.match(gene.span.region):
            assert gene.id in ids["Ensembl"]


def test_the_recorded_gene_info_has_every_gene_on_the_same_chromosome():
    for gene, row, _ in informed():
        if gene.span and not SCAFFOLD.match(gene.span.region):
            assert gene.span.region in row["chromosome"].split("|"), gene.id


def test_the_recorded_hgnc_records_agree():
    records: list[dict[str, object]] = []
    for name in ("bulk/genenorm_hgnc_20260424.json", "bulk/hgnc_rest_fetch_hgnc_id_1101_BRCA2.json"):
        records += json.loads(recording(name))["response"]["docs"]
    several = ("uniprot_ids", "omim_id")
    for row in table("bulk/scout_hgnc_reduced_set.txt"):
        records.append(row | {key: (row[key] or "").split("|") if row[key] else [] for key in several})

    compared = [(GENES[row["ensembl_gene_id"]], row) for row in records if row.get("ensembl_gene_id") in GENES]
    assert {gene.symbol for gene, _ in compared} >= {"TP53", "BRCA2", "MT-CO1", "SRY", "LDLR", "SMN1", "SMN2"}
    for gene, row in compared:
        assert gene.symbol == row["symbol"]
        assert xrefs(gene, "HGNC") == {row["hgnc_id"]}
        assert xrefs(gene, "MIM_GENE") == {*row.get("omim_id", ())}
        assert xrefs(gene, "Uniprot/SWISSPROT") == {*row["uniprot_ids"]} or not row["uniprot_ids"]
        if row.get("mane_select") and gene.canonical:
            ensembl, refseq = row["mane_select"]
            transcript = TRANSCRIPTS[ensembl.partition(".")[0]]
            assert transcript.mane_select == refseq
            assert (versioned(transcript) == ensembl) != (gene.symbol == "BRAF")  # whose lookup is older


@pytest.mark.parametrize("name", ["lookup_id_ENSG00000133703_pori", "lookup_symbol_BRCA2"])
def test_the_recorded_lookup_of_a_gene_agrees(name):
    told = answer(name)
    gene = GENES[told["id"]]

    assert (gene.version, gene.symbol, gene.description) == (told["version"], told["display_name"], told["description"])
    assert (*place(gene), gene.span.strand) == tuple(told[key] for key in ("seq_region_name", "start", "end", "strand"))
    assert (gene.biotype, gene.canonical) == (told["biotype"], told["canonical_transcript"])
    assert (gene.species, gene.assembly) == (told["species"], told["assembly_name"])


@pytest.mark.parametrize("name", ["lookup_id_ENST00000557334_pori", "lookup-transcript-response"])
def test_the_recorded_lookup_of_a_transcript_agrees(name):
    told = answer(name)
    transcript = TRANSCRIPTS[told["id"]]

    assert transcript in GENES[told["Parent"]].transcripts
    agrees_with_lookup(transcript, told)


def agrees_with_lookup(transcript: EnsemblTranscriptFacts, told: dict[str, object]) -> None:
    assert (transcript.version, transcript.name, transcript.biotype) == (
        *(told["version"], told["display_name"], told["biotype"]),
    )
    span = transcript.span
    assert span
    assert (span.region, span.start, span.end, span.strand) == (
        *(told["seq_region_name"], told["start"], told["end"], told["strand"]),
    )


@pytest.mark.parametrize(
    "name",
    [
        *("lookup_id_ENSP00000308495_pori", "lookup_id_ENSP00000451856_pori", "lookup_id_ENSP00000452512_pori"),
        "lookup-protein-response",
    ],
)
def test_the_recorded_lookup_of_a_protein_agrees(name):
    told = answer(name)
    protein = TRANSCRIPTS[told["Parent"]].translation

    assert protein
    assert protein.id == told["id"].partition(".")[0]
    assert (protein.length, protein.start, protein.end) == (told["length"], told["start"], told["end"])
    assert "version" not in told or protein.version == told["version"]


def test_the_recorded_archive_knows_braf_as_current():
    told = {row["id"]: row for row in answer("archive_id_POST_release108")}["ENSG00000157764"]
    gene = GENES["ENSG00000157764"]

    assert (told["is_current"], told["type"], told["assembly"]) == ("1", "Gene", gene.assembly)
    assert (gene.version, told["version"]) == (13, 14)  # the lookup from which our facts come is older


@pytest.mark.parametrize("gene_id", ["ENSG00000133703", "ENSG00000157764"])
def test_the_recorded_cross_references_agree(gene_id):
    rows = answer(f"xrefs_id_{gene_id}_grch37")
    told = {(row["dbname"], row["primary_id"]) for row in rows}
    gene = GENES[gene_id]

    hgnc = {value.removeprefix("HGNC:") for value in xrefs(gene, "HGNC")}
    assert {("HGNC", value) for value in hgnc} <= told
    for dbname in ("EntrezGene", "MIM_GENE", "MIM_MORBID"):
        assert xrefs(gene, dbname)
        assert {(dbname, value) for value in xrefs(gene, dbname)} <= told
