"""Salts, hydrates and other forms fold into the compound that they are forms of. Pure.

ChEMBL's hierarchy says what is a form of what. Stereoisomers, esters and prodrugs are compounds of their own in it,
and stay apart.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from biofact.core.words import words
from biofact.sources.chembl.parse import Found
from biofact.sources.chembl.search.ranking import BEGINS, LEADS, Ranked

_MOST_REMEMBERED = 150
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Family:
    """A compound and the forms of it that are not listed apart."""

    head: Ranked
    forms: tuple[Found, ...] = ()


def folded(answers: Sequence[Ranked], shown: frozenset[str] = frozenset()) -> list[Family]:
    """The compounds in their order. A form folds into its parent unless the query names the form and not the parent;
    one whose parent is among those ``shown`` on earlier pages is left out.
    """
    by_id = {one.molecule.id: one for one in answers}
    forms: dict[str, list[Found]] = {}
    heads: dict[str, Ranked] = {}
    for one in answers:
        parent = one.molecule.parent
        known = by_id.get(parent or "")
        if parent in shown:
            continue
        if parent and known and (_is_meant(known, one)):
            forms.setdefault(parent, []).append(one.molecule)
            heads.setdefault(parent, Ranked(known.molecule, one.match))
        else:
            heads.setdefault(one.molecule.id, one)
    return [Family(head, tuple(forms.get(native_id, ()))) for native_id, head in heads.items()]


def _is_meant(parent: Ranked, form: Ranked) -> bool:
    """Whether a query that both answer means the parent: it does not answer less, or the name is its own as well.

    A trade name names what is sold, not the salt; one with more words than the parent's name names the salt.
    """
    if parent.match.score >= form.match.score:
        return True
    least = next((least for least in (LEADS, BEGINS) if form.match.score >= least), form.match.score)
    asked = form.match.reading.text if form.match.reading else ""
    return parent.match.score >= least and not words(asked) > words(parent.molecule.name)


def remembered(before: str, families: Iterable[Family]) -> str:
    """The parents shown so far, the latest of them, short enough for a cursor."""
    new = [_written(one.head.molecule.number) for one in families if one.head.molecule.parent is None]
    return ".".join([*filter(None, before.split(".")), *new][-_MOST_REMEMBERED:])


def shown(remembered: str) -> frozenset[str]:
    """The IDs of the parents that earlier pages have shown."""
    return frozenset(f"CHEMBL{int(part, 36)}" for part in remembered.split(".") if part)


def _written(number: int) -> str:
    digits = ""
    while number:
        number, last = divmod(number, 36)
        digits = _DIGITS[last] + digits
    return digits or "0"
