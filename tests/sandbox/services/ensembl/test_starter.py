"""The starter rows: whole and consistent."""

import re
from itertools import pairwise

import pytest

from biofact.sandbox.services.ensembl.corpus import RELEASE, rows_of_starter, whole_genes
from biofact.sandbox.tables import Row
from tests.recordings import recording

pytestmark = pytest.mark.quick

STARTER = rows_of_starter()
GENES = {gene["id"]: gene for gene in whole_genes(STARTER)}
HUMAN = [gene for gene in GENES.values() if gene["species"] == "homo_sapiens"]
TRANSCRIPTS = {transcript["id"]: transcript for gene in GENES.values() for transcript in gene.get("Transcript", ())}
PROTEINS = [transcript["Translation"]["id"] for transcript in TRANSCRIPTS.values() if "Translation" in transcript]
RETIRED = {row["id"]: row for row in STARTER["retired"]}
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
    "RefSeq_mRNA": r"NM_\d+",
    "CCDS": r"CCDS\d+\.\d+",
    "MGI": r"MGI:\d+",
    "RGD": r"\d+",
    "ZFIN_ID": r"ZDB-GENE-\d{6}-\d+",
    "SGD": r"S\d{9}",
}


def xrefs(gene: Row, dbname: str) -> set[str]:
    return {
        xref["primary_id"] for xref in gene["xrefs"] if xref["dbname"] == dbname and xref["info_type"] != "PROJECTION"
    }


def versioned(record: Row) -> str:
    return f"{record['id']}.{record.get('version')}"


def test_there_are_enough_genes_of_every_kind():
    assert len(HUMAN) >= 60
    assert len(GENES) >= 85
    assert {gene["species"] for gene in GENES.values()} == MODEL_ORGANISMS
    assert (
        sum(bool("start" in gene and gene.get("version") and gene.get("Transcript", [])) for gene in GENES.values())
        >= 30
    )
    assert {gene["biotype"] for gene in HUMAN} >= {
        "protein_coding",
        "lncRNA",
        "miRNA",
        "Mt_tRNA",
        "processed_pseudogene",
    }
    assert sum(gene.get("description", "").startswith("tumor protein") for gene in HUMAN) >= 3


def test_genes_without_a_name_and_without_cross_references_are_among_them():
    assert any(not gene.get("display_name", "") for gene in HUMAN)
    assert any(gene.get("display_name", "") and not gene["xrefs"] for gene in HUMAN)


def test_a_gene_has_a_twin_of_the_same_symbol_on_a_scaffold():
    places = {
        gene["id"]: gene.get("seq_region_name", "")
        for gene in HUMAN
        if gene.get("display_name", "") == "GPSM3" and "start" in gene
    }

    assert places == {"ENSG00000213654": "6", "ENSG00000236697": "HSCHR6_MHC_MANN_CTG1"}


def test_every_id_is_written_as_its_species_writes_it_and_given_once():
    genes, transcripts = ([row["id"] for row in STARTER[table]] for table in ("gene", "transcript"))

    assert all(re.fullmatch(GENE_FORMS[gene["species"]], gene["id"]) for gene in GENES.values())
    assert all(
        re.fullmatch(TRANSCRIPT_FORMS[gene["species"]], transcript["id"])
        for gene in GENES.values()
        for transcript in gene.get("Transcript", [])
    )
    assert {row["Parent"] for row in STARTER["transcript"]} <= GENES.keys()
    for gene in (genes, transcripts, PROTEINS):
        assert len(gene) == len(set(gene))


def test_every_cross_reference_is_written_as_its_database_writes_it():
    pairs = {(xref["dbname"], xref["primary_id"]) for gene in GENES.values() for xref in gene["xrefs"]}

    assert {dbname for dbname, _ in pairs} == XREF_FORMS.keys()
    assert {(dbname, value) for dbname, value in pairs if not re.fullmatch(XREF_FORMS[dbname], value)} == set()


def test_a_cross_reference_stands_for_gene_transcript_or_protein():
    levels = {(xref["dbname"], xref["level"]) for xref in GENES["ENSG00000141510"]["xrefs"]}

    assert levels == {
        *((dbname, "gene") for dbname in ("HGNC", "EntrezGene", "MIM_GENE", "MIM_MORBID", "Uniprot_gn")),
        *(("CCDS", "transcript"), ("RefSeq_mRNA", "transcript"), ("Uniprot/SWISSPROT", "translation")),
    }


def test_repeated_facts_agree():
    levels = {(xref["dbname"], xref["level"]) for gene in GENES.values() for xref in gene["xrefs"]}
    partners = {match["refseq_match"] for transcript in TRANSCRIPTS.values() for match in transcript["MANE"]}

    assert len(levels) == len(XREF_FORMS)
    assert len(partners) > 30
    rows = [xref for gene in GENES.values() for xref in gene["xrefs"] if xref["dbname"] == "RefSeq_mRNA"]
    assert partners == {row["display_id"] for row in rows}
    assert all(row["display_id"].partition(".")[0] == row["primary_id"] for row in rows)


def test_a_mouse_gene_has_a_projected_hgnc_row():
    rows = [xref for xref in GENES["ENSMUSG00000059552"]["xrefs"] if xref["info_type"] == "PROJECTION"]

    assert [(xref["dbname"], xref["primary_id"], xref.get("display_id")) for xref in rows] == [
        ("HGNC", "HGNC:11998", "TP53")
    ]


