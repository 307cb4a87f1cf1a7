"""The client libraries of hosts, at exact versions: each reads our answers and every failure code."""

import functools
import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

import pytest

from biofact.core.tool import specs_of
from biofact.interfaces import every_source
from biofact.sandbox import Fault, SandboxProcess
from tests.extras.client_drivers import CLIENTS, NODE, SERVE, environment, gateway_process, result, run

pytestmark = pytest.mark.extras

WIRES = ("stdio", "http")
TOOLS = sum(len([*specs_of(every_source.client_class(source))]) for source in every_source.toolsets())

EXPECTED_ANSWERS = {
    "NCBIGene:672": ("entrez_get_gene", {"entrez_id": "NCBIGene:672"}),
    "NCBIGene:7157": ("entrez_search_genes", {"query": "p53", "slim": True}),
    "NCBIGene:4747": ("entrez_get_genes_batch", {"entrez_ids": ["NCBIGene:4747", "x", "NCBIGene:999999999"]}),
    "ENSG00000012048": ("igvf_get_entity", {"id": "BRCA1"}),
    "PMID:99000022": ("pubmed_get_articles", {"pmids": ["PMID:99000022"]}),
}
FAILED = {
    "UNRESOLVED_ENTITY": ("entrez_get_gene", {"entrez_id": "tp53"}),
    "ENTITY_NOT_FOUND": ("entrez_get_gene", {"entrez_id": "NCBIGene:999999999"}),
    "AMBIGUOUS_QUERY": ("entrez_search_genes", {"query": "p53", "page_size": 1000}),
    "RATE_LIMITED": ("chembl_get_compound", {"chembl_id": "CHEMBL:941"}),
    "UPSTREAM_ERROR": ("ensembl_get_gene", {"ensembl_id": "ENSG00000012048"}),
}
CALLS = [*EXPECTED_ANSWERS.values(), *FAILED.values()]
FAULTS = (
    Fault("status", service="chembl", status=429, headers={"Retry-After": "3600"}, times=None),
    Fault("status", service="ensembl", status=418, body=b"I am a teapot", times=None),
)


@pytest.fixture(scope="module")
def sandbox():
    """A sandbox in which one service asks for a pause of an hour, and one sends nonsense."""
    with SandboxProcess(rate_factor=100) as sandbox_process:
        sandbox_process.set_faults(*FAULTS)
        yield sandbox_process


@pytest.fixture(scope="module")
def client_results(sandbox, tmp_path_factory):
    """The results that each client returns to its host, over each wire; in parallel, as they mostly wait."""

    def run_client(client, wire, folder):
        settings = environment(sandbox, folder)
        with gateway_process(settings) if wire == "http" else nullcontext({"command": SERVE}) as server:
            return run(client, server, CALLS, settings)

    with ThreadPoolExecutor(4) as pool:
        yield {
            (client, wire): pool.submit(run_client, client, wire, tmp_path_factory.mktemp("cache"))
            for wire in WIRES
            for client in CLIENTS
        }


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("wire", WIRES)
def test_answers_are_read_and_held_to_their_schema(client, wire, client_results):
    client_result = result(client_results[client, wire].result())

    assert client_result["tools"] == TOOLS
    for expected, answer in zip(EXPECTED_ANSWERS, client_result["answers"], strict=False):
        assert "thrown" not in answer
        assert answer.get("isError") in {None, False}
        assert expected in ids(answer["structuredContent"])
        assert answer["structuredContent"] == json.loads(answer["content"][0]["text"])


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("wire", WIRES)
def test_every_failure_code_is_read(client, wire, client_results):
    answers = result(client_results[client, wire].result())["answers"][len(EXPECTED_ANSWERS) :]

    for code, answer in zip(FAILED, answers, strict=True):
        assert "thrown" not in answer, answer
        assert answer["isError"] is True
        assert "structuredContent" not in answer
        envelope = json.loads(answer["content"][0]["text"])
        assert envelope["success"] is False
        assert envelope["error"]["code"] == code
        assert envelope["error"]["recovery_hint"]


def test_the_inspector_shows_answers_and_every_failure(sandbox, tmp_path):
    settings = environment(sandbox, tmp_path)
    of_node = {**settings, "HOME": str(tmp_path), "PATH": f"{NODE / 'node_modules/.bin'}:{settings['PATH']}"}

    def inspect_call(call, url):
        name, arguments = call
        words = ["--method", "tools/call", "--tool-name", name, "--tool-args-json", json.dumps(arguments)]
        command = ["mcp-inspector", "--cli", "--quiet", "--format", "json", *words, url]
        process = subprocess.run(command, capture_output=True, text=True, env=of_node, timeout=120, check=False)
        assert process.stdout, process.stderr
        return json.loads(process.stdout)["result"]

    with gateway_process(settings) as server, ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(functools.partial(inspect_call, url=server["url"]), CALLS))

    for expected, answer in zip(EXPECTED_ANSWERS, answers, strict=False):
        assert expected in ids(answer["structuredContent"])
    for code, answer in zip(FAILED, answers[len(EXPECTED_ANSWERS) :], strict=True):
        assert answer["isError"] is True
        assert json.loads(answer["content"][0]["text"])["error"]["code"] == code


def ids(body):
    return {item.get("id") for item in body.get("items", [body])}
