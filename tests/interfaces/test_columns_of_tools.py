"""Every tool's rows have the columns that it declares, for any result: in files that other programs read."""

import csv
import functools
import io
import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from biofact.core.tool import specs_of
from biofact.core.usage import WrongUsage
from biofact.identity import RESOLVE
from biofact.interfaces import every_source
from biofact.sandbox.services.entrez.corpus import starter_genes
from tests import virtual_time
from tests.conformance.cases import all_cases, cases, first_of_each_tool
from tests.interfaces.tool_commands import run_tool, spec, tool_run
from tests.sandboxed import WHOLE, transported

pytestmark = pytest.mark.quick

FORMS = ("tsv", "csv", "jsonl")
HAS_OWN_COLUMNS = "analysis_ready"
"""Tools whose answer names the columns of its rows: the features that the caller chose."""


def typed(case):
    """A case's arguments as parsed from a command's words: one entity is a column of one."""
    column = case.spec.entities
    if column is None or column.is_list:
        return dict(case.arguments)
    return {**case.arguments, column.name: [case.arguments[column.name]]}


def is_typed(case):
    """Whether the words of a command can express a case: those of a column are texts."""
    column = case.spec.entities
    if case.spec.ref == RESOLVE or case.arguments.get("output_format") == HAS_OWN_COLUMNS:
        return False
    inputs = [] if column is None else typed(case).get(column.name, [])
    return inputs is not None and all(isinstance(word, str) for word in inputs) and (column is None or bool(inputs))


def has_answer(case):
    return case.spec.entities is not None or case.example.outcome == "found"


def fails(case):
    return case.example.outcome != "found"


ALL_CASES = tuple(case for case in all_cases() if is_typed(case))
SOME_CASES = tuple(
    dict.fromkeys(
        [
            *first_of_each_tool(ALL_CASES),
            *first_of_each_tool(filter(fails, ALL_CASES)),
        ]
    )
)
"""The first example of each tool, and the first one that fails."""
some_and_every = pytest.mark.parametrize(
    "cases", [pytest.param(SOME_CASES, id="some"), pytest.param(ALL_CASES, id="every", marks=pytest.mark.sweep)]
)


@dataclass(frozen=True)
class CommandOutputs:
    """The output of each example's command in each form, and its exit code; only the files that exist."""

    files: dict
    codes: dict

    def lines(self, case, form):
        """The lines of TSV or CSV, cell by cell."""
        text = self.files[case, form]
        if form == "tsv":
            return [line.split("\t") for line in text.removesuffix("\n").split("\n")]
        return list(csv.reader(io.StringIO(text, newline="")))


@functools.cache
def run_cases(cases):
    """The outputs of these examples' commands, computed once."""

    async def ask(folder):
        files, codes = {}, {}
        async with transported(timing=WHOLE) as (transport, _):
            for place, case in enumerate(cases):
                for form in FORMS:
                    file = folder / f"{place}.{form}"
                    codes[case] = await run_tool(transport, case.spec, typed(case), output=str(file))
                    files[case, form] = file.read_bytes().decode("utf-8-sig") if file.exists() else None
        return CommandOutputs(files, codes)

    with tempfile.TemporaryDirectory() as folder:
        return virtual_time.run(ask(Path(folder)))


@some_and_every
def test_the_columns_are_those_of_the_declaration_in_every_line(cases):
    outputs, wrong = run_cases(cases), []
    for case in filter(has_answer, cases):
        names = list(tool_run(case.spec, typed(case)).layout.names)
        count = len(outputs.files[case, "jsonl"].splitlines())
        for form in ("tsv", "csv"):
            header, *rows = outputs.lines(case, form)
            if header != names or len(rows) != count or not {len(row) for row in rows} <= {len(names)}:
                wrong.append((str(case), form))

    assert wrong == []


@some_and_every
def test_the_declaration_alone_makes_the_columns(cases):
    """All examples of a tool except those whose columns are the fields of the caller's schema."""
    headers = {}
    for case in filter(has_answer, cases):
        if "extraction_schema" not in case.arguments:
            headers.setdefault(str(case.spec.ref), set()).add(tuple(run_cases(cases).lines(case, "tsv")[0]))

    assert {tool for tool, lines in headers.items() if len(lines) > 1} == set()
    assert len(headers) >= 30


@pytest.mark.parametrize(
    ("source", "method", "arguments"),
    [
        ("entrez", "search_genes", {"query": "zzzqqq"}),
        ("ensembl", "search_genes", {"query": "zzzqqq"}),
        ("chembl", "search_compounds", {"query": "zzzqqq"}),
        ("igvf", "search_region", {"region": "chr1:1-10"}),
        ("igvf", "search_terms", {"query": "zzzqqq"}),
        ("pubmed", "pubmed_search", {"search_query": "zzzqqq"}),
    ],
)
def test_an_empty_list_is_its_header(source, method, arguments, tmp_path):
    tool = spec(source, method)

    async def ask():
        async with transported(timing=WHOLE) as (transport, _):
            return [await run_tool(transport, tool, arguments, output=str(tmp_path / f"a.{form}")) for form in FORMS]

    assert virtual_time.run(ask()) == [0, 0, 0]
    names = tool_run(tool, arguments).layout.names
    assert (tmp_path / "a.tsv").read_text() == "\t".join(names) + "\n"
    assert (tmp_path / "a.csv").read_bytes() == ",".join(names).encode() + b"\r\n"
    assert (tmp_path / "a.jsonl").read_text() == ""


