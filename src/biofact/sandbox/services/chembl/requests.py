"""Reads the requests to ChEMBL and their pages, and refuses what ChEMBL refuses or ignores."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote, unquote, urlencode, urlsplit

import orjson

from biofact.sandbox.standin import Refusal, ServiceRequest, json_reply, plain_path, unknown_parameters
from biofact.sources.chembl.service import CHEMBL

BASE_PATH = urlsplit(CHEMBL.base_url.default).path
"""Prefix of every path in the links that ChEMBL writes."""
CONTROLS = frozenset({"format", "only"})
"""Parameters that every resource takes besides its fields."""


def chembl_refusal(words: str, *, status: int = 400) -> Refusal:
    """A refusal in ChEMBL's form."""
    return Refusal(json_reply({"error_message": words}, status=status))


def unknown_name_refusal(name: str, endpoint: str) -> Refusal:
    """The refusal of a parameter that ChEMBL would ignore silently, which hides a typo."""
    return unknown_parameters(
        chembl_refusal(f"{endpoint} has no {name!r:.80}; the real service would ignore it."), [name]
    )


def is_json(request: ServiceRequest) -> bool:
    """Whether the request wants JSON, by the path, by ``format``, or by an ``Accept`` that prefers it to XML."""
    if request.path.removesuffix("/").endswith(".json"):
        return True
    form = request.value("format").lower()
    return form == "json" if form else _prefers_json(request.headers.get("accept", ""))


def _prefers_json(accept: str) -> bool:
    """Whether JSON outweighs XML: ``*/*`` accepts XML, which the real service writes unless another form is named."""
    weights = dict(_media_type(part) for part in accept.split(","))
    json = weights.get("application/json", 0.0)
    return json > 0 and json >= max(weights.get(name, 0.0) for name in ("application/xml", "text/xml"))


def _media_type(text: str) -> tuple[str, float]:
    """The media type and its weight ``q``, 1 by default."""
    name, *parameters = (part.strip().lower() for part in text.split(";"))
    weight = next((part.removeprefix("q=") for part in parameters if part.startswith("q=")), "1")
    return name, float(weight) if weight.replace(".", "", 1).isdecimal() else 0.0


def is_read(request: ServiceRequest) -> bool:
    """Whether it is a GET. A POST with an override header counts as one: clients send long queries that way."""
    override = request.headers.get("x-http-method-override", "").upper()
    return request.method == "GET" or (request.method == "POST" and override == "GET")


def as_get(request: ServiceRequest) -> ServiceRequest:
    """The GET that a POST stands for: its filters are parameters. Any other request as it is.

    A form's fields are parameters already. JSON is an object, or the list of pairs that chembl_webresource_client
    sends, with its strings percent-encoded (0.10.9, query.py and url_query.py).
    """
    has_json = request.headers.get("content-type", "").startswith(_JSON)
    if request.method != "POST" or not is_read(request) or not has_json:
        return request
    params = (*request.params, *_json_params(request.body))
    return replace(request, method="GET", params=params, body=b"").remove_parameters(())  # skipped ones stand in JSON


_JSON = "application/json"
_PAIR = 2


def _json_params(body: bytes) -> Iterator[tuple[str, str]]:
    try:
        values = orjson.loads(body or b"{}")
    except orjson.JSONDecodeError as error:
        raise chembl_refusal("The body is not JSON.") from error
    pairs = list(values.items()) if isinstance(values, Mapping) else values
    if not isinstance(pairs, list) or not all(isinstance(pair, list | tuple) and len(pair) == _PAIR for pair in pairs):
        raise chembl_refusal("The body is a JSON object of filters, or a list of pairs of a filter and its value.")
    lists = ((str(name), value if isinstance(value, list) else [value]) for name, value in pairs)
    return ((name, _json_text(item)) for name, values in lists for item in values)


def _json_text(value: object) -> str:
    """A JSON value as the query string would have it."""
    return orjson.dumps(value).decode() if isinstance(value, bool | None) else unquote(str(value))


def check_form(request: ServiceRequest) -> None:
    """Refuse what the sandbox cannot write, and what is no GET."""
    if not is_read(request):
        raise chembl_refusal(f"The sandbox has no {request.method} {request.path}; ask with GET.", status=405)
    if not is_json(request):
        raise chembl_refusal(
            "The sandbox writes JSON only, and the real service answers XML here: end the path with .json,"
            " or add format=json."
        )


def check_names(request: ServiceRequest, allowed: frozenset[str]) -> None:
    """Refuse unknown parameters."""
    for name, _ in request.params:
        if name not in allowed:
            raise unknown_name_refusal(name, plain_path(request.path))


PAGE_CONTROLS = frozenset({"limit", "offset"})
MOST_ROWS = 1000
_USUAL_ROWS = 20
_MOST_DIGITS = 18


@dataclass(frozen=True, slots=True)
class PageRequest:
    """The requested part of a list."""

    raw: ServiceRequest
    limit: int
    offset: int

    def meta(self, total: int) -> dict[str, Any]:
        """The ``page_meta`` of a reply; ``total`` counts the rows of all pages."""
        following, preceding = self.offset + self.limit, self.offset - self.limit
        return {
            "limit": self.limit,
            "next": self._link(following) if following < total else None,
            "offset": self.offset,
            "previous": self._link(preceding) if preceding >= 0 else None,
            "total_count": total,
        }

    def _link(self, offset: int) -> str:
        filters = [(name, value) for name, value in self.raw.params if name not in PAGE_CONTROLS]
        query = urlencode([*filters, ("limit", self.limit), ("offset", offset)])
        return f"{BASE_PATH}{quote(self.raw.path)}?{query}"


def page_request(request: ServiceRequest) -> PageRequest:
    """The page of a request: more than 1000 rows are cut to 1000, and 0 means as many.

    A bad offset is page one, as ChEMBL has it (UPSTREAMS 4.1): whoever pages has to watch the offset themselves.
    """
    limit = request.value("limit", str(_USUAL_ROWS))
    if not _is_whole(limit):
        raise chembl_refusal(f"Invalid limit '{limit:.40}' provided. Please provide a positive integer.")
    offset = request.value("offset", "0")
    return PageRequest(request, min(int(limit) or MOST_ROWS, MOST_ROWS), int(offset) if _is_whole(offset) else 0)


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS
