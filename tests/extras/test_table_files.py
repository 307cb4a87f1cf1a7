"""Other people's programs read the tables that commands write: the same cells in each, and no formula is run."""

import csv
import io
import json
import os
import shlex
import shutil
import subprocess

import pytest

from tests import virtual_time
from tests.corpus.command import COMMAND
from tests.each_of import each_of
from tests.extras import needs
from tests.interfaces.tool_commands import run_resolve
from tests.sandboxed import WHOLE, transported
from tests.tables.test_round_trips import TABLE, copied, rows_read, write_csv

pytestmark = pytest.mark.extras

HEADER = ["No", "Gene name", "\u0394 in %", "note"]
ROWS = [
    ["001", "TP53", "-0.37", "first, with a comma"],
    ["002", "TGF-\u03b21", "+3", 'a "quoted" word'],
    ["003", "4-Oct", "2e-05", "two\nlines"],
    ["004", "HER2/neu", "12345678901234567", "=1+2"],
    ["005", "NA", "", "'tis"],
    ["006", "=SUM(1;2)", "1,5", "2-Sep"],
]
GUARDED = {"=1+2": "'=1+2", "=SUM(1;2)": "'=SUM(1;2)"}  # as CSV for spreadsheets has them
IDS = ["NCBIGene:7157", "NCBIGene:7040", "", "NCBIGene:2064", "", ""]
EXPECTED = [[*HEADER, "id"], *([*row, gene] for row, gene in zip(ROWS, IDS, strict=True))]
FOR_SPREADSHEETS = [[GUARDED.get(cell, cell) for cell in row] for row in EXPECTED]
FORMS = {**dict.fromkeys(("csv", "tsv", "xlsx", "parquet"), "id"), "jsonl": None, "json": None}
"""The forms with the columns that are added."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the same table, and the IDs of its genes, in each form."""
    needs.pyarrow()
    folder = tmp_path_factory.mktemp("tables")
    with (folder / "genes.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([HEADER, *ROWS])

    async def ask():
        async with transported(timing=WHOLE) as (transport, _):
            for form, columns in FORMS.items():
                output = str(folder / f"out.{form}")
                await run_resolve(transport, str(folder / "genes.csv"), output=output, column="2", columns=columns)

    virtual_time.run(ask())
    return folder


def output_of(*command, folder, **environment):
    """The output of a command, which is done without fault."""
    variables = {**os.environ, **environment}
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows_of(text, delimiter=","):
    return [*csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=delimiter)]


def cells_of(frame):
    return [[*frame.columns], *([*row] for row in frame.itertuples(index=False))]


def test_pandas_reads_every_form(folder):
    needs.data_frames()
    import pandas as pd  # noqa: PLC0415  # an extra

    texts = {"dtype": str, "keep_default_na": False}
    assert cells_of(pd.read_csv(folder / "out.csv", **texts)) == FOR_SPREADSHEETS
    assert cells_of(pd.read_csv(folder / "out.tsv", sep="\t", **texts)) == EXPECTED
    assert cells_of(pd.read_excel(folder / "out.xlsx", **texts)) == EXPECTED
    assert cells_of(pd.read_parquet(folder / "out.parquet").fillna("")) == EXPECTED


def test_polars_reads_every_form(folder):
    needs.data_frames()
    import polars as pl  # noqa: PLC0415  # an extra

    def cells(frame):
        return [[*frame.columns], *([cell or "" for cell in row] for row in frame.iter_rows())]

    assert cells(pl.read_csv(folder / "out.csv", infer_schema=False)) == FOR_SPREADSHEETS
    assert cells(pl.read_csv(folder / "out.tsv", separator="\t", infer_schema=False)) == EXPECTED
    assert cells(pl.read_parquet(folder / "out.parquet")) == EXPECTED
    assert [row["row"]["note"] for row in pl.read_ndjson(folder / "out.jsonl").to_dicts()] == [row[3] for row in ROWS]


