"""The requests and answers of PubMed's tools, on the sandbox's starter facts."""

import asyncio
import functools
import re

import pytest

from biofact.core.call import Caller, on_behalf_of
from biofact.core.errors import AmbiguousQuery, BiofactError, CallTool, ToolRef, UnresolvedEntity, UpstreamError
from biofact.sandbox.faults import Fault
from biofact.sources.pubmed.client import PubMedClient
from tests import sandboxed
from tests.marks import requirement
from tests.notices import codes, messages

pytestmark = pytest.mark.quick

SEARCH = ToolRef("pubmed", "pubmed_search")
TRIAL, ABSENT = "PMID:11832527", "PMID:999999999"
RETRACTED, NOTICE = "PMID:9500320", "PMID:20137807"


on_sandbox = functools.partial(sandboxed.on_sandbox, "pubmed")


def run_tool(tool, *arguments, **names):
    async def scenario(pubmed, _):
        return await getattr(pubmed, tool)(*arguments, **names)

    return on_sandbox(scenario)


def search(query, **names):
    return run_tool("pubmed_search", query, **names)


def refusal_of(tool, *arguments, **names):
    with pytest.raises(BiofactError) as raises:
        run_tool(tool, *arguments, **names)
    return raises.value


def ids(answer):
    return [article.id for article in answer.articles]


def programs(sandbox):
    return [request.path.strip("/").removesuffix(".fcgi") for request in sandbox.requests]


@requirement("004 S-out")
def test_a_search_gives_articles_with_what_pubmed_made_of_the_query():
    result = search("metformin prediabetes")

    assert "PMID:99000022" in ids(result)
    assert result.total_results == len(result.articles)
    assert '"metformin"[MeSH Terms]' in result.search_metadata.query_translation
    assert result.search_metadata.api_version == "0.3"
    assert result.collection.startswith("articles-")


def test_a_standard_article_has_what_a_reader_needs_and_no_more():
    (article,) = search('"99000022"[UID]').articles

    assert set(article.model_dump()) <= {*article.standard_fields}
    assert article.abstract
    assert article.doi


def test_a_hit_in_short_says_which_article_it_is():
    (article,) = search('"11832527"[UID]', slim=True).articles

    assert article.model_dump() == {
        "id": TRIAL,
        "title": "Reduction in the incidence of type 2 diabetes with lifestyle intervention or metformin.",
        "year": 2002,
        "journal": "N Engl J Med",
    }


def test_a_retracted_article_is_marked_in_its_short_form_too():
    (slim,) = search('"9500320"[UID]', slim=True).articles
    (standard,) = search('"9500320"[UID]').articles

    assert slim.retracted is True
    assert (RETRACTED, [(item.kind, item.points_to) for item in standard.status]) == (
        slim.id,
        [("retracted", NOTICE)],
    )


@requirement("004 S-fields")
def test_fields_add_what_is_asked_for():
    (article,) = search('"11832527"[UID]', fields=["mesh", "author_details"]).articles

    assert "Metformin" in [heading.name for heading in article.mesh]
    assert article.author_details
    assert "grants" not in article.model_dump()


@requirement("004 S-sort")
@pytest.mark.parametrize("order", ["relevance", "date", "author", "journal"])
def test_an_order_is_sent_to_pubmed_in_its_own_words(order):
    async def scenario(pubmed, sandbox):
        await pubmed.pubmed_search("metformin", sort_order=order)
        return [value for name, value in sandbox.requests[0].params if name == "sort"]

    assert on_sandbox(scenario) == [
        {"date": "pub_date", "author": "Author", "journal": "JournalName"}.get(order, order)
    ]


@requirement("004 S-date")
def test_dates_count_both_ends_and_either_may_be_open():
    years = [
        {article.year for article in search("metformin", date_range=dates).articles}
        for dates in ({"start_date": "2023"}, {"end_date": "2002/12/31"}, {"start_date": "2024", "end_date": "2024/12"})
    ]

    assert min(years[0]) >= 2023
    assert max(years[1]) <= 2002
    assert years[2] == {2024}


