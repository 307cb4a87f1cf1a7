"""PubMed's stand-in for searches: fields, headings, dates, orders, spelling and refusals."""

import datetime as dt
from urllib.parse import quote

import pytest

from biofact.sandbox.dialects.eutils.database import HistoryServer
from biofact.sandbox.dialects.eutils.standin import EutilsStandIn
from biofact.sandbox.services.pubmed import facts
from biofact.sandbox.services.pubmed.corpus import ArticleCorpus, starter_articles, starter_descriptors
from biofact.sandbox.services.pubmed.mesh import MeshTree
from biofact.sandbox.services.pubmed.standin import PubMedDatabase, starter_corpus
from biofact.sandbox.word_index import folded
from tests.sandbox.dialects.eutils_calls import json_answer, xml

pytestmark = pytest.mark.quick

STARTER = {article.pmid: article for article in starter_articles()}
PUBMED = EutilsStandIn(PubMedDatabase(starter_corpus()), HistoryServer())


def search(term, **params):
    text = "".join(f"&{name}={quote(str(value))}" for name, value in {"retmax": 200, **params}.items())
    return json_answer(PUBMED, "esearch", f"db=pubmed&term={quote(term)}{text}")["esearchresult"]


def matching_ids(term, **params):
    return set(search(term, **params)["idlist"])


# The examples of use that the tools are written for


EXAMPLES = [
    (
        (
            '("machine learning"[Title/Abstract] OR "artificial intelligence"[Title/Abstract]) AND '
            '("medical diagnosis"[Title/Abstract] OR "diagnostic imaging"[MeSH Terms]) AND 2020:2024[PDAT]'
        ),
        4,
    ),
    (
        (
            '"deep learning"[Title/Abstract] AND ("radiolog*"[Title/Abstract] OR "patholog*"[Title/Abstract]) '
            'AND "diagnosis"[Title/Abstract] AND 2022:2024[PDAT]'
        ),
        2,
    ),
    ("machine learning medical diagnosis AND (Clinical Trial[ptyp] OR Review[ptyp]) AND 2025:2026[dp]", 3),
    ("gut microbiome mental health", 5),
    ('("gut microbiome"[tiab] OR "gut microbiota"[tiab]) AND (depression[mh] OR "mental health"[tiab])', 4),
    ("BERT clinical text classification", 3),
    ("BERT AND clinical text AND validation NOT review[ptyp]", 1),
    ("artificial intelligence ethics healthcare", 3),
    ("(artificial intelligence AND ethics AND healthcare) AND (Review[ptyp] OR Meta-Analysis[ptyp])", 2),
    ("metformin randomized controlled trial", 3),
]


def test_the_examples_of_use_find_several_articles(subtests):
    for term, at_least in EXAMPLES:
        with subtests.test(term=term):
            assert len(matching_ids(term)) >= at_least


# Fields


FIELDS = [
    ("flavocytochrome[ti]", {"9997"}),
    ("flavocytochrome[Title]", {"9997"}),
    ('"gut-brain axis"[tiab]', {"31460832", "38147649", "99000023", "99000030", "99000031"}),
    ('"D3 supplementation"[Title/Abstract]', {"28731372"}),
    ("flavocyto*[tiab]", {"9997"}),
    ('"flavocyto*"[tiab]', {"9997"}),
    ('"heme-flavin inter*"[tiab]', {"9997"}),
    ("strekas tc[au]", {"9997"}),
    ("Strekas[Author]", {"9997"}),
    ("Ioannidis JP[Author]", {"16060722", "26858277"}),
    ("Ioannidis JPA[Author]", {"16060722"}),
    ("Ioannidis, John P A[fau]", {"16060722", "26858277"}),
    ("Knowler WC[1au]", {"11832527"}),
    ("Nathan DM[1au]", set()),
    ("Strekas TC[lastau]", {"9997"}),
    ('"SYNTH-BRCA Investigators"[cn]', {"99000001"}),
    ("0000-0002-1825-0097[auid]", {"99000001"}),
    ("University of Nowhere[ad]", {"99000001"}),
    ("CEN Case Rep[ta]", {"38763967"}),
    ("CEN case reports[Journal]", {"38763967"}),
    ("2192-4449[Journal]", {"38763967"}),
    ("ger[la]", {"28308877", "99000090"}),
    ("german[Language]", {"28308877", "99000090"}),
    ("9997[uid]", {"9997"}),
    ("9997[PMID]", {"9997"}),
    ("9997", {"9997"}),
    ("10.1056/NEJMoa1210384[doi]", {"23121403"}),
    ("10.1056/NEJMoa1210384[aid]", {"23121403"}),
    ('"10.1056/NEJMoa1210384"[lid]', {"23121403"}),
    ("PMC5994433[aid]", {"29915538"}),
    ("NCT02149199[si]", {"29768149"}),
    ("NCT02149199", {"29768149"}),
    ("Wellcome Trust[gr]", {"38147649", "99000001"}),
    ("Terbinafine[nm]", {"38763967"}),
    ("G7RIW8S0XP[rn]", {"38763967"}),
    ("NBK1168[book]", {"20301347"}),
    ("Pagon RA[ed]", {"20301347"}),
    ("Metformin im Alter[tt]", {"99000090"}),
    ("psychobiotics[ot]", {"99000031"}),
    ("case reports[ptyp]", {"38763967", "99000026"}),
    ("preprint[pt]", {"99000087"}),
    ("Retracted Publication[Publication Type]", {"9500320", "32450107", "99000080"}),
    ("Norway[pl]", {"36987902"}),
    ("terbinafine[tw]", {"38763967"}),
    ("portal vein[tiab]", set()),
]


