"""Summaries of PubMed's articles, recorded ones and forms that they take."""

import json

import pytest
from rs_bpe.bpe import openai

from biofact.dialects import eutils
from biofact.dialects.eutils import ArticleSummary, article_summary
from biofact.sources.entrez.records import PubMedLink
from biofact.transport.service import Transient
from tests.each_of import each_of
from tests.recordings import recording

pytestmark = pytest.mark.quick

TOKENS = openai.o200k_base()
MOST_TOKENS = 55


def recorded(name):
    return {
        uid: article_summary(json.dumps(docsum).encode())
        for uid, docsum in eutils.summaries(recording(name)).docsums.items()
    }


def test_a_recorded_summary_in_json_is_read_whole():
    assert recorded("pubmed/esummary_pubmed_30016509_json.json") == {
        "30016509": ArticleSummary(
            title="MAVIS: merging, annotation, validation, and illustration of structural variants.",
            journal="Bioinformatics",
            year=2019,
        )
    }


def test_recorded_summaries_in_xml_are_read():
    summaries = recorded("entrez/klortho_esummary.pubmed.xml")

    assert summaries["5683731"] == ArticleSummary("An assistive device for smoking.", "Paraplegia", 1968)
    assert len(summaries) == 2


@each_of(
    ("docsum", "expected"),
    [
        (
            {"title": "Loss of &lt;i&gt;TP53&lt;/i&gt; in  p &lt; 0.05"},
            ArticleSummary("Loss of TP53 in p < 0.05", None, None),
        ),
        ({"title": "H<sub>2</sub>O and x<y"}, ArticleSummary("H2O and x<y", None, None)),
        ({"title": "T", "source": "J", "pubdate": "1998 Dec-1999 Jan"}, ArticleSummary("T", "J", 1998)),
        ({"title": "T", "source": "J", "pubdate": "", "epubdate": "2021 Mar 3"}, ArticleSummary("T", "J", 2021)),
        ({"title": "T", "source": "J", "pubdate": "Winter"}, ArticleSummary("T", "J", None)),
        (
            {"title": "", "chapter": "Li-Fraumeni", "booktitle": "GeneReviews", "source": "", "pubdate": "1993"},
            ArticleSummary("Li-Fraumeni", "GeneReviews", 1993),
        ),
        (
            {"title": "T", "pubtype": ["Journal Article", "Retracted Publication"]},
            ArticleSummary("T", None, None, True),
        ),
        ({"title": "T", "pubtype": ["Retraction of Publication"]}, ArticleSummary("T", None, None)),
        ({"uid": "1"}, ArticleSummary(None, None, None)),
    ],
)
def test_forms_of_a_summary(docsum, expected):
    assert article_summary(json.dumps(docsum).encode()) == expected


def test_a_damaged_summary_is_asked_for_again():
    with pytest.raises(Transient):
        article_summary(b'{"title": ')


def test_a_row_with_a_title_costs_an_agent_little():
    articles = recorded("entrez/esummary_pmc_ft_search_entrez.yml_1.json").values()
    rows = [
        PubMedLink(id="PMID:32087273", title=article.title, year=article.year, journal=article.journal)
        for article in articles
    ]
    costs = [TOKENS.count(row.model_dump_json()) for row in rows]

    assert len(costs) > 100
    assert sum(costs) / len(costs) <= MOST_TOKENS
