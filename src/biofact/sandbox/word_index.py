"""Words as the search engines split them, and an index from words to the records that have them."""

import bisect
import re
from collections.abc import Iterable, Sequence

_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    """The runs of letters and digits, in lower case: ``TNF-alpha`` is two words, as in the services' indexes."""
    return _WORD.findall(text.lower())


def folded(text: str) -> str:
    """The words of ``text`` with a blank between them."""
    return " ".join(words(text))


class Holders:
    """Which records hold a key. Most keys belong to one record: that is kept without a list, half of the memory."""

    def __init__(self) -> None:
        self._held: dict[str, str | list[str]] = {}

    def add(self, uid: str, keys: Iterable[str]) -> None:
        """Note that ``uid`` holds these keys, each given once."""
        everything = self._held
        for key in keys:
            held = everything.get(key)
            if held is None:
                everything[key] = uid
            elif isinstance(held, str):
                everything[key] = [held, uid]
            else:
                held.append(uid)

    def of(self, key: str) -> list[str]:
        """The records that hold the key, in the order in which they were added."""
        held = self._held.get(key, [])
        return [held] if isinstance(held, str) else held

    def keys(self) -> Iterable[str]:
        """Every key that something holds."""
        return self._held.keys()


class WordIndex:
    """Which records hold a word."""

    def __init__(self) -> None:
        self._holders = Holders()
        self._sorted: list[str] = []

    def add(self, uid: str, text: str) -> None:
        """Index the words of ``text``."""
        self._holders.add(uid, set(words(text)))
        self._sorted = []

    def holders(self, word: str) -> list[str]:
        """The records that hold the word."""
        return self._holders.of(word)

    def holders_of_prefix(self, prefix: str) -> list[str]:
        """The records that hold a word which begins so; one that holds several such words appears repeatedly."""
        return [uid for word in self._beginning(prefix) for uid in self.holders(word)]

    def holders_of_pattern(self, prefix: str, pattern: re.Pattern[str]) -> list[str]:
        """The records that hold a word which begins with ``prefix`` and matches; one may appear repeatedly."""
        return [uid for word in self._beginning(prefix) if pattern.fullmatch(word) for uid in self.holders(word)]

    def _beginning(self, prefix: str) -> Sequence[str]:
        """The words that begin so, found in the sorted list: patterns come by the dozen, words by the 100,000."""
        self._sorted = self._sorted or sorted(self._holders.keys())
        start = bisect.bisect_left(self._sorted, prefix)
        end = bisect.bisect_right(self._sorted, prefix, key=lambda word: word[: len(prefix)])
        return self._sorted[start:end]
