"""Reads the requests to the Catalog, and refuses what it refuses or silently drops."""

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from biofact.sandbox.services.igvf import refusals
from biofact.sandbox.services.igvf.facts import Organism
from biofact.sandbox.standin import Ask, Refusal, written
from biofact.sources.igvf.catalog import SPECIES, Endpoint, Type, endpoints

USUAL_ROWS = 25
_CONTROLS = {"page", "limit", "organism", "verbose"}
_REGION = re.compile(r"(chr\w+):(\d+)-(\d+)")
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_RANGE = re.compile(rf"(?:(gte|gt|lte|lt):)?({_NUMBER})")
_QUOTES = frozenset("'\"\\`")
_ORGANISMS: Mapping[str, Organism] = {SPECIES["human"]: "human", SPECIES["mouse"]: "mouse"}

Row = dict[str, Any]
"""One item of an answer as it goes onto the wire."""


@dataclass(frozen=True, slots=True)
class Span:
    """A region as the service counts it: from 0, the end outside."""

    chromosome: str
    """Without ``chr``."""
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Range:
    """A condition on a number."""

    operator: str
    """Empty: equal."""
    value: float

    def holds(self, number: float) -> bool:
        """Whether a number fulfils it."""
        return {
            "gte": number >= self.value,
            "gt": number > self.value,
            "lte": number <= self.value,
            "lt": number < self.value,
        }.get(self.operator, number == self.value)


@dataclass(frozen=True, slots=True)
class Question:
    """A request that the service would not refuse."""

    endpoint: Endpoint
    given: Mapping[str, str]
    """What it filters by."""
    page: int
    limit: int
    organism: Organism
    is_verbose: bool

    def one(self, name: str) -> str | None:
        """The value of a filter; None where it is not given."""
        return self.given.get(name)

    @property
    def region(self) -> Span | None:
        """What ``region`` says."""
        found = _REGION.search(self.given.get("region", ""))
        return Span(plain_chromosome(found[1]), int(found[2]), int(found[3])) if found else None

    def cut(self, rows: list[Any], *, limit: int | None = None) -> list[Any]:
        """The rows of the page."""
        size = self.limit if limit is None else limit
        return rows[self.page * size : (self.page + 1) * size]


def plain_chromosome(name: str) -> str:
    """``17`` for ``chr17``, ``MT`` for ``chrM``."""
    plain = name.removeprefix("chr")
    return "MT" if plain == "M" else plain


def refused(words: str, *, status: int = 400, code: str = "BAD_REQUEST", issues: list[Row] | None = None) -> Refusal:
    """A refusal in the Catalog's form."""
    more = {} if issues is None else {"issues": issues}
    return Refusal(written({"message": words, "code": code, **more}, status=status))


def failed() -> Refusal:
    """What the service says when a query breaks."""
    return refused(refusals.FAILED, status=500, code="INTERNAL_SERVER_ERROR")


def absent(words: str) -> Refusal:
    """What is said of a path or a start that there is not."""
    return refused(words, status=404, code="NOT_FOUND")


def question(ask: Ask) -> Question:
    """What is asked.

    Raises:
        Refusal: the service would refuse it, or silently drop a part of it.
    """
    endpoint = _endpoint(ask)
    asked = _parameters(ask, endpoint)
    issues = list(_issues(endpoint, asked))
    if issues:
        raise refused("Input validation failed", issues=issues)
    if any(_QUOTES & set(value) for value in asked.values()):
        raise failed()
    given = {name: value for name, value in asked.items() if name not in _CONTROLS}
    _check_given(endpoint, given)
    page, limit = int(float(asked.get("page", "0"))), int(float(asked.get("limit", USUAL_ROWS)))
    if page < 0 or limit < 0:
        raise failed()
    return Question(
        endpoint=endpoint,
        given=given,
        page=page,
        limit=min(limit, endpoint.most or USUAL_ROWS),
        organism=_ORGANISMS[asked.get("organism", SPECIES["human"])],
        is_verbose=asked.get("verbose") == "true",
    )


def _endpoint(ask: Ask) -> Endpoint:
    path = ask.path.removesuffix("/")
    known = endpoints()
    endpoint = known.get(path) or next((known[name] for name, form in _forms() if form.fullmatch(path)), None)
    if endpoint is None or ask.method != "GET":
        raise absent("Not found")
    return endpoint


