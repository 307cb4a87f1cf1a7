"""Whether a name is a journal's: title, abbreviation, NLM ID or ISSN, in whatever case and punctuation. Pure."""

import functools
import re
import unicodedata
from collections.abc import Iterator

from biofact.sources.pubmed.records import CanonicalPubMedArticle

_ISSN = re.compile(r"(?i)(?:e|p|l)?-?(?:issn)?[\s:(]*(\d{4})-?(\d{3}[\dX])\)?")
_PLACE = re.compile(r"\s*\([^()]*\)\s*$")  # PubMed's titles end with the place where names are shared
_FORMER = re.compile(r"\s*:\s*\d{4}(?:-\d{4})?\s*$")
_WORD = re.compile(r"[^\W_]+")


@functools.lru_cache(maxsize=16384)
def journal_key(name: str) -> str:
    """One form for all spellings of a journal's name that differ in case, accents, punctuation, "the" and "&" only."""
    issn = _ISSN.fullmatch(name.strip())
    if issn:
        return f"{issn[1]}-{issn[2].upper()}"
    letters = unicodedata.normalize("NFKD", name.replace("&", " and "))
    bare = "".join(letter for letter in letters.casefold() if not unicodedata.combining(letter))
    words = _WORD.findall(bare.replace("'", "").replace("\u2019", ""))
    return " ".join(words[1:] if len(words) > 1 and words[0] == "the" else words)


def journal_keys(article: CanonicalPubMedArticle) -> frozenset[str]:
    """Every form under which the article's journal, or the book that contains it, may be named."""
    return frozenset(filter(None, map(journal_key, _names(article))))


def _names(article: CanonicalPubMedArticle) -> Iterator[str]:
    given = (article.journal, article.journal_title, article.book.title if article.book else None)
    for name in filter(None, given):
        yield name
        yield _PLACE.sub("", name)
        yield _PLACE.sub("", _FORMER.sub("", name))
    if article.journal_id:
        yield article.journal_id
    yield from article.issn
