"""PubMed's stand-in for words side by side: ``"a b"[tiab:~0]``."""

from urllib.parse import quote

import pytest

from biofact.sandbox.dialects.eutils.database import HistoryServer
from biofact.sandbox.dialects.eutils.standin import EutilsStandIn
from biofact.sandbox.services.pubmed.standin import PubMedDatabase, starter_corpus
from tests.sandbox.dialects.eutils_calls import json_answer

pytestmark = pytest.mark.quick

PUBMED = EutilsStandIn(PubMedDatabase(starter_corpus()), HistoryServer())


def search(term):
    return json_answer(PUBMED, "esearch", f"db=pubmed&term={quote(term)}&retmax=200")["esearchresult"]


def matching_ids(term):
    return set(search(term)["idlist"])


def test_words_side_by_side_are_found_in_any_order():
    phrase = matching_ids('"machine learning"[Title/Abstract]')

    assert phrase
    assert matching_ids('"machine learning"[tiab:~0]') >= phrase
    assert matching_ids('"learning machine"[Title/Abstract:~0]') == matching_ids(
        '"machine learning"[Title/Abstract:~0]'
    )
    assert matching_ids('"machine learning"[Title:~0]') <= matching_ids('"machine learning"[Title/Abstract:~0]')


def test_words_that_nowhere_stand_side_by_side_are_not_searched_for_apart():
    result = search('"zebrafish metformin"[Title/Abstract:~0]')

    assert result["idlist"] == []
    assert result["errorlist"]["phrasesnotfound"] == ['"zebrafish metformin"[Title/Abstract:~0]']
    assert "quotedphrasesnotfound" not in result["warninglist"] or not result["warninglist"]["quotedphrasesnotfound"]