def test_csvkit_reads_both_forms_of_text(folder):
    program = needs.tables().parent / "csvformat"

    assert rows_of(output_of(program, "out.csv", folder=folder)) == FOR_SPREADSHEETS
    assert rows_of(output_of(program, "-t", "out.tsv", folder=folder)) == EXPECTED


def test_jq_reads_both_forms_of_json(folder):
    query = '[.row[], (.entities[0].id // "")] | map(. // "")'
    for name, path in (("out.jsonl", query), ("out.json", f".items[] | {query}")):
        lines = output_of(needs.jq(), "-c", path, name, folder=folder).splitlines()
        assert [*map(json.loads, lines)] == EXPECTED[1:]


def test_libreoffice_reads_the_workbook_and_runs_no_formula_of_csv(folder):
    as_shown = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true"
    home = f"-env:UserInstallation=file://{folder}/office"
    shutil.copy(folder / "out.csv", folder / "text.csv")
    convert = (needs.libreoffice(), home, "--headless", "--convert-to", as_shown, "--outdir", "saved")
    output_of(*convert, "out.xlsx", folder=folder)
    output_of(*convert, "--infilter=CSV:44,34,UTF8", "text.csv", folder=folder)
    workbook, text = (rows_of((folder / "saved" / name).read_text("utf-8")) for name in ("out.csv", "text.csv"))

    assert workbook == EXPECTED
    assert [row[1::2] for row in text] == [row[1::2] for row in FOR_SPREADSHEETS]


def test_r_reads_csv_and_the_workbook(folder):
    program = """
        options(encoding = "UTF-8")
        texts <- read.csv("out.csv", colClasses = "character", check.names = FALSE, na.strings = character(),
                          fileEncoding = "UTF-8-BOM")
        cells <- readxl::read_excel("out.xlsx", col_types = "text", .name_repair = "minimal")
        write.csv(texts, "r-csv.csv", row.names = FALSE, fileEncoding = "UTF-8")
        write.csv(cells, "r-xlsx.csv", row.names = FALSE, na = "", fileEncoding = "UTF-8")
    """
    output_of(needs.r_with_readxl(), "-e", program, folder=folder, LC_ALL="C.UTF-8")

    assert rows_of((folder / "r-csv.csv").read_text("utf-8")) == FOR_SPREADSHEETS
    assert rows_of((folder / "r-xlsx.csv").read_text("utf-8")) == EXPECTED


def test_texts_come_back_from_parquet_as_they_were(tmp_path):
    needs.pyarrow()
    source = write_csv(tmp_path / "source.csv", TABLE)
    there = copied(source, tmp_path / "there.parquet")
    again = copied(there, tmp_path / "again.csv", column="name")

    assert rows_read(there) == rows_read(again) == rows_read(source)


SNAKEMAKE = "rule genes:\n    input: 'ids.csv'\n    output: 'genes.csv'\n    shell: '{command}'\n"
MAKE = "genes.csv: ids.csv\n\t{command}\n"


@each_of(
    ("name", "rule", "words"),
    [("Snakefile", SNAKEMAKE, ["-m", "snakemake", "--cores", "1"]), ("Makefile", MAKE, ["make"])],
)
def test_a_workflow_goes_on_though_a_row_failed(tmp_path, name, rule, words):
    program = tmp_path / "bin" / "biofact"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec {shlex.join(COMMAND)} "$@"\n')
    program.chmod(0o755)
    (tmp_path / "ids.csv").write_text("gene,n\nNCBIGene:672,1\nNCBIGene:999999999,2\n")
    command = words if words == ["make"] else [needs.snakemake(), *words]
    variables = {"PATH": f"{program.parent}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    line = "biofact entrez get-gene ids.csv --columns symbol,error -o genes.csv --sandbox --allow-failed-rows"
    (tmp_path / name).write_text(rule.format(command=line))
    (tmp_path / "genes.csv").unlink(missing_ok=True)
    output_of(*command, folder=tmp_path, **variables)

    assert rows_of((tmp_path / "genes.csv").read_text("utf-8"))[1:] == [
        ["NCBIGene:672", "1", "BRCA1", ""],
        ["NCBIGene:999999999", "2", "", "ENTITY_NOT_FOUND"],
    ]
