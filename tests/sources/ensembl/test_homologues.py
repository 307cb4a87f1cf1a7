"""Orthologues and paralogues: filters, order, pages, and rows that are refused."""

import json

import pytest

from biofact.core.errors import AmbiguousQuery, EntityNotFound, UnresolvedEntity, UpstreamError
from biofact.sandbox import Fault
from tests.each_of import each_of
from tests.notices import message
from tests.sources.ensembl.test_client import TP53, codes, run

pytestmark = pytest.mark.quick

TRP53, TP63 = "ENSMUSG00000059552", "ENSG00000073282"


def homologues(gene_id=TP53, *faults, **options):
    return run(lambda ensembl: ensembl.get_homologues(gene_id, **options), *faults)[0]


def ids(page):
    return [row.id for row in page.items]


def row(target=TRP53, species="mus_musculus", kind="ortholog_one2one", **fields):
    ends = {
        "source": {"id": TP53, "species": "homo_sapiens", "perc_id": 77.6},
        "target": {"id": target, "species": species, "perc_id": 78.2, "protein_id": "ENSMUSP00000104298"},
    }
    return {"type": kind, "taxonomy_level": "Euarchontoglires", "method_link_type": "X", **ends, **fields}


def homology_answer(*rows, gene_id=TP53, **fields):
    body = {"data": [{"id": gene_id, "homologies": list(rows)}], **fields}
    return Fault("body", path="homology/id", body=json.dumps(body).encode(), times=None)


def test_a_row_has_type_species_symbol_and_identity():
    (result,) = homologues(TP53, homology_answer(row())).items

    assert result.model_dump() == {
        "id": TRP53,
        "type": "ortholog_one2one",
        "species": "mus_musculus",
        "symbol": "Trp53",
        "percent_identity": 78.2,
        "percent_identity_of_query": 77.6,
        "protein_id": "ENSMUSP00000104298",
        "common_ancestor": "Euarchontoglires",
    }


@each_of(
    ("options", "symbols"),
    [
        ({}, ["TP63", "TP73", "Trp53", "Tp53", "tp53"]),
        ({"kind": "orthologues"}, ["Trp53", "Tp53", "tp53"]),
        ({"kind": "one_to_one"}, ["Trp53", "Tp53", "tp53"]),
        ({"kind": "paralogues"}, ["TP63", "TP73"]),
        ({"target_species": "zebrafish"}, ["tp53"]),
        ({"target_species": "human"}, ["TP63", "TP73"]),
        ({"target_species": "mouse", "kind": "paralogues"}, []),
    ],
)
def test_filters_choose_species_and_kind(options, symbols):
    page = homologues(**options)

    assert [item.symbol for item in page.items] == symbols
    assert page.pagination.total_count == len(symbols)
    assert codes(page) == ([] if symbols else ["UNMATCHED"])


def test_the_homologue_s_homologue_is_the_gene():
    assert ids(homologues(TRP53, target_species="human")) == [TP53]


def test_pages_are_the_list():
    async def pages(ensembl):
        homologues = [await ensembl.get_homologues(TP53, page_size=2)]
        while cursor := homologues[-1].pagination.cursor:
            homologues.append(await ensembl.get_homologues(TP53, page_size=2, cursor=cursor))
        return homologues

    result, request = run(pages)

    assert [len(page.items) for page in result] == [2, 2, 1]
    assert [gene_id for page in result for gene_id in ids(page)] == ids(homologues())
    assert len([path for path in request if path.startswith("/homology")]) == 1


def test_a_cursor_of_another_gene_is_refused():
    cursor = homologues(page_size=1).pagination.cursor

    with pytest.raises(AmbiguousQuery, match="cursor"):
        homologues(TP63, cursor=cursor)


def test_a_retired_gene_leads_to_the_one_that_replaced_it():
    page = homologues("ENSG00000199004")

    assert codes(page) == ["REPLACED", "UNMATCHED"]