def test_a_field_finds_what_stands_in_it(subtests):
    for term, pmids in FIELDS:
        with subtests.test(term=term):
            assert matching_ids(term) == pmids


def test_a_publication_type_finds_those_that_belong_to_it():
    assert matching_ids("randomized controlled trial[ptyp]") > {"99000024"}
    assert matching_ids("clinical trial[ptyp]") > matching_ids("randomized controlled trial[ptyp]")
    assert matching_ids("review[pt]") > matching_ids("systematic review[pt]")


def test_a_filter_lets_a_part_through(subtests):
    for name in ["all", "hasabstract", "free full text", "medline", "humans", "english", "review"]:
        with subtests.test(name=name):
            assert 0 < len(matching_ids(f"{name}[Filter]")) <= len(STARTER)
            assert matching_ids(f"{name}[sb]") == matching_ids(f"{name}[filter]")


# MeSH


def test_a_heading_finds_all_that_is_narrower():
    all_values, single_result = matching_ids("neoplasms[mh]"), matching_ids("neoplasms[mh:noexp]")

    assert matching_ids("breast neoplasms[MeSH Terms]") < all_values
    assert {"99000034", "38704912"} <= single_result < all_values
    assert matching_ids("neoplasms[Mesh:NoExp]") == single_result


def test_an_entry_term_stands_for_its_heading():
    result = search("breast cancer[mh]")

    assert result["translationset"] == [{"from": "breast cancer[mh]", "to": '"breast neoplasms"[MeSH Terms]'}]
    assert result["querytranslation"] == '"breast neoplasms"[MeSH Terms]'
    assert set(result["idlist"]) == matching_ids('"Breast Neoplasms"[Mesh]')


def test_a_subheading_narrows_a_heading():
    assert matching_ids("metformin/adverse effects[mh]") == {"11832527", "99000022"}
    assert matching_ids("ethics[sh]") == {"29539284", "99000070", "99000071", "99000072"}


def test_a_major_topic_is_a_heading_or_a_subheading_with_an_asterisk():
    assert "11832527" in matching_ids("metformin[majr]")
    assert "11832527" not in matching_ids("metformin/adverse effects[majr]")
    assert matching_ids("humans[majr]") == set()
    assert "99000001" in matching_ids("neoplasms[majr]")
    assert "99000001" not in matching_ids("neoplasms[majr:noexp]")


# Words without a tag


TRANSLATIONS = [
    ("biopython metformin", '"metformin"[MeSH Terms] OR "metformin"[All Fields]'),
    ("cancer", '"neoplasms"[MeSH Terms] OR "cancer"[All Fields]'),
    (
        "machine learning",
        (
            '"machine learning"[MeSH Terms] OR ("machine"[All Fields] AND "learning"[All Fields]) '
            'OR "machine learning"[All Fields]'
        ),
    ),
    ("flavocytochrome", '"flavocytochrome"[All Fields]'),
    ("flavocyto*", "flavocyto*[All Fields]"),
    ('"gut microbiome"', '"gut microbiome"[All Fields]'),
    (
        "Obermeyer Z",
        '"obermeyer z"[Author] OR ("obermeyer"[All Fields] AND "z"[All Fields]) OR "obermeyer z"[All Fields]',
    ),
    ("mSystems", '"msystems"[Journal] OR "msystems"[All Fields]'),
    ("2020:2024[PDAT]", "2020/01/01:2024/12/31[Date - Publication]"),
    ('"2020/02/03"[dp] : "2024/12/31"[dp]', "2020/02/03:2024/12/31[Date - Publication]"),
    ("MLH1[tiab] OR metformin[tiab]", '"metformin"[Title/Abstract]'),
    ('"Metformin"[tiab] AND 2024[dp]', '"Metformin"[Title/Abstract] AND "2024"[Date - Publication]'),
]


