"""Recorded articles in the stand-in are searched and sent together with the starter articles."""

import dataclasses
import functools

import pytest

from biofact.dialects import xml
from biofact.sandbox.dialects.eutils.standin import EutilsStandIn
from biofact.sandbox.services.pubmed import render
from biofact.sandbox.services.pubmed.corpus import recorded_article, recorded_articles, starter_articles
from biofact.sandbox.services.pubmed.standin import stand_ins
from tests.recordings import FOLDER, needs_recordings
from tests.sandbox.dialects.eutils_calls import body, json_answer, reply

pytestmark = pytest.mark.quick

STARTER = {starter_article.pmid: starter_article for starter_article in starter_articles()}
WITH_FORMULAS = {"32759406": "abstract", "99000091": "title"}


def test_facts_are_read_as_they_were_written(subtests):
    for pmid in [pmid for pmid, value in STARTER.items() if not value.book]:
        with subtests.test(pmid=pmid):
            facts = recorded_article(xml.tree(render.article_xml(STARTER[pmid])))

            assert sorted(facts.locations) == sorted(STARTER[pmid].locations)
            omitted_facts = {"located": (), "further_authors": 0}
            if pmid in WITH_FORMULAS:
                omitted_facts[WITH_FORMULAS[pmid]] = ()
            assert dataclasses.replace(facts, **omitted_facts) == dataclasses.replace(STARTER[pmid], **omitted_facts)


@functools.cache
def recorded_stand_in() -> EutilsStandIn:
    return stand_ins(FOLDER)[0]


def test_a_folder_without_recordings_has_none(tmp_path):
    assert recorded_articles(tmp_path) == []
    assert set(stand_ins(tmp_path)[0].database.all_uids()) == set(STARTER)


@needs_recordings
def test_recorded_articles_are_found():
    pubmed = recorded_stand_in()

    result = json_answer(pubmed, "esearch", "db=pubmed&term=SNORD55[ti]")["esearchresult"]
    assert result["idlist"] == ["33474827"]
    assert json_answer(pubmed, "esummary", "db=pubmed&id=33474827")["result"]["33474827"]["source"] == "Thorac Cancer"
    assert len(pubmed.database.all_uids()) > 300


@needs_recordings
def test_recorded_and_starter_articles_are_fetched_together():
    answer = reply(recorded_stand_in(), "efetch", "db=pubmed&id=33474827,99000001&retmode=xml")

    pmids = [item.findtext("MedlineCitation/PMID") for item in xml.tree(body(answer))]
    assert pmids == ["33474827", "99000001"]


@needs_recordings
@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.sweep)])
def test_recorded_articles_survive_being_written_and_read(step):
    for item in recorded_articles(FOLDER)[::step]:
        repeat = recorded_article(xml.tree(render.article_xml(item)))

        assert repeat.title == item.title
        assert (repeat.mesh, repeat.history, repeat.types) == (item.mesh, item.history, item.types)
        assert repeat.published == item.published
