"""Each source's tools.json equals the declarations of its code, and is installed with the source."""

import sys
import tomllib
from pathlib import Path

import pytest
from tools import tool_catalogue

from biofact.core.errors import ToolRef
from biofact.interfaces import declarations, every_source
from biofact.interfaces.listing import SourceListing
from tests.interfaces.toy import ShelfClient, ToyClient
from tests.marks import requirement

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "biofact"


@requirement("all cli")
def test_the_list_equals_the_declarations_of_the_code(subtests):
    for name in every_source.toolsets():
        with subtests.test(name):
            listing = every_source.listing(name)
            assert listing.text() == declarations.listing(every_source.client_class(name)).text()
            assert listing.tools


def test_no_file_is_stale_or_superfluous():
    texts = {file: listing.text() for file, listing in every_source.listings().items()}

    assert tool_catalogue.compare(texts) == 0
    assert set(texts) == set(PACKAGE.rglob("tools.json"))


def test_every_file_is_packaged():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    patterns = settings["tool"]["setuptools"]["package-data"]["biofact"]
    packaged_files = {file for pattern in patterns for file in PACKAGE.glob(pattern)}

    assert set(every_source.listings()) <= packaged_files


def test_a_changed_or_missing_file_is_stale(tmp_path, capsys):
    file = tmp_path / "tools.json"
    text = declarations.listing(ToyClient).text()
    file.write_text(text, "utf-8")

    assert tool_catalogue.compare({file: text}) == 0
    file.write_text(text.replace("Find toys", "Find all toys"), "utf-8")
    assert tool_catalogue.compare({file: text}) == 1
    file.unlink()
    assert tool_catalogue.compare({file: text}) == 1
    assert f"{file} is stale: run make docs" in capsys.readouterr().err


def test_a_file_gives_back_what_was_written(tmp_path):
    listing = declarations.listing(ToyClient)
    (tmp_path / "tools.json").write_text(listing.text(), "utf-8")

    assert SourceListing.read(tmp_path / "tools.json") == listing


def test_words_name_tools_by_reference():
    listing = declarations.listing(ToyClient)

    assert listing.tools[0].description.startswith("Find toys by name; toy.get_toy describes one.")
    assert listing.refs() >= {ToolRef("toy", "get_toy"), ToolRef("toy", "draw")}


def test_tools_beside_a_source_are_stored_apart_and_joined_again():
    whole = declarations.listing(type("Both", (ToyClient, ShelfClient), {"__doc__": "Toys on shelves."}))
    base = declarations.listing(ToyClient)
    extension = whole.without(base)

    assert [tool.ref.method for tool in extension.tools] == ["look"]
    assert extension.resources == ()
    assert extension.after(base).refs() == whole.refs()
    assert extension.after(base).about == "Toys on shelves."


def test_the_script_checks_the_files_of_the_repository(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["tool_catalogue.py", "--check"])

    assert tool_catalogue.main() == 0
