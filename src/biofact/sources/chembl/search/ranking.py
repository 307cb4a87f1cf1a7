"""The scores and the order of compounds for a name. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from biofact.core.words import is_one_letter_off, words
from biofact.sources.chembl.parse import MoleculeHit
from biofact.sources.chembl.parse.molecules import OFFICIAL
from biofact.sources.chembl.records import MatchKind
from biofact.sources.chembl.search.queries import Interpretation, QueryForms

LEADS = 0.8
"""The lowest score of a match with a whole name."""
BEGINS = 0.65
"""The lowest score of a match with the beginning of a name."""
_HOLDS = 0.6
_TEXT = 0.3
NEAR_SCORE = 0.25
"""The score of a name one letter away: below all hits of the words."""
_SOME_WORDS = 0.1
_BEGINNING_ONLY = 0.28
_WHOLE_NAMES: dict[str, tuple[MatchKind, float]] = {
    **dict.fromkeys(OFFICIAL, ("synonym", 0.97)),
    "TRADE_NAME": ("trade_name", 0.95),
}
"""The kind of a match with a whole name, and its score, by ChEMBL's kind of the name."""
_OTHER_NAME: tuple[MatchKind, float] = ("synonym", 0.93)
SHORTEST_NEAR = 5
"""Characters: shorter names are all near to one another."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match of a compound: its kind, a score of 0-1, and the interpretation that it matches."""

    kind: MatchKind
    score: float
    interpretation: Interpretation | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A compound in its place."""

    molecule: MoleculeHit
    match: Match

    @property
    def order(self) -> tuple[float, float, bool, int, int]:
        """The sort key, best first: score; for matches of a whole name or its beginning, highest phase, then parents
        before salts; then ChEMBL's own order; last the lowest ID.
        """
        is_named = self.match.score > _HOLDS
        phase = (self.molecule.max_phase or 0.0) if is_named else 0.0
        is_form = self.molecule.parent is not None and is_named
        return (-self.match.score, -phase, is_form, self.molecule.place, self.molecule.number)

    @property
    def leads(self) -> bool:
        """Whether the query matches a whole name, its beginning, or all but one letter of it."""
        return self.match.score >= BEGINS or self.is_near

    @property
    def is_held(self) -> bool:
        """Whether a name holds all the words, anywhere in it."""
        return _TEXT < self.match.score < BEGINS

    @property
    def is_near(self) -> bool:
        """Whether the query differs from a name by one letter."""
        return self.match.score == NEAR_SCORE


def ranked(
    molecules: Iterable[MoleculeHit], interpretations: Sequence[Interpretation], *, may_be_near: bool = False
) -> list[Ranked]:
    """The compounds, best first. Where a name one letter away may count, what holds some of the words comes after."""
    answers = (Ranked(molecule, match(molecule, interpretations, may_be_near=may_be_near)) for molecule in molecules)
    return sorted(answers, key=lambda answer: answer.order)


def match(molecule: MoleculeHit, interpretations: Sequence[Interpretation], *, may_be_near: bool = False) -> Match:
    """The match of a compound with a query of these interpretations.

    Preferred name beats official name beats trade name beats other synonym; a whole name beats its beginning beats
    single words of it.
    """
    matches = [_by_interpretation(molecule, interpretation) for interpretation in interpretations]
    best = max(matches, key=lambda candidate: candidate.score)
    if best.score > _TEXT or not may_be_near:
        return best
    is_near = any(_is_near(name, interpretations[0].text) for name, _, _ in _names(molecule))
    return Match("near", NEAR_SCORE if is_near else _SOME_WORDS, interpretations[0])


def _by_interpretation(molecule: MoleculeHit, interpretation: Interpretation) -> Match:
    forms = QueryForms.of(interpretation.text)
    best = Match("text", _TEXT, interpretation)
    for name, kind, full in _names(molecule):
        score = forms.score(name, full, begins=full - _BEGINNING_ONLY, holds=_HOLDS)
        if score is not None and score - interpretation.penalty > best.score:
            best = Match(kind, round(score - interpretation.penalty, 3), interpretation)
    return best


def _names(molecule: MoleculeHit) -> Iterator[tuple[str, MatchKind, float]]:
    """Every name, its kind, and the score of a match with the whole name."""
    if molecule.preferred_name:
        yield molecule.preferred_name, "name", 1.0
    for name, kind in molecule.synonyms:
        yield name, *_WHOLE_NAMES.get(kind, _OTHER_NAME)


def _is_near(name: str, query: str) -> bool:
    """Whether one letter differs; a code with a different digit is a different code."""
    return len(query) >= SHORTEST_NEAR and is_one_letter_off(name, query)


def of_structure(molecules: Iterable[MoleculeHit], text: str) -> list[MoleculeHit]:
    """The molecules of one structure: those that ChEMBL spells alike first, salts last."""
    return sorted(molecules, key=lambda molecule: (molecule.smiles != text, bool(molecule.parent), molecule.number))


def sharing_best(answers: Sequence[Ranked]) -> list[Ranked]:
    """The compounds that share the best match by a whole name; empty when the first stands alone."""
    if not answers or answers[0].match.score < LEADS:
        return []
    best = answers[0].match
    shared = [answer for answer in answers if (answer.match.kind, answer.match.score) == (best.kind, best.score)]
    return shared if len(shared) > 1 else []


_MOST_REMEMBERED = 150
_BASE_36 = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Family:
    """A compound and the forms of it that are not listed apart."""

    head: Ranked
    forms: tuple[MoleculeHit, ...] = ()

    def score(self, most: float = 1.0) -> float:
        """The score of its row, never more than ``most``."""
        return min(most, self.head.match.score)


def into_families(answers: Sequence[Ranked], shown_ids: frozenset[str] = frozenset()) -> list[Family]:
    """The compounds in their order. A form folds into its parent unless the query names the form and not the parent;
    one whose parent is among those ``shown_ids`` on earlier pages is left out.
    """
    by_id = {answer.molecule.id: answer for answer in answers}
    forms: dict[str, list[MoleculeHit]] = {}
    heads: dict[str, Ranked] = {}
    for answer in answers:
        parent = answer.molecule.parent
        parent_answer = by_id.get(parent or "")
        if parent in shown_ids:
            continue
        if parent and parent_answer and (_is_meant(parent_answer, answer)):
            forms.setdefault(parent, []).append(answer.molecule)
            heads.setdefault(parent, Ranked(parent_answer.molecule, answer.match))
        else:
            heads.setdefault(answer.molecule.id, answer)
    return [Family(head, tuple(forms.get(native_id, ()))) for native_id, head in heads.items()]


def _is_meant(parent: Ranked, form: Ranked) -> bool:
    """Whether a query that both answer means the parent: it does not answer less, or the name is its own as well.

    A trade name names what is sold, not the salt; one with more words than the parent's name names the salt.
    """
    if parent.match.score >= form.match.score:
        return True
    threshold = next((threshold for threshold in (LEADS, BEGINS) if form.match.score >= threshold), form.match.score)
    query = form.match.interpretation.text if form.match.interpretation else ""
    return parent.match.score >= threshold and not words(query) > words(parent.molecule.name)


def remember(before: str, families: Iterable[Family]) -> str:
    """The parents shown so far, the latest of them, short enough for a cursor."""
    new = [_in_base_36(family.head.molecule.number) for family in families if family.head.molecule.parent is None]
    return ".".join([*filter(None, before.split(".")), *new][-_MOST_REMEMBERED:])


def remembered_parents(numbers: str) -> frozenset[str]:
    """The IDs of the parents that earlier pages have shown."""
    return frozenset(f"CHEMBL{int(part, 36)}" for part in numbers.split(".") if part)


def _in_base_36(number: int) -> str:
    digits = ""
    while number:
        number, last = divmod(number, 36)
        digits = _BASE_36[last] + digits
    return digits or "0"