def test_the_translation_says_what_was_searched(subtests):
    for term, translation in TRANSLATIONS:
        with subtests.test(term=term):
            result = search(term)

            assert result["querytranslation"] == translation
            assert "translationstack" not in result


def test_words_that_stand_for_a_heading_are_reported():
    assert search("type 2 diabetes[ti] AND high blood pressure")["translationset"] == [
        {
            "from": "high blood pressure",
            "to": '"hypertension"[MeSH Terms] OR ("high"[All Fields] AND "blood"[All Fields] AND '
            '"pressure"[All Fields]) OR "high blood pressure"[All Fields]',
        }
    ]
    assert matching_ids("high blood pressure") >= {"99000027"}


def test_dropped_words_are_reported():
    result = search('metformin xyzzy the plugh[foo] "no such phrase"[tiab]')

    assert result["errorlist"]["phrasesnotfound"][0] == "xyzzy"
    assert result["errorlist"]["fieldsnotfound"] == ["foo"]
    assert result["warninglist"]["quotedphrasesnotfound"] == ['"no such phrase"[tiab]']
    assert result["warninglist"]["phrasesignored"] == ["the"]
    assert set(result["idlist"]) == matching_ids("metformin")


def test_nothing_found_is_a_message():
    result = search("xyzzy")

    assert (result["count"], result["idlist"]) == ("0", [])
    assert result["warninglist"]["outputmessages"] == ["No items found."]


# Dates


def test_a_date_finds_what_falls_on_it(subtests):
    cases = [
        ("1976[dp]", {"9997"}),
        ("1976/09[dp]", {"9997"}),
        ("1976/09/28[dp]", {"9997"}),
        ("1976/09/27[dp]", set()),
        ("1970:1980[dp]", {"9997"}),
        ('"1976/09/28"[Date - Publication] : "1976/09/28"[Date - Publication]', {"9997"}),
        ("1990[pdat]", {"12091962"}),
        ("2012/11/04[epdat]", set()),
        ("2012/11/04[epdt]", {"23121403"}),
        ("2012/11/04[dp]", {"23121403"}),
        ("2012/11/22[ppdt]", {"23121403"}),
        ("2012/11/06[edat]", {"23121403"}),
        ("2012/12/05[dcom]", {"23121403"}),
        ("2012/12/10[mhda]", {"23121403"}),
        ("2022/04/09[lr]", {"23121403"}),
        ("1998:1999[dp] AND osteopathy", {"10188493"}),
        ("2024/13[dp]", set()),
    ]
    for term, pmids in cases:
        with subtests.test(term=term):
            if term == "2012/11/04[epdat]":
                assert "epdat" in search(term)["errorlist"]["fieldsnotfound"]
            else:
                assert matching_ids(term) == pmids


def test_date_parameters_are_a_part_of_the_term():
    result = search("heme", mindate="1976", maxdate="1976/12", datetype="pdat")

    assert result["idlist"] == ["9997"]
    assert result["querytranslation"].endswith("AND 1976/01/01:1976/12/31[Date - Publication]")
    assert matching_ids("osteopathy", mindate="1998", maxdate="1998", datetype="edat") == set()
    assert matching_ids("osteopathy", mindate="1999", maxdate="1999", datetype="edat") == {"10188493"}


def test_recent_days_count_from_today():
    today = dt.date(2026, 11, 20)

    assert facts.date_span("last 5 years", today) == (dt.date(2021, 11, 21), today)
    assert facts.date_span("last 99999999 years", today)[0].year > 1
    assert facts.date_span("2024/02", today) == (dt.date(2024, 2, 1), dt.date(2024, 2, 29))
    assert facts.date_span("2020:3000", today) == (dt.date(2020, 1, 1), dt.date(3000, 12, 31))
    assert facts.date_span("yesterday", today) is None