def test_transcripts_lie_within_their_gene():
    for gene in GENES.values():
        for transcript in gene.get("Transcript", []):
            if "start" in transcript:
                assert gene["start"] <= transcript["start"] <= transcript["end"] <= gene["end"], transcript["id"]


def test_the_canonical_transcript_is_one_of_the_gene_s_own_written_as_ensembl_sends_it():
    genes = [gene for gene in GENES.values() if gene.get("canonical_transcript", "")]

    assert len(genes) >= 30
    for gene in genes:
        # A dot without a version in species without versions; a version that is not known is left out.
        bare_ending = "" if gene["id"].startswith("ENS") else "."
        ids = {
            f"{result['id']}{bare_ending}" if result.get("version") is None else versioned(result)
            for result in gene.get("Transcript", [])
        }
        assert gene["canonical_transcript"] in ids, gene["id"]
    assert {gene["species"] for gene in genes if gene["canonical_transcript"].endswith(".")} == {
        *("drosophila_melanogaster", "caenorhabditis_elegans", "saccharomyces_cerevisiae"),
    }


def test_a_yeast_gene_and_its_protein_share_an_id_and_so_do_a_worm_transcript_and_its_protein():
    of_protein = {row["Translation"]["id"]: row for row in TRANSCRIPTS.values() if "Translation" in row}

    assert of_protein.keys() & GENES.keys() == {"YER109C", "YFL039C", "YGR088W", "YLR113W", "YNL098C"}
    assert of_protein.keys() & TRANSCRIPTS.keys() == {"R107.8.1"}


def test_exons_lie_in_the_order_of_transcription_and_span_their_transcript():
    transcripts = [transcript for transcript in TRANSCRIPTS.values() if transcript.get("Exon", [])]

    assert len(transcripts) >= 15
    for transcript in transcripts:
        exons = transcript["Exon"]
        whole = (min(exon.get("start") for exon in exons), max(exon.get("end") for exon in exons))
        assert whole == (transcript["start"], transcript["end"])
        assert transcript["length"] == sum(exon["end"] - exon["start"] + 1 for exon in exons)
        assert all(exon.get("start") <= exon.get("end") for exon in exons)
        forward = exons if transcript["strand"] == 1 else exons[::-1]
        assert all(remaining.get("end") < right.get("start") for remaining, right in pairwise(forward)), transcript[
            "id"
        ]


def test_a_protein_is_as_long_as_the_coding_part_of_its_exons_says():
    transcripts = [
        result for result in TRANSCRIPTS.values() if "Exon" in result and "start" in result.get("Translation", ())
    ]

    assert {transcript["id"] for transcript in transcripts} >= {"ENST00000269305", "ENST00000646891", "YFL039C_mRNA"}
    for transcript in transcripts:
        start, end = transcript["Translation"]["start"], transcript["Translation"]["end"]
        bases = sum(
            max(0, min(exon.get("end"), end) - max(exon.get("start"), start) + 1) for exon in transcript.get("Exon", [])
        )
        assert bases == 3 * (transcript["Translation"]["length"] + 1), transcript["id"]


def test_tp53_has_its_mane_transcript_with_exons_and_protein():
    transcript = TRANSCRIPTS["ENST00000269305"]

    assert transcript in GENES["ENSG00000141510"]["Transcript"]
    [mane] = transcript["MANE"]
    assert (mane["refseq_match"], len(transcript["Exon"]), transcript["length"]) == ("NM_000546.6", 11, 2512)
    assert (transcript["Translation"]["id"], transcript["Translation"]["length"]) == ("ENSP00000269305", 393)


def test_retired_ids_are_of_every_kind_and_none_is_current():
    rows = STARTER["retired"]
    counts = {len(row["possible_replacement"]) for row in rows if row["type"] == "Gene"}

    assert not RETIRED.keys() & {*GENES, *TRANSCRIPTS}
    assert counts == {0, 1, 2}
    assert {row["type"] for row in rows} == {"Gene", "Transcript", "Translation"}
    assert all(0 < item["score"] <= 1 for row in rows for item in row["possible_replacement"])
    assert all(int(row["release"]) < RELEASE for row in rows)
    assert all(row["latest"] == f"{row['id']}.{row['version']}" for row in rows)


def test_every_replacement_leads_to_a_current_record():
    current = {*GENES, *TRANSCRIPTS, *PROTEINS}
    direct = {uid for stable_id in RETIRED for uid in replacements(stable_id)}
    uids = {uid for stable_id in direct - current for uid in replacements(stable_id)}

    assert direct - current == {"ENSG00000104725"}
    assert uids == {"ENSG00000277586"}
    assert uids <= current


def replacements(stable_id: str) -> list[str]:
    return [item["stable_id"] for item in RETIRED[stable_id]["possible_replacement"]]


def test_refseqs_accession_stands_with_its_version_beside_it_as_in_ensembls_table():
    """``dbprimary_acc`` and ``display_label`` of the recorded table: both find the transcript."""
    lines = recording("bulk/ensembl_coredb_homo_sapiens_xref.txt").decode().splitlines()
    splits = [line.split("\t")[2:4] for line in lines if re.search(r"\tN[MR]_\d", line)]
    starters = [
        [xref["primary_id"], xref["display_id"]]
        for gene in GENES.values()
        for xref in gene["xrefs"]
        if xref["dbname"].startswith("RefSeq_")
    ]

    for rows in (splits, starters):
        assert len(rows) >= 10
        assert all(re.fullmatch(rf"{primary}\.\d+", display) for primary, display in rows)
        assert all(re.fullmatch(r"N[MR]_\d{6,9}", primary) for primary, _ in rows)
