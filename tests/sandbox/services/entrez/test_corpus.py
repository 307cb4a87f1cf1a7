"""The gene corpus: the recorded gene_info files, read and searched."""

import gzip
import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest
from benchmarks.symbols import corpus as all_genes

from biofact.sandbox.dialects.eutils.standin import EutilsStandIn
from biofact.sandbox.services.entrez.corpus import GeneCorpus, NcbiGeneFacts, gene_info, starter_genes
from biofact.sandbox.services.entrez.standin import GeneDatabase, stand_ins
from biofact.sandbox.standin import ServiceRequest
from biofact.sandbox.word_index import folded
from tests.recordings import needs_recordings
from tests.sandbox.few_genes import few_and_all

pytestmark = pytest.mark.quick

ROW = (
    "9606\t1\tA1BG\t-\tA1B|ABG|GAB|HYST2477\tMIM:138670|HGNC:HGNC:5|Ensembl:ENSG00000121410|AllianceGenome:HGNC:5"
    "\t19\t19q13.43\talpha-1-B glycoprotein\tprotein-coding\tA1BG\talpha-1-B glycoprotein\tO"
    "\talpha-1B-glycoprotein|epididymis secretory sperm binding protein Li 163pA\t20210708\t-"
)
EMPTY_ROW = "9606\t170\tAFA\t-\t-\t-\t-\t-\t-\tunknown\t-\t-\t-\t-\t20241207\t-"


@pytest.fixture
def database(recorded_genes: Callable[[], Path]) -> GeneDatabase:
    return stand_ins(recorded_genes())[0].database


@pytest.fixture
def corpus(database: GeneDatabase) -> GeneCorpus:
    return database.corpus  # a second one would take seconds and 200 MB again


def test_a_row_is_read_column_by_column():
    assert gene_info(ROW) == NcbiGeneFacts(
        gene_id="1",
        symbol="A1BG",
        taxon_id=9606,
        name="alpha-1-B glycoprotein",
        gene_type="protein-coding",
        chromosomes=("19",),
        map_location="19q13.43",
        aliases=("A1B", "ABG", "GAB", "HYST2477"),
        designations=("alpha-1B-glycoprotein", "epididymis secretory sperm binding protein Li 163pA"),
        official_symbol="A1BG",
        official_name="alpha-1-B glycoprotein",
        nomenclature="Official",
        hgnc="HGNC:5",
        ensembl=("ENSG00000121410",),
        omim=("138670",),
    )


def test_hyphens_in_a_row_are_nothing():
    assert gene_info(EMPTY_ROW) == NcbiGeneFacts(gene_id="170", symbol="AFA", gene_type="unknown")


def test_other_species_identifiers_have_one_spelling():
    def mim_of(references: str) -> str:
        return gene_info(
            ROW.replace("MIM:138670|HGNC:HGNC:5|Ensembl:ENSG00000121410|AllianceGenome:HGNC:5", references)
        ).alliance

    assert mim_of("MGI:MGI:87854|AllianceGenome:MGI:87854") == "MGI:87854"
    assert mim_of("MGI:MGI:87854") == "MGI:87854"
    assert mim_of("ZFIN:ZDB-GENE-980526-104") == "ZFIN:ZDB-GENE-980526-104"
    assert mim_of("RGD:70500|Ensembl:ENSRNOG00000001849") == "RGD:70500"
    assert mim_of("FLYBASE:FBgn0003256") == "FB:FBgn0003256"
    assert mim_of("HGNC:HGNC:5|AllianceGenome:HGNC:5") == ""