@each_of(
    ("gene_id", "options", "error"),
    [
        ("TP53", {}, UnresolvedEntity),
        ("ENST00000269305", {}, UnresolvedEntity),
        ("ENSG99999999999", {}, EntityNotFound),
        ("ENSG00999900001", {}, EntityNotFound),
        (TP53, {"target_species": "unicorn"}, AmbiguousQuery),
        (TP53, {"kind": "cousins"}, AmbiguousQuery),
    ],
)
def test_an_impossible_list_is_refused(gene_id, options, error):
    with pytest.raises(error):
        homologues(gene_id, **options)


def test_symbols_that_cannot_be_had_are_missing_with_a_notice():
    async def ask(ensembl):
        await ensembl.get_gene(TP53, slim=True)
        return await ensembl.get_homologues(TP53)

    down = Fault("status", path="lookup/id", status=503, times=None, after=1)
    page = run(ask, down)[0]

    assert len(page.items) == 5
    assert [item.symbol for item in page.items] == [None] * 5
    assert codes(page) == ["LEG_FAILED"]


# Lies and oddities


def test_a_doubled_row_is_one_and_rows_outside_the_filters_are_dropped():
    rows = (row(), row(), row("ENSRNOG00000010756", "rattus_norvegicus"), row(TP63, "homo_sapiens", "other_paralog"))

    assert ids(homologues(TP53, homology_answer(*rows))) == [TP63, TRP53, "ENSRNOG00000010756"]
    assert ids(homologues(TP53, homology_answer(*rows), target_species="mouse", kind="one_to_one")) == [TRP53]


@each_of("percent", [None, "x", 101, -1, True, [78]])
def test_an_identity_that_is_no_percentage_is_dropped(percent):
    target = {**row()["target"], "perc_id": percent}

    assert (
        homologues(TP53, homology_answer(row(target=target["id"]) | {"target": target})).items[0].percent_identity
        is None
    )


def test_a_number_written_as_text_is_a_number():
    target = {**row()["target"], "perc_id": "78.2", "extra": {}}

    assert homologues(TP53, homology_answer(row() | {"target": target})).items[0].percent_identity == 78.2


@each_of(
    "odd",
    [
        {"source": {"id": TP63}},
        {"source": None},
        {"target": None},
        {"target": {"gene_id": TRP53, "species": "mus_musculus"}},
        {"target": {"id": TRP53}},
        {"type": None},
        {"kind": "ortholog_one2one", "type": None},
    ],
)
def test_a_row_of_another_gene_or_without_its_facts_is_an_error(odd):
    with pytest.raises(UpstreamError):
        homologues(TP53, homology_answer(row() | odd))


def test_a_row_without_a_fact_hides_no_other_and_is_counted():
    lacking = [row() | {"type": None}, row("ENSRNOG00000010756", None)]
    page = homologues(TP53, homology_answer(*lacking, row()))

    assert ids(page) == [TRP53]
    assert "1 without 'type', 1 without 'species'" in message(page, "NOT_COVERED")


@each_of(
    "body",
    [
        b"{}",
        b"[]",
        b'{"data":null}',
        b'{"data":[{"id":"ENSG00000141510"}]}',
        b'{"data":[{"id":"ENSG00000141510","homologues":[]}]}',
        b'{"data":[{"id":"ENSG00000073282","homologies":[]}]}',
        b'{"data":[{"homologies":[]}]}',
        b'{"data":["x"]}',
        b"<html>busy</html>",
        b'{"data":[{"id"',
    ],
)
def test_a_list_that_is_not_there_is_never_an_empty_one(body):
    with pytest.raises(UpstreamError):
        homologues(TP53, Fault("body", path="homology/id", body=body, times=None))


def test_an_empty_list_is_no_homologues():
    for empty in (homology_answer(), Fault("body", path="homology/id", body=b'{"data":[]}', times=None)):
        page = homologues(TP53, empty)

        assert (page.items, page.pagination.total_count, codes(page)) == ([], 0, ["UNMATCHED"])
