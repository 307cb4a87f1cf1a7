"""Molecules as searches come upon them. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from biofact.dialects.json_values import decimal, document, text, within
from biofact.sources.chembl.identifiers import curie, is_native, number
from biofact.sources.chembl.parse.documents import listed, needed
from biofact.sources.chembl.parse.molecules import Synonym, formula, parent, phase, spellings, synonyms, weight
from biofact.sources.chembl.records import CompoundSearchCandidate, MatchKind, SaltForm


@dataclass(frozen=True, slots=True)
class Found:
    """A molecule with what ranks it."""

    id: str
    """As ChEMBL writes it."""
    preferred: str | None
    synonyms: tuple[Synonym, ...]
    parent: str | None
    """The molecule without its salt; None for one that is its own."""
    formula: str | None
    weight: float | None
    type: str | None
    max_phase: float | None
    similarity: float | None = None
    """To the structure that was asked for, in percent."""
    smiles: str | None = None
    inchi: str | None = None
    inchi_key: str | None = None
    place: int = 0
    """In the service's own list."""
    spellings: frozenset[str] = frozenset()
    """Of all its names, in each letter case that ChEMBL has."""

    @property
    def name(self) -> str:
        """Preferred, else a synonym, else the ID."""
        return self.preferred or next((name for name, _ in self.synonyms), self.id)

    @property
    def number(self) -> int:
        """Of the ID."""
        return number(self.id)

    def candidate(
        self, *, match: MatchKind, score: float, salt_forms: Sequence["Found"] = ()
    ) -> CompoundSearchCandidate:
        """The row of an answer."""
        return CompoundSearchCandidate(
            id=curie(self.id),
            name=self.name,
            molecular_formula=self.formula,
            molecular_weight=self.weight,
            score=score,
            match=match,
            molecule_type=self.type,
            max_phase=self.max_phase,
            similarity=None if self.similarity is None else round(self.similarity, 2),
            parent=curie(self.parent) if self.parent else None,
            salt_forms=[SaltForm(id=curie(form.id), name=form.name) for form in salt_forms],
        )


@dataclass(frozen=True, slots=True)
class Hits:
    """A page of molecules."""

    molecules: tuple[Found, ...]
    ids: tuple[str, ...]
    """Those of all rows, in the service's order; empty for a row without one."""
    total: int
    dropped: int = 0
    """Rows that did not answer the question."""

    def only(self, answers: Callable[[Found], bool]) -> "Hits":
        """Those that answer the question; the others keep their places in the list."""
        kept = {one.id: one for one in self.molecules if answers(one)}
        ids = tuple(one if one in kept else "" for one in self.ids)
        return replace(self, molecules=tuple(kept.values()), ids=ids, dropped=len(self.molecules) - len(kept))


def hits(body: bytes, offset: int = 0) -> Hits:
    """The page of molecules that ``body`` is.

    Raises:
        Transient: the body is damaged.
    """
    page = listed(body, "molecules", offset)
    ids = [text(row, "molecule_chembl_id") or "" for row in page.rows]
    named = [(place, row) for place, row in enumerate(page.rows) if is_native(ids[place])]
    found = tuple(replace(_found(row), place=place) for place, row in named)
    return Hits(found, tuple(one if is_native(one) else "" for one in ids), page.total)


def looked_up(payload: bytes) -> Found:
    """The molecule of a look-up.

    Raises:
        Transient: the payload is damaged.
        UpstreamError: it has no ID.
    """
    return _found(document(payload))


def _found(values: dict[str, Any]) -> Found:
    structures = within(values, "molecule_structures")
    return Found(
        id=needed(values, "molecule_chembl_id", "a molecule"),
        preferred=text(values, "pref_name"),
        synonyms=tuple(synonyms(values)),
        parent=parent(values),
        formula=formula(values),
        weight=weight(values),
        type=text(values, "molecule_type"),
        max_phase=phase(values),
        similarity=decimal(values, "similarity"),
        smiles=text(structures, "canonical_smiles"),
        inchi=text(structures, "standard_inchi"),
        inchi_key=text(structures, "standard_inchi_key"),
        spellings=spellings(values),
    )
