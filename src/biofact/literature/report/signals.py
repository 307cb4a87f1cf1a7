"""What should make a reader careful: retracted, doubted, not reviewed, not registered, small. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from biofact.literature.extraction.meanings import canonical_field
from biofact.literature.ranking.candidates import Flag, RankedRow

SMALL = 100
"""Participants below which a study counts as small; our choice, some 50 in each of two arms."""

_SHADES = {
    **dict.fromkeys(("retracted", "partially_retracted"), "grave"),
    **dict.fromkeys(("expression_of_concern", "preprint", "retraction_notice"), "doubtful"),
}
_NO_PARTICIPANTS = ("review", "meta", "protocol", "guideline", "editorial", "comment", "letter", "case report")
"""Kinds of article whose number is not one of participants, or says nothing of how sure its result is."""
_REGISTRIES = ("clinicaltrials", "isrctn", "eudract", "anzctr", "chictr", "ctri", "drks", "umin", "jprn", "ntr", "irct")


class Signal(NamedTuple):
    """A reason to be careful."""

    words: str
    shade: str
    points_to: tuple[str, ...] = ()
    """PMIDs that say so."""


def signals(row: RankedRow, *, is_registration_read: bool) -> list[Signal]:
    """Of one article, gravest first; a trial without registration only where registration was looked for."""
    found = [_flag_signal(flag) for flag in row.flags]
    stated = canonical_fields(row.candidate.extraction)
    kind = str(stated.get("study_type") or "").casefold()
    if is_registration_read and _is_trial(kind) and not _is_registered(row, stated):
        found.append(Signal("No registration stated", "doubtful"))
    size = stated.get("sample_size")
    counts_people = not any(word in kind for word in _NO_PARTICIPANTS)
    if isinstance(size, int | float) and not isinstance(size, bool) and 0 < size < SMALL and counts_people:
        found.append(Signal(f"Small (n = {size:g})", "doubtful"))
    return found


def reads_registration(rows: Sequence[RankedRow]) -> bool:
    """Whether registration was looked for at all."""
    return any(
        canonical_field(name) == "registration"
        for row in rows
        for name in (*row.candidate.breakdown, *row.candidate.extraction)
    )


def canonical_fields(extraction: Mapping[str, Any]) -> dict[str, Any]:
    """The values of an extraction under the names that the rules have for their fields, the first of each."""
    fields: dict[str, Any] = {}
    for name, value in extraction.items():
        fields.setdefault(canonical_field(name) or name, value)
    return fields


def _flag_signal(flag: Flag) -> Signal:
    return Signal(flag.kind.replace("_", " ").capitalize(), _SHADES.get(flag.kind, "mild"), flag.points_to)


def _is_trial(kind: str) -> bool:
    return ("trial" in kind or "randomi" in kind) and not any(word in kind for word in _NO_PARTICIPANTS)


def _is_registered(row: RankedRow, stated: Mapping[str, Any]) -> bool:
    banks = row.candidate.article.data_banks if row.candidate.article else ()
    return bool(stated.get("registration")) or any(
        bank.name.casefold().startswith(_REGISTRIES) or bank.name.casefold() in _REGISTRIES for bank in banks
    )
