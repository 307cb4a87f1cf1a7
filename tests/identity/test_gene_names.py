"""Columns of gene names, drawn from the recorded gene files; ``benchmarks.resolve`` asks for 1,000 and 300."""

import re
from collections import Counter

import pytest
from benchmarks.resolve import NCBI_A_SECOND, drawn_names, judged, signed_names
from benchmarks.symbols import corpus
from rs_bpe.bpe import openai

from biofact.identity.client import IdentityClient
from biofact.identity.resolving import Resolver
from tests import virtual_time
from tests.recordings import needs_recordings
from tests.sandboxed import WHOLE, transported

pytestmark = pytest.mark.quick

TOKENIZER = openai.o200k_base()


def resolved(*columns, **options):
    """The answer to each column, one after the other, and the requests that they took."""

    async def ask():
        async with transported(timing=WHOLE, **options) as (transport, sandbox):
            resolver = Resolver.of_all_sources(transport)
            began = virtual_time.now()
            answers = [(await resolver.resolve(names, kind, organism)) for names, kind, organism in columns]
            return answers, Counter(request.service for request in sandbox.requests), virtual_time.now() - began

    return virtual_time.run(ask())


@needs_recordings
def test_a_column_of_human_names_is_resolved_in_few_requests_each_name_rightly():
    asked = drawn_names(200)

    (answer,), sent, seconds = resolved(([one.name for one in asked], "gene", "human"), recordings=corpus())

    assert judged(asked, answer.rows).wrong == []
    assert sent["ncbi"] <= 4
    assert seconds <= 1.2 * sent["ncbi"] / NCBI_A_SECOND
    assert sent["ensembl"] <= 4


@needs_recordings
def test_each_name_of_a_column_means_what_it_means_alone():
    names = [one.name for one in drawn_names(200)][:40]
    alone = [([name], None, "human") for name in names]

    (together, *apart), *_ = resolved((names, None, "human"), *alone, recordings=corpus())

    for row, answer in zip(together.rows, apart, strict=True):
        assert row.entities == answer.rows[0].entities, row.name


@needs_recordings
@pytest.mark.parametrize("organism", ["fly", "zebrafish"])
def test_symbols_with_signs_are_resolved_as_they_are_written(organism):
    asked = signed_names(60)[organism]

    (answer,), *_ = resolved(([one.name for one in asked], "gene", organism), recordings=corpus())

    assert judged(asked, answer.rows).wrong == []


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

    (answer,), sent, _ = resolved((names, None, "human"))

    firsts = [row.entities[0].id if row.entities else None for row in answer.rows]
    assert firsts == ["NCBIGene:672", "NCBIGene:675", "NCBIGene:7157", None]
    assert sent["ensembl"] <= 4 + 2  # an ID each, a lookup of all, and what a search tries with the last
