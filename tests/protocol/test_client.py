"""The methods that every client inherits, and the modules that its import must not load."""

import subprocess
import sys

import orjson
import pytest

from biofact.core.errors import EntityNotFound, RateLimited, ToolRef
from biofact.core.identifiers import IdKind, curie_kind
from biofact.core.records import SlimRecord, absent
from biofact.dialects.json_splitter import WholeAnswer
from biofact.dialects.json_values import count, document, rows
from biofact.protocol.client import LifeSciencesClient
from biofact.protocol.listing import Candidate, ListSlice
from biofact.protocol.lookup import RecordKind
from biofact.protocol.ranking import Names
from biofact.protocol.search import WordSearch
from biofact.transport.service import Request
from tests import virtual_time
from tests.interfaces.toy import SlimToy
from tests.transport.scene import ASK, TOY, Scene, good

pytestmark = pytest.mark.quick


class Toy(LifeSciencesClient):
    source_name = "toy"
    title = "The Toy"
    services = (TOY,)

    async def word(self) -> str:
        return await self.transport.fetch(ASK, bytes.decode)


def test_a_client_closes_only_the_transport_that_it_made(tmp_path, monkeypatch):
    monkeypatch.setenv("BIOFACT_CACHE_DIR", str(tmp_path))
    closed = []

    async def scenario():
        scene = Scene(tmp_path, good())
        shared = scene.transport()
        for client in (Toy(shared), Toy()):
            ending, transport = client.transport.aclose, client.transport

            async def count_close(ending=ending, transport=transport):
                closed.append(transport is shared)
                await ending()

            monkeypatch.setattr(transport, "aclose", count_close)
            async with client as same_client:
                assert same_client is client
        return await Toy(shared).word()

    assert virtual_time.run(scenario()) == "word"
    assert closed == [False]


@pytest.mark.processes
def test_importing_a_client_loads_nothing_slow():
    slow = {"httpx2", "httpcore2", "stamina", "defusedxml", "redis", "numpy", "fastmcp"}
    program = "import sys, biofact.protocol.client; print(*sys.modules)"

    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()

    assert slow.isdisjoint(loaded)


def test_an_entry_of_a_batch_echoes_its_own_id_though_all_share_one_failure(tmp_path):
    busy = RateLimited("The toy is busy.", hint="Wait.")

    async def ask(toy_id):
        raise busy

    async def scenario():
        kind = IdKind("toy ID", r"TOY:\d+", "TOY:7", ToolRef("toy", "search_toys"))
        toys = Toy(Scene(tmp_path, good()).transport())
        return await toys._batch(kind, ["TOY:1", "TOY:2", 3, 3], ask, SlimToy.slim, at_once=9)

    entries = virtual_time.run(scenario()).items

    assert [entry.error.invalid_input for entry in entries] == ["TOY:1", "TOY:2", 3, 3]
    assert busy.invalid_input is None


class SlimWord(SlimRecord):
    id: str


class Word(SlimWord):
    meaning: str | None = absent("What it means.")


SEARCH_WORDS = ToolRef("toy", "search_words")
WORD_ID = curie_kind("Word", "WORD", "7", SEARCH_WORDS)
WORDS = RecordKind(
    TOY,
    WORD_ID,
    "word/1",
    5,
    lambda ids: Request(TOY, ("words", ",".join(map(WORD_ID.local, ids)))),
    lambda: WholeAnswer.of_rows(lambda body: rows(document(body), "words"), lambda row: row["id"]),
    Word.model_validate_json,
    SlimWord,
)
KNOWN = orjson.dumps({"words": [{"id": "WORD:7", "meaning": "seven"}, {"id": "WORD:8", "meaning": "eight"}]})


def test_a_record_is_whole_or_short_and_an_absent_one_leads_to_the_search(tmp_path):
    async def scenario():
        async with Toy(Scene(tmp_path, good(KNOWN)).transport()) as toy:
            with pytest.raises(EntityNotFound) as failure:
                await toy._get(WORDS, "WORD:9", slim=False)
            return [await toy._get(WORDS, "WORD:7", slim=slim) for slim in (False, True)], failure.value

    (whole, short), failure = virtual_time.run(scenario())

    assert (whole.meaning, type(short)) == ("seven", SlimWord)
    assert "toy.search_words" in failure.hint


def test_a_batch_asks_once_and_has_an_entry_for_each_id(tmp_path):
    scene = Scene(tmp_path, good(KNOWN))

    async def scenario():
        async with Toy(scene.transport()) as toy:
            return await toy._get_batch(WORDS, ["WORD:7", "word", "WORD:8", "WORD:9", "WORD:7"], slim=True)

    entries = virtual_time.run(scenario()).items

    assert [getattr(entry, "id", None) or entry.error.code for entry in entries] == [
        *("WORD:7", "UNRESOLVED_ENTITY", "WORD:8", "ENTITY_NOT_FOUND", "WORD:7"),
    ]
    assert [request.url.path for request in scene.requests] == ["/api/words/7,8,9"]


class Hit(Candidate):
    name: str


def hits(body, query):
    page = document(body)
    return ListSlice([Hit.of(Names(row, row), query, name=row) for row in page["hits"]], count(page, "total"))


HITS = WordSearch(
    WORD_ID, lambda words, offset, size: Request(TOY, "/search", (("q", words), ("from", f"{offset}+{size}"))), hits
)


@pytest.mark.parametrize(("query", "words", "hit"), [("seven", "seven", "seven"), ("word 7", "7", "WORD:7")])
def test_a_list_is_asked_for_by_its_place_and_an_id_in_the_form_of_the_service(tmp_path, query, words, hit):
    scene = Scene(tmp_path, good(b'{"hits": ["WORD:7", "seven"], "total": 3}'), good(b'{"hits": ["x"], "total": 3}'))

    async def page(toy, cursor):
        return await toy._page(
            SEARCH_WORDS, {"query": query}, HITS.fetch(toy._upstream, query), cursor=cursor, page_size=2
        )

    async def scenario():
        async with Toy(scene.transport()) as toy:
            first = await page(toy, None)
            return first, await page(toy, first.pagination.cursor)

    first, second = virtual_time.run(scenario())

    assert [dict(request.url.params)["q"] for request in scene.requests] == [words] * 2
    assert [dict(request.url.params)["from"] for request in scene.requests] == ["0+2", "2+2"]
    assert {row.id: row.match for row in first.items}[hit] == "id"
    assert ([row.id for row in second.items], second.pagination.cursor) == (["x"], None)


def test_a_search_that_finds_nothing_says_so_and_another_list_does_not(tmp_path):
    async def fetch(position, size):
        return ListSlice([], 0)

    async def scenario():
        async with Toy(Scene(tmp_path, good()).transport()) as toy:
            return [
                await toy._page(SEARCH_WORDS, arguments, fetch, cursor=None, page_size=2)
                for arguments in ({"query": "x"}, {"word": "WORD:7"})
            ]

    assert [[notice.code for notice in page.notices] for page in virtual_time.run(scenario())] == [["UNMATCHED"], []]
