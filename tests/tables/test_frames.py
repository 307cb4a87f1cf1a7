"""Answers as data frames, without an installed library for them; tests/extras has the tests with one."""

import copy
import pickle
import subprocess
import sys

import pytest

from biofact.core.envelopes import PaginationEnvelope, page
from biofact.core.records import ClientMethod
from biofact.identity.client import IdentityClient
from biofact.identity.records import ResolvedName
from biofact.interfaces.cli import resolve_command
from biofact.sources.entrez.client import EntrezClient
from biofact.sources.entrez.records import GeneRif
from biofact.tables import frames
from biofact.tables.frames import result_columns
from tests import virtual_time
from tests.sandboxed import sandboxed

pytestmark = pytest.mark.quick

RIF = GeneRif(text="It binds.", pmids=["PMID:1"])
EMPTY = page([], 50, total=0)


def names(result):
    return [column.name for column in result_columns(result)]


def test_without_polars_and_pandas_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    monkeypatch.setitem(sys.modules, "pandas", None)

    with pytest.raises(ImportError, match="pip install polars, or pip install pandas"):
        page([RIF], 50, total=1).to_frame()


def test_an_answer_without_rows_has_the_columns_of_its_question():
    answer = EMPTY.signed(None, [], ClientMethod(EntrezClient, "get_generifs"))
    search = EMPTY.signed(None, [], ClientMethod(EntrezClient, "search_genes"))

    assert names(answer) == ["input", "text", "pmids", "date", "error", "message"]
    assert names(page([RIF], 50, total=1)) == ["text", "pmids", "date"]  # of no question
    assert "input" not in names(search)


def test_the_question_is_kept_by_copies_and_makes_no_difference_to_equality():
    answer = EMPTY.signed(None, [], ClientMethod(EntrezClient, "get_genes_batch"))

    assert answer == EMPTY
    for copied in (copy.deepcopy(answer), answer.signed(None, []), pickle.loads(pickle.dumps(answer))):
        assert copied.question.method == "get_genes_batch"
        assert (names(copied)[0], *names(copied)[-2:]) == ("input", "error", "message")


def test_resolved_names_have_the_columns_of_the_command_and_the_databases_that_were_asked_for():
    row = ResolvedName(name="TP53", entities=[])
    arguments = {"names": ["TP53"], "databases": ("hgnc", "entrez")}
    answer = page([row], 1, total=1).signed(None, [], ClientMethod(IdentityClient, "resolve", arguments))

    assert names(page([row], 1, total=1)) == list(resolve_command.COLUMNS)
    assert names(answer) == [*resolve_command.COLUMNS, "hgnc"]


def inputs_of(result):
    return [cells.get("input") for cells in frames._rows(result, result_columns(result))]


def test_inputs_are_those_of_the_call_whatever_becomes_of_the_callers_list():
    ids = ["NCBIGene:7157", "TP53"]

    async def ask():
        async with sandboxed("entrez") as (client, _):
            answer = await client.get_genes_batch(ids)
            ids[:] = ["NCBIGene:1", "NCBIGene:2"]
            return answer

    answer = virtual_time.run(ask())

    assert inputs_of(answer) == ["NCBIGene:7157", "TP53"]


def test_rows_that_were_moved_or_taken_away_have_no_input_but_that_of_their_failure():
    async def ask():
        async with sandboxed("entrez") as (client, _):
            return await client.get_genes_batch(["NCBIGene:7157", "TP53", "NCBIGene:672"])

    answer = virtual_time.run(ask())

    assert inputs_of(answer.model_copy(update={"items": answer.items[1:]})) == ["TP53", None]
    assert inputs_of(answer.model_copy(update={"items": [answer.items[1], *answer.items[::2]]})) == ["TP53", None, None]


def test_one_text_is_no_list_of_ids():
    async def ask():
        async with sandboxed("entrez") as (client, _):
            return [answer async for answer in client.get_genes_many("NCBIGene:7157")]

    with pytest.raises(TypeError, match="is one text: give a list of IDs"):
        virtual_time.run(ask())


def test_an_empty_list_of_unknown_rows_is_refused():
    with pytest.raises(TypeError, match="name their classes"):
        names(EMPTY)

    assert names(PaginationEnvelope[GeneRif](items=[], pagination=EMPTY.pagination)) == ["text", "pmids", "date"]


@pytest.mark.processes
def test_a_public_record_makes_frames_before_any_client_is_imported():
    program = "from biofact import RegionContents as R; R.model_construct().to_frame()"

    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert "biofact.tables" not in run.stderr
    assert run.returncode == 0 or "needs polars or pandas" in run.stderr, run.stderr
