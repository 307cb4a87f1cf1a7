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


def phrase_text(phrase: str) -> str:
    """The words as they stand side by side in a folded text between blanks; a ``*`` at the end stands for more."""
    return f" {folded(phrase)}" + ("" if phrase.endswith("*") else " ")


class Holders:
    """The records that hold a key. Most keys belong to one record, stored without a list: half of the memory."""

    def __init__(self) -> None:
        self._uids_by_key: dict[str, str | list[str]] = {}

    def add(self, uid: str, keys: Iterable[str]) -> None:
        """Note that ``uid`` holds these keys, each given once."""
        uids_by_key = self._uids_by_key
        for key in keys:
            uids = uids_by_key.get(key)
            if uids is None:
                uids_by_key[key] = uid
            elif isinstance(uids, str):
                uids_by_key[key] = [uids, uid]
            else:
                uids.append(uid)

    def uids(self, key: str) -> list[str]:
        """The records that hold the key, in the order in which they were added."""
        uids = self._uids_by_key.get(key, [])
        return [uids] if isinstance(uids, str) else uids

    def keys(self) -> Iterable[str]:
        """Every key that something holds."""
        return self._uids_by_key.keys()


class WordIndex:
    """The records that hold a word."""

    def __init__(self) -> None:
        self._holders = Holders()
        self._sorted: list[str] = []

    def add(self, uid: str, text: str) -> None:
        """Index the words of ``text``."""
        self._holders.add(uid, set(words(text)))
        self._sorted = []

    def holders(self, word: str) -> list[str]:
        """The records that hold the word."""
        return self._holders.uids(word)

    def holders_of_all(self, text: str) -> list[str]:
        """The records that hold every word of a text, sorted by ID; none where it has no word."""
        holders = [set(self.holders(word)) for word in words(text)]
        return sorted(set.intersection(*holders)) if holders else []

    def holders_of_prefix(self, prefix: str) -> list[str]:
        """The records that hold a word with this prefix; a record with several such words appears repeatedly."""
        return [uid for word in self._beginning(prefix) for uid in self.holders(word)]

    def holders_of_pattern(self, prefix: str, pattern: re.Pattern[str]) -> list[str]:
        """The records that hold a word which begins with ``prefix`` and matches; one may appear repeatedly."""
        return [uid for word in self._beginning(prefix) if pattern.fullmatch(word) for uid in self.holders(word)]

    def _beginning(self, prefix: str) -> Sequence[str]:
        """The words with a prefix, by bisection of the sorted list: patterns are few, words 100,000s."""
        self._sorted = self._sorted or sorted(self._holders.keys())
        start = bisect.bisect_left(self._sorted, prefix)
        # Cut, they are all equal to it.
        end = bisect.bisect_right(self._sorted, prefix, key=lambda word: word[: len(prefix)])
        return self._sorted[start:end]
