"""What every molecule tells of itself: names, phase, parent. Pure."""

from collections.abc import Sequence
from typing import Any

from biofact.dialects.json_values import decimal, objects, text, within

_OFFICIAL = ("INN", "USAN", "BAN", "FDA", "JAN", "USP", "ATC", "BNF", "NATIONAL_FORMULARY", "MERCK_INDEX")
_ORDER = {**dict.fromkeys(_OFFICIAL, 0), "TRADE_NAME": 1, "RESEARCH_CODE": 3}
_OTHER = 2

Synonym = tuple[str, str]
"""A name and the kind of name that it is."""


def synonyms(values: dict[str, Any]) -> list[Synonym]:
    """Each name once, with its best kind: official ones first, then trade names, others, research codes.

    One name stands there for each authority that has it, in several cases; the one not all in capitals is kept.
    """
    rows = [
        (text(row, "molecule_synonym") or text(row, "synonyms"), text(row, "syn_type") or "OTHER")
        for row in objects(values, "molecule_synonyms")
    ]
    named = sorted(((name, kind) for name, kind in rows if name), key=_rank)
    best: dict[str, Synonym] = {}
    for name, kind in named:
        known = best.get(name.casefold())
        if known is None:
            best[name.casefold()] = (name, kind)
        elif known[0].isupper() and not name.isupper():
            best[name.casefold()] = (name, known[1])
    return list(best.values())


def spellings(values: dict[str, Any]) -> frozenset[str]:
    """Each name in every letter case that it is written in."""
    written = (
        text(values, "pref_name"),
        *(text(row, "molecule_synonym") for row in objects(values, "molecule_synonyms")),
    )
    return frozenset(filter(None, written))


def _rank(synonym: tuple[str, str]) -> int:
    return _ORDER.get(synonym[1], _OTHER)


def is_official(kind: str) -> bool:
    """Whether an authority gives names of this kind."""
    return kind in _OFFICIAL


def called(values: dict[str, Any], native_id: str, names: Sequence[Synonym]) -> str:
    """The preferred name, else a synonym, else the ID."""
    return text(values, "pref_name") or next((name for name, _ in names), native_id)


def phase(values: dict[str, Any], name: str = "max_phase") -> float | None:
    """The phase reached: text or number; older answers have 0 for what is preclinical, today's null."""
    return decimal(values, name) or None


def parent(values: dict[str, Any]) -> str | None:
    """The molecule without its salt; None for one that is its own, or where that is not told."""
    found = text(within(values, "molecule_hierarchy"), "parent_chembl_id")
    return found if found != text(values, "molecule_chembl_id") else None


def weight(values: dict[str, Any]) -> float | None:
    """Of the whole molecule, in Da."""
    return decimal(within(values, "molecule_properties"), "full_mwt")


def formula(values: dict[str, Any]) -> str | None:
    """Of the whole molecule; biotherapeutics have none."""
    return text(within(values, "molecule_properties"), "full_molformula")
