"""Positions and ranges as people write them: separators of thousands, units, dashes and dots. Pure."""

import re
from dataclasses import dataclass
from decimal import Decimal

from biofact.dialects.genomic.errors import NotationError

_NUMBER = r"(?:[0-9]{1,3}(?:(?P<mark>[, _])[0-9]{3}(?:(?P=mark)[0-9]{3})*)|[0-9]{1,15})"
_POSITION = re.compile(
    rf"(?P<number>{_NUMBER})(?P<decimals>\.[0-9]{{1,12}})?\s*(?P<unit>bp?|k(?:bp?)?|m(?:bp?)?)?", re.IGNORECASE
)
_BETWEEN = re.compile(r"\s*(?:\.{2,3}|--?|\bto\b|\u2026)\s*", re.IGNORECASE)
_TWO_GROUPS = re.compile(r"([0-9]+)([_: ])([0-9]+)")
_START_AND_END = 2
_THOUSANDS = 3  # digits of a group
_DOTTED = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3}){2,4}")
_FACTORS = {"k": 1_000, "m": 1_000_000}


@dataclass(frozen=True, slots=True)
class _Position:
    number: Decimal
    """As written, without its unit."""
    unit: str
    """``k``, ``m`` or empty."""

    @property
    def bases(self) -> Decimal:
        return self.number * _FACTORS.get(self.unit, 1)


def read_positions(text: str, *, is_hgvs: bool = False) -> tuple[int, int]:
    """First and last position of ``1000-2000`` or ``43.04M..43.13M``, in that order; one position twice.

    Raises:
        NotationError: they cannot be understood, or in two ways.
    """
    parts = _parts(text.strip(), is_hgvs)
    start, end = _position(parts[0]), _position(parts[-1])
    if len(parts) > 1:
        _check_units(start, end, text)
    return _whole(start, text), _whole(end, text)


def _parts(text: str, is_hgvs: bool) -> list[str]:
    found = _TWO_GROUPS.fullmatch(text)
    parts = _two_groups(found[1], found[2], found[3], is_hgvs) if found else _BETWEEN.split(text)
    if not text or len(parts) > _START_AND_END or not all(parts):
        raise NotationError(
            "its positions are not a range.", "Write two positions with a hyphen between, as 1000-2000."
        )
    return parts


def _two_groups(first: str, mark: str, second: str, is_hgvs: bool) -> list[str]:
    """Two runs of digits with an underscore, a blank or a colon between: a range or one position."""
    if mark == ":":
        fixed = f"{first}-{second}"
        raise NotationError("a colon stands between its positions.", f"Write {fixed}.", fixed)
    is_one = len(second) == _THOUSANDS >= len(first) and not is_hgvs
    if is_one and int(first) <= int(second):
        raise NotationError(
            f"{first}{mark}{second} may be the range {first}-{second} or the position {first}{second}.",
            "Write a range with a hyphen, and numbers without separators.",
        )
    return [first, second] if mark == "_" and not is_one else [f"{first}{mark}{second}"]


def _position(text: str) -> _Position:
    found = _POSITION.fullmatch(text)
    if found is None:
        raise _unreadable(text)
    unit = (found["unit"] or "")[:1].lower().replace("b", "")
    if found["decimals"] and not unit:
        raise NotationError(
            f"{text!r} has decimals and no unit.", "Write whole bases (43044295), or a unit behind decimals (43.04M)."
        )
    return _Position(Decimal(re.sub(r"[, _]", "", found["number"]) + (found["decimals"] or "")), unit)


def _unreadable(text: str) -> NotationError:
    if _DOTTED.fullmatch(text):
        return NotationError(f"{text!r} has points in it.", "Write it without, or with commas: 43,044,295.")
    if re.fullmatch(r"[0-9]+,[0-9]{1,2}\s*[km]b?p?", text, re.IGNORECASE):
        return NotationError(f"{text!r} has a decimal comma.", "Write a decimal point: 43.1M.")
    if re.fullmatch(r"[0-9][0-9, _]*", text):
        return NotationError(f"the thousands of {text!r} are not set off by threes.", "Write it without separators.")
    return NotationError(
        f"{text!r} is not a position.", "Write whole bases (43044295), or thousands and millions of them (43.1M, 500k)."
    )


def _whole(position: _Position, text: str) -> int:
    if position.bases != position.bases.to_integral_value():
        raise NotationError(f"{text!r} gives no whole number of bases.", "Write positions in whole bases.")
    return int(position.bases)


def _check_units(start: _Position, end: _Position, text: str) -> None:
    """Refuse what may share one unit: ``43-44M``."""
    if end.unit and not start.unit and start.number <= end.number:
        both = f"{start.number}{end.unit.upper()}-{end.number}{end.unit.upper()}"
        raise NotationError(
            f"{text!r} leaves open whether the unit is for both positions.",
            f"Write {both} or {start.number}-{int(end.bases)}.",
        )
    if start.unit and not end.unit and end.bases < start.bases and end.number >= start.number:
        both = f"{start.number}{start.unit.upper()}-{end.number}{start.unit.upper()}"
        raise NotationError(f"{text!r} ends before it begins.", f"Write the unit behind both: {both}.", both)
