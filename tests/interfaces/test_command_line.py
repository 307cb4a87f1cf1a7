"""The command line, generated from the same declarations as the servers."""

import json
import subprocess
import sys

import pytest

from biofact.core.xrefs import REGISTRY
from biofact.interfaces.cli import app as cli
from tests.interfaces.terminal import at_a_terminal, biofact, run
from tests.interfaces.toy import SHELVES, TOYS
from tests.marks import requirement

pytestmark = pytest.mark.quick

XREFS = [f"cross_references.{key}" for key in REGISTRY]
OF_TOYS = ["id", "name", "colour", "parts", "weight", *XREFS, "category"]
"""The columns of a toy, for any toy."""


def table(out):
    """The rows of TSV by column, without empty cells; each line has as many cells as the header."""
    header, *lines = (line.split("\t") for line in out.splitlines())
    rows = [dict(zip(header, line, strict=True)) for line in lines]
    return header, [{name: cell for name, cell in row.items() if cell} for row in rows]


@pytest.fixture
def shelves(monkeypatch):
    """Replaces toys by shelves on the command line."""
    monkeypatch.setattr("tests.interfaces.terminal.TOYS", SHELVES)


@requirement("all cli")
def test_a_pipe_gets_json(capsys):
    code, out, err = run(capsys, "toy", "get-toy", "TOY:8")

    assert (code, err) == (0, "")
    assert json.loads(out) == {"id": "TOY:8", "name": "doll"}


def test_a_terminal_gets_a_table(capsys, monkeypatch):
    at_a_terminal(monkeypatch)
    code, out, err = run(capsys, "toy", "search-toys", "toys")

    header, ball, doll = out.splitlines()
    assert code == 0
    assert header.split() == ["id", "name", "colour", "parts", "weight", "cross_references.hgnc", "category"]
    assert ball.split() == ["TOY:7", "ball", "red", "skin,", "air", "0.5", "HGNC:7", "biolink:Toy"]
    assert doll.split() == ["TOY:8", "doll"]
    assert err == "note: Understood as 'toys'; biofact toy get-toy takes the ID.\n"


def test_one_record_at_a_terminal_is_one_fact_a_line(capsys, monkeypatch):
    at_a_terminal(monkeypatch)
    _, out, _ = run(capsys, "toy", "get-toy", "TOY:7")

    assert [line.split(maxsplit=1) for line in map(str.rstrip, out.splitlines())] == [
        ["id", "TOY:7"],
        ["name", "ball"],
        ["colour", "red"],
        ["parts", "skin, air"],
        ["weight", "0.5"],
        ["cross_references.hgnc", "HGNC:7"],
        ["category", "biolink:Toy"],
    ]


def test_json_is_json_at_a_terminal_too(capsys, monkeypatch):
    at_a_terminal(monkeypatch)

    assert json.loads(run(capsys, "toy", "get-toy", "TOY:8", "--format", "json")[1]) == {"id": "TOY:8", "name": "doll"}


def test_tsv_has_a_header_and_a_line_each(capsys):
    _, out, _ = run(capsys, "toy", "search-toys", "toys", "--format", "tsv")

    ball = {"colour": "red", "parts": "skin|air", "weight": "0.5", "cross_references.hgnc": "HGNC:7"}
    assert table(out) == (
        OF_TOYS,
        [{"id": "TOY:7", "name": "ball", **ball, "category": "biolink:Toy"}, {"id": "TOY:8", "name": "doll"}],
    )


