"""A batch has a row for each input, in order, whatever it is; a batch that would be too long is shortened."""

import itertools
import json

import pytest

from biofact.core.tool import BATCH_LIMIT
from biofact.interfaces.mcp.calls import MOST_CHARACTERS
from biofact.interfaces.spelling import prefixed
from tests import virtual_time
from tests.conformance.cases import all_cases, cases, codes, each_case, first_of_each_tool, has_slim
from tests.marks import requirement
from tests.sandboxed import WHOLE
from tests.served import served

pytestmark = pytest.mark.quick

MISTAKES = (
    *("", "  ", "\t\n", "x", None, 7, -1.5, 1e300, True, [], {}, ["BRCA1"], {"id": "BRCA1"}),
    *("no such thing at all", "BRCA1", " BRCA1 ", "brca1", "NCBIGene:672", "ncbigene:672", "NCBIGene:999999999"),
    *("ENSG00000141510", "ENSG00000141510.99", "ENSG99999999999", "ENST00000269305", "CHEMBL25", "CHEMBL:25"),
    *("CHEMBL:999999999", "PMID:11832527", "11832527", "PMID:0", "15451847.0", "rs429358", "chr17:1-2", "10.1000/x"),
    *("x" * 301, "y" * 5000, "<script>", "'; DROP TABLE genes; --", "\u202eBRCA1", "\x00\x1b[2J", "🧬", "\uff22RCA1"),
    *("AND OR NOT", '"', "(", "*", "%", "a,b", "NCBIGene:672,NCBIGene:675", "['NCBIGene:672']", "-", "@syms.txt"),
)
"""Values that do not belong in a column of IDs."""
FEW_MISTAKES = (
    *("", None, 7, {"id": "BRCA1"}, " BRCA1 ", "x" * 301, "\x00\x1b[2J", "no such thing at all"),
    *("NCBIGene:672", "NCBIGene:999999999", "ENSG00000141510.99", "ENST00000269305", "CHEMBL25"),
    *("PMID:11832527", "15451847.0", "rs429358", "chr17:1-2", "10.1000/x"),
)
"""An example of each kind."""
BATCH_SOURCES = {"chembl", "ensembl", "entrez", "pubmed"}
"""Sources with whole records that are too long for a batch of 200."""


def batch_argument(case):
    """The argument that takes many inputs with a row for each; None if a tool has none."""
    if case.spec.returns.listed != "items":
        return None
    return next(
        (parameter.name for parameter in case.spec.parameters if parameter.is_list and parameter.is_required), None
    )


BATCHES = first_of_each_tool(cases(batch_argument))


def in_form(case, *, slim):
    """The call for short or whole rows, if the tool offers the choice."""
    return case.with_arguments(slim=slim) if has_slim(case) else case


async def answer_and_size(gateway, case):
    """The answer, and its length as text."""
    answer = await gateway.call(prefixed(case.spec.ref), case.arguments)
    assert not answer.is_failure, answer.text
    return answer.body, len(answer.text)


def without_times_of(row):
    """A row without the sentence about the number of other requests."""
    return {name: value for name, value in row.items() if name != "reason"}


def known_arguments(case):
    """All inputs of the tool's examples."""
    name = batch_argument(case)
    arguments = [known_case.arguments[name] for known_case in all_cases() if known_case.spec.ref == case.spec.ref]
    return [*dict.fromkeys(part for parts in arguments for part in parts)]


@requirement("002 EC-mixed", "002 FR-013")
@pytest.mark.parametrize(
    "mistakes", [FEW_MISTAKES, pytest.param(MISTAKES, marks=pytest.mark.sweep)], ids=["few", "all"]
)
@each_case(BATCHES)
def test_a_batch_of_every_mistake_has_a_row_for_each_in_order(case, mistakes):
    name = batch_argument(case)
    case = in_form(case, slim=True)
    arguments = known_arguments(case)
    column = list(itertools.islice(itertools.cycle([*arguments, *mistakes, *reversed(arguments)]), BATCH_LIMIT))
    distinct = [*arguments, *mistakes]

    async def ask():
        async with served(timing=WHOLE) as gateway:
            batch, _ = await answer_and_size(gateway, case.with_arguments(**{name: column}))
            single_rows = [
                (await answer_and_size(gateway, case.with_arguments(**{name: [argument]})))[0]["items"]
                for argument in distinct
            ]
            return batch, single_rows

    batch, single_rows = virtual_time.run(ask())
    expected = {json.dumps(argument): row for argument, (row,) in zip(distinct, single_rows, strict=True)}

    assert len(batch["items"]) == BATCH_LIMIT
    assert batch["pagination"] == {"cursor": None, "total_count": BATCH_LIMIT, "page_size": BATCH_LIMIT}
    rows = zip(column, batch["items"], strict=True)
    assert [
        argument for argument, row in rows if without_times_of(row) != without_times_of(expected[json.dumps(argument)])
    ] == []
    failed = [row["error"]["invalid_input"] for row in batch["items"] if row.get("success") is False]
    assert None in failed
    assert "" in failed


@each_case(BATCHES)
def test_a_batch_that_would_be_too_long_has_every_row_in_short(case):
    name = batch_argument(case)
    ids = [argument for argument in case.arguments[name] if isinstance(argument, str)]
    whole = in_form(case, slim=False)
    column = list(itertools.islice(itertools.cycle(ids), BATCH_LIMIT))

    async def ask():
        async with served(timing=WHOLE) as gateway:
            short_batch = await answer_and_size(gateway, whole.with_arguments(**{name: ids}))
            return short_batch, await answer_and_size(gateway, whole.with_arguments(**{name: column}))

    (short_batch, few_length), (long_batch, length) = virtual_time.run(ask())
    is_long = few_length / len(ids) * BATCH_LIMIT > 1.1 * MOST_CHARACTERS

    assert is_long or case.source not in BATCH_SOURCES
    assert len(long_batch["items"]) == BATCH_LIMIT
    assert ("SLIM_ROWS" in codes(long_batch)) == is_long
    assert length <= MOST_CHARACTERS
    for argument, row in zip(column, long_batch["items"], strict=True):
        short_row = short_batch["items"][ids.index(argument)]
        assert (row == short_row) != (is_long and len(json.dumps(short_row)) > len(json.dumps(row)))
        assert row.get("id", argument) == short_row.get("id", argument)


def test_every_batch_tool_of_the_sources_is_among_them():
    assert {case.source for case in BATCHES} >= BATCH_SOURCES
