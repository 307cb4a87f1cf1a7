"""Resources at the command line: written unchanged on stdout or to a file."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from biofact.interfaces.cli import files
from tests.interfaces.terminal import at_a_terminal, run

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
DRAWING = "<svg>\u2022 ball</svg>"
PHOTO = b"\x89PNG ball"


def test_a_command_writes_what_a_resource_holds_on_stdout(capsysbinary):
    code, out, err = run(capsysbinary, "toy", "draw", "TOY:7")

    assert (code, out) == (0, DRAWING.encode())
    assert err == b"note: An old drawing; biofact toy get-toy knows more.\n"


def test_bytes_go_into_a_pipe_as_they_are(capsysbinary):
    assert run(capsysbinary, "toy", "photograph", "TOY:7") == (0, PHOTO, b"")


@pytest.mark.parametrize("option", ["-o", "--output"])
def test_a_command_writes_to_a_file(capsys, tmp_path, option):
    file = tmp_path / "ball.svg"
    code, out, _ = run(capsys, "toy", "draw", "TOY:7", option, str(file))

    assert (code, out) == (0, "")
    assert file.read_bytes() == DRAWING.encode()
    assert list(tmp_path.iterdir()) == [file]


def test_bytes_are_written_to_a_file_at_a_terminal_too(capsys, monkeypatch, tmp_path):
    at_a_terminal(monkeypatch)
    code, out, err = run(capsys, "toy", "photograph", "TOY:7", "-o", str(tmp_path / "ball.png"))

    assert (code, out, err) == (0, "", "")
    assert (tmp_path / "ball.png").read_bytes() == PHOTO


def test_bytes_are_not_printed_to_a_terminal(capsys, monkeypatch):
    at_a_terminal(monkeypatch)

    assert run(capsys, "toy", "photograph", "TOY:7") == (
        1,
        "",
        "error: This is binary data and would garble the terminal.\nhint: Give --output FILE.\n",
    )


def test_a_text_at_a_terminal_ends_its_line(capsys, monkeypatch):
    at_a_terminal(monkeypatch)

    assert run(capsys, "toy", "draw", "TOY:7")[1] == f"{DRAWING}\n"


def test_a_file_that_is_there_is_overwritten_and_keeps_its_mode(capsys, tmp_path):
    file = tmp_path / "ball.svg"
    file.write_text("a much longer drawing " * 99)
    file.chmod(0o640)

    code, _, _ = run(capsys, "toy", "draw", "TOY:7", "-o", str(file))

    assert (code, file.read_text("utf-8")) == (0, DRAWING)
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_link_stays_and_the_file_behind_it_is_written(capsys, tmp_path):
    file, link = tmp_path / "deep.svg", tmp_path / "link.svg"
    file.write_text("old")
    link.symlink_to(file)

    run(capsys, "toy", "draw", "TOY:7", "-o", str(link))

    assert link.is_symlink()
    assert file.read_text("utf-8") == DRAWING


def places(folder):
    """Files that cannot be written, with their messages."""
    os.mkfifo(folder / "pipe")
    (folder / "round").symlink_to(folder / "round")
    (folder / "file").write_text("kept")
    return {
        str(folder): f"{str(folder)!r} is a folder.",
        f"{folder}/new/": f"'{folder}/new/' is a folder.",
        "": "'' is a folder.",
        f"{folder}/pipe": f"'{folder}/pipe' is not a regular file.",
        "/dev/null": "'/dev/null' is not a regular file.",
        f"{folder}/none/ball.svg": f"There is no folder '{folder}/none'.",
        f"{folder}/file/ball.svg": f"There is no folder '{folder}/file'.",
        f"{folder}/{'x' * 300}": "file name too long.",
        f"{folder}/round": f"'{folder}/round' is not a regular file.",
    }


def test_a_path_that_cannot_be_written_is_reported_in_two_lines_before_any_request(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("biofact.interfaces.clients.open_clients", None)

    for path, message in places(tmp_path).items():
        code, out, err = run(capsys, "toy", "draw", "TOY:7", "-o", path)
        assert (code, out) == (1, "")
        assert message in err
        assert err.splitlines()[1:] == [f"hint: {files.HINT}"]
    assert (tmp_path / "file").read_text() == "kept"


def test_a_file_without_write_permission_is_reported(capsys, monkeypatch, tmp_path):
    (tmp_path / "ball.svg").write_text("kept")
    monkeypatch.setattr(os, "access", lambda place, mode: False)

    code, _, err = run(capsys, "toy", "draw", "TOY:7", "-o", str(tmp_path / "ball.svg"))

    assert code == 1
    assert "ball.svg' cannot be written: permission denied." in err
    assert (tmp_path / "ball.svg").read_text() == "kept"


def test_a_disk_that_is_full_loses_nothing(capsys, monkeypatch, tmp_path):
    (tmp_path / "ball.svg").write_text("kept")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    code, _, err = run(capsys, "toy", "draw", "TOY:7", "-o", str(tmp_path / "ball.svg"))

    assert code == 1
    assert "cannot be written: no space left on device." in err
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("ball.svg", "kept")]


def test_a_failure_leaves_the_file_as_it_was(capsys, tmp_path):
    (tmp_path / "ball.svg").write_text("kept")
    code, out, err = run(capsys, "toy", "draw", "TOY:9", "-o", str(tmp_path / "ball.svg"))

    assert (code, out) == (1, "")
    assert err == "error: There is no TOY:9.\nhint: Call biofact toy search-toys with its name.\n"
    assert (tmp_path / "ball.svg").read_text() == "kept"


@pytest.mark.processes
def test_the_process_exits_with_1_where_nothing_can_be_written(tmp_path):
    code = (
        "import sys; from biofact import __main__; from biofact.interfaces.cli import app as cli; "
        "from tests.interfaces.toy import TOYS; real = cli.run; cli.run = lambda tokens: real(tokens, TOYS); "
        "sys.argv[1:] = ['toy', 'draw', 'TOY:7', '-o', sys.argv[1]]; sys.exit(__main__.main())"
    )

    result = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )

    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == f"error: {str(tmp_path)!r} is a folder.\nhint: {files.HINT}\n"


def test_provenance_is_shown_when_requested(capsys):
    _, _, err = run(capsys, "toy", "draw", "TOY:7", "--provenance")

    assert err.splitlines()[1:] == ["live: toy://box at 2026-01-01T00:00:00Z, release 9"]


def test_a_mistake_is_two_lines_and_exits_with_2(capsys, subtests):
    for words, message, hint in [
        ("toy draw", "biofact toy draw needs TOY_ID.", "Give TOY_ID: like TOY:7."),
        ("toy draw TOY:7 -o", "-o needs a value.", "See biofact toy draw --help."),
        (
            "toy draw TOY:7 --json",
            "biofact toy draw has no option '--json'.",
            "The options are --output, --provenance, --sandbox.",
        ),
        ("toy draw TOY:7 TOY:8", "biofact toy draw does not take 'TOY:8'.", "See biofact toy draw --help."),
    ]:
        with subtests.test(words):
            assert run(capsys, *words.split()) == (2, "", f"error: {message}\nhint: {hint}\n")


def test_a_resource_without_parameters_is_no_command(capsys):
    assert run(capsys, "toy", "rules")[0] == 2


def test_help_reads_as_that_of_the_tools_does(capsys):
    overview = run(capsys, "toy", "--help")[1]
    help_text = run(capsys, "toy", "draw", "--help")[1]

    assert "Draw one toy; biofact toy get-toy describes it." in overview
    assert "Usage: biofact toy draw TOY_ID [OPTIONS]" in help_text
    assert "as red as the TOY_ID allows" in help_text
    assert [
        option for option in ("--output", "-o", "FILE", "--sandbox", "Like TOY:7.") if option not in help_text
    ] == []
    assert "None" not in help_text
    assert "--json" not in help_text