def fate(outputs, case):
    """The expected outcome of a failing example: its exit code and files, or its rows' own texts and their errors."""
    column = case.spec.entities
    if column is None:
        return outputs.codes[case], {outputs.files[case, form] for form in FORMS}
    header, *rows = outputs.lines(case, "tsv")
    errors = {row[header.index("error")] for row in rows}
    has_messages = all(row[header.index("message")] for row in rows)
    return outputs.codes[case], [row[0] for row in rows], errors, has_messages


def expected_fate(case):
    column = case.spec.entities
    if column is None:
        return 1, {None}
    return 1, [" ".join(word.split()) for word in typed(case)[column.name]], {case.example.outcome}, True


@some_and_every
def test_a_failing_call_is_a_row_in_its_place_or_writes_no_file(cases):
    failures = [*filter(fails, cases)]

    assert {str(case): fate(run_cases(cases), case) for case in failures} == {
        str(case): expected_fate(case) for case in failures
    }
    assert {case.spec.entities is None for case in failures} == {True, False}


BY_ID = [case for case in first_of_each_tool(cases(is_typed)) if case.spec.entities]


def test_each_of_several_entities_is_in_its_place_beside_failures(tmp_path):
    async def ask(case):
        name = case.spec.entities.name
        inputs = [*typed(case)[name], "no such thing ?!", *typed(case)[name]]
        file = tmp_path / f"{case.spec.ref}.jsonl"
        async with transported(timing=WHOLE) as (transport, _):
            code = await run_tool(transport, case.spec, {**typed(case), name: inputs}, output=str(file))
        return code, inputs, [json.loads(line) for line in file.read_text().splitlines()]

    for case in BY_ID:
        code, inputs, rows = virtual_time.run(ask(case))

        assert code == 1, case
        assert list(dict.fromkeys(row["input"] for row in rows)) == list(dict.fromkeys(inputs)), case
        (place,) = [place for place, row in enumerate(rows) if row.get("success") is False]
        assert rows[place]["input"] == "no such thing ?!"
        assert rows[:place] == rows[place + 1 :], case


def test_chosen_columns_stand_in_the_order_asked_for(tmp_path):
    async def ask():
        async with transported() as (transport, _):
            genes = {"entrez_id": ["NCBIGene:672", "NCBIGene:1", "BRCA1"]}
            file = str(tmp_path / "genes.csv")
            return await run_tool(
                transport, spec("entrez", "get_gene"), genes, output=file, columns="error,hgnc,symbol,input"
            )

    assert virtual_time.run(ask()) == 1
    assert (tmp_path / "genes.csv").read_text().splitlines() == [
        "error,cross_references.hgnc,symbol,input",
        ",HGNC:1100,BRCA1,NCBIGene:672",
        "ENTITY_NOT_FOUND,,,NCBIGene:1",
        "UNRESOLVED_ENTITY,,,BRCA1",
    ]


@pytest.mark.parametrize("source", every_source.toolsets())
def test_every_column_can_be_asked_for_by_its_name(source):
    for tool in specs_of(every_source.client_class(source)):
        if tool.ref == RESOLVE:
            continue
        column = tool.entities
        values = {} if column is None else {column.name: ["x"]}
        values |= {"extraction_schema": {"design": "string"}}
        for name in tool_run(tool, values).layout.names:
            assert tool_run(tool, values, format="tsv", columns=name).target.columns == (name,)
        with pytest.raises(WrongUsage, match="has no column"):
            tool_run(tool, values, format="tsv", columns="no_such_column")


GENE_IDS = {gene.gene_id for gene in starter_genes()}
GENES = [*sorted(GENE_IDS, key=int)[:48], "999999991", "999999992"]


@pytest.mark.processes
def test_pipes_over_fifty_answers_have_the_same_columns(tmp_path):
    """``cut``, ``sort`` and ``join`` in a shell, on an answer a file: found, absent and replaced genes."""

    async def ask():
        async with transported(timing=WHOLE) as (transport, _):
            tool = spec("entrez", "get_gene")
            for place, gene in enumerate(GENES):
                await run_tool(
                    transport, tool, {"entrez_id": [f"NCBIGene:{gene}"]}, output=str(tmp_path / f"{place:02}.tsv")
                )

    virtual_time.run(ask())
    shell = """
        cut -f1 [0-9]*.tsv | sort | uniq -c | sort -n | tail -1 | sed 's/^ *//'
        tail -q -n +2 [0-9]*.tsv | cut -f1,3 | sort > symbols
        tail -q -n +2 [0-9]*.tsv | cut -f1,51 | sort > messages
        join -t "$(printf '\\t')" symbols messages | wc -l
        join -t "$(printf '\\t')" symbols messages | grep -c 'NCBIGene:672\tBRCA1\t$'
        cut -f50 [0-9]*.tsv | sort -u
    """
    done = subprocess.run(["sh", "-ec", shell], cwd=tmp_path, capture_output=True, text=True, check=True)

    assert len(GENES) >= 50
    assert done.stdout.splitlines() == [
        f"{len(GENES)} input",
        str(len(GENES)),
        "1",
        "",
        "ENTITY_NOT_FOUND",
        "error",
    ]
