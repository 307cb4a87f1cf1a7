"""The values of the words after a command, and the names of arguments in its messages."""

import io
import json
import re

import pytest

from biofact.interfaces.cli.arguments import TypedSpelling
from biofact.interfaces.spelling import command
from tests.interfaces.terminal import run
from tests.interfaces.toy import SHELVES, TOYS

pytestmark = pytest.mark.quick

SEARCH = next(entry for entry in TOYS.commands("toy") if entry.ref.method == "search_toys")
TYPED = TypedSpelling(TOYS, command, parameters=SEARCH.parameters)


BY_ID = ("get-toy", "get-toys-batch")


def ids(capsys, *words: str, command: str = "get-toys-batch") -> list[str]:
    """The IDs that a command passes on."""
    code, out, err = run(capsys, "toy", command, *words, "--format", "tsv")
    assert code == 0
    assert re.sub("note: .* skipped.\n", "", err) == ""
    return [line.split("\t")[0] for line in out.splitlines()[1:]]


@pytest.fixture
def shelves(monkeypatch):
    """Replaces toys by shelves on the command line."""
    monkeypatch.setattr("tests.interfaces.terminal.TOYS", SHELVES)


def look(capsys, *words: str) -> dict[str, list[str] | None]:
    """The IDs in each list of a shelf; None for an absent list."""
    code, out, err = run(capsys, "shelf", "look", "top", *words)
    assert (code, err) == (0, "")
    shelf = json.loads(out)
    return {name: [row["id"] for row in shelf[name]] if name in shelf else None for name in ("toys", "boxes")}


@pytest.mark.parametrize(
    "words", ["big red ball", "big --page-size 3 red ball", "--slim big red --colour red ball", "big red -- ball"]
)
def test_several_words_are_one_query(capsys, words):
    code, out, _ = run(capsys, "toy", "search-toys", *words.split())
    (notice,) = json.loads(out)["notices"]

    assert code == 0
    assert notice["message"] == "Understood as 'big red ball'; biofact toy get-toy takes the ID."


def test_a_word_too_many_is_refused(capsys):
    code, _, err = run(capsys, "toy", "break-toy", "busy", "down")

    assert code == 2
    assert err == "error: biofact toy break-toy does not take 'down'.\nhint: See biofact toy break-toy --help.\n"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("command", BY_ID)
def test_ids_can_stand_in_a_file(capsys, tmp_path, command, end):
    path = tmp_path / "ids.txt"
    text = "\ufeff# my toys\nTOY:7\n\n  TOY:8  \n  # the end\n".replace("\n", end)
    path.write_bytes(text.encode())

    assert ids(capsys, f"@{path}", "TOY:8", command=command) == ["TOY:7", "TOY:8", "TOY:8"]


@pytest.mark.parametrize("mark", ["-", "@-"])
@pytest.mark.parametrize("command", BY_ID)
def test_ids_can_come_through_a_pipe(capsys, monkeypatch, command, mark):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"# more\r\nTOY:8\r\n\nTOY:7"), encoding="utf-8"))

    assert ids(capsys, "TOY:7", mark, command=command) == ["TOY:7", "TOY:8", "TOY:7"]


def test_a_file_that_cannot_be_read_is_reported_in_words(capsys, tmp_path):
    hint = (
        "hint: @FILE is a file with a column of them, or one a line; - is standard input. Lines with # are skipped.\n"
    )
    (tmp_path / "empty").write_text("# nothing\n")

    for path, message in {
        tmp_path / "nope.txt": f"There is no file '{tmp_path}/nope.txt'.",
        tmp_path: f"'{tmp_path}' cannot be read: is a directory.",
        tmp_path / "empty": f"There is nothing to ask in @{tmp_path}/empty.",
    }.items():
        assert run(capsys, "toy", "get-toys-batch", f"@{path}") == (2, "", f"error: {message}\n{hint}")


@pytest.mark.usefixtures("shelves")
@pytest.mark.parametrize(
    ("words", "toys"),
    [
        ([], ["TOY:7", "TOY:8"]),
        (["--filters", "colour=red"], ["TOY:7"]),
        (["--filters", "colour=red", "--filters", "name=doll"], []),
        (["--filters", " weight = 0.5 "], ["TOY:7"]),
        (["--filters=name=doll"], ["TOY:8"]),
        (["--filters", "name==doll"], []),
        (["--filters", "name="], ["TOY:7", "TOY:8"]),
    ],
)
def test_a_mapping_is_typed_pair_by_pair(capsys, words, toys):
    assert look(capsys, *words)["toys"] == toys


@pytest.mark.usefixtures("shelves")
@pytest.mark.parametrize("word", ["colour", "=red", "  =red", ">0.7"])
def test_a_word_that_is_no_pair_is_refused(capsys, word):
    code, out, err = run(capsys, "shelf", "look", "top", "--filters", "name=ball", "--filters", word)
    message, hint = err.splitlines()

    assert (code, out) == (2, "")
    assert message == f"error: {word!r} is not a filter."
    assert hint.startswith("hint: Write --filters NAME=VALUE, once for each")


