"""Requests to the Catalog as they are read, refused where the service refuses them or silently drops a part."""

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from biofact.sandbox.services.igvf import refusals
from biofact.sandbox.services.igvf.places import Region
from biofact.sandbox.standin import Ask, Refusal, unknown, written
from biofact.sandbox.tables import Row, page
from biofact.sources.igvf.catalog import SPECIES, Endpoint, Type, endpoints

USUAL_ROWS = 25
_CONTROLS = {"page", "limit", "organism", "verbose"}
_REGION = re.compile(r"(chr\w+):(\d+)-(\d+)")
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_RANGE = re.compile(rf"(?:(gte|gt|lte|lt):)?({_NUMBER})")
_QUOTES = frozenset("'\"\\`")


@dataclass(frozen=True, slots=True)
class NumberRange:
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
class CatalogRequest:
    """A request that the service would not refuse."""

    endpoint: Endpoint
    filters: Mapping[str, str]
    """By parameter."""
    page: int
    """From 0."""
    limit: int
    organism: str
    """In Latin."""
    is_verbose: bool

    @property
    def path(self) -> str:
        """That of the endpoint."""
        return self.endpoint.path

    @property
    def region(self) -> Region | None:
        """What ``region`` says."""
        match = _REGION.search(self.filters.get("region", ""))
        return Region(self.organism, match[1], int(match[2]), int(match[3])) if match else None

    def page_of(self, rows: Sequence[Row], *, limit: int | None = None) -> list[Row]:
        """The rows of the page."""
        return page(rows, self.page, self.limit if limit is None else limit)


def refused(message: str, *, status: int = 400, code: str = "BAD_REQUEST", issues: list[Row] | None = None) -> Refusal:
    """A refusal in the Catalog's form."""
    more = {} if issues is None else {"issues": issues}
    return Refusal(written({"message": message, "code": code, **more}, status=status))


def failed() -> Refusal:
    """The refusal when a query breaks in the service."""
    return refused(refusals.FAILED, status=500, code="INTERNAL_SERVER_ERROR")


def absent(message: str) -> Refusal:
    """The refusal of a path or a start that does not exist."""
    return refused(message, status=404, code="NOT_FOUND")


def catalog_request(ask: Ask) -> CatalogRequest:
    """The request as it is understood.

    Raises:
        Refusal: the service would refuse it, or silently drop a part of it.
    """
    endpoint = _endpoint(ask)
    values = _parameters(ask, endpoint)
    issues = list(_issues(endpoint, values))
    if issues:
        raise refused("Input validation failed", issues=issues)
    if any(_QUOTES & set(value) for value in values.values()):
        raise failed()
    filters = {name: value for name, value in values.items() if name not in _CONTROLS}
    _check_filters(endpoint, filters)
    number, limit = int(float(values.get("page", "0"))), int(float(values.get("limit", USUAL_ROWS)))
    if number < 0 or limit < 0:
        raise failed()
    return CatalogRequest(
        endpoint=endpoint,
        filters=filters,
        page=number,
        limit=min(limit, endpoint.most or USUAL_ROWS),
        organism=values.get("organism", SPECIES["human"]),
        is_verbose=values.get("verbose") == "true",
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
            words = f"{endpoint.path} has no parameter {name!r:.80}; the real service would ignore it."
            raise unknown(refused(words), [name])
        if names.count(name) > 1:
            raise refused(f"{endpoint.path} is given {name} twice; the sandbox takes each parameter once.")
    in_path = dict.fromkeys((name for name in endpoint.required if f"{{{name}}}" in endpoint.path), "-")
    return in_path | {name: value.strip() for name, value in ask.params}


def _issues(endpoint: Endpoint, values: Mapping[str, str]) -> Iterator[Row]:
    for name, valid in endpoint.parameters.items():
        issue = _issue(valid, values[name]) if name in values else None
        if name not in values and name in endpoint.required:
            issue = _missing(valid)
        if issue is not None:
            yield {**issue, "path": [name]}


def _issue(valid: Type, value: str) -> Row | None:
    """What is wrong with a value; None if nothing."""
    options = ("true", "false") if valid in {"flag", "boolean"} else valid
    if isinstance(options, tuple) and value not in options:
        message = f"Invalid enum value. Expected {_listed(options)}, received '{value}'"
        return {"received": value, "code": "invalid_enum_value", "options": list(options), "message": message}
    if valid == "number" and not re.fullmatch(_NUMBER, value):
        message = "Expected number, received nan"
        return {"code": "invalid_type", "expected": "number", "received": "nan", "message": message}
    return None


def _missing(valid: Type) -> Row:
    expected = "string" if isinstance(valid, str) else _listed(valid)
    return {"code": "invalid_type", "expected": expected, "received": "undefined", "message": "Required"}


def _listed(options: tuple[str, ...]) -> str:
    return " | ".join(f"'{one}'" for one in options)


def _check_filters(endpoint: Endpoint, filters: Mapping[str, str]) -> None:
    """Refuse what the service refuses after it has read every parameter."""
    names = {name for name, value in filters.items() if (name, value) != ("amino_acid_position", "-1")}
    needs = refusals.needed(endpoint.path, endpoint.needs)
    if needs and not names & set(needs[0]):
        raise refused(needs[1])
    if endpoint.path in refusals.UNFILTERED and not filters:
        raise failed()
    _check_ends(endpoint, filters)
    for name, value in filters.items():
        if endpoint.parameters[name] == "range":
            read_range(endpoint.path, name, value)
    if "region" in filters:
        _check_region(endpoint, filters["region"])


def _check_ends(endpoint: Endpoint, filters: Mapping[str, str]) -> None:
    """Two endpoints take one kind of start at a time."""
    starts = {name.partition("_")[0] for name in filters if name.endswith(("_id", "_name"))}
    if endpoint.path == "/genes-structure" and len(starts | ({"region"} & filters.keys())) != 1:
        raise refused(refusals.ONE_CATEGORY)
    if endpoint.path == "/qtls":
        kinds = ({"gene_id", "gene_name"}, {"variant_id", "spdi", "rsid", "ca_id"}, {"region"})
        if sum(bool(kind & filters.keys()) for kind in kinds) != 1:
            raise refused(refusals.BOTH_ENDS)


def read_range(path: str, name: str, value: str) -> NumberRange:
    """A condition on a number, such as ``gte:1.301``.

    Raises:
        Refusal: it is none.
    """
    match = _RANGE.fullmatch(value)
    if match is None:
        is_phenotype = name == "neg_log10_pvalue" and "phenotypes" in path
        raise refused((refusals.PHENOTYPE_RANGE if is_phenotype else refusals.RANGE).format(name))
    return NumberRange(match[1] or "", float(match[2]))


def _check_region(endpoint: Endpoint, region: str) -> None:
    match = _REGION.search(region)
    if match is None or int(match[2]) >= int(match[3]):
        raise refused(refusals.REGION)
    if endpoint.widest and int(match[3]) - int(match[2]) > endpoint.widest:
        raise refused(refusals.TOO_WIDE[endpoint.widest])
