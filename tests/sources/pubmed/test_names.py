"""Articles of many names: any spelling, two requests, the owner of each by the records, and their status."""

import json

import pytest

from biofact.core.errors import RateLimited, UpstreamError
from biofact.sandbox import Fault
from biofact.sources.pubmed.names import is_article_id
from tests.sandboxed import on_sandbox

pytestmark = pytest.mark.quick

TRIAL, RETRACTED = "PMID:11832527", "PMID:9500320"


def find_names(*names, faults=()):
    """The articles with these names, and the requests for them."""

    async def find(pubmed, sandbox):
        articles = await pubmed.articles_named(names, "human")
        return articles, [(request.path.rpartition("/")[2], dict(request.params)) for request in sandbox.requests]

    return on_sandbox("pubmed", find, *faults)


def ids(*names, **options):
    result, _ = find_names(*names, **options)
    return {name: [entity.id for entity in entities] for name, entities in result.entities.items()}


SPELLINGS = [
    TRIAL,
    "11832527",
    "pmid 11832527",
    "https://pubmed.ncbi.nlm.nih.gov/11832527/",
    "10.1056/NEJMoa012512",
    "10.1056/nejmoa012512",
    "doi:10.1056/NEJMoa012512",
    "DOI 10.1056/NEJMoa012512.",
    "https://doi.org/10.1056/NEJMoa012512",
    "doi.org/10.1056/NEJMoa012512",
    "http://dx.doi.org/10.1056/NEJMoa012512",
    "PMC1370926",
    "pmc1370926.1",
    "PMCID: PMC1370926",
    "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC1370926/",
    "https://pmc.ncbi.nlm.nih.gov/articles/PMC1370926",
]


def test_an_article_is_found_by_its_ids_in_any_spelling():
    assert [name for name in SPELLINGS if not is_article_id(name)] == []
    assert ids(*SPELLINGS) == {name: [TRIAL] for name in SPELLINGS}


def test_words_are_no_id_of_an_article():
    assert not any(map(is_article_id, ("metformin", "PMC", "10.1056", "BRCA1", "a trial of 10.1056/x", "rs334")))


def test_many_names_cost_a_search_and_a_fetch():
    names = [TRIAL, RETRACTED, "PMID:999999999", "10.1371/journal.pmed.0020124", "PMC8382232", "10.1056/NEJMoa012512"]
    result, requests = find_names(*names)

    assert [program for program, _ in requests] == ["esearch.fcgi", "efetch.fcgi"]
    (search, fetch) = (params for _, params in requests)
    assert search["term"] == '"10.1371/journal.pmed.0020124"[AID] OR "10.1056/nejmoa012512"[AID] OR PMC8382232'
    assert sorted(fetch["id"].split(",")) == ["11832527", "16060722", "28117445", "9500320", "999999999"]
    assert {name: [entity.id for entity in entities] for name, entities in result.entities.items()} == {
        TRIAL: [TRIAL],
        RETRACTED: [RETRACTED],
        "10.1371/journal.pmed.0020124": ["PMID:16060722"],
        "PMC8382232": ["PMID:28117445"],
        "10.1056/NEJMoa012512": [TRIAL],
    }
    assert result.reasons == {"PMID:999999999": "PubMed has no record PMID:999999999."}


def test_pmids_alone_need_no_search():
    _, requests = find_names(TRIAL, RETRACTED)

    assert [program for program, _ in requests] == ["efetch.fcgi"]


def test_an_absent_doi_or_pmc_id_is_reported_as_absent():
    result, _ = find_names("10.1056/nothing", "PMC999999999")

    assert not result.entities
    assert result.reasons == {
        "10.1056/nothing": "PubMed has no article with the ID 10.1056/nothing.",
        "PMC999999999": "PubMed has no article with the ID PMC999999999.",
    }


def test_the_status_of_an_article_is_reported():
    statuses = {
        TRIAL: "current",
        RETRACTED: "retracted",
        "10.1016/s0140-6736(97)11096-0": "retracted",
        "PMID:20137807": "current",  # the notice
        "PMID:32450107": "retracted",
    }
    result, _ = find_names(*statuses)

    assert {name: result.entities[name][0].status for name in statuses} == statuses


def test_an_updated_article_is_marked_and_its_update_is_not():
    result, _ = find_names("PMID:99000083", "PMID:99000085", "PMID:99000086")

    assert {name: article.status for name, (article,) in result.entities.items()} == {
        "PMID:99000083": "current",
        "PMID:99000085": "updated",
        "PMID:99000086": "current",
    }


def test_a_title_is_cut_between_words():
    result, _ = find_names(TRIAL, "PMID:13054692")

    assert result.entities[TRIAL][0].label == "Reduction in the incidence of type 2 diabetes with\u2026"
    assert len(result.entities["PMID:13054692"][0].label) <= 61


def test_a_search_that_finds_another_article_proves_nothing():
    """The DOI's own article is not in the list, another one is: its record has another DOI."""
    body = {"esearchresult": {"count": "1", "retmax": "3", "retstart": "0", "idlist": ["9500320"]}}
    lie = Fault("body", path="esearch", body=json.dumps(body).encode(), content_type="application/json", times=None)
    result, _ = find_names("10.1056/NEJMoa012512", "PMC1370926", faults=[lie])

    assert not result.entities
    assert set(result.reasons) == {"10.1056/NEJMoa012512", "PMC1370926"}


def test_a_search_that_was_read_as_words_is_asked_in_halves_and_fetches_nothing():
    strs = [str(number) for number in range(1, 7)]
    body = {"esearchresult": {"count": "5000", "retmax": "6", "retstart": "0", "idlist": strs}}
    lie = Fault("body", path="esearch", body=json.dumps(body).encode(), content_type="application/json", times=None)
    result, requests = find_names("10.1056/NEJMoa012512", "PMC1370926", faults=[lie])

    assert [program for program, _ in requests] == ["esearch.fcgi"] * 3
    assert not result.entities


def test_a_search_that_fails_fails_its_names_alone():
    down = Fault("status", path="esearch", status=500, times=None)
    result, _ = find_names(TRIAL, "PMC1370926", faults=[down])

    assert [item.id for item in result.entities[TRIAL]] == [TRIAL]
    assert isinstance(result.failures["PMC1370926"], UpstreamError | RateLimited)
    assert not result.reasons


def test_a_fetch_that_fails_is_a_failure_of_every_name():
    down = Fault("status", path="efetch", status=500, times=None)
    result, _ = find_names(TRIAL, "PMC1370926", faults=[down])

    assert set(result.failures) == {TRIAL, "PMC1370926"}
    assert not result.entities
    assert not result.reasons