@functools.cache
def _forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Of the endpoints with parameters in their path."""
    return tuple((path, re.compile(re.sub(r"\{\w+\}", "[^/]+", path))) for path in endpoints() if "{" in path)


def _parameters(ask: Ask, endpoint: Endpoint) -> dict[str, str]:
    """The parameters, trimmed as the service does."""
    names = [name for name, _ in ask.params]
    for name in names:
        if name not in endpoint.parameters:
            raise refused(f"{endpoint.path} has no parameter {name!r:.80}; the real service would ignore it.")
        if names.count(name) > 1:
            raise refused(f"{endpoint.path} is given {name} twice; the sandbox takes each parameter once.")
    in_path = dict.fromkeys((name for name in endpoint.required if f"{{{name}}}" in endpoint.path), "-")
    return in_path | {name: value.strip() for name, value in ask.params}


def _issues(endpoint: Endpoint, asked: Mapping[str, str]) -> Iterator[Row]:
    for name, valid in endpoint.parameters.items():
        issue = _issue(valid, asked[name]) if name in asked else None
        if name not in asked and name in endpoint.required:
            issue = _missing(valid)
        if issue is not None:
            yield {**issue, "path": [name]}


def _issue(valid: Type, value: str) -> Row | None:
    """What is wrong with a value; None if nothing."""
    options = ("true", "false") if valid in {"flag", "boolean"} else valid
    if isinstance(options, tuple) and value not in options:
        words = f"Invalid enum value. Expected {_listed(options)}, received '{value}'"
        return {"received": value, "code": "invalid_enum_value", "options": list(options), "message": words}
    if valid == "number" and not re.fullmatch(_NUMBER, value):
        words = "Expected number, received nan"
        return {"code": "invalid_type", "expected": "number", "received": "nan", "message": words}
    return None


def _missing(valid: Type) -> Row:
    expected = "string" if isinstance(valid, str) else _listed(valid)
    return {"code": "invalid_type", "expected": expected, "received": "undefined", "message": "Required"}


def _listed(options: tuple[str, ...]) -> str:
    return " | ".join(f"'{one}'" for one in options)


def _check_given(endpoint: Endpoint, given: Mapping[str, str]) -> None:
    """Refuse what the service refuses after it has read every parameter."""
    told = {name for name, value in given.items() if (name, value) != ("amino_acid_position", "-1")}
    needs = refusals.needed(endpoint.path, endpoint.needs)
    if needs and not told & set(needs[0]):
        raise refused(needs[1])
    if endpoint.path in refusals.UNFILTERED and not given:
        raise failed()
    _check_ends(endpoint, given)
    for name, value in given.items():
        if endpoint.parameters[name] == "range":
            read_range(endpoint.path, name, value)
    if "region" in given:
        _check_region(endpoint, given["region"])


def _check_ends(endpoint: Endpoint, given: Mapping[str, str]) -> None:
    """Two endpoints take one kind of start at a time."""
    starts = {name.partition("_")[0] for name in given if name.endswith(("_id", "_name"))}
    if endpoint.path == "/genes-structure" and len(starts | ({"region"} & given.keys())) != 1:
        raise refused(refusals.ONE_CATEGORY)
    if endpoint.path == "/qtls":
        kinds = ({"gene_id", "gene_name"}, {"variant_id", "spdi", "rsid", "ca_id"}, {"region"})
        if sum(bool(kind & given.keys()) for kind in kinds) != 1:
            raise refused(refusals.BOTH_ENDS)


def read_range(path: str, name: str, value: str) -> Range:
    """A condition on a number, such as ``gte:1.301``.

    Raises:
        Refusal: it is none.
    """
    found = _RANGE.fullmatch(value)
    if found is None:
        is_phenotype = name == "neg_log10_pvalue" and "phenotypes" in path
        raise refused((refusals.PHENOTYPE_RANGE if is_phenotype else refusals.RANGE).format(name))
    return Range(found[1] or "", float(found[2]))


def _check_region(endpoint: Endpoint, region: str) -> None:
    found = _REGION.search(region)
    if found is None or int(found[2]) >= int(found[3]):
        raise refused(refusals.REGION)
    if endpoint.widest and int(found[3]) - int(found[2]) > endpoint.widest:
        raise refused(refusals.TOO_WIDE[endpoint.widest])
