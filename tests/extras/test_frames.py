"""Answers as data frames of polars and pandas."""

import functools
import json
import re
from pathlib import Path

import pytest

import biofact.sync
from biofact.clients import sandbox_settings
from biofact.core.envelopes import PaginationEnvelope, page
from biofact.sandbox import Sandbox
from biofact.sources.entrez.records import GeneRif
from biofact.tables.columns import listings
from tests import virtual_time
from tests.conformance.cases import cases, each_case, first_of_each_tool, result_of
from tests.extras import needs
from tests.sandboxed import sandboxed

pytestmark = pytest.mark.extras

needs.data_frames()

import pandas as pd  # noqa: E402
import polars as pl  # noqa: E402

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
