"""The starter rows, compared with every recorded answer and name table that has the same; files in test_gtf.py."""

import csv
import functools
import json
import re
from collections.abc import Iterator

import pytest

from biofact.sandbox.services.ensembl.corpus import RELEASE
from biofact.sandbox.tables import Row
from tests.recordings import GENE_TABLES, recording
from tests.sandbox.services.ensembl.test_starter import GENES, MODEL_ORGANISMS, STARTER, TRANSCRIPTS, versioned, xrefs

pytestmark = pytest.mark.quick

# Disagreements of Ensembl with the recorded gene_info, as trackers report: the gene, and the GeneID that it names.
DISAGREEMENTS = {
    ("ENSG00000205571", "6606"): "SMN1's, at SMN2",
    ("ENSG00000104237", "107984125"): "for 6101 of RP1, wrong for several releases; the recorded gene_info has no such",
    ("ENSG00000270474", "28440"): "swapped with ENSG00000254289",
    ("ENSG00000254289", "28435"): "swapped with ENSG00000270474",
    ("ENSG00000278232", "1394"): "CRHR1 beside its readthrough, which has other genes in gene_info",
    ("ENSG00000278232", "104909134"): "the readthrough",
    ("ENSMUSG00000068240", "22186"): "Uba52's, at Gm11808",
}
SCAFFOLD = re.compile(r"HSCHR\w+|KI\d+\.\d")

# Starter facts that are not of the recording's release.
VINTAGE = {
    ("ENSG00000198851", "name"): "renamed in 2021 or 2022",
    ("ENSG00000198899", "name"): "HGNC's own name, as its recorded table has it; gene_info has an older one",
}


def name_of(gene: Row) -> str:
    return gene.get("description", "").partition(" [Source:")[0]


def place(gene: Row) -> tuple[str, int, int]:
    return gene["seq_region_name"], gene["start"], gene["end"]


def table(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(recording(name).decode().splitlines(), delimiter="\t"))


def answer(name: str) -> dict[str, object]:
    return json.loads(recording(f"ensembl/{name}.json"))


def test_the_recorded_species_agree():
    recordings = {row["name"]: row for row in answer("info_species_species-bd9eab")["species"]}

    assert len(STARTER["species"]) >= 20
    assert {species["name"] for species in STARTER["species"]} >= MODEL_ORGANISMS
    assert {species["release"] for species in STARTER["species"]} == {RELEASE}
    for species in STARTER["species"]:
        row = recordings[species["name"]]
        assert species.keys() == row.keys()
        assert species["aliases"] == sorted(row["aliases"])
        for name in species.keys() - {"aliases", "groups", "strain_collection"}:
            assert species[name] == row[name]


@functools.cache
def recorded_gene_info() -> dict[str, dict[str, str]]:
    """Rows of gene_info by GeneID."""
    gene_ids = {gene_id for gene in GENES.values() for gene_id in xrefs(gene, "EntrezGene")}
    result: dict[str, dict[str, str]] = {}
    for name in GENE_TABLES:
        header, *lines = recording(name).decode().splitlines()
        names = header.removeprefix("#").split("\t")
        for line in lines:
            if line.split("\t", 2)[1] in gene_ids:
                row = dict(zip(names, line.split("\t"), strict=True))
                result.setdefault(row["GeneID"], row)
    return result


def described_genes() -> Iterator[tuple[Row, dict[str, str], dict[str, set[str]]]]:
    """Genes with their row of gene_info and the IDs in it, by database."""
    rows = recorded_gene_info()
    for gene in GENES.values():
        gene_ids = {gene_id for ensembl_id, gene_id in DISAGREEMENTS if ensembl_id == gene["id"]}
        for gene_id in (xrefs(gene, "EntrezGene") - gene_ids) & rows.keys():
            ids: dict[str, set[str]] = {}
            for reference in rows[gene_id]["dbXrefs"].split("|"):
                database, _, value = reference.partition(":")
                ids.setdefault(database, set()).add(value)
            yield gene, rows[gene_id], ids