def test_dates_that_make_no_range_are_refused_in_words(subtests):
    for dates, words in [
        ({}, "start_date"),
        ({"start_date": "yesterday"}, "no date"),
        ({"start_date": "2024/13/01"}, "no date"),
        ({"start_date": "2023/02/29"}, "no date"),
        ({"end_date": "2021/06/31"}, "no date"),
        ({"end_date": "1900-02-29"}, "no date"),
        ({"start_date": "2020/01/01", "end_date": "2022/11/31"}, "no date"),
        ({"start_date": "2024", "end_date": "2020"}, "after"),
    ]:
        with subtests.test(dates=dates, words=words):
            error = refusal_of("pubmed_search", "metformin", date_range=dates)

            assert isinstance(error, AmbiguousQuery)
            assert words in error.message


@requirement("004 S-types")
def test_types_are_asked_for_in_nlms_words():
    result = search("metformin", article_types=["Clinical Trial", "case study"])

    assert result.articles
    kinds = [" ".join(article.publication_types) for article in result.articles]
    assert all("Trial" in kind or "Case Reports" in kind for kind in kinds)  # PubMed counts narrower types in


@requirement("004 S-err-syntax")
@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("(metformin", "( is not closed"),
        ("metformin)", ") closes nothing"),
        ('"metformin', "a quote is not closed"),
        ("metformin[tiab", "[ is not closed"),
    ],
)
def test_a_query_that_pubmed_would_mend_in_silence_is_refused_before_it_is_asked(query, problem):
    async def scenario(pubmed, sandbox):
        with pytest.raises(AmbiguousQuery) as raises:
            await pubmed.pubmed_search(query)
        return raises.value, sandbox.requests

    error, requests = on_sandbox(scenario)

    assert problem in error.message
    assert error.recovery == CallTool(SEARCH, {"search_query": "metformin tiab" if "[" in query else "metformin"})
    assert len(requests) == 0


def test_words_that_pubmed_drops_are_named():
    result = search("zzyzzyx metformin")

    assert any("zzyzzyx" in message for message in messages(result, "TERM_IGNORED"))
    assert result.articles


def test_a_tagged_word_that_pubmed_reads_otherwise_is_reported():
    assert "QUERY_UNDERSTOOD" in codes(search("metformin AND prediabetes[tiab]"))
    assert "QUERY_UNDERSTOOD" not in codes(search("metformin[tiab] AND prediabetes[tiab]"))
    assert "QUERY_UNDERSTOOD" not in codes(search("metformin[tiab]", date_range={"start_date": "2020"}))


@requirement("004 S-err-none")
def test_nothing_found_is_no_failure_and_says_what_to_try():
    misspelt_page, strange = search("asthmaa"), search("qqqqq[tiab]")

    assert (misspelt_page.articles, misspelt_page.total_results, misspelt_page.collection) == ([], 0, None)
    assert any("'asthma'" in message for message in messages(misspelt_page, "UNMATCHED"))
    assert "UNMATCHED" in codes(strange)


def test_a_search_costs_two_requests_and_the_next_none():
    async def scenario(pubmed, sandbox):
        await pubmed.pubmed_search("metformin")
        first = programs(sandbox)
        pubmed_search = await pubmed.pubmed_search("metformin", slim=True)
        return first, programs(sandbox), pubmed_search.provenance.origin

    first, pair, origin = on_sandbox(scenario)

    assert first == pair == ["esearch", "efetch"]
    assert origin == "cache"


def test_an_article_that_a_search_lists_and_pubmed_does_not_have_is_reported():
    async def scenario(pubmed, sandbox):
        sandbox.faults.set(Fault("body", path="efetch", body=b"<PubmedArticleSet></PubmedArticleSet>", times=None))
        return await pubmed.pubmed_search("metformin prediabetes")

    sandbox = on_sandbox(scenario)

    assert sandbox.articles == []
    assert any("PMID" in m or "99000022" in m for m in messages(sandbox, "DROPPED"))


def test_a_search_whose_articles_cannot_be_read_fails():
    async def scenario(pubmed, sandbox):
        sandbox.faults.set(Fault("status", path="efetch", status=503, times=None))
        await pubmed.pubmed_search("metformin")

    with pytest.raises(UpstreamError):
        on_sandbox(scenario)


