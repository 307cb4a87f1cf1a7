"""Text search as the Catalog falls back to it: by tokens, then by edit distance. Pure."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

_TOKEN = re.compile(r"\w+")


def tokens(text: str) -> tuple[str, ...]:
    """The words of ``text`` in lower case; blanks and punctuation part them, underscores do not."""
    return tuple(_TOKEN.findall(text.lower()))


def is_within(one: str, other: str, most: int) -> bool:
    """Whether ``most`` changes of a character (Levenshtein) make one text the other."""
    if abs(len(one) - len(other)) > most:
        return False
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        above, row[0] = row[0], i
        for j, other_letter in enumerate(other, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (letter != other_letter))
        if min(row) > most:
            return False
    return row[-1] <= most


class TextIndex:
    """Finds IDs by the tokens of their texts."""

    def __init__(self, texts: Iterable[tuple[str, Iterable[str]]]) -> None:
        self._ids: dict[str, set[str]] = defaultdict(set)
        for uid, words in texts:
            for word in words:
                for token in tokens(word):
                    self._ids[token].add(uid)

    def holding(self, query: str) -> set[str]:
        """IDs with every token of ``query``, in whatever case."""
        found = [self._ids.get(token, set()) for token in tokens(query)]
        return set.intersection(*found) if found else set()

    def near(self, query: str, most: int) -> set[str]:
        """IDs with a token that ``most`` changes make the first one of ``query``: the others are not looked at."""
        first = tokens(query)[:1]
        near = [self._ids[token] for token in self._ids if first and is_within(first[0], token, most)]
        return set().union(*near)

    def similar(self, query: str, most: int) -> set[str]:
        """IDs by every token of ``query``; where there is none, by its first one with ``most`` changes."""
        return self.holding(query) or self.near(query, most)


def alike(query: str, texts: Sequence[str]) -> set[str]:
    """The texts that begin with ``query``; else those with all its tokens; else those that share one with it, or
    that two changes make it.
    """
    wanted = set(tokens(query))
    by_start = {text for text in texts if text.startswith(query)}
    by_tokens = by_start or {text for text in texts if wanted and wanted <= set(tokens(text))}
    return by_tokens or {text for text in texts if _is_near(query.lower(), wanted, text)}


def _is_near(query: str, wanted: set[str], text: str) -> bool:
    return bool(wanted & set(tokens(text))) or is_within(query, text.lower(), 2)
