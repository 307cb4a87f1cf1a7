"""Answers as data frames of polars and pandas."""

import functools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import biofact.sync
from biofact.clients import sandbox_settings
from biofact.core.envelopes import PaginationEnvelope, page
from biofact.identity.client import IdentityClient
from biofact.interfaces.cli import resolve_command
from biofact.interfaces.cli.rows import cell
from biofact.sandbox import Sandbox
from biofact.sources.entrez.records import GeneRif
from biofact.tables.columns import listings
from tests import virtual_time
from tests.conformance.cases import cases, each_case, first_of_each_tool, result_of
from tests.extras import needs
from tests.interfaces.tool_commands import run_resolve, run_tool, spec
from tests.sandboxed import WHOLE, sandboxed, transported

pytestmark = pytest.mark.extras

needs.data_frames()

import pandas as pd  # noqa: E402
import polars as pl  # noqa: E402

COMMANDS = [
    ("entrez", "get_genes_batch", ["NCBIGene:7157", "TP53", "NCBIGene:672"], {}),
    ("chembl", "get_compounds_batch", ["CHEMBL:25", "no ID"], {}),
    ("entrez", "get_generifs", ["NCBIGene:7157", "NCBIGene:672"], {"page_size": 3}),
    ("ensembl", "get_gene", ["ENSG00000141510", "ENSG00000012048"], {"include": ["all"]}),
]
both_libraries = pytest.mark.parametrize("library", ["polars", "pandas"])


@functools.cache
def results(source):
    """The results of the first example of each tool of a source."""

    async def ask():
        async with sandboxed(source) as (client, _):
            source_cases = first_of_each_tool(cases(lambda case: case.source == source))
            return {case: await result_of(client, case) for case in source_cases}

    return virtual_time.run(ask())


def schema(frame):
    return frame.schema if isinstance(frame, pl.DataFrame) else dict(frame.dtypes)


def without_rows(result):
    names = [result.listed] if result.listed else listings(type(result))
    return result.model_copy(update={name: [] for name in names})


@both_libraries
@each_case(first_of_each_tool(cases(lambda case: True)))
def test_columns_and_their_types_are_the_same_without_rows(library, case):
    result = results(case.source)[case]

    full, empty = result.to_frame(library), without_rows(result).to_frame(library)

    assert schema(full) == schema(empty)
    assert len(full) > 0
    assert len(empty) == (0 if result.listed or listings(type(result)) else 1)


def answers(method, *arguments):
    async def ask():
        async with sandboxed("entrez") as (client, _):
            return await getattr(client, method)(*arguments)

    return virtual_time.run(ask())


@both_libraries
def test_a_failure_in_a_batch_is_a_row(library):
    frame = answers("get_genes_batch", ["NCBIGene:7157", "TP53", "NCBIGene:672"], False).to_frame(library)

    assert [name if isinstance(name, str) else None for name in frame["symbol"]] == ["TP53", None, "BRCA1"]
    assert frame["input"][1] == "TP53"
    assert frame["error"][1] == "UNRESOLVED_ENTITY"
    assert "not an NCBI Gene ID" in frame["message"][1]


@pytest.mark.parametrize(("source", "method", "ids", "options"), COMMANDS)
def test_a_frame_is_the_table_of_the_command(source, method, ids, options, tmp_path):
    needs.pyarrow()
    tool = spec(source, method)
    file = str(tmp_path / "table.parquet")

    async def ask():
        async with transported(timing=WHOLE) as (transport, _):
            client = tool.client_class(transport)
            answers = [await getattr(client, method)(part, **options) for part in (ids if options else [ids])]
            await run_tool(transport, tool, {tool.entities.name: ids, **options}, output=file)
            return answers

    frame = pl.concat(answer.to_frame("polars") for answer in virtual_time.run(ask()))

    assert as_texts(frame.drop("notices")) == as_texts(pl.read_parquet(file))
    assert frame["input"].to_list() == [name for name in frame["input"] if name]


