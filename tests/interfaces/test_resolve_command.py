"""``biofact resolve``: a row for each name, for any column."""

import asyncio
import csv
import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from biofact import sources
from biofact.core.usage import WrongUsage
from biofact.identity.records import ResolvedEntity
from biofact.interfaces.cli import resolve_command
from biofact.interfaces.cli.inputs import Inputs, open_inputs
from biofact.interfaces.cli.options import choose_form
from biofact.interfaces.cli.resolve_command import Options
from biofact.interfaces.cli.writers import Target
from biofact.interfaces.clients import Clients
from biofact.sandbox import Fault
from biofact.transport.stack import Transport
from tests import virtual_time
from tests.interfaces.terminal import at_a_terminal, biofact
from tests.sandboxed import LIFE, machine

pytestmark = pytest.mark.quick

GUIDE = (Path(__file__).parents[2] / "docs" / "guide.md").read_text("utf-8")
NAMES = ["BRCA1", "p150", "p53", "BRCA1", "no such gene"]
OF_DATABASES = list(sources.names())


def options(form="jsonl", file=None, *, kind=None, organism="human", provenance=False):
    return Options(kind, organism, Target(form, file, has_provenance=provenance))


def resolved(names, command_options, *faults):
    """The exit code of the command on the sandbox, in virtual time."""

    async def ask():
        async with machine() as (sandbox, network, settings):
            sandbox.faults.set(*faults)
            clients = Clients(Transport(settings, timing=LIFE, wire=network))
            try:
                return await resolve_command.write_rows(clients, Inputs.of(names), command_options)
            finally:
                await clients.aclose()

    return virtual_time.run(ask())


def test_a_pipe_gets_a_line_of_json_for_each_name(capsys):
    code = resolved([*NAMES, "7"], options())
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    assert code == 1
    assert [row["name"] for row in rows] == [*NAMES, "7"]
    assert [next(iter(row)) for row in rows] == ["name"] * 6
    assert rows[0] == rows[3]
    assert rows[0]["entities"][0]["ids"]["entrez"] == "NCBIGene:672"
    assert rows[4] == {"name": "no such gene", "entities": [], "reason": rows[4]["reason"]}
    assert rows[5]["error"]["code"] == "AMBIGUOUS_QUERY"


def test_a_missing_value_and_a_changed_name_keep_their_lines_and_no_id_is_chosen(capsys):
    resolved(["BRCA1", "NA", "4-Oct", "BRCA1"], options("tsv"))
    out, err = capsys.readouterr()
    header, *lines = (line.split("\t") for line in out.splitlines())
    first, missing, changed, last = (dict(zip(header, line, strict=True)) for line in lines)

    assert first == last
    assert {column for column, text in missing.items() if text} == {"name", "reason"}
    assert (changed["id"], changed["entrez"]) == ("", "")
    assert changed["reason"].startswith("A date that a spreadsheet may have made of a name: POU5F1 (was OCT4)")
    assert changed["ambiguous_with"].split("|")[0] == "POU5F1 (NCBIGene:5460)"
    assert "note: Read as missing values, not as names: 'NA'." in err


def test_a_missing_value_is_a_name_with_keep_na(capsys, monkeypatch):
    done = biofact(
        capsys, monkeypatch, "resolve", "--sandbox", "NA", "--keep-na", "--kind", "gene", "--format", "jsonl"
    )

    assert json.loads(done.stdout)["reason"].startswith("No gene is called so.")


@pytest.mark.parametrize(("form", "end"), [("tsv", "\n"), ("csv", "\r\n")])
def test_columns_never_depend_on_what_was_found(capfdbinary, form, end):
    resolved(NAMES, options(form))
    output = capfdbinary.readouterr().out.decode()
    resolved(["no such gene"], options(form))
    empty = capfdbinary.readouterr().out.decode()

    header, *lines = csv.reader(io.StringIO(output), delimiter="\t" if form == "tsv" else ",")
    assert output.split(end)[0] == empty.split(end)[0]
    assert header == [*("name", "id", "label", "kind", "organism", "score", "match", "status", "ambiguous_with"),
                      *OF_DATABASES, *("product_of", "form_of", "others", "error", "reason")]  # fmt: skip
    assert {len(line) for line in lines} == {len(header)}
    assert [line[0] for line in lines] == NAMES


def test_a_name_is_one_line_with_all_that_it_may_be(capsys):
    resolved(["p150", "TP53"], options("tsv"))
    header, shared, plain = (line.split("\t") for line in capsys.readouterr().out.splitlines())
    shared, plain = (dict(zip(header, line, strict=True)) for line in (shared, plain))

    assert (shared["id"], shared["others"]) == ("", "")
    assert len(shared["ambiguous_with"].split("|")) == 6
    assert shared["ambiguous_with"].startswith("ABL1 (NCBIGene:25)|")
    assert shared["reason"].startswith("6 genes match equally well (alias)")
    assert (plain["entrez"], plain["ensembl"]) == ("NCBIGene:7157", "ENSG00000141510.20")
    assert {plain[name] for name in ("ambiguous_with", "others", "error", "reason")} == {""}


