"""Reads the requests to ChEMBL, and refuses what ChEMBL refuses or ignores."""

from typing import Any
from urllib.parse import urlsplit

from biofact.sandbox.standin import Ask, Refusal, written
from biofact.sources.chembl.service import CHEMBL

BASE_PATH = urlsplit(CHEMBL.base_url.default).path
"""What stands before every path, in the links that ChEMBL writes."""
CONTROLS = frozenset({"format", "only"})
"""What every resource may be asked besides its fields."""

Row = dict[str, Any]
"""One record as it goes onto the wire."""


def refused(words: str, *, status: int = 400) -> Refusal:
    """A refusal in ChEMBL's form."""
    return Refusal(written({"error_message": words}, status=status))


def ignored(name: str, of: str) -> Refusal:
    """Refuses a parameter that ChEMBL would not even mention: that hides a misspelt one."""
    return refused(f"{of} has no {name!r:.80}; the real service would ignore it.")


def plain_path(path: str) -> str:
    """A path without the slash and the ``.json`` that may end it."""
    return path.removesuffix("/").removesuffix(".json")


def is_json(ask: Ask) -> bool:
    """Whether JSON is asked for; the ``Accept`` header, which says so too, is not seen here."""
    return ask.path.removesuffix("/").endswith(".json") or ask.one("format").lower() == "json"


def is_read(ask: Ask) -> bool:
    """Whether it is a GET: a form counts as one when it says so, which long questions do."""
    return ask.method == "GET" or (ask.method == "POST" and ask.headers.get("x-http-method-override") == "GET")


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
