"""The page of tools is generated from the declarations, and its check fails when it is stale."""

import sys

import pytest
from tools import tools_page

pytestmark = pytest.mark.quick


@pytest.fixture
def page(tmp_path, monkeypatch):
    monkeypatch.setattr(tools_page, "PAGE", tmp_path / "tools.md")
    monkeypatch.setattr(sys, "argv", ["tools_page.py"])
    assert tools_page.main() == 0
    monkeypatch.setattr(sys, "argv", ["tools_page.py", "--check"])
    return tmp_path / "tools.md"


def test_every_tool_stands_on_the_page(page):
    text = page.read_text()

    assert "### `entrez_get_gene`" in text
    assert "| `entrez_id` | string | required | like NCBIGene:7157 |" in text
    assert "`biofact entrez get-pubmed-links`" in text
    assert "| `page_size` | integer | `50` | at least 1, at most 100 |" in text


def test_a_fresh_page_passes(page):
    assert tools_page.main() == 0


def test_a_stale_or_missing_page_fails(page, capsys):
    page.write_text(page.read_text() + "by hand")
    assert tools_page.main() == 1
    page.unlink()
    assert tools_page.main() == 1

    assert "docs/tools.md is stale" in capsys.readouterr().err
