"""CONTRIBUTING.md is true: what its table of shared names has exists, with the parameters that it shows."""

import importlib
import inspect
import re
from pathlib import Path

import pytest

from biofact.protocol.client import LifeSciencesClient
from tests.each_of import check_each

pytestmark = pytest.mark.quick

PAGE = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text("utf-8")
SECTION = PAGE.partition("### What there is already\n")[2].partition("\n### ")[0]
ROWS = {
    line.split(" | ")[0].removeprefix("| "): line.partition(" | ")[2] for line in SECTION.splitlines() if "| `" in line
}
CALL = re.compile(r"(?P<name>[\w.]+)(?:\((?P<arguments>[^()]*)\))?")


def spans(cell):
    return re.findall(r"`([^`]+)`", cell)


def resolve(path):
    """The module that a dotted path below biofact begins with, and what the rest of it names there."""
    parts = path.split(".")
    for length in range(len(parts), 0, -1):
        try:
            module = importlib.import_module(".".join(("biofact", *parts[:length])))
        except ModuleNotFoundError:
            continue
        thing = module
        for part in parts[length:]:
            thing = thing.model_fields[part] if part in getattr(thing, "model_fields", {}) else getattr(thing, part)
        return module, thing
    raise AssertionError(f"there is no biofact.{path}")


def shown_parameters(arguments):
    """The names of parameters in a call as the page shows it, such as ``service, path, accept=``."""
    for argument in filter(None, re.split(r",\s*", arguments or "")):
        name = argument.partition("=")[0].lstrip("*")
        if name.isidentifier() and "…" not in argument:
            yield name


def assert_is_called_so(thing, arguments):
    if not arguments or not callable(thing):
        return
    names = {*inspect.signature(thing).parameters}
    assert {*shown_parameters(arguments)} <= names, (thing, arguments)


def test_the_table_of_shared_names_is_true():
    assert len(ROWS) > 25

    def check(cell):
        first, *others = spans(cell)
        call = CALL.match(first)
        module, thing = resolve(call["name"])
        if call.end() == len(first):
            assert_is_called_so(thing, call["arguments"])
        for span in others:
            other = CALL.match(span.lstrip("."))
            owner = resolve(call["name"].rpartition(".")[0])[1] if span.startswith(".") else module
            assert_is_called_so(getattr(owner, other["name"]), other["arguments"])
        source = inspect.getsource(module)
        for span in spans(ROWS[cell]):
            if name := re.match(r"self\.(_\w+)", span):
                assert hasattr(LifeSciencesClient, name[1]), span
            elif name := re.match(r"\.?([a-z_]\w+)(?:\(|$)", span):
                assert re.search(rf"\b{name[1]}\b", source), f"{span} is not in {module.__name__}"

    check_each(ROWS, check)


def test_modules_that_sentences_name_exist():
    for path in re.findall(r"`((?:src/biofact|tests|tools|docs)/[\w/.-]+)`", PAGE):
        if not {"hgnc", "results"} & set(Path(path).parts):
            assert (Path(__file__).parents[1] / path).exists(), path