@pytest.mark.usefixtures("shelves")
def test_several_lists_are_one_table_with_a_line_each(capsys, monkeypatch):
    words = ("shelf", "look", "top", "--filters", "name=doll")
    _, pipe_output, _ = run(capsys, *words, "--format", "tsv")
    at_a_terminal(monkeypatch)
    _, terminal_output, _ = run(capsys, *words)

    assert table(pipe_output) == (
        ["list", *OF_TOYS, "toys"],
        [{"list": "toys", "id": "TOY:8", "name": "doll"}, {"list": "boxes", "id": "BOX:1", "toys": "TOY:7|TOY:8"}],
    )
    assert [line.split() for line in terminal_output.splitlines()] == [
        ["list", "id", "name", "toys"],
        ["toys", "TOY:8", "doll"],
        ["boxes", "BOX:1", "TOY:7,", "TOY:8"],
    ]


@pytest.mark.usefixtures("shelves")
def test_a_pipe_gets_several_lists_as_json(capsys):
    code, out, err = run(capsys, "shelf", "look", "empty", "--include", "boxes")

    assert (code, err) == (0, "")
    assert json.loads(out) == {"shelf": "empty", "boxes": [], "gaps": [{"width": 3}]}


@pytest.mark.usefixtures("shelves")
def test_help_explains_how_mappings_and_lists_are_typed(capsys):
    code, out, err = run(capsys, "shelf", "look", "--help")
    text = " ".join(out.replace("│", " ").split())

    assert (code, err) == (0, "")
    assert "Usage: biofact shelf look SHELF... [OPTIONS]" in text
    assert "NAME=VALUE, once for each filter." in text
    assert "once for each kind, one of toys, boxes." in text
    assert "`filters`" not in text
    assert "--filters are of toys." in text
    assert "--no-" not in text.replace("--no-header", "")
    assert "--empty-" not in text
    assert "@FILE" not in text


def test_an_error_is_two_lines_on_stderr(capsys):
    assert run(capsys, "toy", "get-toy", "ball") == (
        1,
        "",
        (
            "error: 'ball' is not a toy ID; expected a form like 'TOY:7'.\n"
            "hint: Call biofact toy search-toys to resolve the name first.\n"
        ),
    )


@pytest.mark.parametrize("terminal", [True, False])
def test_a_list_without_rows_has_its_header(capsys, monkeypatch, terminal):
    if terminal:
        at_a_terminal(monkeypatch)
    code, out, _ = run(capsys, "toy", "search-toys", "robots", *([] if terminal else ["--format", "tsv"]))

    assert code == 0
    assert out.split() == (["id", "name"] if terminal else OF_TOYS)


ABSENT = {"input": "TOY:9", "error": "ENTITY_NOT_FOUND", "message": "There is no TOY:9."}


@pytest.mark.parametrize("command", ["get-toys-batch", "get-toy"])
def test_a_failure_is_a_row_under_the_same_header(capsys, command):
    code, out, err = run(capsys, "toy", command, "TOY:9", "--format", "tsv")

    assert code == 1
    assert table(out) == (["input", *OF_TOYS, "error", "message"], [ABSENT])
    assert err == "error: There is no TOY:9.\nhint: Call biofact toy search-toys with its name.\n"


@pytest.mark.parametrize("command", ["get-toys-batch", "get-toy"])
def test_of_several_ids_the_one_that_fails_stays_in_its_place(capsys, command):
    code, out, err = run(capsys, "toy", command, "TOY:8", "TOY:9", "TOY:8", "--format", "tsv")

    doll = {"input": "TOY:8", "id": "TOY:8", "name": "doll"}
    assert code == 1
    assert table(out)[1] == [doll, ABSENT, doll]
    assert err == (
        "note: 1 of 3 rows failed.\nerror: There is no TOY:9.\nhint: Call biofact toy search-toys with its name.\n"
    )


def test_several_ids_are_one_document_of_json(capsys):
    code, out, _ = run(capsys, "toy", "get-toy", "TOY:8", "TOY:9")
    doll, absent = json.loads(out)["items"]

    assert code == 1
    assert doll == {"input": "TOY:8", "id": "TOY:8", "name": "doll"}
    assert (absent["input"], absent["error"]["code"]) == ("TOY:9", "ENTITY_NOT_FOUND")


