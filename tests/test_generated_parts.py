"""The parts of files that follow from the existing sources: they are written between their marks; others are stale."""

import sys
from types import SimpleNamespace

import pytest
from tools import generated_parts

pytestmark = pytest.mark.quick


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Runs the tool on files of its own."""
    (tmp_path / "page.md").write_text("before\n<!-- names: by make docs -->\nold\n<!-- end -->\nafter\n")
    (tmp_path / "code.py").write_text("# names: by make docs\n# end\n")
    parts = {"names": lambda: iter(("a", "b"))}
    monkeypatch.setattr(generated_parts, "ROOT", tmp_path)
    monkeypatch.setattr(generated_parts, "PARTS", {"page.md": parts, "code.py": parts})

    def main(*arguments):
        monkeypatch.setattr(sys, "argv", ["generated_parts.py", *arguments])
        return generated_parts.main()

    return SimpleNamespace(main=main, folder=tmp_path)


def test_a_part_is_written_between_its_lines(run):
    assert run.main() == 0

    new_text = "before\n<!-- names: by make docs -->\na\nb\n<!-- end -->\nafter\n"
    assert (run.folder / "page.md").read_text() == new_text
    assert (run.folder / "code.py").read_text() == "# names: by make docs\na\nb\n# end\n"
    assert run.main("--check") == 0


def test_a_stale_file_is_named_with_what_helps(run, capsys):
    assert run.main("--check") == 1

    assert capsys.readouterr().err == "page.md is stale: run make docs\ncode.py is stale: run make docs\n"


def test_a_file_without_the_lines_of_its_part_is_refused(run):
    (run.folder / "page.md").write_text("by hand")

    with pytest.raises(SystemExit, match="'names' stand 0 times"):
        run.main()


def test_a_name_that_two_sources_offer_is_refused(monkeypatch):
    monkeypatch.setattr(generated_parts, "SHARED", {"biofact.core.xrefs": ("Gene",)})

    with pytest.raises(SystemExit, match="both offer 'Gene'"):
        list(generated_parts.PARTS["src/biofact/__init__.py"]["public names"]())


def test_every_part_is_as_the_sources_make_it(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["generated_parts.py", "--check"])

    assert generated_parts.main() == 0
