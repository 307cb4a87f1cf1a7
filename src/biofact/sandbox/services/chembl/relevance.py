"""What a search finds among molecules or targets: any word counts, rare ones more (Okapi BM25).

How the real service weighs names is not known, nor whether it knows prefixes and misspelt words; here it does not.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from biofact.sandbox.tables import Row
from biofact.sandbox.word_index import words

_SATURATION = 1.2
_LENGTH_WEIGHT = 0.75
_SCALE = 10
"""Scores are cut to integers: without it most would be alike."""


class Relevance:
    """An index of rows by the words of their names, synonyms and IDs."""

    def __init__(self, names: Iterable[Iterable[str]]) -> None:
        """``names`` are those of each row."""
        self._values = [[value for value in map(words, own) if value] for own in names]
        self._holders: dict[str, set[int]] = defaultdict(set)
        for place, values in enumerate(self._values):
            for word in {word for value in values for word in value}:
                self._holders[word].add(place)
        lengths = [len(value) for values in self._values for value in values]
        self._usual_length = sum(lengths) / len(lengths) if lengths else 1.0

    def hits(self, query: str) -> list[tuple[int, int]]:
        """Place and score of every row with a word of the query, the best first, ties by place."""
        rarity = {word: self._rarity(word) for word in dict.fromkeys(words(query)) if word in self._holders}
        places = set().union(*(self._holders[word] for word in rarity))
        scores = {place: max(self._score(value, rarity) for value in self._values[place]) for place in places}
        best = sorted(scores, key=lambda place: (-scores[place], place))
        return [(place, int(scores[place] * _SCALE)) for place in best]

    def _rarity(self, word: str) -> float:
        held = len(self._holders[word])
        return math.log(1 + (len(self._values) - held + 0.5) / (held + 0.5))

    def _score(self, value: Sequence[str], rarity: dict[str, float]) -> float:
        """Of one name: the best one counts, as one that is just what was asked for says more than many others."""
        counts = Counter(value)
        slack = _SATURATION * (1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * len(value) / self._usual_length)
        return sum(
            weight * counts[word] * (_SATURATION + 1) / (counts[word] + slack) for word, weight in rarity.items()
        )


def molecule_names(row: Row) -> list[str]:
    """Of a molecule, with its ID, each once."""
    synonyms = [
        name for one in row.get("molecule_synonyms") or () for name in (one["molecule_synonym"], one["synonyms"])
    ]
    return _once(row["molecule_chembl_id"], row["pref_name"], *synonyms)


def target_names(row: Row) -> list[str]:
    """Of a target and its components, with its ID and their accessions, each once."""
    components = row["target_components"]
    synonyms = [one["component_synonym"] for part in components for one in part.get("target_component_synonyms", ())]
    return _once(row["target_chembl_id"], row["pref_name"], *(part["accession"] for part in components), *synonyms)


def _once(*names: str | None) -> list[str]:
    return [name for name in dict.fromkeys(names) if name]
