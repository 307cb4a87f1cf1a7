"""Columns of gene names, a few or drawn from the recorded gene files; ``benchmarks.resolve`` asks for 1,000 and 300."""

import functools
import re
from collections import Counter

import pytest
from benchmarks.resolve import _Meaning, allowed_seconds, drawn_names, judge, signed_names
from benchmarks.symbols import FLY, HUMAN, ZEBRAFISH, _fly_rows, corpus, gene_rows
from rs_bpe.bpe import openai

from biofact.identity.client import IdentityClient
from biofact.identity.resolver import Resolver
from biofact.sandbox.dialects.gene_info import gene_row
from biofact.sources import clients
from tests import virtual_time
from tests.recordings import folder_of_genes, needs_recordings, recorded_genes
from tests.sandboxed import WHOLE, transported

pytestmark = [pytest.mark.quick, needs_recordings]

TOKENIZER = openai.o200k_base()
GENES = (
    "728433 9358 79137 113540 100529251 3641 107882132 54910 105376736 100147815 729200 109623484 107985655 6302 "
    "54187 55835 163786 594840 3230 3231 3232 3233 3234 3235 3236 3237 767 770 27063 56934 80013 80196 117584 "
    "4507 10330 10903 51747 6489 117189 9826 414245 2811 100129347 91607 79999 400581 118597830 121506 646231 "
    "336910 101885423 101885291 108183708 450064 492789 492796 654715 654658 654660 654665 606628 562347 "
)
"""GeneIDs of man and zebrafish: the genes of the names below, and all with a word of a name in their rows."""
SOME_NAMES = {
    "symbol": "FGF7P7 ITGBL1 RETREG2 CMTM1 INSL4 SEMA4C EXOSC10-AS1 RNU7-28P LOC729200 SNORD146 S100A11P9",
    "alias": "SAS HOX4 CARP MSAP CRA GD3 PDZ-RHOGEF bA537A6.3 CD42b-alpha C9orf73",  # the first five of several genes
    "case": "slfn11 grapl erp27 agpat5p1",
    "none": "NWDP20 BPDZ11 ESMW39 FBPR18 GSNF15 RKHP53 AATT67 BBZH58 PWNF74 WMWX46",
}
SIGNED = {
    "fly": "E(spl)m8-HLH E(spl)m5-HLH mt:ND2 mt:ND4L Su(var)3-3 l(3)80Fg tRNA:SeC-TCA-1-1 e(y)2",
    "zebrafish": "wu:fk27f05 si:dkey-22h13.6 zgc:101664 sb:eu956 im:7159197 si:ch211-110p13.9",
}
TAXA = {"human": HUMAN, "fly": FLY, "zebrafish": ZEBRAFISH}


@functools.cache
def some_rows(taxon_id):
    """The genes of a few names and their rivals; those of the fly are all there."""
    if taxon_id == FLY:
        return gene_rows(FLY)
    return [gene_row(line) for line in recorded_genes(GENES.split()) if line.startswith(f"{taxon_id}\t")]


@pytest.fixture(scope="module")
def some_genes():
    """A folder of recordings that contains only these genes."""
    with folder_of_genes([*recorded_genes(GENES.split()), *_fly_rows()]) as folder:
        yield folder


def selection(organism):
    """A few names of an organism, and the genes they mean there."""
    meaning = _Meaning(some_rows(TAXA[organism]))
    names = SOME_NAMES if organism == "human" else {"symbol": SIGNED[organism]}
    return [meaning.name_of(kind, name) for kind, words in names.items() for name in words.split()]


def sample(organism):
    """Names drawn from the recorded files."""
    return drawn_names(200) if organism == "human" else signed_names(60)[organism]


@pytest.fixture(params=["few", pytest.param("drawn", marks=pytest.mark.sweep)])
def column(request):
    """A function from an organism to a column of its names; and the recordings that have their genes."""
    if request.param == "drawn":
        return sample, corpus()
    return selection, request.getfixturevalue("some_genes")


