"""The modules that a process imports before it answers: no source until one is called, hardly any for the version.

Counted in modules instead of seconds, so that a busy machine changes nothing; ``benchmarks/startup.py`` measures.
"""

import json
import re
import subprocess
import sys

import pytest

from biofact.interfaces import every_source
from tests.interfaces.test_stdio import INITIALIZE

pytestmark = pytest.mark.processes

WATCHED_MODULES = (
    "import atexit, pathlib, sys; from biofact.__main__ import main; file = pathlib.Path(sys.argv.pop(1)); "
    "atexit.register(lambda: file.write_text(' '.join(sys.modules))); sys.exit(main())"
)
"""The command ``biofact``, which writes the names of its imported modules into a file."""
SOURCE = re.compile(r"biofact\.(sources\.\w+|literature|sandbox)(\.|$)")
HEAVY = {"bm25s", "numpy", "defusedxml", "h11", "stamina", "orjson", "sqlite3"}
TOOLS = [tool for name in every_source.toolsets() for tool in every_source.listing(name).tools]
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LISTS = ("tools/list", "resources/list", "resources/templates/list", "prompts/list")
NO_STORE = "key_value"
"""The module in which FastMCP stores the tools hidden from a session."""


@pytest.fixture
def run_command(tmp_path):
    """Runs the command; returns its answers to some lines, or its output, and the modules that it has imported."""

    def run(*words, lines=()):
        file = tmp_path / "modules"
        command = [sys.executable, "-c", WATCHED_MODULES, str(file), *words]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            process.stdin.write("".join(json.dumps(line) + "\n" for line in lines))
            process.stdin.flush()
            answers = [process.stdout.readline() for line in lines if "id" in line]
            output, _ = process.communicate()
        assert process.returncode == 0
        return answers or output, set(file.read_text().split()) - {"pathlib", "atexit"}

    return run


def client_lines(*methods, **params):
    """The lines of a client with these requests."""
    return (
        {"jsonrpc": "2.0", "id": 0, **INITIALIZE},
        READY,
        *({"jsonrpc": "2.0", "id": place, "method": name, "params": params} for place, name in enumerate(methods, 1)),
    )


def sources_in(modules):
    return {name for name in modules if SOURCE.match(name)}


@pytest.mark.quick(starts="the command line, for its version")
def test_the_version_needs_next_to_nothing(run_command):
    output, modules = run_command("--version")

    assert re.fullmatch(r"\d+\.\d+\.\d+\n", output)
    assert {name for name in modules if name.startswith("biofact")} == {
        "biofact",
        "biofact.__main__",
        "biofact.interfaces",
        "biofact.interfaces.terminal",
        "biofact.core",
        "biofact.core.usage",
    }
    assert not {"asyncio", "pydantic", "cyclopts", "json"} & modules


def test_the_overview_imports_no_source(run_command):
    output, modules = run_command("--help")

    assert "NCBI Gene: Names to GeneIDs" in " ".join(output.split())
    assert "literature" in output
    assert "biofact.interfaces.cli.app" in modules
    assert sources_in(modules) == set()
    assert not {"fastmcp", *HEAVY} & modules


@pytest.mark.parametrize(
    ("words", "lists"), [(["serve"], LISTS), (["serve", "--sandbox"], LISTS), (["serve", "igvf"], LISTS[:-1])]
)
def test_a_server_lists_what_it_has_and_imports_no_source(run_command, words, lists):
    (_, *answers), modules = run_command(*words, lines=client_lines(*lists))

    assert len(answers) == len(lists)
    assert all("result" in json.loads(answer) for answer in answers)
    assert sources_in(modules) == set()
    assert not {NO_STORE, "cyclopts", *HEAVY} & modules


def test_tools_are_listed_without_anything_that_answers_calls(run_command):
    (_, answer), modules = run_command("serve", lines=client_lines("tools/list"))

    assert len(json.loads(answer)["result"]["tools"]) == len(TOOLS)
    assert not {name for name in modules if re.match(r"biofact\.(transport|core\.(tool|provenance))", name)}


@pytest.mark.quick(starts="a server of all sources over stdio, for one call")
def test_the_first_call_imports_its_own_source_and_no_other(run_command):
    call = client_lines("tools/call", name="entrez_get_gene", arguments={"entrez_id": "NEFL"})

    (_, answer), modules = run_command("serve", lines=call)

    assert "entrez_search_genes" in answer
    assert "biofact.sources.entrez.client" in modules
    assert not {name for name in modules if re.match(r"biofact\.sources\.(?!entrez)\w+\.client", name)}
