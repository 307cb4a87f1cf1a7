"""Commands, programs and calls in the documents, and whether they print the output shown there."""

import io
import json
import re
import shlex
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from tests.interfaces.terminal import ask_in_virtual_time, biofact

ROOT = Path(__file__).parents[1]
SHOWN_WIDTH = "80"


@dataclass(frozen=True)
class Command:
    """A command behind ``$``, and the output shown below it."""

    line: str
    expected_output: str

    @property
    def words(self) -> list[str]:
        """The words of biofact's own command."""
        program, *words = shlex.split(self.line.rpartition(" | ")[2])
        assert program == "biofact", self.line
        return words

    @property
    def typed(self) -> str:
        """The text that a ``printf`` in front of the pipe sends into it."""
        source = self.line.rpartition(" | ")[0]
        return shlex.split(source)[1].encode().decode("unicode_escape") if source else ""


def read(name: str) -> str:
    """A document of the repository."""
    return (ROOT / name).read_text("utf-8")


def blocks(text: str, language: str) -> list[str]:
    """The texts of the fenced blocks of this language."""
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def commands(text: str) -> list[Command]:
    """The commands of all console blocks."""
    console = "".join(blocks(text, "console"))
    return [Command(*block.split("\n", 1)) for block in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]]


def is_shown(expected_output: str, output: str) -> bool:
    """Whether these lines are printed; ``...`` stands for any number of lines, or for a part of one."""
    pattern = re.escape(expected_output.strip()).replace(re.escape("..."), r"(?s:.*?)")
    return re.search(pattern, re.sub("[ \\r]+$", "", output, flags=re.MULTILINE)) is not None  # tables fill lines


def typed(command: Command, capsys, monkeypatch):
    """The outcome of a command that is typed as the document shows it."""
    monkeypatch.setenv("COLUMNS", SHOWN_WIDTH)
    monkeypatch.setenv("TERM", "dumb")
    ask_in_virtual_time(monkeypatch)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(command.typed.encode()), encoding="utf-8"))
    return biofact(capsys, monkeypatch, *command.words)


def program_output(program: str) -> str:
    """The output of a program, from the comments at its end."""
    comments = re.search(r"((?:^# .*\n)+)\Z", program, re.MULTILINE)
    assert comments, "the program does not say what it prints"
    return "".join(line.removeprefix("# ") for line in comments[1].splitlines(keepends=True))


def run_program(program: str) -> str:
    """The output of a program."""
    output = io.StringIO()
    with redirect_stdout(output):
        exec(compile(program, "<program>", "exec"), {"__name__": "__main__"})
    return output.getvalue()


def calls(block: str) -> list[tuple[dict, dict]]:
    """The calls of an agent, each with a part of its answer, line by line."""
    lines = [json.loads(line) for line in block.splitlines()]
    return list(zip(lines[::2], lines[1::2], strict=True))


def is_part(expected_part: object, answer: object) -> bool:
    """Whether the answer contains all that is shown: keys of an object, the beginning of a list, whole values."""
    if isinstance(expected_part, dict):
        return isinstance(answer, dict) and all(
            name in answer and is_part(part, answer[name]) for name, part in expected_part.items()
        )
    if isinstance(expected_part, list):
        return (
            isinstance(answer, list) and len(expected_part) <= len(answer) and all(map(is_part, expected_part, answer))
        )
    return expected_part == answer