def as_texts(frame):
    """A table as names and texts, for a file has texts where a frame has lists and objects."""
    cells = [[cell(value) if isinstance(value, list) else value for value in row] for row in frame.rows()]
    return [frame.columns, *([None if value == "" else value for value in row] for row in cells)]


def test_a_frame_of_names_is_the_table_of_resolve(tmp_path):
    needs.pyarrow()
    file = str(tmp_path / "table.parquet")
    inputs = ["TP53", "p53", "NA", "aspirin", "2-Sep", "RP11-17A4.3", "TP53"]
    columns = "hgnc,uniprot"

    async def ask():
        async with transported(timing=WHOLE) as (transport, _):
            answers = IdentityClient(transport).resolve_many(inputs, databases=columns.split(","))
            frames = [answer.to_frame("polars") async for answer in answers]
            names = ",".join([*resolve_command.COLUMNS, columns])
            await run_resolve(transport, *inputs, output=file, columns=names)
            return pl.concat(frames)

    frame = virtual_time.run(ask())

    assert frame["name"].to_list() == inputs
    assert frame["hgnc"][0] == "HGNC:11998"
    assert as_texts(frame.drop("notices")) == as_texts(pl.read_parquet(file))


def test_programs_that_join_frames_are_typed_and_run(tmp_path):
    program = Path(__file__).with_name("joining_program.py")
    environment = {**os.environ, "MYPYPATH": str(Path(biofact.__file__).parents[1])}
    mypy = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", tmp_path, program]
    pyright = [needs.pyright(), "--pythonpath", sys.executable, program]
    for checker in (mypy, pyright):
        done = subprocess.run(checker, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    with Sandbox(rate_factor=1000) as sandbox:
        settings = sandbox_settings(sandbox, str(tmp_path))
        command = [sys.executable, program]
        done = subprocess.run(command, capture_output=True, text=True, env={**environment, **settings}, check=False)

    assert done.stdout.splitlines() == ["BRCA1 BRCA1 17 HGNC:1100", "p53 TP53 17 HGNC:11998"], done.stderr


def test_polars_has_types_of_the_fields():
    frame = answers("get_gene", "NCBIGene:7157", False, ["all"]).to_frame()  # polars comes first

    assert frame.schema["start"] == pl.Int64
    assert frame.schema["aliases"] == pl.List(pl.String)
    assert frame["cross_references.hgnc"].to_list() == ["HGNC:11998"]
    assert frame["aliases"].to_list()[0][:1] == ["BCC7"]
    assert json.loads(frame["go_terms"][0])[0]["id"].startswith("GO:")


def test_pandas_has_nullable_types():
    frame = answers("search_genes", "TP53").to_frame("pandas")

    assert frame["score"].dtype == pd.Float64Dtype()
    assert frame["taxon_id"].dtype == pd.Int64Dtype()
    assert frame["symbol"][0] == "TP53"


@both_libraries
def test_a_list_made_by_hand_has_the_columns_of_its_items(library):
    own_page = page([GeneRif(text="It binds.", pmids=["PMID:1"], date="2020-01-01")], 1, total=1)

    assert list(own_page.to_frame(library).columns) == ["text", "pmids", "date", "notices"]
    typed = PaginationEnvelope[GeneRif](items=[], pagination=own_page.pagination)
    assert list(typed.to_frame(library).columns) == ["text", "pmids", "date", "notices"]


def test_the_program_of_the_guide_runs(monkeypatch, tmp_path):
    guide = (Path(__file__).parents[2] / "docs" / "guide.md").read_text()
    (program,) = re.findall(r"<!-- run by tests/extras/test_frames.py -->\n```python\n(.*?)```", guide, re.DOTALL)

    with Sandbox() as sandbox:
        for name, value in sandbox_settings(sandbox, str(tmp_path)).items():
            monkeypatch.setenv(name, value)
        exec(program, {"biofact": biofact})