def test_disputed_facts_are_not_those_of_the_recorded_gene_info():
    answer = {
        (ensembl_id, gene_id): ensembl_id in recorded_gene_info().get(gene_id, {}).get("dbXrefs", "")
        for ensembl_id, gene_id in DISAGREEMENTS
    }

    assert not any(answer.values())
    assert all(gene_id in xrefs(GENES[ensembl_id], "EntrezGene") for ensembl_id, gene_id in answer)


def test_the_recorded_gene_info_agrees():
    pairs = list(described_genes())

    differences = {}
    for gene, row, ids in pairs:
        official = row["Symbol_from_nomenclature_authority"]
        answer = {
            "symbol": row["Symbol"] if official == "-" else official,
            "name": row["description"] if official == "-" else row["Full_name_from_nomenclature_authority"],
            "HGNC": ids.get("HGNC", set()),
            "MGI": ids.get("MGI", set()),
            "ZFIN_ID": ids.get("ZFIN", set()),
            "MIM_GENE": ids.get("MIM", set())
            if "start" in gene and not SCAFFOLD.match(gene.get("seq_region_name", ""))
            else set(),
        }
        own_values = {"symbol": gene.get("display_name", ""), "name": name_of(gene)} | {
            key: xrefs(gene, key) for key in [*answer][2:]
        }
        differences |= {
            (gene["id"], key): (own_values[key], answer[key]) for key in answer if own_values[key] != answer[key]
        }
    assert len(pairs) > 80
    assert set(differences) == set(VINTAGE), differences


def test_the_recorded_gene_info_knows_every_synonym_and_the_ensembl_id():
    for gene, row, ids in described_genes():
        assert {*gene["synonyms"]} <= {row["Symbol"], *row["Synonyms"].split("|")}, gene["id"]
        if "Ensembl" in ids and "start" in gene and not SCAFFOLD.match(gene.get("seq_region_name", "")):
            assert gene["id"] in ids["Ensembl"]


def test_the_recorded_gene_info_has_every_gene_on_the_same_chromosome():
    for gene, row, _ in described_genes():
        if "start" in gene and not SCAFFOLD.match(gene.get("seq_region_name", "")):
            assert gene.get("seq_region_name", "") in row["chromosome"].split("|"), gene["id"]


def test_the_recorded_hgnc_records_agree():
    records: list[dict[str, object]] = []
    for name in ("bulk/genenorm_hgnc_20260424.json", "bulk/hgnc_rest_fetch_hgnc_id_1101_BRCA2.json"):
        records += json.loads(recording(name))["response"]["docs"]
    group = ("uniprot_ids", "omim_id")
    for row in table("bulk/scout_hgnc_reduced_set.txt"):
        records.append(row | {key: (row[key] or "").split("|") if row[key] else [] for key in group})

    pairs = [(GENES[row["ensembl_gene_id"]], row) for row in records if row.get("ensembl_gene_id") in GENES]
    assert {gene.get("display_name", "") for gene, _ in pairs} >= {
        "TP53",
        "BRCA2",
        "MT-CO1",
        "SRY",
        "LDLR",
        "SMN1",
        "SMN2",
    }
    for gene, row in pairs:
        assert gene.get("display_name", "") == row["symbol"]
        assert xrefs(gene, "HGNC") == {row["hgnc_id"]}
        assert xrefs(gene, "MIM_GENE") == {*row.get("omim_id", ())}
        assert xrefs(gene, "Uniprot/SWISSPROT") == {*row["uniprot_ids"]} or not row["uniprot_ids"]
        if row.get("mane_select") and gene.get("canonical_transcript", ""):
            ensembl, refseq = row["mane_select"]
            transcript = TRANSCRIPTS[ensembl.partition(".")[0]]
            assert [match["refseq_match"] for match in transcript["MANE"]] == [refseq]
            assert (versioned(transcript) == ensembl) != (
                gene.get("display_name", "") == "BRAF"
            )  # BRAF's lookup is older


