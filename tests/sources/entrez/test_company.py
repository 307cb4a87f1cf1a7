"""Concurrent searches share requests, and each gets its own answer."""

import asyncio
import tempfile

import pytest

from biofact import EntrezClient
from biofact.core.settings import Settings
from biofact.dialects import eutils
from biofact.transport.service import BodyTooLarge, Transient
from biofact.transport.stack import Transport
from tests import virtual_time
from tests.in_process import in_process

pytestmark = pytest.mark.quick

QUESTIONS = [
    {"query": "BRCA1"},
    {"query": "p53"},
    {"query": "TP53"},
    {"query": "Trp53"},
    {"query": "TP53", "organism": "mouse"},
    {"query": "tp53 zebrafish"},
    {"query": "HER2"},
    {"query": "ERBB2"},
    {"query": "ERBB2 (HER2)"},
    {"query": "tumor protein p53"},
    {"query": "cat"},
    {"query": "catalase"},
    {"query": "no such gene at all"},
    {"query": "BRCA1", "organism": "rat"},
    {"query": "BRCA1[sym] AND human[orgn]"},
    {"query": "NAT2", "page_size": 1},
]


async def pages(groups):
    """The pages of each group's concurrent questions, and the number of requests."""
    async with in_process() as (sandbox, network):
        result = []
        for group in groups:
            with tempfile.TemporaryDirectory() as folder:
                settings = Settings({**sandbox.environment(), "BIOFACT_CACHE_DIR": folder})
                transport = Transport(settings, timing=virtual_time.timing(), wire=network)
                client = EntrezClient(transport)
                result += await asyncio.gather(*(client.search_genes(**question) for question in group))
                await transport.aclose()
        return [page.model_dump(mode="json", exclude={"provenance"}) for page in result], list(sandbox.requests)


def test_a_search_in_company_answers_as_it_does_alone():
    single_result, _ = virtual_time.run(pages([[question] for question in QUESTIONS]))
    joint_result, requests = virtual_time.run(pages([QUESTIONS]))
    esearches = [request for request in requests if request.path == "/esearch.fcgi"]

    assert joint_result == single_result
    assert len(esearches) <= len(QUESTIONS) + 4  # and not two for each


def summary_answer(*uids, count=None):
    text = ",".join(f'"{uid}"' for uid in uids)
    return (
        f'{{"header":{{"type":"esearch","version":"0.3"}},"esearchresult":{{"count":"{count or len(uids)}",'
        f'"retmax":"{len(uids)}","retstart":"0","idlist":[{text}],"translationset":[],"querytranslation":""}}}}'
    ).encode()


JOINED_SEARCHES = eutils.joined_searches("gene", "gene-called/1", hits=2)


def test_terms_are_joined_with_or_and_each_keeps_room_for_its_hits():
    ask = JOINED_SEARCHES.ask(("a[sym] AND b[orgn]", "c[sym]"))

    assert dict(ask.request.params)["term"] == "(a[sym] AND b[orgn]) OR (c[sym])"
    assert dict(ask.request.params)["retmax"] == "4"


def test_a_term_alone_is_asked_as_it_is():
    assert dict(JOINED_SEARCHES.ask(("c[sym]",)).request.params)["term"] == "c[sym]"


def test_every_term_gets_the_whole_answer_once_it_is_there():
    splitter = JOINED_SEARCHES.ask(("a", "b")).splitter
    body = summary_answer(1, 2, 3)

    assert splitter.feed(body[:100]) == []
    assert splitter.feed(body[100:]) == [("a", body), ("b", body)]
    splitter.close()


def test_an_answer_that_does_not_list_all_is_asked_for_with_fewer_terms():
    with pytest.raises(BodyTooLarge):
        JOINED_SEARCHES.ask(("a", "b")).splitter.feed(summary_answer(1, 2, 3, 4, count=5))

    ((_, body),) = JOINED_SEARCHES.ask(("a",)).splitter.feed(summary_answer(1, 2, count=5))
    assert eutils.search_answer(body).count == 5


def test_a_cut_answer_is_damaged():
    splitter = JOINED_SEARCHES.ask(("a", "b")).splitter
    splitter.feed(summary_answer(1, 2)[:-3])

    with pytest.raises(Transient, match="cut short"):
        splitter.close()