def resolved(*columns, **options):
    """The answer to each column, one after the other, and the number of requests."""

    async def ask():
        async with transported(timing=WHOLE, **options) as (transport, sandbox):
            resolver = Resolver(clients(transport), transport.afresh)
            start = virtual_time.now()
            answers = [(await resolver.resolve(names, kind, organism)) for names, kind, organism in columns]
            return answers, Counter(request.service for request in sandbox.requests), virtual_time.now() - start

    return virtual_time.run(ask())


def test_a_column_of_human_names_is_resolved_in_few_requests_each_name_rightly(column):
    names_of, recordings = column
    meanings = names_of("human")

    (answer,), requests, seconds = resolved(
        ([meaning.name for meaning in meanings], "gene", "human"), recordings=recordings
    )

    assert judge(meanings, answer.rows).wrong == []
    assert requests["ncbi"] <= 4
    assert seconds <= 1.2 * allowed_seconds(requests)
    assert requests["ensembl"] <= 4


def test_each_name_of_a_column_means_what_it_means_alone(column):
    names_of, recordings = column
    names = [meaning.name for meaning in names_of("human")][:40]
    singles = names if names_of is sample else names[::3]

    (joint, *separate), *_ = resolved(
        (names, None, "human"), *(([name], None, "human") for name in singles), recordings=recordings
    )

    in_company = {row.name: row for row in joint.rows}
    by_themselves = {name: answer.rows[0] for name, answer in zip(singles, separate, strict=True)}
    assert {name: in_company[name] for name in singles} == by_themselves


@pytest.mark.parametrize("organism", ["fly", "zebrafish"])
def test_symbols_with_signs_are_resolved_as_they_are_written(organism, column):
    names_of, recordings = column
    meanings = names_of(organism)

    (answer,), *_ = resolved(([meaning.name for meaning in meanings], "gene", organism), recordings=recordings)

    assert judge(meanings, answer.rows).wrong == []


def test_the_few_names_are_of_the_kinds_that_are_drawn():
    ambiguous = [selected_name.name for selected_name in selection("human") if len(selected_name.gene_ids) > 1]

    assert ambiguous == ["SAS", "HOX4", "CARP", "MSAP", "CRA"]
    assert [selected_name.name for selected_name in selection("human") if not selected_name.gene_ids] == SOME_NAMES[
        "none"
    ].split()
    assert all(len(meaning.gene_ids) == 1 for organism in SIGNED for meaning in selection(organism))


def test_twenty_symbols_to_versioned_ensembl_ids_cost_900_tokens_in_one_call():
    names = [
        "BRCA1",
        "ABL1",
        "KRAS",
        "BRCA2",
        "TP53",
        "BRAF",
        "CXCL10",
        "CXCL8",
        "TNF",
        "XIST",
    ] * 2  # known to both databases

    async def ask():
        async with transported() as (transport, _):
            return await IdentityClient(transport).resolve(names)

    answer = virtual_time.run(ask())

    assert [row.name for row in answer.items] == names
    assert len(TOKENIZER.encode(answer.model_dump_json())) <= 900
    for row in answer.items:
        assert row.entities[0].id.startswith("NCBIGene:"), row.name
        assert re.fullmatch(r"ENSG\d{11}\.\d+", row.entities[0].ids["ensembl"]), row.name


def test_a_column_of_hgnc_ids_in_any_spelling_leads_to_their_genes():
    names = ["HGNC:1100", "HGNC:HGNC:1101", "hgnc_11998", "HGNC:9999999"]

    (answer,), requests, _ = resolved((names, None, "human"))

    firsts = [row.entities[0].id if row.entities else None for row in answer.rows]
    assert firsts == ["NCBIGene:672", "NCBIGene:675", "NCBIGene:7157", None]
    assert requests["ensembl"] <= 4 + 2  # an ID each, a lookup of all, and what a search tries with the last
