"""``biofact.sync`` has the names of ``biofact``, and returns the same results."""

import inspect
import itertools
import subprocess
import sys
from pathlib import Path
from typing import get_type_hints

import pytest

import biofact.sync
from biofact import toolsets
from biofact.core.envelopes import ErrorEnvelope
from biofact.core.errors import BiofactError
from biofact.core.tool import resources_of, specs_of
from biofact.sandbox import Sandbox
from tests import virtual_time
from tests.conformance.cases import all_cases
from tests.sandboxed import sandboxed

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
QUESTIONS = [
    (name, spec.ref.method)
    for name in toolsets.client_names()
    for spec in (*specs_of(toolsets.client_class(name)), *resources_of(toolsets.client_class(name)))
]


def blocking_class(name):
    return getattr(biofact.sync, toolsets.client_class(name).__name__)


def test_a_question_has_the_same_arguments_types_and_words(subtests):
    for name, method in QUESTIONS:
        with subtests.test(name=name, method=method):
            asynchronous, blocking = (
                getattr(client, method) for client in (toolsets.client_class(name), blocking_class(name))
            )

            assert inspect.iscoroutinefunction(asynchronous)
            assert not inspect.iscoroutinefunction(blocking)
            assert inspect.getdoc(blocking) == inspect.getdoc(asynchronous)
            assert get_type_hints(blocking) == get_type_hints(asynchronous)
            assert forms(blocking) == forms(asynchronous)


def forms(method):
    return [
        (parameter.name, parameter.kind, parameter.default)
        for parameter in inspect.signature(method).parameters.values()
    ]


def methods():
    """Each public method of each client, asynchronous and blocking."""
    clients = [client(name) for name in toolsets.client_names() for client in (toolsets.client_class, blocking_class)]
    names = [(client, name) for client in clients for name in dir(client) if not name.startswith("_")]
    return [(client, name) for client, name in names if callable(getattr(client, name))]


def test_a_signature_has_the_types_alone(subtests):
    for client, method in methods():
        with subtests.test(client=client, method=method):
            assert "Annotated" not in str(inspect.signature(getattr(client, method)))


def test_completion_offers_what_programs_call():
    for name in toolsets.client_names():
        client_class = toolsets.client_class(name)
        words = {word for word in dir(client_class()) if not word.startswith("_")}

        assert words >= {method for source, method in QUESTIONS if source == name}
        assert words.isdisjoint({"probes", "releases", "services", "source_name", "title"})


def test_an_iterator_that_waits_is_one_of_the_same_items():
    asynchronous, blocking = (biofact.IdentityClient.resolve_many for biofact in (biofact, biofact.sync))

    (item_type,), (other,) = (get_type_hints(method)["return"].__args__ for method in (asynchronous, blocking))
    assert item_type is other


@pytest.fixture(scope="module")
def blocking():
    """All blocking clients on a sandbox."""
    with Sandbox(rate_factor=1000) as sandbox, biofact.sync.open({"NCBI_API_KEY": "key"}, sandbox=sandbox) as client:
        yield client


def examples():
    """Examples of the gene tools: the first and the last two of each, which fail, and in the sweep the others."""
    for _, tool_examples in itertools.groupby(
        (case for case in all_cases() if case.source == "entrez"), lambda case: case.spec
    ):
        first, *other_examples, wrong, malformed = tool_examples
        yield from (pytest.param(case, id=str(case)) for case in (first, wrong, malformed))
        yield from (pytest.param(case, id=str(case), marks=pytest.mark.sweep) for case in other_examples)


@pytest.mark.parametrize("case", list(examples()))
def test_an_example_has_the_same_outcome_to_the_letter(case, blocking):
    def ask():
        return getattr(blocking.entrez, case.spec.ref.method)(**case.arguments)

    assert outcome(ask) == outcome(lambda: virtual_time.run(awaited(case)))


async def awaited(case):
    async with sandboxed(case.source) as (client, _):
        return await getattr(client, case.spec.ref.method)(**case.arguments)


def outcome(ask):
    """The answer, or the envelope of its failure."""
    try:
        return ask().model_dump()
    except BiofactError as error:
        return ErrorEnvelope.of(error).model_dump()


def test_arguments_have_the_same_other_names(blocking):
    hits = blocking.entrez.search_genes("p53", species="human", limit=2)

    assert (hits.items[0].symbol, hits.pagination.page_size) == ("TP53", 2)
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        blocking.entrez.search_genes("p53", colour="red")


def test_an_answer_in_bytes_or_text_comes_as_it_is(blocking):
    assert "## " in blocking.igvf.identifier_guide()


def test_the_names_of_both_modules_are_the_same():
    assert {client.__name__ for client in map(toolsets.client_class, toolsets.client_names())} < set(
        biofact.sync.__all__
    )
    assert set(biofact.sync.__all__) < set(biofact.__all__)
    assert dir(biofact.sync) == biofact.sync.__all__
    with pytest.raises(AttributeError, match=r"module 'biofact\.sync' has no attribute 'Gene'"):
        _ = biofact.sync.Gene


@pytest.mark.processes
def test_a_client_is_imported_with_nothing_that_it_does_not_need():
    code = "import sys, biofact.sync; few = len(sys.modules); biofact.sync.EntrezClient; print(few, *sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)

    module_count, *modules = run.stdout.split()

    assert int(module_count) < 80
    needless = ("interfaces", "literature", "sandbox", "identity", "sources.ensembl")
    assert [name for name in modules if name.startswith(tuple(f"biofact.{folder}" for folder in needless))] == []
