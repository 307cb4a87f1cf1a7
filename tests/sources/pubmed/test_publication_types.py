"""Types of articles as people write them: read as NLM's, or refused with the nearest; never ignored."""

import gzip
import re
from importlib.resources import files

import pytest

from biofact.core.errors import AmbiguousQuery
from biofact.core.parameters import InvalidValues
from biofact.dialects.eutils import SearchAnswer
from biofact.sources import pubmed
from biofact.sources.pubmed.search import canonical_types, check_types, publication_type
from tests.marks import requirement
from tests.recordings import FOLDER, needs_recordings
from tests.served import replies

pytestmark = pytest.mark.quick

RCT = "Randomized Controlled Trial"


def test_a_type_is_read_in_any_spelling(subtests):
    for text, name in [
        ("Randomised Controlled Trial", RCT),
        ("randomised controlled trials", RCT),
        ("RCT", RCT),
        ("RCTs", RCT),
        ("Randomized-Controlled-Trial", RCT),
        ('"Randomized Controlled Trial"', RCT),
        ("review", "Review"),
        ("Reviews", "Review"),
        ("meta analyses", "Meta-Analysis"),
        ("metaanalysis", "Meta-Analysis"),
        ("Multicentre Study", "Multicenter Study"),
        ("phase 3 trial", "Clinical Trial, Phase III"),
        ("Clinical Trial, Phase III", "Clinical Trial, Phase III"),
        ("case series", "Case Reports"),
        ("research support, non us govt", None),
        ("Research Support, Non-U.S. Gov't", "Research Support, Non-U.S. Gov't"),
        ("Guideline", "Guideline"),
        ("Observational studies", "Observational Study"),
        ("Evaluation Studies", "Evaluation Study"),  # as articles of 2019 have it (fatcat_pubmedsample_2019_partA)
        ("Practice guidelines", "Practice Guideline"),
        ("Foo", None),
        ("", None),
        ("Journal", None),
    ]:
        with subtests.test(text=text, name=name):
            assert publication_type(text) == name


@pytest.fixture(scope="module")
def answers():
    texts = ("Randomised Controlled Trial", RCT, "Foo", "Sytematic Review", "Scoping Review", "trail")
    calls = [("pubmed_search", {"search_query": "metformin", "article_types": [text]}) for text in texts]
    return dict(zip(texts, replies(*calls), strict=True))


@requirement("004 S-types")
def test_british_spelling_finds_what_nlms_does(answers):
    british, american = answers["Randomised Controlled Trial"], answers[RCT]

    assert [article["id"] for article in british.body["articles"]] == [
        article["id"] for article in american.body["articles"]
    ]
    assert british.body["total_results"] > 0
    assert all(RCT in article["publication_types"] for article in british.body["articles"])


@requirement("004 S-types")
@pytest.mark.parametrize(
    ("text", "nearest"),
    [("Foo", RCT), ("Sytematic Review", "Systematic Review"), ("trail", "Clinical Trial")],
)
def test_a_text_that_is_no_type_is_refused_with_the_nearest(answers, text, nearest):
    error = answers[text].body["error"]

    assert error["code"] == "AMBIGUOUS_QUERY"
    assert "article_types[0]" in error["message"]
    assert repr(text) in error["message"]
    assert f"nearest are '{nearest}'" in error["recovery_hint"].replace("the ", "")
    assert error["invalid_input"] == [text]
    assert "recovery" not in error  # without the filter it would be another question


def test_a_type_that_pubmed_itself_ignores_is_refused_too(answers):
    answer = answers[
        "Scoping Review"
    ]  # NLM's, but no article of the sandbox has it, so that its index lacks the phrase

    assert answer.code == "AMBIGUOUS_QUERY"
    assert "Scoping Review" in answer.body["error"]["message"]


def test_an_answer_that_was_not_narrowed_is_refused():
    search_answer = SearchAnswer(count=6, phrases_not_found=("Webcast[Publication Type]",))

    check_types(["Webcast", "Review"], search_answer)
    check_types([], search_answer)
    with pytest.raises(AmbiguousQuery, match="Webcast"):
        check_types(["Webcast"], search_answer)


def recorded_uis():
    """The UI of each publication type in an answer of PubMed, by name."""
    uis = {}
    for path in sorted(FOLDER.glob("pubmed/*.xml*")):
        if path.name.startswith("jabref"):
            continue  # made up by the authors of the recording
        body = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for ui, name in re.findall(r'<PublicationType UI="(D\d+)">([^<]+)<', body.decode("utf-8", "replace")):
            uis.setdefault(name, set()).add(ui)
    return uis


@needs_recordings
def test_the_table_says_which_types_recordings_confirm():
    lines = files(pubmed).joinpath("publication_types.tsv").read_text("utf-8").splitlines()
    header, *rows = [line.split("\t") for line in lines]
    recordings = recorded_uis()

    assert header == ["name", "short_forms", "recorded_ui"]
    assert {name: {ui} if ui else set() for name, _, ui in rows} == {
        name: recordings.get(name, set()) for name, *_ in rows
    }
    assert len([ui for *_, ui in rows if ui]) >= 35
    assert [name for name in recordings if publication_type(name) is None] == []


def test_the_nearest_types_are_looked_for_of_the_first_unknown_names_alone():
    with pytest.raises(InvalidValues) as refused:
        canonical_types([f"type {place}" for place in range(500)])

    assert len(refused.value.parts) == 10
