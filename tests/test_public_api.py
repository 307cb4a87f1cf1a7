"""A change that breaks programs is detected, unless the changelog announces it; additions are no breaks."""

import copy
import sys

import pytest
from tools import public_api

from biofact.core.records import Record

pytestmark = pytest.mark.quick

WHOLE = public_api.api()
NOW = {name: facts for name, facts in WHOLE.items() if name.startswith(("EntrezClient", "Gene", "Identity", "Notice"))}
"""As many names as the tests of breaks need."""
GENE = "EntrezClient.get_gene"
KIND = "IdentityClient.resolve"
NARROWER = f"kind takes {NOW[KIND]['parameters']['kind']['type']}, no longer Literal['gene', 'car'] | None"


def changes_of(change):
    """The breaks by a change to today's names."""
    old = copy.deepcopy(NOW)
    change(old)
    return list(public_api.breaks(old, NOW))


def parameter_change(name, parameter, **facts):
    def change(old):
        old[name]["parameters"][parameter] = {"default": "1", "is_positional": True, "type": "int", **facts}

    return change


def parameter_removal(name, parameter):
    def change(old):
        del old[name]["parameters"][parameter]

    return change


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda old: old.update({"Gone": old["Gene"]}), ("Gone", "is gone")),
        (lambda old: old.update({f"{GENE}s": old[GENE]}), (f"{GENE}s", "is gone")),
        (lambda old: old.update({"Gene.colour": old["Gene.name"]}), ("Gene.colour", "is gone")),
        (lambda old: old[GENE].update(kind="function"), (GENE, "was a function and is a coroutine")),
        (lambda old: old[GENE].update(type="Gene"), (GENE, "gives EntrezGene | SlimEntrezGene, no longer Gene")),
        (lambda old: old["Gene.name"].update(type="str"), ("Gene.name", "gives str | None, no longer str")),
        (lambda old: old[GENE].update(overloads=["(a) -> b"]), (GENE, "lacks the overload (a) -> b")),
        (parameter_change(GENE, "species"), (GENE, "no longer takes species")),
        (parameter_change(GENE, "slim", default="True", type="bool"), (GENE, "slim was True by default and is False")),
        (
            parameter_change(GENE, "slim", default="False", type="bool | str"),
            (GENE, "slim takes bool, no longer bool | str"),
        ),
        (
            parameter_change("IdentityClient.resolve", "kind", default="None", type="Literal['gene', 'car'] | None"),
            (KIND, NARROWER),
        ),
        (parameter_removal(GENE, "entrez_id"), (GENE, "wants entrez_id")),
        (parameter_removal(GENE, "slim"), (GENE, "include is no longer at its place")),
    ],
)
def test_a_break_is_seen(change, reason):
    assert reason in changes_of(change)


@pytest.mark.parametrize(
    "change",
    [
        lambda old: None,
        lambda old: old.pop("Gene"),
        lambda old: old.pop(GENE),
        parameter_removal(GENE, "include"),  # optional, and the last
        parameter_change(GENE, "entrez_id", default="required", type="str"),
        lambda old: old[GENE].update(type="EntrezGene | SlimEntrezGene | None"),  # it gives less
        lambda old: old["Notice.code"].update(type="Literal['ASSUMED', 'DROPPED']"),  # a word more
    ],
)
def test_an_addition_is_no_break(change):
    assert changes_of(change) == []


def test_a_breaking_change_has_to_be_announced(monkeypatch, tmp_path, capsys):
    old = copy.deepcopy(WHOLE)
    parameter_change(GENE, "species")(old)
    parameter_change("Gene.slim", "tight")(old)
    for name, text in (("api.json", public_api.json.dumps(old)), ("api.md", public_api.page(WHOLE)), ("log.md", LOG)):
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(public_api, "ROOT", tmp_path)
    monkeypatch.setattr(public_api, "BASELINE", tmp_path / "api.json")
    monkeypatch.setattr(public_api, "PAGE", tmp_path / "api.md")
    monkeypatch.setattr(public_api, "CHANGELOG", tmp_path / "log.md")
    monkeypatch.setattr(sys, "argv", ["public_api.py", "--check"])

    assert public_api.main() == 1
    message = capsys.readouterr().err
    (tmp_path / "log.md").write_text(LOG.replace("EntrezClient.get_genes", GENE))

    assert message.startswith(f"{GENE}: no longer takes species, and no line")
    assert "Gene.slim" not in message
    assert public_api.main() == 0


LOG = f"""# Changelog

## [Unreleased]

### Changed
- Breaking: `{Record.__name__}.slim` has no `tight` any more.
- Breaking: `EntrezClient.get_genes` is another.

## [0.0.1]
- Breaking: `{GENE}` was another.
"""


def test_the_page_is_as_the_names_make_it_and_nothing_broke_unannounced(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["public_api.py", "--check"])

    assert public_api.main() == 0, capsys.readouterr().err
