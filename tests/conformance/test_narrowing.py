"""Arguments that narrow an answer: they do, what is left is a part of the whole, and organisms are kept apart."""

import json

import pytest

from tests import virtual_time
from tests.conformance.cases import (
    Case,
    answered,
    cases,
    is_of_source,
    is_paged,
    outcome,
    pages_to_the_end,
    sandboxed_client,
)
from tests.conformance.items import check_each, in_turn

pytestmark = pytest.mark.quick

ORGANISM = {"organism", "species"}
RANK = {"score", "notices"}
"""Fields of a row that depend on the other rows."""
SPELLINGS = {
    "human": {"Homo sapiens", "homo_sapiens", "human"},
    "mouse": {"Mus musculus", "mus_musculus", "mouse"},
    "rat": {"Rattus norvegicus", "rattus_norvegicus", "rat"},
    "zebrafish": {"Danio rerio", "danio_rerio", "zebrafish"},
}
FEW = 2
SYMBOLS = ("TP53", "BRCA1", "Trp53")


def narrowing(spec):
    """The arguments of a tool that narrow its answer."""
    return [one.name for one in spec.parameters if one.narrows or one.name in ORGANISM]


OWN = cases(lambda case: is_of_source(case) and bool(narrowing(case.spec)))
NARROWED = {
    f"{case.spec.ref} {name}": [one for one in OWN if one.spec.ref == case.spec.ref and name in one.arguments]
    for case in OWN
    for name in narrowing(case.spec)
}


async def facts(case):
    """The rows of an answer, to the last page, or its lists; without what depends on the other rows."""
    async with sandboxed_client(case) as (client, _):
        if is_paged(case):
            rows = [row for page in await pages_to_the_end(client, case.sized(100)) for row in page["items"]]
        else:
            answer = await answered(client, case)
            lists = [value for value in answer.values() if isinstance(value, list) and case.spec.returns.listed is None]
            rows = case.rows(answer) if not lists else [row for one in lists for row in one]
        return {
            json.dumps({name: row[name] for name in row if name not in RANK}) for row in rows if isinstance(row, dict)
        }


@pytest.mark.parametrize("argument", NARROWED)
def test_an_argument_that_narrows_has_an_example_in_which_it_does(argument):
    assert_narrowed(argument, NARROWED[argument][:FEW])


@pytest.mark.sweep
@pytest.mark.parametrize("argument", [name for name, several in NARROWED.items() if len(several) > FEW])
def test_an_argument_that_narrows_does_in_further_examples(argument):
    assert_narrowed(argument, NARROWED[argument][FEW:])


def assert_narrowed(argument, several):
    name = argument.rpartition(" ")[2]
    narrowed_less = []
    for case in several:
        narrow, whole = (virtual_time.run(facts(one)) for one in (case, case.given(**{name: None})))
        narrowed_less.append(narrow != whole)
        if case.spec.returns.listed and name not in ORGANISM:
            assert narrow <= whole, case

    assert any(narrowed_less)
    assert narrow


SEARCHES = [case for case in {case.spec.ref: case for case in OWN}.values() if ORGANISM & set(narrowing(case.spec))]
BY_NAME = [
    case
    for case in SEARCHES
    if (case.spec.parameters[0].name == "query" or case.spec.ref.method == "get_entity")
    and case.spec.ref.method != "search_targets"  # of most genes there is no target
]


@in_turn([Case(case.spec, {}) for case in BY_NAME])
def test_a_symbol_is_looked_for_in_the_organism_asked_for_and_no_other(case):
    check_each(SPELLINGS, lambda organism: assert_looked_for(case, organism))


def assert_looked_for(case, organism):
    first = case.spec.parameters[0].name
    (name,) = ORGANISM & set(narrowing(case.spec))

    async def scenario():
        async with sandboxed_client(case) as (client, _):
            return [await outcome(client, case.given(**{first: symbol, name: organism})) for symbol in SYMBOLS]

    outcomes = virtual_time.run(scenario())
    rows = [row for code, answer in outcomes if code == "found" for row in case.rows(answer)]
    is_offered = outcomes[0][0] != "AMBIGUOUS_QUERY"

    assert {row.get("organism") or row.get("species") for row in rows} <= SPELLINGS[organism]
    assert bool(rows) == is_offered