def test_no_cell_is_a_formula_for_a_spreadsheet(capfdbinary):
    resolved(["=cmd|' /C calc'!A0", "BRCA1"], options("csv"))

    assert b"\r\n'=cmd|" in capfdbinary.readouterr().out


def test_a_terminal_shows_what_fits(capsys, monkeypatch):
    at_a_terminal(monkeypatch)
    monkeypatch.setenv("COLUMNS", "80")
    code = resolved(["BRCA1", "zzqq"], options("table"))
    out, err = capsys.readouterr()

    header, hit, unknown = out.splitlines()
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80
    assert header.split()[:6] == ["name", "id", "label", "kind", "match", "ensembl"]
    assert hit.split()[:6] == ["BRCA1", "NCBIGene:672", "BRCA1", "gene", "symbol", "ENSG00000012048.26"]
    assert unknown.split()[0] == "zzqq"
    assert "NCBIGene:" not in unknown
    assert "--format tsv shows all" in err
    assert "note: 1 row with an entity, 1 without.\n" in err


def test_a_terminal_shows_ambiguous_names(capsys, monkeypatch):
    at_a_terminal(monkeypatch)
    monkeypatch.setenv("COLUMNS", "80")
    resolved(["p150", "BRCA1"], options("table"))

    header, shared, _ = capsys.readouterr().out.splitlines()
    assert "ambiguous_with" in header.split()
    assert shared.split()[:2] == ["p150", "ABL1"]


def test_notices_failures_and_provenance_go_to_stderr(capsys):
    code = resolved(["BRCA1", "7", "8", "zzqq"], options(provenance=True))
    _, err = capsys.readouterr()

    assert code == 1
    assert err.count("note: Names read by their form") == 1
    assert "note: 1 row with an entity, 1 without, 2 failed.\n" in err
    assert "error: A name is text of 2 to 300 characters, or a gene's symbol of one letter, not '7'.\n" in err
    assert "\nhint: Give a name, or leave the row out.\n" in err
    assert "sandbox: http://" in err


def test_a_service_that_is_down_is_one_error_for_all_its_rows(capsys):
    code = resolved(["BRCA1", "TP53", "NEFL"], options(kind="gene"), Fault("status", status=503, times=None))
    out, err = capsys.readouterr()

    assert code == 1
    assert [json.loads(line)["error"]["code"] for line in out.splitlines()] == ["UPSTREAM_ERROR"] * 3
    assert err.count("error: ") == 1
    assert "(3 rows)" in err


def test_rows_are_written_as_they_are_resolved_and_a_killed_run_continues(capsys, monkeypatch):
    monkeypatch.setattr("biofact.identity.client.AT_ONCE", 40)
    names = [*NAMES, *(f"NOGENE{number}" for number in range(95))]

    async def kill():
        async with machine() as (sandbox, network, settings):
            first = Clients(Transport(settings, timing=LIFE, wire=network))
            run = asyncio.create_task(resolve_command.write_rows(first, Inputs.of(names), options(kind="gene")))
            output = ""
            while not output:
                await asyncio.sleep(0.01)
                output = capsys.readouterr().out
            run.cancel()
            with pytest.raises(asyncio.CancelledError):
                await run
            await first.aclose()
            before = len(sandbox.requests)
            second = Clients(Transport(settings, timing=LIFE, wire=network))
            code = await resolve_command.write_rows(second, Inputs.of(names), options(kind="gene"))
            await second.aclose()
            return code, output, sandbox.requests[:before], sandbox.requests[before:]

    code, output, before, after = virtual_time.run(kill())
    out, err = capsys.readouterr()

    assert code == 0
    assert "the same command goes on from there" in err
    assert len(output.splitlines()) == 40
    assert out.startswith(output)
    assert [json.loads(line)["name"] for line in out.splitlines()] == names
    assert "BRCA1" in str(before)
    assert "NOGENE94" in str(after)
    assert "BRCA1" not in str(after)


def test_a_file_is_there_when_all_of_it_is(tmp_path, capsys):
    file = tmp_path / "ids.tsv"
    file.write_text("what was there")

    async def kill():
        async with machine() as (_, network, settings):
            clients = Clients(Transport(settings, timing=LIFE, wire=network))
            run = resolve_command.write_rows(clients, Inputs.of(NAMES), options("tsv", file))
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(run, 0.001)
            await clients.aclose()

    virtual_time.run(kill())
    assert [path.name for path in tmp_path.iterdir()] == ["ids.tsv"]
    assert file.read_text() == "what was there"

    assert resolved(NAMES, options("tsv", file)) == 0
    assert capsys.readouterr().out == ""
    assert [line.split("\t")[0] for line in file.read_text().splitlines()] == ["name", *NAMES]