@pytest.mark.parametrize("name", ["lookup_id_ENSG00000133703_pori", "lookup_symbol_BRCA2"])
def test_the_recorded_lookup_of_a_gene_agrees(name):
    recorded_answer = answer(name)
    gene = GENES[recorded_answer["id"]]

    assert (gene.get("version"), gene.get("display_name", ""), gene.get("description", "")) == (
        recorded_answer["version"],
        recorded_answer["display_name"],
        recorded_answer["description"],
    )
    assert (*place(gene), gene["strand"]) == tuple(
        recorded_answer[key] for key in ("seq_region_name", "start", "end", "strand")
    )
    assert (gene["biotype"], gene.get("canonical_transcript", "")) == (
        recorded_answer["biotype"],
        recorded_answer["canonical_transcript"],
    )
    assert gene["species"] == recorded_answer["species"]


@pytest.mark.parametrize("name", ["lookup_id_ENST00000557334_pori", "lookup-transcript-response"])
def test_the_recorded_lookup_of_a_transcript_agrees(name):
    recorded_answer = answer(name)
    transcript = TRANSCRIPTS[recorded_answer["id"]]

    assert transcript in GENES[recorded_answer["Parent"]]["Transcript"]
    agrees_with_lookup(transcript, recorded_answer)


def agrees_with_lookup(transcript: Row, answer: dict[str, object]) -> None:
    assert (transcript.get("version"), transcript.get("display_name", ""), transcript["biotype"]) == (
        *(answer["version"], answer["display_name"], answer["biotype"]),
    )
    for name in ("seq_region_name", "start", "end", "strand"):
        assert transcript[name] == answer[name]


@pytest.mark.parametrize(
    "name",
    [
        *("lookup_id_ENSP00000308495_pori", "lookup_id_ENSP00000451856_pori", "lookup_id_ENSP00000452512_pori"),
        "lookup-protein-response",
    ],
)
def test_the_recorded_lookup_of_a_protein_agrees(name):
    recorded_answer = answer(name)
    protein = TRANSCRIPTS[recorded_answer["Parent"]]["Translation"]

    assert protein["id"] == recorded_answer["id"].partition(".")[0]
    assert (protein.get("length"), protein.get("start"), protein.get("end")) == (
        recorded_answer["length"],
        recorded_answer["start"],
        recorded_answer["end"],
    )
    assert "version" not in recorded_answer or protein.get("version") == recorded_answer["version"]


def test_the_recorded_archive_knows_braf_as_current():
    recorded_archive = {row["id"]: row for row in answer("archive_id_POST_release108")}["ENSG00000157764"]
    gene = GENES["ENSG00000157764"]

    assert (recorded_archive["is_current"], recorded_archive["type"], recorded_archive["assembly"]) == (
        "1",
        "Gene",
        "GRCh38",
    )
    assert (gene.get("version"), recorded_archive["version"]) == (
        13,
        14,
    )  # the lookup from which our facts come is older


@pytest.mark.parametrize("gene_id", ["ENSG00000133703", "ENSG00000157764"])
def test_the_recorded_cross_references_agree(gene_id):
    rows = answer(f"xrefs_id_{gene_id}_grch37")
    pairs = {(row["dbname"], row["primary_id"]) for row in rows}
    gene = GENES[gene_id]

    hgnc = {value.removeprefix("HGNC:") for value in xrefs(gene, "HGNC")}
    assert {("HGNC", value) for value in hgnc} <= pairs
    for dbname in ("EntrezGene", "MIM_GENE", "MIM_MORBID"):
        assert xrefs(gene, dbname)
        assert {(dbname, value) for value in xrefs(gene, dbname)} <= pairs
