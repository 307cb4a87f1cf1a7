"""Text as rules read it: one kind of blank, hyphen and decimal point, no ligatures; and the way back from it."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import Self

from biofact.literature.records import Evidence

_BLANKS = "\u00a0\u2000-\u200a\u202f\u205f\u3000"
_UNSEEN = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
"""Soft hyphens and signs of no width."""
_NOISE = re.compile(
    rf"(?:[ \t{_BLANKS}][{_UNSEEN}]*){{2,}}|[{_UNSEEN}]+|[\t{_BLANKS}]|[\u2010\u2011]"
    r"|(?<=[^\W\d_])\u2013(?=[^\W\d_])|[\ufb00-\ufb06]"
    r"|(?<![^\W_])[\u00b7\u2027\u2219\u22c5](?=\d)|(?<=\d)[\u00b7\u2027\u2219\u22c5](?=\d)|[\u226a\u226b\u2a7d\u2a7e\u2266\u2267]"
)
"""As in: P  =  0.04, 0\u00b704, \ufb01brosis."""
_DECIMAL_COMMA = re.compile(r"(?<![\d.,])0,\d+(?![\d,]*,\d)")
"""As in: p = 0,03."""
_NOISE_AND_COMMAS = re.compile(rf"{_NOISE.pattern}|(?<=\d),(?=\d{{1,2}}(?!\d))|(?<![\d.,]0)(?<=0),(?=\d)")
"""The same, for a text with decimal commas. As in: 18,3%"""
_WRITTEN = {
    ",": ".",
    "\u2010": "-", "\u2011": "-", "\u2013": "-", "\u00b7": ".", "\u2027": ".", "\u2219": ".", "\u22c5": ".",
    "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\ufb05": "st", "\ufb06": "st",
    "\u226a": "<", "\u226b": ">", "\u2a7d": "\u2264", "\u2a7e": "\u2265", "\u2266": "\u2264", "\u2267": "\u2265",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class NormalText:
    """A text in normal form. Its stretches are, in turn, as the original has them and written otherwise."""

    text: str
    original: str
    _starts: tuple[int, ...] = (0,)
    """The start of each stretch in the text."""
    _places: tuple[int, ...] = (0,)
    """The start of each stretch in the original."""

    @classmethod
    def of(cls, original: str) -> Self:
        """The normal form of a text."""
        has_commas = "0," in original and _DECIMAL_COMMA.search(original) is not None
        if original.isascii() and "  " not in original and "\t" not in original and not has_commas:
            return cls(original, original)
        pieces, places, end = [], [], 0
        for match in (_NOISE_AND_COMMAS if has_commas else _NOISE).finditer(original):
            pieces += [original[end : match.start()], _written(match[0])]
            places += [end, match.start()]
            end = match.end()
        pieces.append(original[end:])
        starts = accumulate(map(len, pieces[:-1]), initial=0)
        return cls("".join(pieces), original, tuple(starts), (*places, end))

    def located(self, evidence: Evidence) -> Evidence:
        """Evidence from this text as evidence from the original."""
        if self.text is self.original or evidence.start is None or evidence.end is None:
            return evidence
        start, end = self._place(evidence.start), self._place_behind(evidence.end)
        return evidence.model_copy(update={"quote": self.original[start:end], "start": start, "end": end})

    def _place(self, offset: int) -> int:
        stretch = bisect_right(self._starts, offset) - 1
        is_changed = stretch % 2
        return self._places[stretch] + (0 if is_changed else offset - self._starts[stretch])

    def _place_behind(self, offset: int) -> int:
        """The place behind the character that ends at an offset."""
        if offset == 0:
            return 0
        stretch = bisect_right(self._starts, offset - 1) - 1
        if stretch % 2:
            return self._places[stretch + 1]
        return self._places[stretch] + offset - self._starts[stretch]


def _written(noise: str) -> str:
    if noise[0] in _UNSEEN:
        return ""
    return _WRITTEN.get(noise, " ")