def test_json_of_a_batch_of_any_length_is_that_of_the_tool(capsys, tmp_path):
    (tmp_path / "ids").write_text("TOY:8\n" * 201)

    _, out, err = run(capsys, "toy", "get-toys-batch", f"@{tmp_path}/ids")

    assert json.loads(out)["items"] == [{"id": "TOY:8", "name": "doll"}] * 201
    assert err == ""


def test_each_line_of_jsonl_is_a_row_with_what_was_asked(capsys):
    _, out, _ = run(capsys, "toy", "get-toys-batch", "TOY:8", "TOY:9", "--format", "jsonl")
    doll, absent = map(json.loads, out.splitlines())

    assert doll == {"input": "TOY:8", "id": "TOY:8", "name": "doll"}
    assert (absent["input"], absent["success"]) == ("TOY:9", False)


def test_columns_are_chosen_by_their_names_or_the_ends_of_them(capsys):
    words = ("toy", "search-toys", "toys", "--columns", "hgnc, id")

    assert run(capsys, *words, "--format", "csv")[1] == "cross_references.hgnc,id\r\nHGNC:7,TOY:7\r\n,TOY:8\r\n"
    assert run(capsys, *words)[1] == "cross_references.hgnc\tid\nHGNC:7\tTOY:7\n\tTOY:8\n", "of a pipe, too"


def test_a_table_has_the_columns_that_were_chosen_of_one_record_too(capsys, monkeypatch):
    at_a_terminal(monkeypatch)
    options = ("--columns", "input,id,message,parts")
    _, single, _ = run(capsys, "toy", "get-toy", "TOY:7", *options)
    _, batch, _ = run(capsys, "toy", "get-toy", "TOY:7", "TOY:9", *options)

    assert [line.split() for line in single.splitlines()] == [["input", "id", "parts"], ["TOY:7", "TOY:7", "skin|air"]]
    assert [line.split() for line in batch.splitlines()] == [
        ["input", "id", "message", "parts"],
        ["TOY:7", "TOY:7", "skin|air"],
        ["TOY:9", "There", "is", "no", "TOY:9."],
    ]


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        ("--format tsv --columns nmae", "has no column 'nmae'", "Did you mean name? The columns are input, id, name,"),
        (
            "--format tsv --columns input,gene,name",
            "has no column 'gene'",
            "and 14 more, as the first line of --format tsv.",
        ),
        ("--format json --columns id", "json has no columns", "Give --format tsv, csv or table with --columns."),
        ("--format jsonl --columns id", "jsonl has no columns", "Give --format tsv, csv or table with --columns."),
    ],
)
def test_columns_that_there_are_not_are_wrong_usage(capsys, words, message, hint):
    code, out, err = run(capsys, "toy", "get-toy", "TOY:8", *words.split())

    assert (code, out) == (2, "")
    assert message in err
    assert hint in err


@pytest.mark.parametrize("suffix", ["tsv", "csv", "jsonl", "json"])
def test_a_file_has_the_form_of_its_name(capsys, tmp_path, suffix):
    words = ("toy", "get-toy", "TOY:7", "TOY:9")
    _, pipe_output, _ = run(capsys, *words, "--format", suffix)
    code, out, _ = run(capsys, *words, "-o", str(tmp_path / f"toys.{suffix}"))

    assert (code, out) == (1, "")
    assert (tmp_path / f"toys.{suffix}").read_bytes().decode() == pipe_output
    assert [file.name for file in tmp_path.iterdir()] == [f"toys.{suffix}"]


def test_a_search_that_fails_leaves_the_file_that_was_there(capsys, tmp_path):
    (tmp_path / "toys.tsv").write_text("what was there")

    code, _, _ = run(capsys, "toy", "search-toys", "toys", "--page-size", "1000", "-o", str(tmp_path / "toys.tsv"))

    assert code == 1
    assert (tmp_path / "toys.tsv").read_text() == "what was there"
    assert [file.name for file in tmp_path.iterdir()] == ["toys.tsv"]


