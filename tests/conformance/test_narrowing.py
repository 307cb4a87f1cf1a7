"""Arguments that narrow an answer: the remainder is a part of the whole, and organisms are kept apart."""

import json

import pytest

from tests import virtual_time
from tests.conformance.cases import (
    Case,
    answer_of,
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
MAXIMUM = 2
BEST_OF_EACH = {"chembl.find_compounds_for_target"}
"""Tools whose rows show the best of many facts, and of those that are meant where a filter is set: the same entities,
with other facts.
"""
SYMBOLS = ("TP53", "BRCA1", "Trp53")


def narrowing_parameters(spec):
    """The arguments of a tool that narrow its answer."""
    return [parameter.name for parameter in spec.parameters if parameter.narrows or parameter.name in ORGANISM]


NARROWING_CASES = cases(lambda case: is_of_source(case) and bool(narrowing_parameters(case.spec)))
CASES_BY_ARGUMENT = {
    f"{case.spec.ref} {name}": [
        narrowing_case
        for narrowing_case in NARROWING_CASES
        if narrowing_case.spec.ref == case.spec.ref and name in narrowing_case.arguments
    ]
    for case in NARROWING_CASES
    for name in narrowing_parameters(case.spec)
}


async def facts(case):
    """The rows of an answer, to the last page, or its lists; without fields that depend on the other rows."""
    async with sandboxed_client(case) as (client, _):
        if is_paged(case):
            rows = [row for page in await pages_to_the_end(client, case.with_page_size(100)) for row in page["items"]]
        else:
            answer = await answer_of(client, case)
            lists = [value for value in answer.values() if isinstance(value, list) and case.spec.returns.listed is None]
            rows = case.rows(answer) if not lists else [row for row_list in lists for row in row_list]
        return {
            json.dumps({name: row[name] for name in row if name not in RANK}) for row in rows if isinstance(row, dict)
        }


@pytest.mark.parametrize("argument", CASES_BY_ARGUMENT)
def test_an_argument_that_narrows_has_an_example_in_which_it_does(argument):
    assert_narrowed(argument, CASES_BY_ARGUMENT[argument][:MAXIMUM])


@pytest.mark.sweep
@pytest.mark.parametrize(
    "argument", [name for name, argument_cases in CASES_BY_ARGUMENT.items() if len(argument_cases) > MAXIMUM]
)
def test_an_argument_that_narrows_does_in_further_examples(argument):
    assert_narrowed(argument, CASES_BY_ARGUMENT[argument][MAXIMUM:])


def assert_narrowed(argument, cases):
    name = argument.rpartition(" ")[2]
    narrowed_less = []
    for case in cases:
        narrow, whole = (virtual_time.run(facts(variant)) for variant in (case, case.with_arguments(**{name: None})))
        narrowed_less.append(narrow != whole)
        if case.spec.returns.listed and name not in ORGANISM:
            if str(case.spec.ref) in BEST_OF_EACH:
                assert ids(narrow) <= ids(whole), case
            else:
                assert narrow <= whole, case

    assert any(narrowed_less)
    assert narrow


def ids(rows):
    return {json.loads(row)["id"] for row in rows}


SEARCHES = [
    case
    for case in {case.spec.ref: case for case in NARROWING_CASES}.values()
    if ORGANISM & set(narrowing_parameters(case.spec))
]
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
    (name,) = ORGANISM & set(narrowing_parameters(case.spec))

    async def scenario():
        async with sandboxed_client(case) as (client, _):
            return [await outcome(client, case.with_arguments(**{first: symbol, name: organism})) for symbol in SYMBOLS]

    outcomes = virtual_time.run(scenario())
    rows = [row for code, answer in outcomes if code == "found" for row in case.rows(answer)]
    is_offered = outcomes[0][0] != "AMBIGUOUS_QUERY"

    assert {row.get("organism") or row.get("species") for row in rows} <= SPELLINGS[organism]
    assert bool(rows) == is_offered
