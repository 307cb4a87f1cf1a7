"""The example in each help text works as printed, and the words of a line mean the call that they were made of."""

import re
import shlex

import pytest

from biofact.interfaces import every_source
from biofact.interfaces.cli import app, arguments, example_lines
from biofact.interfaces.cli.example_lines import EXAMPLES, command_line, quoted, words
from biofact.interfaces.spelling import command
from tests.interfaces.terminal import ask_in_virtual_time, biofact

pytestmark = pytest.mark.quick

ENTRIES = {command(entry.ref): entry for name in every_source.toolsets() for entry in every_source.commands(name)}
BUILT_IN_LINES = {f"biofact {name}": lines for name, lines in EXAMPLES.items()}
COMMANDS = [*ENTRIES, *(name for name in BUILT_IN_LINES if name not in ENTRIES)]
NOT_RUN_HERE = {
    "biofact serve": "serves until it is stopped: test_stdio, test_http",
    "biofact serve entrez --http 127.0.0.1:8000": "serves until it is stopped: test_http",
    "biofact sandbox --port 0": "serves until it is stopped: test_looking_after",
    "biofact demo": "starts a server of its own: test_readme",
    "source <(biofact completion bash)": "is a line for a shell: test_completion",
    "biofact literature train screening --labels labels.csv": "needs scikit-learn: extras, test_training",
    'biofact resolve genes.xlsx --column "Gene name" -o genes-with-ids.xlsx': "needs a file: test_table_files",
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
"""Examples that this test does not run, and the tests that do."""
OF_EACH_SOURCE = {name.split()[1]: name for name in reversed(ENTRIES)}
SOME_COMMANDS = [*OF_EACH_SOURCE.values(), "biofact pubmed score-articles", *BUILT_IN_LINES]
"""The first command of each source, one with an example in quotes, and every command without a tool."""
LONG = {"biofact literature review": "test_review_command", "biofact completion": "test_completion"}
"""Commands with slow examples, and the quick tests that type them, too."""
some_and_every = pytest.mark.parametrize(
    "names", [pytest.param(SOME_COMMANDS, id="some"), pytest.param(COMMANDS, id="every", marks=pytest.mark.sweep)]
)


def help_of(capsys, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "300")
    return biofact(capsys, monkeypatch, *name.split()[1:], "--help").stdout


def examples_in(text):
    """The lines below the heading, at the end."""
    _, _, section = re.sub(r" +\n", "\n", text).partition("\nExample")
    return [line.strip() for line in section.splitlines()[1:] if line.strip()]


def lines_of(name):
    return list(BUILT_IN_LINES.get(name) or [example_lines.example_line(ENTRIES[name])])


def test_every_command_of_no_tool_has_one():
    assert app.builtin_functions().keys() <= EXAMPLES.keys()


@some_and_every
def test_every_help_shows_an_example(capsys, monkeypatch, names):
    examples = {name: examples_in(help_of(capsys, monkeypatch, name)) for name in names}

    assert examples == {name: lines_of(name) for name in names}
    assert [line for name in names for line in lines_of(name) if name not in line] == []


@pytest.mark.parametrize(
    "names",
    [
        pytest.param([name for name in SOME_COMMANDS if name not in LONG], id="some"),
        pytest.param(COMMANDS, id="every", marks=pytest.mark.sweep),
    ],
)
def test_every_example_answers(capsys, monkeypatch, tmp_path, names):
    monkeypatch.chdir(tmp_path)
    ask_in_virtual_time(monkeypatch)
    lines = [line for name in dict.fromkeys(names) for line in lines_of(name) if line not in NOT_RUN_HERE]

    answers = {line: biofact(capsys, monkeypatch, *shlex.split(line)[1:]) for line in lines}

    assert {line: done.stderr for line, done in answers.items() if done.returncode != 0} == {}
    assert [line for line, done in answers.items() if done.stdout.strip() in {"", "[]", "{}"}] == []
    assert [line for line, done in answers.items() if '"items": []' in done.stdout] == []


def meaning(entry, words_of_app, tokens, call):
    """The arguments that the words of a call stand for, if the call names them."""
    _, bound, _ = words_of_app.parse_args([*tokens, *words(entry, call)], exit_on_error=False)
    typed = {name: value for name, value in bound.arguments.items() if name in call}
    column = entry.entities
    values = arguments.parse_words(entry, typed)
    if column is not None and not column.is_list:  # a command takes any number, one here
        (values[column.name],) = values[column.name]
    return values


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(lambda examples: [examples[0], examples[-1]], id="first and last"),
        pytest.param(list, id="every", marks=pytest.mark.sweep),
    ],
)
def test_the_words_of_a_call_mean_the_call(names):
    """The words of examples of each tool."""
    wrong = []
    for name, entry in ENTRIES.items():
        if not entry.is_tool or name == "biofact resolve":
            continue
        tokens = name.split()[1:]
        words_of_app = app.app(tokens)
        wrong += [(name, call) for call in names(entry.examples) if meaning(entry, words_of_app, tokens, call) != call]

    assert wrong == []


def test_a_line_is_read_as_its_words():
    calls = [(name, entry, call) for name, entry in ENTRIES.items() for call in entry.examples]

    wrong = [
        (name, call)
        for name, entry, call in calls
        if shlex.split(command_line(entry, call)) != [*name.split(), *words(entry, call)]
    ]

    assert wrong == []
    assert len(calls) > 100


def test_a_quoted_word_is_the_word():
    texts = ["plain", "two words", 'a "quoted" one', "it's", "$HOME", "back\\slash", "`x`", "", "a!b"]

    assert {text: shlex.split(quoted(text)) for text in texts} == {text: [text] for text in texts}


def test_an_option_whose_value_begins_with_a_hyphen_is_one_word():
    entry = ENTRIES["biofact ensembl get-sequence"]
    call = {**entry.examples[0], "type": "-protein"}

    assert words(entry, call)[-1] == "--type=-protein"


def test_double_quotes_are_for_what_windows_has_to_read():
    assert quoted("two words") == '"two words"'
    assert quoted("CHEMBL:25") == "CHEMBL:25"