def test_the_day_on_which_a_date_begins(subtests):
    cases = [
        ("2019 Nov 05", dt.date(2019, 11, 5)),
        ("2020 Jul-Aug", dt.date(2020, 7, 1)),
        ("2013 Fall", dt.date(2013, 10, 1)),
        ("2017 06", dt.date(2017, 6, 1)),
        ("1998 Dec-1999 Jan", dt.date(1998, 12, 1)),
        ("2012-11-06 06:00", dt.date(2012, 11, 6)),
        ("1975", dt.date(1975, 1, 1)),
        ("", None),
        ("2019 Nov 31", None),
    ]
    for text, day in cases:
        with subtests.test(text=text):
            assert facts.first_day(text) == day


# Order and pages


def test_orders():
    term = "metformin"
    newest = search(term)["idlist"]

    assert newest == sorted(newest, key=int, reverse=True)
    assert search(term, sort="relevance")["idlist"][0] == "11832527"
    by_date = search(term, sort="pub_date")["idlist"]
    assert [facts.sort_date(STARTER[pmid]) for pmid in by_date] == sorted(
        (facts.sort_date(STARTER[pmid]) for pmid in by_date), reverse=True
    )
    authors = [
        STARTER[pmid].authors[0].short if STARTER[pmid].authors else ""
        for pmid in search(term, sort="Author")["idlist"]
    ]
    assert authors == sorted(authors, key=str.lower)
    journals = [STARTER[pmid].source for pmid in search(term, sort="JournalName")["idlist"]]
    assert journals == sorted(journals, key=str.lower)


def test_pages_beyond_9999_are_refused():
    assert search("metformin", retstart=9998)["idlist"] == []
    assert "'retstart' cannot be larger than 9998" in search("metformin", retstart=9999)["ERROR"]


def test_an_empty_term_is_refused():
    assert search(" ")["ERROR"] == "Empty term and query_key - nothing todo"


def test_a_list_is_kept_on_the_history_server():
    kept_values = search("metformin", usehistory="y")

    repeat = json_answer(PUBMED, "esearch", f"db=pubmed&term=%231+AND+cancer&WebEnv={kept_values['webenv']}&query_key=")
    assert repeat["esearchresult"]["idlist"] == ["99000034"]


# espell


def test_a_word_that_is_one_letter_off_is_corrected(subtests):
    for text, better in [
        ("metfromin", "metformin"),
        ("microbiom gut", "microbiome gut"),
        ("metformin", ""),
        ("qqqqqqq", ""),
    ]:
        with subtests.test(written=text):
            answer = xml(PUBMED, "espell", f"db=pubmed&term={quote(text)}")

            assert (answer.findtext("CorrectedQuery") or "") == better
            assert answer.findtext("Database") == "pubmed"


def test_a_not_among_the_words_costs_no_walk_through_the_articles():
    """``metformin not`` could be an author; one lookup in an index shows that there is none."""
    reads = []

    class CountingArticles(dict):
        def items(self):
            reads.append("items")
            return super().items()

    corpus = ArticleCorpus(starter_articles(), MeshTree(starter_descriptors()))
    database = EutilsStandIn(PubMedDatabase(corpus), HistoryServer())
    json_answer(database, "esearch", "db=pubmed&term=metformin not prevented")  # gathers the names, once
    corpus.articles = CountingArticles(corpus.articles)

    esearchresult = json_answer(database, "esearch", "db=pubmed&term=aspirin not prevented")["esearchresult"]

    assert esearchresult["querytranslation"]
    assert reads == []


def test_ethics_and_machine_learning_finds_an_article():
    assert "29539284" in matching_ids("Ethics and machine learning")


@pytest.mark.parametrize("tag", ["au", "ta", "vi", "la"])
def test_a_value_is_found_as_a_walk_through_the_articles_finds_it(tag):
    corpus = starter_corpus()
    texts = {
        "au": lambda item: [author.short for author in item.authors],
        "ta": lambda item: [item.journal.short, item.journal.title] if item.journal else [],
        "vi": lambda item: [item.volume],
        "la": lambda item: item.languages,
    }[tag]
    database = PubMedDatabase(corpus)

    values = {pmid: {folded(text) for text in texts(article)} for pmid, article in corpus.articles.items()}

    for value in set().union(*values.values()) - {""}:
        pmids = {pmid for pmid, own_values in values.items() if value in own_values}
        prefixed = {
            pmid for pmid, own_values in values.items() if any(item.startswith(value[:2]) for item in own_values)
        }
        assert pmids <= set(database.lookup(tag, value))
        assert prefixed <= set(database.lookup(tag, f"{value[:2]}*"))
    assert database.lookup(tag, "no such thing") == []
