"""A record has all facts of the hit that led to it, and contradicts none."""

import functools
import re

import pytest

from biofact import sources
from biofact.core.tool import specs_of
from tests import virtual_time
from tests.conformance.cases import Case, cases, parameter_names, result_of, sandboxed_client
from tests.conformance.items import in_turn, split_cases

pytestmark = pytest.mark.quick

OF_THE_SEARCH = {"score", "match", "notices", "salt_forms"}
"""Fields of a hit about the search, not the entity."""
MOST_HITS = 5


def lookups(search, entity_id):
    """The calls that look up the entity with an ID of a hit."""
    for spec, parameter in strict_tools(search):
        if re.fullmatch(parameter.id_kind.pattern, entity_id, re.ASCII):
            yield Case(spec, {parameter.name: entity_id})


def strict_tools(search):
    """The tools that accept the IDs of this search, each with its argument for an ID."""
    for spec in specs_of(sources.client_class(search.ref.source)):
        required = [parameter for parameter in spec.parameters if parameter.is_required]
        kind = required[0].id_kind if len(required) == 1 and not required[0].is_list else None
        if kind and kind.search == search.ref and not spec.returns.listed:
            yield spec, required[0]


def is_search(case):
    """Whether the rows of a search lead to records, whatever forms it offers."""
    return "query" in parameter_names(case.spec) and any(strict_tools(case.spec))


SEARCHES = cases(is_search)
QUICK_CASES, OTHER_CASES = split_cases(SEARCHES)


def facts(record):
    """The facts of a record or hit about the entity."""
    return {name: value for name, value in record.model_dump(mode="json").items() if name not in OF_THE_SEARCH}


async def pairs(case):
    """The first hits, each with its record by default and with all parts."""
    async with sandboxed_client(case) as (client, _):
        hits = await result_of(client, case)
        for hit in getattr(hits, hits.listed)[:MOST_HITS]:
            for lookup in lookups(case.spec, hit.id):
                include = {"include": ["all"]} if "include" in parameter_names(lookup.spec) else {}
                yield hit, await result_of(client, lookup), await result_of(client, lookup.with_arguments(**include))


@functools.cache
def has_compared_scores(case):
    """The pairs of a search, computed once."""

    async def all_pairs():
        return [pair async for pair in pairs(case)]

    return virtual_time.run(all_pairs())


@in_turn(QUICK_CASES, OTHER_CASES, rest=pytest.mark.sweep)
def test_a_record_knows_what_the_hit_knows(case):
    for hit, record, whole in has_compared_scores(case):
        for name in facts(hit).keys() & type(record).model_fields.keys():
            value = facts(hit)[name]
            if isinstance(value, list):  # by default it may be cut
                assert set(map(str, value)) <= set(map(str, facts(whole).get(name, []))), (hit.id, name)
            else:
                assert facts(record).get(name) == value, (hit.id, name)


@pytest.mark.parametrize("source", sorted({case.source for case in SEARCHES}))
def test_the_hits_of_a_source_lead_to_records(source):
    searches = [case for case in QUICK_CASES if case.source == source]

    assert any(has_compared_scores(case) for case in searches)
