"""What became of a stable ID. Pure."""

import math
from dataclasses import dataclass
from typing import Any

from biofact.core.errors import UpstreamError
from biofact.dialects import json_values
from biofact.dialects.json_values import text
from biofact.sources.ensembl.identifiers import bare
from biofact.sources.ensembl.parse.documents import absence, mapping, needed
from biofact.transport.service import Transient

_IS_CURRENT = {"1": True, "True": True, "": False, "0": False, "False": False, "None": False}


@dataclass(frozen=True, slots=True)
class Archived:
    """A stable ID that Ensembl has or had."""

    id: str
    type: str
    """``Gene``, ``Transcript`` or ``Translation``."""
    is_current: bool
    release: str | None
    """The last one that had it."""
    replacements: tuple[tuple[str, float], ...]
    """Other IDs that may stand in, with Ensembl's mapping score 0-1, the best first."""


def archived(stable_id: str, body: bytes) -> Archived | None:
    """What the archive tells of ``stable_id``; None when it never was one.

    Raises:
        Transient: the body is damaged, or does not say whether the ID is current, or what replaced it.
        UpstreamError: it speaks of another ID.
    """
    if absence(body, stable_id):
        return None
    values = mapping(body)
    sent_id = bare(needed(values, "id", "an archived ID"))
    if sent_id != stable_id:
        raise UpstreamError(f"Ensembl's archive answered {stable_id} with {sent_id}.", hint="Call again later.")
    is_current = _IS_CURRENT.get(str(values.get("is_current", "?")))
    if is_current is None:
        raise Transient(f"did not say whether {sent_id} is current")
    return Archived(
        id=sent_id,
        type=text(values, "type") or "",
        is_current=is_current,
        release=str(values["release"]) if values.get("release") else None,
        replacements=() if is_current else _replacements(values, stable_id),
    )


def _replacements(values: dict[str, Any], stable_id: str) -> tuple[tuple[str, float], ...]:
    rows = json_values.rows(values, "possible_replacement")  # empty where nothing replaced it
    scored = {bare(text(row, "stable_id") or ""): _score(row.get("score")) for row in rows}
    if "" in scored:
        raise Transient(f"named a replacement of {stable_id} without its ID")
    if len(scored) > 1:  # alone it stays, so that whoever follows it sees that it leads nowhere
        scored.pop(stable_id, None)
    return tuple(sorted(scored.items(), key=lambda item: (-item[1], item[0])))


def _score(value: Any) -> float:
    """Ensembl's mapping score, as a number or as text; 0 where it tells none."""
    try:
        score = float(value)
    except (TypeError, ValueError):
        return 0.0
    return score if math.isfinite(score) else 0.0
