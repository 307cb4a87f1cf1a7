"""Numbers as articles write them: 1,234 · 12 345 · 0·05 · .044 · 2e-8 · one hundred and forty."""

import re
from collections.abc import Sequence
from itertools import compress, count

from biofact.literature.extraction.rules.text import Sentence, Token, word_of
from biofact.literature.extraction.written_numbers import TENS, UNITS

NUMBER_WORDS = UNITS.keys() | TENS.keys()
SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
TEN, HUNDRED = 10, 100
MOST_WORDS = 50_000
"""Words that are remembered."""
LONGEST = 9
"""Digits of a count."""
GROUP = 3
"""Digits between separators."""
SHORT = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3})?")
"""As in: 1.5."""
GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")
"""As in: 1,234."""
MINUS = "-\u2212\u2013\u2010\u2011\ufe63"  # the dashes that journals print for a minus
DECIMAL = rf"[{MINUS}+]?\s?(?:\d{{1,3}}(?:,\d{{3}})+|\d{{1,9}})?(?:[.·]\d{{1,12}})?(?<=\d)"
"""A signed number; no exponent."""
POWER = (
    r"(?:\s?(?:[\u00d7x*]|\bx\b)\s?10\s?(?:\^|\(|\[)?\s?(?:[-\u2212\u2013\u2010\u2011\ufe63]\s?)(\d{1,3})[)\]]?"
    r"|[eE]\s?[-\u2212\u2013\u2010\u2011](\d{1,3}))"
)
"""``x 10-8`` and ``e-8``; the exponent is always negative, as it is in p-values."""


def decimal(text: str) -> float:
    """The number that ``DECIMAL`` matched."""
    plain = text.replace(",", "").replace("·", ".").replace(" ", "")
    sign = -1 if plain[:1] in MINUS else 1
    return sign * float(plain.lstrip(MINUS + "+"))


def whole_number(tokens: Sequence[Token], at: int) -> tuple[int, int] | None:
    """A count that begins with token ``at``, and the index after it; none for decimals and percentages."""
    word = tokens[at].word
    if not _can_begin[word]:
        return None
    return digits(tokens, at) if word[0].isdigit() else spelled_out(tokens, at)


def number_places(sentence: Sentence) -> list[int]:
    """The indices of tokens with which a number can begin; most sentences have few."""
    return _places(sentence.tokens)


def all_number_places(sentence: Sentence) -> list[int]:
    """Likewise of all tokens, those within brackets included."""
    if sentence.tokens is sentence.all_tokens:
        return sentence.once(number_places)
    return _places(sentence.all_tokens)


def _places(tokens: Sequence[Token]) -> list[int]:
    return list(compress(count(), map(_can_begin.__getitem__, map(word_of, tokens))))


class _Beginnings(dict[str, bool]):
    """Whether a word is in digits, or one such as seven or forty-two; every word of a text is looked up here."""

    def __missing__(self, word: str) -> bool:
        if len(self) >= MOST_WORDS:
            self.clear()
        self[word] = result = word[0].isdigit() or word.partition("-")[0] in NUMBER_WORDS
        return result


_can_begin = _Beginnings()


def digits(tokens: Sequence[Token], at: int) -> tuple[int, int] | None:
    """822, 1,234, 12 345 with a space, and 1.5 million."""
    word = tokens[at].word
    scale = SCALES.get(tokens[at + 1].word) if at + 1 < len(tokens) else None
    if scale and SHORT.fullmatch(word):
        return round(float(word) * scale), at + 2
    if "," in word and GROUPED.fullmatch(word):
        return int(word.replace(",", "")), at + 1
    if not word.isascii() or not word.isdigit() or len(word) > LONGEST:
        return None
    value, after = int(word), at + 1
    while value and len(word) <= GROUP and after < len(tokens) and is_group(tokens, after):
        value, after = value * 1000 + int(tokens[after].word), after + 1
    return value, after


def is_group(tokens: Sequence[Token], at: int) -> bool:
    """Whether the token is three more digits of the number before it."""
    word = tokens[at].word
    return len(word) == GROUP and word.isascii() and word.isdigit() and tokens[at].start - tokens[at - 1].end == 1


def spelled_out(tokens: Sequence[Token], at: int) -> tuple[int, int] | None:
    """Forty-two; one hundred and forty; two thousand three hundred."""
    total, current, after, is_open = 0, 0, at, False
    while after < len(tokens):
        word = tokens[after].word
        first, _, times = word.partition("-")
        if after == at and times in SCALES and first in UNITS:  # one-hundred and twenty
            current, after = UNITS[first] * SCALES[times], after + 1
            continue
        value = below_hundred(word)
        if value is not None and takes(current, value):
            current, is_open = current + value, False
        elif word in SCALES and current and not is_open:
            scale = SCALES[word]
            total, current = (total, current * scale) if scale == HUNDRED else (total + current * scale, 0)
        elif word == "and" and (total or current >= HUNDRED) and is_number_word(tokens, after + 1):
            is_open = True
        else:
            break
        after += 1
    return (total + current, after) if total + current else None


def takes(current: int, value: int) -> bool:
    """Whether a number spelled out so far goes on with that value: hundred with forty, forty with two."""
    has_tens_only = current % TEN == 0 and current % HUNDRED >= 2 * TEN
    return current % HUNDRED == 0 or (has_tens_only and value < TEN)


def below_hundred(word: str) -> int | None:
    """The value of one word such as seven, ninety or forty-two."""
    first, _, second = word.partition("-")
    if not second:
        return UNITS.get(first, TENS.get(first))
    if first in TENS and second in UNITS:
        return TENS[first] + UNITS[second]
    return None


def is_number_word(tokens: Sequence[Token], at: int) -> bool:
    """Whether a number goes on with that token."""
    return at < len(tokens) and below_hundred(tokens[at].word) is not None
