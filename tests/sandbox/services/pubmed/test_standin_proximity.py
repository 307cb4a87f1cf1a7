"""PubMed's stand-in for words side by side: ``"a b"[tiab:~0]``."""

from urllib.parse import quote

import pytest

from biofact.sandbox.dialects.eutils.database import HistoryServer
from biofact.sandbox.dialects.eutils.standin import EutilsStandIn
from biofact.sandbox.services.pubmed.standin import PubMedDatabase, starter_corpus
from tests.sandbox.dialects.eutils_calls import told

pytestmark = pytest.mark.quick

PUBMED = EutilsStandIn(PubMedDatabase(starter_corpus()), HistoryServer())


def searched(term):
    return told(PUBMED, "esearch", f"db=pubmed&term={quote(term)}&retmax=200")["esearchresult"]


def found(term):
    return set(searched(term)["idlist"])


def test_words_side_by_side_are_found_in_any_order():
    phrase = found('"machine learning"[Title/Abstract]')

    assert phrase
    assert found('"machine learning"[tiab:~0]') >= phrase
    assert found('"learning machine"[Title/Abstract:~0]') == found('"machine learning"[Title/Abstract:~0]')
    assert found('"machine learning"[Title:~0]') <= found('"machine learning"[Title/Abstract:~0]')


def test_words_that_nowhere_stand_side_by_side_are_not_searched_for_apart():
    result = searched('"zebrafish metformin"[Title/Abstract:~0]')

    assert result["idlist"] == []
    assert result["errorlist"]["phrasesnotfound"] == ['"zebrafish metformin"[Title/Abstract:~0]']
    assert "quotedphrasesnotfound" not in result["warninglist"] or not result["warninglist"]["quotedphrasesnotfound"]