def test_provenance_is_shown_when_requested(capsys, monkeypatch):
    _, out, _ = run(capsys, "toy", "get-toy", "TOY:8", "--provenance")
    at_a_terminal(monkeypatch)
    _, _, err = run(capsys, "toy", "get-toy", "TOY:8", "--provenance")

    assert json.loads(out)["provenance"]["retrieved_at"] == "2026-01-01T00:00:00Z"
    assert err == "live: toy://box at 2026-01-01T00:00:00Z, release 9\n"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--help", ["toy", "Toy Box: Toys by name and ID", "serve", "install", "sandbox", "demo", "doctor"]),
        ("toy --help", ["search-toys", "biofact toy get-toy describes one.", "get-toys-batch"]),
        ("toy search-toys --help", ["search-toys QUERY... [OPTIONS]", "page, 1 to 100. [default: 50]", "As painted."]),
        (
            "toy get-toy --help",
            ["Usage: biofact toy get-toy TOY_ID... [OPTIONS]", "Like TOY:7; any number", "[default: --no-slim]"],
        ),
        (
            "toy get-toys-batch --help",
            ["TOY_IDS...", "Like TOY:7; any number", "[default: --slim]", "--format", "tsv", "--columns", "--sandbox"],
        ),
        ("toy break-toy --help", ["break-toy HOW [OPTIONS]", "One of busy, down, defect, elsewhere."]),
        ("serve --help", ["[SOURCE]", "--http", "127.0.0.1:8000", "--no-auth", "who need a token"]),
        ("cache --help", ["stats", "clear", "--format"]),
        ("doctor --help", ["--probe", "--format"]),
        ("install --help", ["Usage: biofact install --client CLIENT [OPTIONS]", "claude-desktop", "--print", "--env"]),
    ],
)
def test_help_reads_well(capsys, words, expected):
    code, out, err = run(capsys, *words.split())

    assert (code, err) == (0, "")
    assert [text for text in expected if text not in out] == []
    assert "None" not in out


def test_a_list_of_commands_shows_the_first_sentence_of_each(capsys):
    assert "page_size" not in run(capsys, "toy", "--help")[1]
    assert "--page-size and --no-slim matter." in run(capsys, "toy", "search-toys", "--help")[1]


def test_only_the_source_that_is_named_is_imported():
    class OneSource:
        def names(self):
            return ("toy", "doll")

        toolsets = names

        def listing(self, name):
            return TOYS.listing(name)

        def commands(self, name):
            assert name == "toy"
            return TOYS.commands(name)

        def client_class(self, name):
            raise AssertionError("imported")

    assert "toy" in cli.app(["toy", "get-toy"], OneSource())


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("serve gwas", "There is no source 'gwas'"),
        ("entrez get-genes-batch @/no/such/file", "There is no file '/no/such/file'"),
        ("entrez get-gene NCBIGene:672 --colour red", "has no option '--colour'"),
        ("sandbox --port 70000", "70000 is not a port"),
        ("sandbox --bytes-per-second 0", "bytes a second are too few"),
        ("sandbox --first-byte-seconds ncbi", "'ncbi' is not a service and its seconds"),
        ("sandbox --first-byte-seconds nobody=1", "The sandbox has no nobody"),
        ("sandbox --recordings /no/such/folder", "There is no file '/no/such/folder/REQUESTS.tsv'"),
    ],
)
def test_an_impossible_command_prints_two_lines_and_exits_with_2(capsys, monkeypatch, words, reason):
    done = biofact(capsys, monkeypatch, *words.split())

    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 2
    assert reason in done.stderr


@pytest.mark.processes
def test_no_server_listens_beyond_this_machine():
    command = [sys.executable, "-m", "biofact", "serve", "--http", "0.0.0.0:8000"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 2
    assert "no authentication" in done.stderr