def test_the_name_of_a_file_says_its_form(tmp_path, subtests):
    for name, requested, form in [
        ("a.tsv", None, "tsv"),
        ("a.CSV", None, "csv"),
        ("a", None, "jsonl"),
        ("a.tsv", "csv", "csv"),
    ]:
        with subtests.test(f"{name}, asked for {requested}"):
            assert choose_form(requested, tmp_path / name, "jsonl") == form


def test_a_table_does_not_go_into_a_file(tmp_path):
    with pytest.raises(WrongUsage, match="A table is for a terminal"):
        choose_form("table", tmp_path / "a.txt", "jsonl")


def test_a_column_is_read_from_words_files_and_standard_input(tmp_path, monkeypatch):
    file = tmp_path / "names.txt"
    file.write_bytes(
        "\ufeffBRCA1\r\n\r\n  breast cancer \r\n# symbols\r\n#N/A\n#DIV/0!\n#---\nBRCA1\n\t\nβ-catenin".encode()
    )
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"TP53\n\n")))

    with open_inputs(["NEFL", f"@{file}", "-"], {}) as inputs:
        assert inputs.texts == ["NEFL", "BRCA1", "breast cancer", "#N/A", "#DIV/0!", "BRCA1", "β-catenin", "TP53"]
        assert inputs.messages == ["note: 2 blank lines skipped.", "note: 2 lines that begin with # skipped."]


def test_a_column_that_cannot_be_read_is_wrong_usage(subtests):
    for words, message in [
        (["@nowhere.txt"], "There is no file 'nowhere.txt'."),
        (["@."], "'.' cannot be read: is a directory."),
        (["", "  "], "There is nothing to ask in ,   ."),
    ]:
        with subtests.test(str(words)):
            with pytest.raises(WrongUsage) as wrong, open_inputs(words, {}):
                pass
            assert str(wrong.value) == message
            assert wrong.value.exit_code == 2


def test_a_mistake_in_the_command_exits_with_2(capsys, monkeypatch, subtests):
    for words in ([], ["BRCA1", "--kind", "planet"], ["BRCA1", "--form", "tsv"], ["@nowhere.txt"], ["-x"]):
        with subtests.test(str(words)):
            done = biofact(capsys, monkeypatch, "resolve", *words)
            assert done.returncode == 2
            assert done.stdout == ""
            assert done.stderr.startswith("error: ")


def test_the_command_reads_standard_input(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"BRCA1\n\nBRCA1\n")))

    done = biofact(capsys, monkeypatch, "resolve", "--sandbox", "-", "--format", "tsv")

    assert done.returncode == 0
    assert [line.split("\t")[:2] for line in done.stdout.splitlines()[1:]] == [["BRCA1", "NCBIGene:672"]] * 2
    assert done.stderr.startswith("note: 1 blank line skipped.\n")


def test_a_search_does_not_take_a_file_for_its_query(capsys, monkeypatch, subtests):
    for command in [("entrez", "search-genes"), ("pubmed", "search"), ("igvf", "search-terms")]:
        with subtests.test(" ".join(command)):
            done = biofact(capsys, monkeypatch, *command, "@syms.txt")
            assert done.returncode == 2
            assert "takes words, not a file of them such as '@syms.txt'" in done.stderr
            assert done.stderr.endswith("hint: biofact resolve @syms.txt takes a column of names.\n")


def test_the_overview_and_help_show_it_first(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")

    overview, help_text = (biofact(capsys, monkeypatch, *words).stdout for words in (["--help"], ["resolve", "--help"]))

    assert overview.index("│ resolve ") < overview.index("│ chembl ")
    assert "Usage: biofact resolve NAME...|TABLE|@FILE|- [OPTIONS]" in help_text
    assert "identity" not in (overview + help_text).replace("check-identity", "")
    assert max(map(len, (overview + help_text).splitlines())) <= 80


def test_nothing_answers_to_the_name_of_the_layer(capsys, monkeypatch):
    for words in (["identity", "resolve", "BRCA1"], ["serve", "identity"]):
        done = biofact(capsys, monkeypatch, *words)
        assert done.returncode == 2, words


def test_every_column_is_explained_and_every_fact_has_one():
    columns = set(resolve_command.LAYOUT.names)

    assert set(resolve_command.TABLE_COLUMNS) <= columns
    assert set(ResolvedEntity.model_fields) - {"ids"} <= columns
    assert {name for name in columns - set(OF_DATABASES) if f"`{name}`" not in GUIDE} == set()
