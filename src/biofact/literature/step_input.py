"""The input of a step: a list, or the handle of one that an earlier step made; exactly one of them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import ValidationError

from biofact.core.arguments import parsed_json
from biofact.core.errors import AmbiguousQuery, BiofactError, EntityNotFound, UnresolvedEntity
from biofact.core.parameters import path_text
from biofact.core.quoting import brief, listed, shown
from biofact.core.records import Notice
from biofact.sources.pubmed.client import MOST_SHOWN, cut_notices
from biofact.sources.pubmed.collections import Collections, Kind
from biofact.sources.pubmed.identifiers import PMID, number
from biofact.sources.pubmed.questions import Questions
from biofact.sources.pubmed.records import CanonicalPubMedArticle
from biofact.sources.pubmed.search import SEARCH

Item = TypeVar("Item")

_MOST_NAMED, _MOST_FAULTS = 10, 5


@dataclass(frozen=True, slots=True)
class StepInput:
    """The items of a step's list."""

    items: Sequence[Any]
    is_collection: bool
    name: str = "collection"
    """Of the argument, for messages about an item."""


async def resolve_input(
    kind: Kind, name: str, given: Sequence[Any] | None, collection: str | None, collections: Collections
) -> StepInput:
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
            invalid_input=collection,
        )
    if collection is not None:
        return StepInput((await collections.find(collection, kind)).items, is_collection=True)
    if not given:
        raise AmbiguousQuery(f"{name} is empty.", hint="Give at least one.", invalid_input=given)
    return StepInput(given, is_collection=False, name=name)


def check_items(items: Sequence[Any], name: str, what: str, read: Callable[[Any], Item], hint: str) -> list[Item]:
    """The items of a list, each as ``read`` has it. What an earlier step showed may have come with more keys.

    Raises:
        UnresolvedEntity: some items are invalid; the message names the first by their positions.
    """
    results: list[Item] = []
    wrong: list[str] = []
    refused: list[Any] = []
    for place, item in enumerate(items):
        try:
            results.append(read(parsed_json(item, {"object"})))
        except ValidationError as error:
            wrong.append(f"{name}[{place}] is {what}: {_problems(error)}.")
            refused.append(item)
        except ValueError as error:
            wrong.append(f"{name}[{place}] is {what}: {error}.")
            refused.append(item)
    if wrong:
        more = f" So are {len(wrong) - _MOST_FAULTS} more." if len(wrong) > _MOST_FAULTS else ""
        given = list(items)
        shown_input = given if brief(given) is given else brief(refused[:_MOST_FAULTS])
        raise UnresolvedEntity(" ".join(wrong[:_MOST_FAULTS]) + more, hint=hint, invalid_input=shown_input)
    return results


async def whole_articles(
    items: Sequence[Any], questions: Questions, name: str = "articles"
) -> tuple[list[CanonicalPubMedArticle], list[Notice]]:
    """Whole records of articles that are given as PMIDs, or as whatever an earlier step showed of them.

    An article without a PMID is taken as it is given. Those that PubMed does not have, or did not give, are left
    out, and a notice says so.

    Raises:
        UnresolvedEntity: an item is no article.
        EntityNotFound: PubMed has none of them.
        RateLimited, UpstreamError: PubMed failed, and none is left.
    """
    hint = f"Call {SEARCH} and pass on its articles, or its collection."
    given = check_items(items, name, "no article", _as_given, hint)
    found = await questions.articles([number(pmid) for pmid in dict.fromkeys(one.pmid for one in given) if pmid])
    articles: dict[str, CanonicalPubMedArticle] = {}
    lost: list[str] = []
    for one in given:
        record = found.get(number(one.pmid)) if one.pmid else None
        whole = record if isinstance(record, CanonicalPubMedArticle) else one.record
        if whole is None:
            lost.append(str(one.pmid))
        else:
            articles.setdefault(whole.id, whole)
    if not articles:
        for outcome in found.values():
            if isinstance(outcome, BiofactError):
                raise outcome
        raise EntityNotFound(
            f"PubMed has none of the {len(items)} articles.", hint=f"Call {SEARCH} for others.", invalid_input=lost
        )
    return list(articles.values()), _dropped_notices(lost)


def shown_rows(rows: Sequence[Any], collection: str | None) -> tuple[Sequence[Any], list[Notice]]:
    """The rows that an answer shows of a long list, and a notice of the others."""
    return rows[:MOST_SHOWN], cut_notices(len(rows), collection)


@dataclass(frozen=True, slots=True)
class _Given:
    """An article as a caller names it."""

    pmid: str | None
    record: CanonicalPubMedArticle | None
    """None where only the PMID is known."""


def _as_given(item: Any) -> _Given:
    named = item.get("id", item.get("item_id")) if isinstance(item, Mapping) else item
    if type(named) is int or (
        isinstance(named, float) and named.is_integer()
    ):  # bare digits, as a host or a table of numbers writes them
        named = str(int(named))
    is_pmid = isinstance(named, str) and re.fullmatch(PMID.pattern, named, re.ASCII)
    pmid = f"PMID:{number(named)}" if is_pmid else None
    if isinstance(item, Mapping) and "title" in item:
        own = item if pmid is None else {**item, "id": pmid}
        return _Given(pmid, CanonicalPubMedArticle.model_validate(own, extra="ignore"))
    if pmid is None:
        form = f"expected one as {SEARCH} gives it, or a PMID like {PMID.example!r}"
        raise ValueError(f"{shown(item)}; {form}")
    return _Given(pmid, None)


def _problems(error: ValidationError) -> str:
    """What is wrong with an item, each part by its path."""
    problems = []
    for detail in error.errors(include_url=False)[:_MOST_FAULTS]:
        reason = f"{detail['msg'][0].lower()}{detail['msg'][1:]}"
        given = "is missing" if detail["type"] == "missing" else f"cannot be {shown(detail['input'])}: {reason}"
        problems.append(f"{path_text(detail['loc'])} {given}".strip())
    return "; ".join(problems)


def _dropped_notices(lost: Sequence[str]) -> list[Notice]:
    if not lost:
        return []
    message = f"Left out, because PubMed did not give them: {listed(lost, _MOST_NAMED)}."
    return [Notice(code="DROPPED", message=message)]
