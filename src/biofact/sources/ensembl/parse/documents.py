"""JSON bodies and what must be in them. Pure."""

import re
from typing import Any

from biofact.core.errors import UpstreamError
from biofact.dialects import json_values
from biofact.dialects.json_values import loaded, number, text
from biofact.sources.ensembl.identifiers import bare
from biofact.sources.ensembl.service import error_words, says_absent
from biofact.transport.service import Transient

_NAMED = re.compile(r"\b(?:ID|symbol|for)\s+'?(?!ID\b|symbol\b|not\b)([^\s']+)", re.IGNORECASE)
"""What an error speaks of, by the words before it; some speak of nothing in particular."""


def document(body: bytes) -> Any:
    """The JSON that ``body`` is.

    Raises:
        Transient: it is damaged, or says that something failed.
    """
    found = loaded(body)
    _check_failure(found)
    return found


def absence(body: bytes, *asked: str) -> bool:
    """Whether ``body`` says that there is no such thing as was asked for.

    Raises:
        UpstreamError: it says so of something else.
    """
    words = error_words(body)
    if words is None or not says_absent(words):
        return False
    named = _NAMED.search(words)
    if named and named[1].casefold() not in {one.casefold() for one in asked}:
        message = f"Ensembl was asked for {', '.join(asked)} and answered: {words:.200}"
        raise UpstreamError(message, hint="Call again later.")
    return True


def rows(body: bytes) -> list[dict[str, Any]]:
    """The objects of the list that ``body`` is.

    Raises:
        Transient: it is damaged, or something else.
    """
    listed = document(body)
    if not isinstance(listed, list) or not all(isinstance(row, dict) for row in listed):
        raise Transient("sent something other than a list")
    return listed


def mapping(body: bytes) -> dict[str, Any]:
    """The object that ``body`` is.

    Raises:
        Transient: it is damaged, or something else.
    """
    found = json_values.document(body)
    _check_failure(found)
    return found


def _check_failure(found: Any) -> None:
    words = found.get("error") if isinstance(found, dict) else None
    if isinstance(words, str) and not says_absent(words):
        raise Transient(f"answered: {words:.200}")


def needed(values: dict[str, Any], name: str, of: str) -> str:
    """A text that no record is without.

    Raises:
        UpstreamError: it is missing.
    """
    return json_values.needed(values, name, of, "Ensembl")


def missing(name: str, of: str) -> UpstreamError:
    """The error of a record without a fact that every record has."""
    return UpstreamError(f"Ensembl sent {of} without {name!r}.", hint="Call again later, or report it.")


def kind(payload: bytes) -> str | None:
    """What the looked-up thing is: ``Gene``, ``Transcript``, ``Translation`` or ``Exon``; None where it is not told."""
    return text(mapping(payload), "object_type")


def parent(payload: bytes) -> str | None:
    """What the looked-up thing is a part of: the gene of a transcript, the transcript of a translation."""
    found = text(mapping(payload), "Parent")
    return bare(found) if found else None


def length(payload: bytes) -> int | None:
    """The length of the looked-up protein; None where it is not told."""
    return number(mapping(payload), "length")


def canonical_transcript(payload: bytes) -> str | None:
    """The transcript that stands for the looked-up gene; None where it is not told."""
    found = text(mapping(payload), "canonical_transcript")
    return bare(found) if found else None


def version(payload: bytes) -> int | None:
    """The version of the looked-up thing; None where it has none."""
    return number(mapping(payload), "version")
