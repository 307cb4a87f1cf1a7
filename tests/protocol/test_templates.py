"""Templates of notices and absences: each call fills exactly the gaps of the one that it names."""

import ast
import importlib
import pkgutil
import string
from pathlib import Path

import pytest

from biofact import sources
from biofact.core.errors import CallTool, EntityNotFound, ToolRef
from biofact.protocol.templates import Absence, NoticeTemplate

pytestmark = pytest.mark.quick


def declared():
    modules = [module.name for module in pkgutil.walk_packages(sources.__path__, "biofact.sources.")]
    for name in modules:
        for constant, value in vars(importlib.import_module(name)).items():
            if isinstance(value, NoticeTemplate | Absence):
                yield constant, value


def gaps(template):
    texts = [template.text] if isinstance(template, NoticeTemplate) else [template.message, template.hint]
    names = (name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name)
    return {name.partition(".")[0] for name in names} - ({"id"} if isinstance(template, Absence) else set())


def calls():
    for path in Path(sources.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                yield path.name, name, {keyword.arg for keyword in node.keywords} - {"recovery"}


def test_each_call_fills_the_gaps_of_the_template(subtests):
    expected_by_name: dict[str, list[set[str]]] = {}
    for name, template in declared():
        expected_by_name.setdefault(name, []).append(gaps(template))
    assert expected_by_name

    for module, name, facts in calls():
        if name in expected_by_name:
            with subtests.test(module=module, name=name):
                fact_names = facts - {None}  # the names within ``**facts`` are not visible here
                assert any(
                    fact_names <= gaps if None in facts else fact_names == gaps for gaps in expected_by_name[name]
                )


def test_a_notice_has_the_facts_of_its_call():
    no_toy = NoticeTemplate("UNMATCHED", "No toy matches {query!r:.6}.")

    assert no_toy(query="a long name").message == "No toy matches 'a lon."
    assert no_toy(query="{query}").message == "No toy matches '{quer."


def test_an_absence_is_the_error_of_an_id():
    absence = Absence(EntityNotFound, "{id} was lost{when}.", "Call {tool}.")
    tool = ToolRef("toys", "search")

    error = absence("TOY:1", CallTool(tool), when=" in 1950", tool=tool)

    assert (error.message, error.hint) == ("TOY:1 was lost in 1950.", "Call toys.search.")
    assert (error.invalid_input, error.recovery) == ("TOY:1", CallTool(tool))
