"""Reads the requests to ChEMBL, and refuses what ChEMBL refuses or ignores."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from urllib.parse import unquote, urlsplit

import orjson

from biofact.sandbox.standin import Ask, Refusal, plain_path, unknown, written
from biofact.sources.chembl.service import CHEMBL

BASE_PATH = urlsplit(CHEMBL.base_url.default).path
"""What stands before every path, in the links that ChEMBL writes."""
CONTROLS = frozenset({"format", "only"})
"""What every resource may be asked besides its fields."""


def refused(words: str, *, status: int = 400) -> Refusal:
    """A refusal in ChEMBL's form."""
    return Refusal(written({"error_message": words}, status=status))


def ignored(name: str, of: str) -> Refusal:
    """Refuses a parameter that ChEMBL would not even mention: that hides a misspelt one."""
    return unknown(refused(f"{of} has no {name!r:.80}; the real service would ignore it."), [name])


def is_json(ask: Ask) -> bool:
    """Whether JSON is asked for, by the path, by ``format``, or by an ``Accept`` that prefers it to XML."""
    if ask.path.removesuffix("/").endswith(".json"):
        return True
    form = ask.one("format").lower()
    return form == "json" if form else _prefers_json(ask.headers.get("accept", ""))


def _prefers_json(accept: str) -> bool:
    """What ``*/*`` accepts is XML, which the real service writes unless another form is named."""
    weights = dict(_media_type(part) for part in accept.split(","))
    json = weights.get("application/json", 0.0)
    return json > 0 and json >= max(weights.get(name, 0.0) for name in ("application/xml", "text/xml"))


def _media_type(text: str) -> tuple[str, float]:
    """The media type and its weight, 1 unless ``q`` says otherwise."""
    name, *parameters = (part.strip().lower() for part in text.split(";"))
    weight = next((part.removeprefix("q=") for part in parameters if part.startswith("q=")), "1")
    return name, float(weight) if weight.replace(".", "", 1).isdecimal() else 0.0


def is_read(ask: Ask) -> bool:
    """Whether it is a GET: a POST counts as one when its header says so, which long questions do."""
    override = ask.headers.get("x-http-method-override", "").upper()
    return ask.method == "GET" or (ask.method == "POST" and override == "GET")


def as_get(ask: Ask) -> Ask:
    """The GET that a POST stands for: its filters are parameters. Any other request as it is.

    A form's fields are parameters already. JSON is an object, or the list of pairs that chembl_webresource_client
    sends, with its strings percent-encoded (0.10.9, query.py and url_query.py).
    """
    if ask.method != "POST" or not is_read(ask) or not ask.headers.get("content-type", "").startswith(_JSON):
        return ask
    return replace(ask, method="GET", params=(*ask.params, *_json_params(ask.body)), body=b"").without(())


_JSON = "application/json"
_PAIR = 2


def _json_params(body: bytes) -> Iterator[tuple[str, str]]:
    try:
        values = orjson.loads(body or b"{}")
    except orjson.JSONDecodeError as error:
        raise refused("The body is not JSON.") from error
    pairs = list(values.items()) if isinstance(values, Mapping) else values
    if not isinstance(pairs, list) or not all(isinstance(pair, list | tuple) and len(pair) == _PAIR for pair in pairs):
        raise refused("The body is a JSON object of filters, or a list of pairs of a filter and its value.")
    return ((str(name), _json_text(one)) for name, value in pairs for one in _each(value))


def _each(value: object) -> Sequence[object]:
    """A list is a parameter that is given several times."""
    return value if isinstance(value, list) else (value,)


def _json_text(value: object) -> str:
    """A JSON value as the query string would have it."""
    match value:
        case bool() | None:
            return orjson.dumps(value).decode()
        case _:
            return unquote(str(value))


def check_form(ask: Ask) -> None:
    """Refuse what the sandbox cannot write, and what is no GET."""
    if not is_read(ask):
        raise refused(f"The sandbox has no {ask.method} {ask.path}; ask with GET.", status=405)
    if not is_json(ask):
        raise refused(
            "The sandbox writes JSON only, and the real service answers XML here: end the path with .json,"
            " or add format=json."
        )


def check_names(ask: Ask, allowed: frozenset[str]) -> None:
    """Refuse parameters that there are not."""
    for name, _ in ask.params:
        if name not in allowed:
            raise ignored(name, plain_path(ask.path))
