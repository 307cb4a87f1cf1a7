"""Fields of rows under another name, one at a time: a fact is missing, or a notice reports it."""

import contextlib
import json
import random
from collections import defaultdict

import orjson
import pytest

from biofact.core.errors import AmbiguousQuery, UpstreamError
from biofact.sandbox.standin import Reply
from biofact.sources.igvf import parse
from biofact.sources.igvf.catalog import edges, endpoints
from biofact.sources.igvf.parse import StartEntity
from tests.each_of import each_of
from tests.recordings import needs_recordings
from tests.sandboxed import on_sandbox
from tests.sources.igvf.catalog_rows import starter, starter_edges
from tests.sources.igvf.made_graph import (
    GENE_ID,
    OTHER_PROTEIN_ID,
    PROTEIN_ID,
    LyingStandIn,
    associations_run,
    edge,
    ends,
    facts,
    timing,
)
from tests.sources.igvf.test_recorded_edges import recorded_calls

pytestmark = pytest.mark.quick

STARTER = starter()
SEED, FIELDS_EACH = 20261122, 1
FILTERS = ({"score": ">0"}, {"effect": ">-100"})


def paths(value, prefix=()):
    """The path to each field, at any depth."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield (*prefix, name)
            yield from paths(part, (*prefix, name))
    elif isinstance(value, list):
        for part in value:
            yield from paths(part, prefix)


def with_renamed_field(value, path):
    """The same row with another name for the field at this path, in every object of a list."""
    if isinstance(value, list):
        return [with_renamed_field(part, path) for part in value]
    if not isinstance(value, dict):
        return value
    head, *rest = path
    if not rest:
        return {(f"new_{name}" if name == head else name): part for name, part in value.items()}
    return {name: with_renamed_field(part, rest) if name == head else part for name, part in value.items()}


# As rows are read


def rows_to_rename():
    """Two recorded rows of each endpoint."""
    kept_values = defaultdict(list)
    for endpoint, row in recorded_calls():
        kept_values[endpoint.path].append(row)
    return [(endpoints()[path], row) for path, rows in kept_values.items() for row in rows[:2]]


def read(endpoint, row):
    """The ends of a row; None if it is refused as the service's change."""
    start = StartEntity("gene", "START")
    try:
        return [(association.subject, association.object) for association in parse.associations(endpoint, row, start)]
    except UpstreamError:
        return None


@needs_recordings
def test_a_recorded_row_without_a_field_is_read_whole_or_refused_or_counted_as_dropped():
    """A row with one end yields nothing, which the reader counts; rows that hold several may lose none."""
    outcomes = defaultdict(int)
    for endpoint, row in rows_to_rename():
        plain = read(endpoint, row)
        for path in dict.fromkeys(paths(row)):
            odd = read(endpoint, with_renamed_field(row, path))
            is_counted = odd == [] and endpoint.edge not in {"gene_coding_variant", "related", "predicted_variant_gene"}
            assert odd is None or is_counted or len(odd) == len(plain), (endpoint.path, path)
            outcomes["refused" if odd is None else "counted" if is_counted else "whole"] += 1

    assert outcomes["refused"] > 5
    assert outcomes["counted"] > 20
    assert outcomes["whole"] > 300


# Requested fields


class RenamingStandIn(LyingStandIn):
    """The starter facts, in which one endpoint has another name for a field."""

    def __init__(self, path="", field=()):
        super().__init__(STARTER, {})
        self.path, self.field, self.seen = path, field, {}

    def reply(self, ask):
        reply = super().reply(ask)
        if reply.status != 200:
            return reply
        document = json.loads(reply.body)
        self.seen.setdefault(ask.path, {}).update(dict.fromkeys(paths(document)))
        return (
            Reply(orjson.dumps(with_renamed_field(document, self.field)), "application/json")
            if ask.path == self.path
            else reply
        )


def answer(call, standin):
    """The page, or None if the service is reported as failed."""

    async def find(igvf, _):
        try:
            return await igvf.find_associations(*call[:2], limit=100, filters=call[2])
        except UpstreamError:
            return None

    return on_sandbox("igvf", find, stand_ins=[standin], timing=timing)


def calls():
    """Calls for each edge of the starter, by its relationship, plain and with filters that rows are compared with."""
    relationships = {endpoint.edge: endpoint.relationship for endpoint in endpoints().values() if endpoint.relationship}
    first = {starter_edge.collection: starter_edge for starter_edge in reversed(starter_edges())}
    for name in [name for name in edges() if name in first and name in relationships]:
        uid = first[name].subject
        for filters in (None, *FILTERS):
            if filters is None or set(filters) <= edges()[name].has:
                yield uid, relationships[name], filters


def page_facts(page):
    """The notices of a page except for the count of its rows."""
    return {notice.message for notice in page.notices if notice.code != "LEGS"}


