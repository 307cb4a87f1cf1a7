"""The example that each help shows works as it stands, and a line of words means the call that it was made of."""

import re
import shlex

import pytest

from biofact.interfaces import every_source
from biofact.interfaces.cli import app, arguments, example_lines
from biofact.interfaces.cli.example_lines import command_line, quoted, words
from biofact.interfaces.cli.own_examples import EXAMPLES
from biofact.interfaces.spelling import command
from tests.interfaces.terminal import ask_in_virtual_time, biofact

pytestmark = pytest.mark.quick

LISTED = {command(one.ref): one for name in every_source.toolsets() for one in every_source.commands(name)}
OWN = {f"biofact {name}": lines for name, lines in EXAMPLES.items()}
COMMANDS = [*LISTED, *(name for name in OWN if name not in LISTED)]
ELSEWHERE = {
    "biofact serve": "serves until it is stopped: test_stdio, test_http",
    "biofact serve entrez --http 127.0.0.1:8000": "serves until it is stopped: test_http",
    "biofact sandbox --port 0": "serves until it is stopped: test_looking_after",
    "biofact demo": "starts a server of its own: test_readme",
    "source <(biofact completion bash)": "is a line for a shell: test_completion",
    "biofact literature train screening --labels labels.csv": "needs scikit-learn: extras, test_training",
    **{
        f"biofact corpus {words}": "needs the steps before it: test_corpus_commands"
        for words in (
            "plan medline --input pubmed26n*.xml.gz --parts 200",
            "run trials",
            "run trials --part 3/8",
            "status trials",
            "rank trials --top 100 --from-year 2015",
            "report trials",
            "retry trials",
        )
    },
    "biofact chembl draw CHEMBL:25": "needs RDKit: extras, test_chembl_structures",
}
"""Examples that this test does not run, and which ones do."""


def help_of(capsys, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "300")
    return biofact(capsys, monkeypatch, *name.split()[1:], "--help").stdout


def examples_in(text):
    """The lines below the heading, at the end."""
    _, _, below = re.sub(r" +\n", "\n", text).partition("\nExample")
    return [line.strip() for line in below.splitlines()[1:] if line.strip()]


def lines_of(name):
    return list(OWN.get(name) or [example_lines.shown(LISTED[name])])


def test_every_command_of_no_tool_has_one():
    assert app.own_commands().keys() <= EXAMPLES.keys()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_shows_an_example(capsys, monkeypatch, name):
    assert examples_in(help_of(capsys, monkeypatch, name)) == lines_of(name)
    assert all(name in line for line in lines_of(name))


@pytest.mark.parametrize(
    "line", [line for name in COMMANDS for line in lines_of(name) if line not in ELSEWHERE], ids=lambda line: line[8:60]
)
def test_every_example_answers(capsys, monkeypatch, tmp_path, line):
    monkeypatch.chdir(tmp_path)
    ask_in_virtual_time(monkeypatch)

    done = biofact(capsys, monkeypatch, *shlex.split(line)[1:])

    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() not in {"", "[]", "{}"}
    assert '"items": []' not in done.stdout


@pytest.mark.parametrize("name", [name for name, one in LISTED.items() if one.is_tool and name != "biofact resolve"])
def test_the_words_of_a_call_mean_the_call(name):
    listed = LISTED[name]
    tokens = name.split()[1:]
    for call in listed.examples:
        _, bound, _ = app.app(tokens).parse_args([*tokens, *words(listed, call)], exit_on_error=False)
        typed = {name: value for name, value in bound.arguments.items() if name in call}

        column = arguments.entities_parameter(listed)
        meant = arguments.parse_words(listed, typed)
        if column is not None and not column.is_list:  # a command takes any number, one here
            (meant[column.name],) = meant[column.name]
        assert meant == call


@pytest.mark.parametrize("name", LISTED)
def test_a_line_is_read_as_its_words(name):
    for call in LISTED[name].examples:
        written = command_line(LISTED[name], call)

        assert shlex.split(written) == [*name.split(), *words(LISTED[name], call)]


@pytest.mark.parametrize(
    "word", ["plain", "two words", 'a "quoted" one', "it's", "$HOME", "back\\slash", "`x`", "", "a!b"]
)
def test_a_quoted_word_is_the_word(word):
    assert shlex.split(quoted(word)) == [word]


def test_double_quotes_are_for_what_windows_has_to_read():
    assert quoted("two words") == '"two words"'
    assert quoted("CHEMBL:25") == "CHEMBL:25"
