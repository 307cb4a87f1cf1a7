"""Weights of signs in tables, from which those of all tokens of an article are taken at once."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from biofact.literature.extraction.rules.labelling.signs import FAMILIES, WINDOW, WORD_FAMILIES, Vocabularies
from biofact.literature.extraction.rules.labelling.words import Numbers, Word, Words, signs_of

Weights = Mapping[str, Mapping[str, Sequence[int]]]
"""What signs weigh for each label: by family, and by place and texts within it."""
Keys = NDArray[np.int64]
Entry = tuple[int, int, Sequence[int]]
"""Row, column, and what stands there for each label."""
MOST_CELLS = 2_000_000
"""Of an index that has a cell for each key; larger ones are searched."""
FIRST_ROOM = 1024
"""Words that there is room for at first; it doubles whenever it is full."""


class KeyIndex:
    """Rows of a table by keys; row 0, which weighs nothing, is that of keys that are not known."""

    def __init__(self, rows: Mapping[int, int], size: int) -> None:
        """``size``: all keys are below it."""
        keys, numbers = (np.array([*each], dtype=np.int64) for each in (rows or {0: 0}, (rows or {0: 0}).values()))
        self._is_dense = size <= MOST_CELLS
        if self._is_dense:
            self._rows = np.zeros(size, dtype=np.int64)
            self._rows[keys] = numbers
        else:
            order = np.argsort(keys)
            self._keys, self._rows = keys[order], numbers[order]

    def rows(self, keys: Keys) -> Keys:
        """The row of each key."""
        if self._is_dense:
            return self._rows[keys]
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        found: Keys = self._rows[at] * (self._keys[at] == keys)
        return found


class PairWeights:
    """What pairs of traits weigh, of all families that are read at the same places: one look-up for all of them."""

    def __init__(self, names: Sequence[str], weights: Weights, vocabularies: Vocabularies, words: Words) -> None:
        """``names``: of the families."""
        families = [FAMILIES[name] for name in names]
        self.places = families[0].places
        self._traits = [family.first for family in families], [family.second for family in families]
        rows: dict[int, int] = {}
        entries: list[Entry] = []
        sizes, widths = [0], []
        for name, family in zip(names, families, strict=True):
            one, two = (vocabularies.of(trait, words) for trait in (family.first, family.second))
            for sign, numbers in weights.get(name, {}).items():
                place, first, second = sign.split("|", 2)
                key = sizes[-1] + one.number(first) * len(two) + two.number(second)
                entries.append((rows.setdefault(key, len(rows) + 1), int(place) - self.places[0], numbers))
            widths.append(len(two))
            sizes.append(sizes[-1] + len(one) * len(two))
        self._begins, self._widths = np.array(sizes[:-1])[:, None], np.array(widths)[:, None]
        """Of the keys of each family: the first, and how many there are for each text of its first trait."""
        self._index = KeyIndex(rows, sizes[-1])
        self._table = table(entries, (len(rows) + 1, len(self.places)))

    def of(self, traits: Mapping[str, Numbers]) -> Numbers:
        """What they weigh, beside each token, for each place and label."""
        one, two = (np.array([traits[name] for name in names]) for names in self._traits)
        rows = self._index.rows(self._begins + one * self._widths + two)
        weighed: Numbers = self._table.take(rows, axis=0).sum(axis=0, dtype=np.int32)
        return weighed


class WordWeights:
    """What words weigh at each place of the window; most words come again and again, and are looked up once."""

    places = WINDOW

    def __init__(self, weights: Weights) -> None:
        self._rows: dict[str, dict[str, int]] = {family: {} for family in WORD_FAMILIES}
        entries: list[Entry] = []
        count = 1
        for family, rows in self._rows.items():
            for sign, numbers in weights.get(family, {}).items():
                place, _, text = sign.partition("|")
                if text not in rows:
                    rows[text], count = count, count + 1
                entries.append((rows[text], int(place) - WINDOW[0], numbers))
        self._table = table(entries, (count, len(WINDOW)))
        self._known = np.zeros((FIRST_ROOM, *self._table.shape[1:]), dtype=np.int32)
        self._count = 0

    def clear(self) -> None:
        """Forget all words."""
        self._count = 0

    def of(self, numbers: Numbers, known: Sequence[Word]) -> Numbers:
        """What words weigh, by their numbers, for each place and label; ``known`` are all that are numbered."""
        if self._count < len(known):
            self._add(known[self._count :])
        return self._known.take(numbers, axis=0)

    def _add(self, words: Sequence[Word]) -> None:
        signs = map(signs_of, words)
        rows = [[known.get(each.get(family, ""), 0) for family, known in self._rows.items()] for each in signs]
        after = self._count + len(words)
        while after > len(self._known):
            self._known = np.concatenate([self._known, np.zeros_like(self._known)])
        self._known[self._count : after] = self._table[rows].sum(axis=1)
        self._count = after


def table(entries: Sequence[Entry], size: tuple[int, int]) -> Numbers:
    """A table of so many rows and columns, with a number for each label in each cell."""
    labels = len(entries[0][2]) if entries else 1
    made = np.zeros((*size, labels), dtype=np.int32)
    for row, column, numbers in entries:
        made[row, column] = numbers
    return made