def test_articles_come_in_the_order_asked_each_or_its_failure():
    page = run_tool("pubmed_get_articles", [ABSENT, "11832527", "aspirin", TRIAL])
    kinds = [getattr(item, "id", None) or item.error.code for item in page.items]

    assert kinds == ["ENTITY_NOT_FOUND", TRIAL, "UNRESOLVED_ENTITY", TRIAL]
    assert page.items[0].error.invalid_input == ABSENT


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("PMID 11832527", "PMID:11832527"),
        ("https://pubmed.ncbi.nlm.nih.gov/11832527/", "PMID:11832527"),
        ("doi:10.1056/NEJMoa012512", '"10.1056/NEJMoa012512"[AID]'),
        ("PMC3706072.1", "PMC3706072"),
        ("metformin (", "metformin"),
    ],
)
def test_a_text_that_is_no_pmid_is_refused_with_a_search(text, query):
    page = run_tool("pubmed_get_articles", [text])
    error = page.items[0].error

    assert error.code == "UNRESOLVED_ENTITY"
    assert error.recovery == {"tool": "pubmed.pubmed_search", "arguments": {"search_query": query}}


@pytest.mark.parametrize("query", ["PMC4772787.1", "pmc4772787.2 OR PMC5442267.1"])
def test_a_version_of_a_full_text_is_searched_for_as_the_full_text(query):
    with_version, remainder = search(query), search(re.sub(r"\.\d", "", query))

    assert ids(with_version) == ids(remainder) != []
    assert with_version.total_results == remainder.total_results
    assert any("without their versions" in message for message in messages(with_version, "QUERY_UNDERSTOOD"))
    assert "TERM_IGNORED" not in codes(with_version)


@pytest.mark.parametrize("query", ["p53 10.1", "PMC4772787 5.5 mg", "PMC4772787.x"])
def test_a_number_that_is_no_version_stays(query):
    assert not any("versions" in message for message in messages(search(query), "QUERY_UNDERSTOOD"))


def test_a_doi_leads_to_its_article():
    assert ids(search('"10.1056/NEJMoa012512"[AID]')) == [TRIAL]


def test_a_collection_is_the_same_for_the_same_list_and_another_for_another():
    async def scenario(pubmed, _):
        first = await pubmed.pubmed_search("metformin", slim=True)
        pubmed_search = await pubmed.pubmed_search("metformin", fields=["mesh"])
        other = await pubmed.pubmed_search("metformin", max_results=1)
        entry = await pubmed.collections.find(first.collection, "articles")
        return first, pubmed_search, other, entry

    first, repeat, other, kept_values = on_sandbox(scenario)

    assert first.collection == repeat.collection != other.collection
    assert kept_values.items == ids(first)
    assert kept_values.about == {"query": "metformin"}


def test_an_unknown_collection_is_refused_with_the_call_that_makes_one(subtests):
    for handle in ["articles-000000000000000000000000", "scores-1", "x", ""]:
        with subtests.test(handle=handle):

            async def scenario(pubmed, _, handle=handle):
                await pubmed.collections.find(handle, "articles")

            with pytest.raises(UnresolvedEntity) as raises:
                on_sandbox(scenario)

            assert "pubmed.pubmed_search" in raises.value.hint


def test_a_collection_ends_after_a_week():
    async def scenario(pubmed, _):
        handle = (await pubmed.pubmed_search("metformin", slim=True)).collection
        await asyncio.sleep(7 * 86_400.0 + 1)
        await pubmed.collections.find(handle, "articles")

    with pytest.raises(UnresolvedEntity):
        on_sandbox(scenario)


@requirement("004 EH-5")
def test_the_progress_of_a_long_list_is_reported_and_a_part_is_shown(monkeypatch):
    messages = []

    async def hear(done, total, label):
        messages.append((done, total, label))

    async def scenario(pubmed, _):
        with on_behalf_of(Caller(progress=hear)):
            return await pubmed.pubmed_search("hasabstract[filter] OR english[la]", max_results=10_000, slim=True)

    sandbox = on_sandbox(scenario)

    assert messages[-1] == (sandbox.total_results, sandbox.total_results, "articles fetched")
    assert len(sandbox.articles) == min(200, sandbox.total_results)


def test_the_client_stands_alone():
    async def scenario(pubmed, _):
        async with PubMedClient(pubmed.transport) as pub_med_client:
            return await pub_med_client.pubmed_get_articles(["11832527"])

    assert on_sandbox(scenario).items[0].id == TRIAL
