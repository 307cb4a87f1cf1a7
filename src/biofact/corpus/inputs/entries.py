"""One article of an input file, or why it cannot be read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from biofact.core.errors import BiofactError
from biofact.dialects.xml import DamagedRecord
from biofact.sources.pubmed.records import CanonicalPubMedArticle

LONGEST_TEXT = 200_000
"""Characters of title and abstract; the longest in PubMed have a tenth. Rules take time for every sentence."""
LONGEST_PMID = 18
"""Digits, of a 64-bit number; real ones have eight."""

# What code that reads a record may meet in one that nobody has seen before. An article that it cannot read is a row
# with its error; that of a full disk, a bad setting or a lost process stops more than one article, and is none of them.
DEFECTS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError, BiofactError)


class InputDamaged(Exception):
    """An input file cannot be read to its end; the text says where and why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One article of an input file."""

    pmid: str
    """Digits; empty where none can be told."""
    article: CanonicalPubMedArticle | None = None
    error: str = ""
    """Why there is no article."""
    version: int = 1
    """Of the record, as PubMed counts them."""


@dataclass(frozen=True, slots=True)
class Identifier:
    """What tells one entry of a file from others, without its text."""

    pmid: str
    """Digits; empty where none can be told."""
    is_deletion: bool = False
    """The file says that this article is no more; it is no entry."""
    offset: int = 0
    """Where the entry begins in a file that can be read from there, in bytes."""


def entry(pmid: str, read: Callable[[], CanonicalPubMedArticle], version: int = 1) -> Entry:
    """The entry that ``read`` gives, or its error."""
    try:
        article = read()
    except DEFECTS as error:
        return Entry(pmid, error=described(error), version=version)
    length = len(article.title) + len(article.abstract or "")
    if length > LONGEST_TEXT:
        error_text = f"Title and abstract are {length:,} characters long; at most {LONGEST_TEXT:,} are read."
        return Entry(article.pmid or pmid, error=error_text, version=version)
    return Entry(article.pmid or pmid, article, version=version)


def described(error: BaseException) -> str:
    """An error in one line, bounded: it may quote what it could not read."""
    match error:
        case ValidationError():
            text = str(error.errors()[0]["msg"]).removeprefix("Value error, ")
        case BiofactError():
            text = error.message
        case DamagedRecord():
            text = str(error)
        case _:
            text = f"{type(error).__name__}: {error}"
    return f"{' '.join(text.split()):.300}"


def article_of(facts: Mapping[str, Any]) -> CanonicalPubMedArticle:
    """The article that a row of a table or a line of JSON describes: ``pmid`` or ``id``, ``title``, ``abstract`` and
    further facts under the names that articles.jsonl of a review has. Other names are passed over.

    Raises:
        ValueError: there is no PMID or no title, or a fact has another type than it should.
    """
    known = {name: value for name, value in facts.items() if name in CanonicalPubMedArticle.model_fields}
    known = {name: value for name, value in known.items() if value is not None}
    pmid = pmid_of(facts)
    if not pmid:
        raise ValueError("It has no PMID: expected pmid, a number, or id, such as PMID:32087273.")
    if not known.get("title"):
        raise ValueError("It has no title.")
    return CanonicalPubMedArticle.model_validate(known | {"id": f"PMID:{pmid}", "category": "biolink:Article"})


def pmid_of(facts: Mapping[str, Any]) -> str:
    """The digits of its PMID; empty where there are none."""
    given = facts.get("pmid") or facts.get("id") or ""
    text = str(given).removeprefix("PMID:") if isinstance(given, str | int) and given is not True else ""
    return text if text.isascii() and text.isdigit() and len(text) <= LONGEST_PMID else ""
