"""What a step is handed: a list, or the handle of one that an earlier step made; exactly one of them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from biofact.core.errors import AmbiguousQuery, EntityNotFound, UnresolvedEntity
from biofact.core.provenance import Notice
from biofact.sources.pubmed.client import MOST_SHOWN
from biofact.sources.pubmed.collections import Collections, Kind
from biofact.sources.pubmed.identifiers import PMID, number
from biofact.sources.pubmed.questions import Questions
from biofact.sources.pubmed.records import CanonicalPubMedArticle
from biofact.sources.pubmed.search import SEARCH

_MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class Handed:
    """The items of a step's list."""

    items: Sequence[Any]
    is_collection: bool


async def handed(
    kind: Kind, name: str, given: Sequence[Any] | None, collection: str | None, collections: Collections
) -> Handed:
    """The list that a step works on; ``name`` is what its argument is called.

    Raises:
        AmbiguousQuery: both a list and a collection are given, or neither, or an empty list.
        UnresolvedEntity: the collection is unknown.
    """
    if (given is None) == (collection is None):
        wrong = "Both are given" if given is not None else "Neither is given"
        raise AmbiguousQuery(
            f"The step takes {name} or a collection. {wrong}.",
            hint=f"Give {name}, or the collection of the step before.",
        )
    if collection is not None:
        return Handed((await collections.find(collection, kind)).items, is_collection=True)
    if not given:
        raise AmbiguousQuery(f"{name} is empty.", hint="Give at least one.", invalid_input=given)
    return Handed(given, is_collection=False)


async def articles(items: Sequence[Any], questions: Questions) -> tuple[list[CanonicalPubMedArticle], list[Notice]]:
    """Whole records of articles that are given as PMIDs, or as whatever an earlier step showed of them.

    An article without a PMID is taken as it is given. Those that PubMed does not have, or could not tell, are left
    out, and a notice says so.

    Raises:
        UnresolvedEntity: an item is no article.
        EntityNotFound: none is left.
    """
    asked = {named: one for one in items if (named := _pmid(one))}
    found = await questions.articles([number(pmid) for pmid in asked])
    told: dict[str, CanonicalPubMedArticle] = {}
    lost: list[str] = []
    for one in items:
        named = _pmid(one)
        record = found.get(number(named)) if named else None
        whole = record if isinstance(record, CanonicalPubMedArticle) else _as_given(one)
        if whole is None:
            lost.append(str(named))
        else:
            told.setdefault(whole.id, whole)
    if not told:
        raise EntityNotFound(
            f"PubMed has none of the {len(items)} articles.", hint=f"Call {SEARCH} for others.", invalid_input=lost
        )
    return list(told.values()), _without(lost)


def shown(rows: Sequence[Any]) -> tuple[Sequence[Any], list[Notice]]:
    """The rows that an answer shows of a long list, and a notice of the others."""
    if len(rows) <= MOST_SHOWN:
        return rows, []
    message = f"The first {MOST_SHOWN} of {len(rows)} articles; the collection holds all of them."
    return rows[:MOST_SHOWN], [Notice(code="LIST_CUT", message=message)]


def _pmid(given: Any) -> str | None:
    named = given.get("id", given.get("item_id")) if isinstance(given, Mapping) else given
    is_pmid = isinstance(named, str) and re.fullmatch(PMID.pattern, named, re.ASCII)
    return f"PMID:{number(named)}" if is_pmid else None


def _as_given(given: Any) -> CanonicalPubMedArticle | None:
    """The article as the caller has it; None for one of which only the PMID is known."""
    if not isinstance(given, Mapping):
        if _pmid(given):
            return None
        raise _no_article(given)
    if "title" not in given:
        return None
    try:
        return CanonicalPubMedArticle.model_validate(given)
    except ValidationError as error:
        raise _no_article(given) from error


def _no_article(given: Any) -> UnresolvedEntity:
    return UnresolvedEntity(
        f"{given!r:.120} is no article; expected one as {SEARCH} gives it, or a PMID like {PMID.example!r}.",
        hint=f"Call {SEARCH} and pass on its articles, or its collection.",
    )


def _without(lost: Sequence[str]) -> list[Notice]:
    if not lost:
        return []
    more = f" and {len(lost) - _MOST_NAMED} more" if len(lost) > _MOST_NAMED else ""
    message = f"Left out, because PubMed did not give them: {', '.join(lost[:_MOST_NAMED])}{more}."
    return [Notice(code="DROPPED", message=message)]
