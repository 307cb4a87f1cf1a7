"""ARCHITECTURE.md is true: the names in it exist, and its diagram is that of the import contracts."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

from biofact import sources, toolsets

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "biofact"
PAGE = (ROOT / "ARCHITECTURE.md").read_text()
TREE, *_ = re.findall(r"```\n(biofact/\n.*?)```", PAGE, re.DOTALL)
TRACES = re.findall(r"```\n(agent: .*?)```", PAGE, re.DOTALL)
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
STEP = re.compile(r"^(?:interfaces/mcp)?\s+(?:->|<-|>)?\s*(?P<text>\S.*?)\s{2,}(?P<paths>[a-z_]+/[a-z_/, ]+)$")


def steps():
    """The step of each line of the traces, and the modules or folders named for it."""
    for trace in TRACES:
        for line in trace.splitlines():
            if match := STEP.match(line):
                first, *other_paths = match["paths"].split(", ")
                folder = first.rpartition("/")[0]
                yield match["text"], [first, *(f"{folder}/{other}" for other in other_paths)]


def source_of(path):
    """The code of a module, or of all modules of a folder."""
    module = PACKAGE / f"{path}.py"
    modules = [module] if module.is_file() else sorted((PACKAGE / path).glob("*.py"))
    return "\n".join(module.read_text() for module in modules)


@pytest.mark.parametrize(("text", "paths"), list(steps()), ids=lambda value: value if isinstance(value, str) else "")
def test_names_in_a_step_exist_in_its_files(text, paths):
    code = "\n".join(map(source_of, paths))
    code_names = re.findall(r"\b[A-Z]\w+\.\w+|\b[a-z]+_[a-z_]+\b|\b[A-Z][a-z]+[A-Z]\w+\b", text)

    assert all(map(source_of, paths))
    for name in code_names:
        owner, _, method = name.rpartition(".")
        assert not owner or re.search(rf"^class {owner}\b", code, re.MULTILINE), owner
        assert re.search(rf"\b{method}\b", code), method


def test_a_lookup_a_search_and_associations_are_followed_through():
    assert len(TRACES) == 3
    assert len(list(steps())) >= 20


def test_the_layers_are_those_that_the_contracts_hold():
    (layers,) = (contract["layers"] for contract in CONTRACTS if contract["type"] == "layers")

    (drawing,) = re.findall(r"^interfaces > .*$", PAGE, re.MULTILINE)
    names = [layer.strip("()") for layer in layers]  # in brackets: a layer that may be missing
    assert drawing.split(" > ") == [
        name for name in names if (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").is_file()
    ]


def test_every_folder_of_the_tree_is_there_and_none_but_a_source_is_missing():
    drawn_folders = {name for name in re.findall(r"[├└]── ([a-z_]+)/", TREE) if name != "src"}
    folders = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()}
    sources = {path.parent.name for path in PACKAGE.glob("sources/*/client.py")}

    assert folders <= drawn_folders | {"biofact"}
    assert drawn_folders <= folders | sources | {path.name for path in ROOT.iterdir()}


def test_the_document_is_one_page():
    assert len(PAGE.splitlines()) <= 140


def without_generated_lines(text):
    """A text without the lines that ``make docs`` generates."""
    blank = re.compile(r"^# (.+): by make docs\n.*?^# end$", re.MULTILINE | re.DOTALL)
    return blank.sub(lambda part: "\n" * part[0].count("\n"), text)


KNOWS_NAMES = {
    "core/curies.py": "prefixes that people write in front of IDs, some of which are spelt like sources",
    "core/xrefs.py": "keys of cross-references, which are spelt like the sources they lead to",
    "dialects/genomic/regions.py": "the address of a genome browser, which is spelt like a source",
    "dialects/eutils/articles.py": "the name of a database in E-utilities, which is spelt like a source",
    "dialects/eutils/service.py": "the path of NCBI's E-utilities",
    "interfaces/mcp/calls.py": "the model that a caller lends answers the literature pipeline's questions",
}
"""Modules below and above the toolsets that name one of them, and the reasons."""
NAMES = {*sources.names(), *(toolset.name for toolset in toolsets.REGISTERED)}
NAME_PATTERN = re.compile(rf"\b(?:{'|'.join(sorted(NAMES))})\b")
SHARED = ("core", "transport", "dialects", "protocol", "sync/blocking", "sync/clients", "clients", "interfaces")


def names_in_code(text):
    """The names of sources and toolsets in imports and in strings that are no docstring."""
    tree = ast.parse(text)
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("biofact."):
            yield from NAME_PATTERN.findall(node.module)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield from NAME_PATTERN.findall(node.value)


def test_no_layer_knows_a_source_or_a_toolset_by_name():
    modules = [path for name in SHARED for path in (PACKAGE / f"{name}.py", *(PACKAGE / name).rglob("*.py"))]
    by_hand = PACKAGE / "interfaces" / "cli"  # commands that are written by hand for one toolset, and their examples
    texts = {path: without_generated_lines(path.read_text()) for path in modules if path.is_file()}
    names_by_file = {
        str(path.relative_to(PACKAGE)): sorted(set(names_in_code(text)))
        for path, text in texts.items()
        if by_hand not in path.parents
    }

    assert len(texts) > 60
    assert {path: names for path, names in names_by_file.items() if names and path not in KNOWS_NAMES} == {}
    assert all(names_by_file[path] for path in KNOWS_NAMES)