@pytest.mark.usefixtures("shelves")
def test_words_behind_a_pair_are_not_of_the_mapping(capsys):
    code, out, _ = run(capsys, "shelf", "look", "--filters", "name=ball", "top", "left")
    shelf = json.loads(out)

    assert code == 0
    assert shelf["shelf"] == "top left"
    assert [toy["id"] for toy in shelf["toys"]] == ["TOY:7"]


@pytest.mark.usefixtures("shelves")
def test_an_option_without_its_pair_is_refused(capsys):
    code, _, err = run(capsys, "shelf", "look", "top", "--filters")

    assert (code, err.splitlines()[0]) == (2, "error: --filters needs a value.")


@pytest.mark.usefixtures("shelves")
@pytest.mark.parametrize(
    ("words", "lists"),
    [
        ([], {"toys", "boxes"}),
        (["--include", "boxes"], {"boxes"}),
        (["--include", "boxes", "--include", "toys"], {"toys", "boxes"}),
        (["--include=toys", "--filters", "name=ball"], {"toys"}),
    ],
)
def test_a_list_of_words_is_an_option_repeated(capsys, words, lists):
    assert {name for name, ids in look(capsys, *words).items() if ids is not None} == lists


@pytest.mark.usefixtures("shelves")
def test_a_list_or_mapping_has_no_opposite(capsys):
    for option in ("--no-include", "--empty-include", "--no-filters", "--empty-filters"):
        code, _, err = run(capsys, "shelf", "look", "top", option)

        assert code == 2
        assert err.startswith(f"error: biofact shelf look has no option {option!r}.\n")


@pytest.mark.usefixtures("shelves")
def test_a_word_that_a_list_does_not_take_is_refused(capsys):
    code, out, err = run(capsys, "shelf", "look", "top", "--include", "toys", "--include", "robots")

    assert (code, out) == (1, "")
    assert err.startswith("error: Argument --include[1] of biofact shelf look cannot be 'robots'.")


@pytest.mark.usefixtures("shelves")
def test_a_list_that_is_refused_names_the_words_it_takes(capsys):
    err = run(capsys, "shelf", "look", "top", "--include", "robots")[2]

    assert "toys" in err
    assert "boxes" in err


@pytest.mark.usefixtures("shelves")
def test_the_same_name_twice_is_not_dropped_in_silence(capsys):
    code, _, err = run(capsys, "shelf", "look", "top", "--filters", "name=ball", "--filters", "name=doll")

    assert code != 0 or "name" in err


def test_a_value_may_begin_with_a_hyphen(capsys):
    code, _, err = run(capsys, "toy", "search-toys", "toys", "--colour", "-red")

    assert (code, "needs a value" in err) == (0, False)


def test_an_argument_is_named_as_it_is_typed(capsys):
    code, _, err = run(capsys, "toy", "search-toys", "toys", "--page-size", "1000")
    message, hint = err.splitlines()

    assert code == 1
    assert "--page-size of biofact toy search-toys" in message
    assert "page_size" not in err
    assert "'" not in message
    assert hint == "hint: Give --page-size as a whole number from 1 to 100."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Argument 'query' of toy.get_toy is odd.", "Argument QUERY of biofact toy get-toy is odd."),
        ("Give colour as text, and page_size too.", "Give --colour as text, and --page-size too."),
        (
            "`slim=false` gives all, `slim=true` not, `cursor` goes on.",
            "`--no-slim` gives all, `--slim` not, `--cursor` goes on.",
        ),
        ("Another colour, or a query, is no argument.", "Another colour, or a query, is no argument."),
        ("'page_size `slim`' is somebody's input.", "'page_size `slim`' is somebody's input."),
        (
            "`parts` and some_word are none of its arguments.",
            "`parts` and some_word are none of its arguments.",
        ),
    ],
)
def test_only_the_name_of_an_argument_becomes_an_option(text, expected):
    assert TYPED.text(text) == expected


def test_a_mapping_may_be_typed_as_json_or_stand_in_a_file(capsys, shelves, tmp_path):
    (tmp_path / "filters.json").write_text('{"colour": "red"}')

    assert look(capsys, "--filters", '{"colour": "red"}') == look(capsys, "--filters", "colour=red")
    assert look(capsys, "--filters", f"@{tmp_path}/filters.json") == look(capsys, "--filters", "colour=red")


def test_json_that_is_none_is_refused(capsys, shelves):
    code, out, err = run(capsys, "shelf", "look", "top", "--filters", '{"colour": ')

    assert (code, out) == (2, "")
    assert "is not JSON" in err


@pytest.mark.usefixtures("shelves")
def test_json_that_is_nested_too_deeply_is_reported_in_words(capsys):
    code, out, err = run(capsys, "shelf", "look", "top", "--include", "[" * 100_000)

    assert (code, out) == (2, "")
    assert "is not JSON" in err


def test_an_option_has_the_other_names_of_its_idea(capsys):
    for option in ("--page-size", "--limit", "--max-results"):
        code, _, err = run(capsys, "toy", "search-toys", "toys", option, "1000")

        assert code == 1
        assert err.startswith("error: Argument --page-size of biofact toy search-toys cannot be 1000.")