def sampled():
    """A sample of calls with results, each with fields that the service sent for it."""
    chance = random.Random(SEED)
    for call in calls():
        standin, plain = RenamingStandIn(), None
        with contextlib.suppress(AmbiguousQuery):  # no row of it could keep the filter
            plain = answer(call, standin)
        if plain is not None and plain.items:
            pairs = [(path, name) for path, names in standin.seen.items() for name in names]
            yield call, plain, chance.sample(pairs, min(FIELDS_EACH, len(pairs)))


MPRA, PROMOTER = "MPRA_chr1_100219984_100220184_GRCh38", "promoter_chr17_43124800_43126200_GRCh38_ENCFF990AAA"


@each_of(
    ("call", "path", "field"),
    [
        (("ENSP00000269305", "physical", None), "/proteins/proteins", ("protein_1",)),
        ((GENE_ID, "structure", None), "/genes/proteins", ("gene",)),
        ((GENE_ID, "structure", None), "/genes/transcripts", ("transcript", "_id")),
        ((MPRA, "regulatory", None), "/genomic-elements/biosamples", ("genomic_element",)),
        ((MPRA, "regulatory", {"effect": ">-100"}), "/genomic-elements/biosamples", ("log2FC",)),
        ((PROMOTER, "regulatory", {"score": ">0"}), "/genomic-elements/genes", ("score",)),
        (("CPX-1956", "physical", None), "/complexes/proteins", ("complex",)),
        (("NC_000002.12:27508072:T:C", "physical", None), "/variants", ("alt",)),
    ],
)
def test_a_renamed_field_that_a_fact_depends_on_costs_it_with_a_notice(call, path, field):
    plain, odd = answer(call, RenamingStandIn()), answer(call, RenamingStandIn(path, field))

    assert odd is None or (len(odd.items) < len(plain.items) and page_facts(odd) - page_facts(plain))


@pytest.mark.sweep
def test_a_renamed_field_that_costs_a_row_has_a_notice():
    tried_count = fewer_count = 0
    for call, plain, sent_values in sampled():
        for path, name in sent_values:
            odd = answer(call, RenamingStandIn(path, name))
            tried_count += 1
            if odd is not None and len(odd.items) < len(plain.items):
                fewer_count += 1
                assert page_facts(odd) - page_facts(plain), (call, path, name)

    assert tried_count > 30
    assert fewer_count > 1


def test_rows_without_the_filtered_field_are_counted():
    rows = [
        edge("element_gene", f"element_{place}", GENE_ID, **({"score": place} if place < 3 else {}))
        for place in range(6)
    ]
    page = associations_run(facts(*rows), GENE_ID, "regulatory", filters={"score": ">1"}).answer

    assert [row.score for row in page.items] == [2]
    message = "Left out, as these rows do not tell it: no score: 3 of /genes/genomic-elements."
    assert message in [notice.message for notice in page.notices if notice.code == "NOT_COVERED"]


def test_a_row_that_breaks_another_filter_is_not_counted_as_unverifiable():
    rows = [
        edge("element_gene", "element_1", GENE_ID, method="CRISPR screen"),
        edge("element_gene", "element_2", GENE_ID, score=2, method="ENCODE-rE2G"),
    ]
    page = associations_run(
        facts(*rows), GENE_ID, "regulatory", filters={"score": ">1", "method": "ENCODE-rE2G"}
    ).answer

    assert [row.score for row in page.items] == [2]
    assert not any("do not tell" in notice.message for notice in page.notices)


@pytest.mark.parametrize("name", ["variant", "scores"])
def test_a_nested_part_of_another_name_is_a_change_of_the_service(name):
    lies = {"/genes/coding-variants/scores": lambda truth, ask: with_renamed_field(truth(ask), ("variants", name))}

    with pytest.raises(UpstreamError, match=f"variants.{name}"):
        associations_run(STARTER, GENE_ID, "coding", lies=lies)


PPI = edge("protein_protein", PROTEIN_ID, OTHER_PROTEIN_ID)


def test_proteins_of_another_name_are_no_gene_without_proteins():
    lies = {"/genes/proteins": lambda truth, ask: with_renamed_field(truth(ask), ("protein",))}

    with pytest.raises(UpstreamError, match="/genes/proteins without what they join: protein"):
        associations_run(facts(PPI), GENE_ID, "physical", lies=lies)


def test_proteins_without_a_name_are_asked_for_by_id():
    lies = {"/genes/proteins": lambda truth, ask: with_renamed_field(truth(ask), ("protein", "name"))}
    catalog_run = associations_run(facts(PPI), GENE_ID, "physical", lies=lies)

    assert ends(catalog_run.answer.items) == [(PROTEIN_ID, OTHER_PROTEIN_ID)]
    assert {params.get("protein_id") for params in catalog_run.params_of("/proteins/proteins")} == {PROTEIN_ID}