@needs_recordings
@few_and_all
def test_a_row_is_as_long_as_its_gene(corpus):
    uids = sorted(corpus.uids)[:: max(1, len(corpus.uids) // 4000)]

    assert len(uids) > 500
    assert [corpus.extent(uid) for uid in uids] == [corpus[uid].extent for uid in uids]


def test_words_are_folded_as_the_index_folds_them():
    assert folded("TNF-alpha (soluble), NKX2-5") == "tnf alpha soluble nkx2 5"


def test_a_phrase_does_not_span_two_values():
    small = GeneCorpus([], [ROW])

    assert small.with_words("b glycoprotein") == ["1"]
    assert small.with_words("glycoprotein epididymis") == []
    assert small.with_words("glycoprotein b") == []
    assert small.with_words("a1bg a1b") == []


def test_words_that_hundreds_of_genes_have_are_found_side_by_side():
    rows = [ROW.replace("\t1\t", f"\t{number}\t", 1) for number in range(1000, 1300)]
    replaces = [ROW.replace("\t1\t", f"\t{number}\t", 1).replace("-1-B", "-2-B") for number in range(2000, 2300)]

    assert set(GeneCorpus([], rows + replaces).with_words("1 b glycoprotein")) == {row.split("\t")[1] for row in rows}


def test_a_star_stands_for_the_rest_of_a_word():
    small = GeneCorpus([], [ROW])

    assert small.with_words("epidid*") == ["1"]
    assert small.with_words("secretory sper*") == ["1"]
    assert small.with_words("secretory spermi*") == []


def test_a_phrase_without_a_word_finds_nothing():
    assert GeneCorpus([], [ROW]).with_words("-*") == []


def test_without_its_files_the_corpus_is_the_starter_set(tmp_path):
    assert GeneCorpus.recorded(tmp_path, starter_genes()).uids == {gene.gene_id for gene in starter_genes()}


@needs_recordings
@few_and_all
def test_every_row_but_placeholders_is_a_gene(corpus, database, recorded_genes):
    answer, known_values = defaultdict[int, set[str]](set), defaultdict[int, set[str]](set)
    for name in ("Homo_sapiens.gene_info.gz", "Danio_rerio.gene_info.gz", "igvfsample_Mus_musculus.gene_info.gz"):
        with gzip.open(recorded_genes() / "bulk" / name, "rt", encoding="utf-8") as rows:
            for taxon_id, uid, symbol, _ in (row.split("\t", 3) for row in rows if not row.startswith("#")):
                answer[int(taxon_id)] |= {uid} if symbol != "NEWENTRY" else set()
    for gene in starter_genes():
        known_values[gene.taxon_id].add(gene.gene_id)

    for taxon_id in (9606, 7955, 10090, 63221, 741158, 10092):
        uids = corpus.index.by_taxon[taxon_id]
        other_values = set(uids) - answer[taxon_id] - known_values[taxon_id]
        assert len(uids) == len(set(uids))
        assert answer[taxon_id] | known_values[taxon_id] <= set(uids)
        assert {corpus[uid].status for uid in other_values} <= {"secondary", "discontinued"}  # retired since
    assert sum(map(len, answer.values())) > (219_000 if recorded_genes is all_genes else 600)
    assert database.lookup("sym", "newentry") == []


@needs_recordings
@few_and_all
def test_starter_facts_stand_before_those_of_a_file(corpus):
    cd3e = corpus["916"]

    assert cd3e.name == "CD3 epsilon subunit of T-cell receptor complex"
    assert cd3e.places[0].start == 118304730
    assert cd3e.designations[-1] == "T-cell surface antigen T3/Leu-4 epsilon chain"
    assert len(corpus["7157"].pmids) > 100


@needs_recordings
@few_and_all
def test_a_gene_retired_since_the_file_was_made_is_not_alive(corpus):
    sppm = corpus["8090"]

    assert (sppm.symbol, sppm.status, sppm.current_id, sppm.discontinued_on) == (
        "SPPM",
        "secondary",
        "4625",
        "2024-09-13",
    )
    assert "8090" not in corpus.index.alive


@needs_recordings
@few_and_all
def test_human_takes_in_the_taxa_below_it(corpus, database):
    human = database.lookup("orgn", "human")

    assert {corpus[uid].taxon_id for uid in human} == {9606, 63221, 741158}
    assert human == sorted(human, key=int)
    assert {corpus[uid].taxon_id for uid in database.lookup("tid", "9606")} == {9606}


@needs_recordings
@few_and_all
def test_names_are_found_whole_or_by_their_words(database):
    assert set(database.lookup("gene name", "pd-1")) >= {"5133"}
    assert "3643" in database.lookup("gene full name", "insulin receptor")
    assert "3643" not in database.lookup("gene name", "insulin")
    assert database.lookup("all fields", "ensg00000171105") == ["3643"]
    assert set(database.lookup("gene name", "psa")) >= {"354", "9520"}
    assert set(database.lookup("sym", "tp53")) == {"7157", "30590", "24842"}


@needs_recordings
@few_and_all
def test_regions_rank_below_the_genes_they_are_named_after(corpus, database):
    hits = database.lookup("all fields", "sonic hedgehog")
    ranked = [corpus[uid] for uid in database.rank(hits, "relevance")]

    assert ranked[0].gene_type == "protein-coding"
    kinds = [gene.gene_type == "biological-region" for gene in ranked]
    assert any(kinds)
    assert not any(kinds[: len(kinds) // 2])


@needs_recordings
@few_and_all
def test_a_search_through_the_stand_in_finds_the_one_gene(database):
    term = "BRCA1[sym] AND human[orgn] AND alive[prop]"
    params = (("db", "gene"), ("term", term), ("retmode", "json"), ("sort", "relevance"))

    reply = EutilsStandIn(database).reply(ServiceRequest("GET", "/esearch.fcgi", params))

    result = json.loads(reply.body)["esearchresult"]
    assert result["idlist"] == ["672"]
    assert result["translationset"] == [{"from": "human[orgn]", "to": '"Homo sapiens"[Organism]'}]
