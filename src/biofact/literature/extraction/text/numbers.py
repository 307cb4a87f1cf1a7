"""Numbers as articles write them: 1,234 · 12 345 · 0·05 · .044 · 2e-8 · one hundred and forty."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import compress, count
from typing import NamedTuple

from biofact.literature.extraction.text.document import Sentence, Token, word_of

_DASH = r"[-\u2010\u2011\u2012\u2013\u2212]"
_BLANK = r"[ \u00a0\u2009\u202f]"
_DIGITS = re.compile(
    rf"(?i)(?<![^\W\d])(?<![^\W\d]-)(?<!\d)(?<!\d[.,\u00b7])(?P<sign>{_DASH})?"
    rf"(?P<digits>\d+(?:[.,\u00b7]\d+)*(?:{_BLANK}\d{{3}}(?!\d))*|[.\u00b7]\d+)"
    rf"(?P<power>\s?[\u00d7x*]\s?10\s?\^?\s?(?P<times>{_DASH}?\d+|[\u207b\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+)"
    rf"|[eE](?P<exponent>{_DASH}?\d+))?"
    rf"(?P<percent>\s?(?:%|per\s?cent\b))?(?:\s?(?P<scale>hundred|thousand|million|billion)\b)?"
)
"""As in: -1.5 x 10-8."""
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
"""As in: 1,234.5."""
_WORD = re.compile(r"[^\W\d_]+")
"""As in: seven or eight."""
_BELOW_TWENTY = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
)
_DECADES = "twenty thirty forty fifty sixty seventy eighty ninety"
UNITS = {word: value for value, word in enumerate(_BELOW_TWENTY.split())}
TENS = {word: 10 * value for value, word in enumerate(_DECADES.split(), start=2)}
NUMBER_WORD = "|".join(sorted((*UNITS, *TENS), key=len, reverse=True))
"""A pattern for one number word, longer ones first."""
_WRITTEN_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_IN_RUNS = UNITS.keys() | TENS.keys() | _WRITTEN_SCALES.keys() | {"and"}
_LONGEST_QUANTITY = 20  # digits; longer ones are no quantities
_LARGEST_POWER = 300  # of ten that a float holds
GROUP = 3  # digits between separators, as in 12 345


class WrittenNumber(NamedTuple):
    """A number in a text."""

    start: int
    end: int
    readings: frozenset[float]
    """The values that it can mean: ``0,52`` is a decimal or a list of two, ``45%`` is 45 or 0.45."""


def written_numbers(text: str) -> list[WrittenNumber]:
    """The numbers of a text, in digits and in words."""
    return sorted([*_in_digits(text), *_in_words(text)])


def _in_digits(text: str) -> Iterator[WrittenNumber]:
    for match in _DIGITS.finditer(text):
        if match.end("digits") - match.start("digits") > _LONGEST_QUANTITY:
            continue
        start, readings = match.start("digits"), _plain(match["digits"])
        if match["power"]:
            power = _whole(match["times"] or match["exponent"])
            readings = {value * 10.0**power for value in readings} if abs(power) < _LARGEST_POWER else set()
        if match["scale"]:
            readings = {value * _WRITTEN_SCALES[match["scale"].lower()] for value in readings}
        if match["percent"]:
            readings |= {value / 100 for value in readings}
        if match["sign"]:
            before = text[: match.start("sign")]
            is_range = bool(re.search(r"[\w)\]%]\s?$", before))
            minus = {-value for value in readings}
            # glued to a word or number the dash is a hyphen; after a blank it may be a minus or a range
            if not before[-1:].isalnum() and before[-1:] not in {")", "]", "%"}:
                start, readings = match.start("sign"), minus | (readings if is_range else set())
        yield WrittenNumber(start, match.end(), frozenset(readings))


def _plain(digits: str) -> set[float]:
    """The values that digits with separators can mean."""
    if _THOUSANDS.fullmatch(digits):
        return {float(digits.replace(",", ""))}
    groups = re.split(_BLANK, digits)
    if len(groups) > 1:
        joined_digits = "".join(groups)
        is_one = len(groups[0]) <= GROUP and groups[0].isdigit()
        parts = {value for group in groups for value in _plain(group)}
        return parts | ({float(joined_digits)} if is_one else set())
    pieces = re.split(r"[.,\u00b7]", digits)
    has_one_separator = len(pieces) - 1 == 1
    if has_one_separator and pieces[1]:
        list_readings = {float(piece) for piece in pieces} if "," in digits else set()
        return {float(f"{pieces[0] or 0}.{pieces[1]}")} | list_readings
    return {float(piece) for piece in digits.split(",") if piece.isdigit()}


def _whole(text: str) -> int:
    plain = unicodedata.normalize("NFKD", text)
    sign = -1 if re.match(_DASH, plain) else 1
    return sign * int(re.sub(r"\D", "", plain) or 0)


def _in_words(text: str) -> Iterator[WrittenNumber]:
    """Runs of number words: one hundred and forty-two."""
    run: list[re.Match[str]] = []
    for match in _WORD.finditer(text):
        word = match[0].lower()
        gap = text[run[-1].end() : match.start()] if run else ""
        if run and (not re.fullmatch(r"\s|-|\u2010|\u2011", gap) or word not in _IN_RUNS):
            yield from _run(run)
            run = []
        if run or word in UNITS or word in TENS:
            run.append(match)
    yield from _run(run)


def _run(run: list[re.Match[str]]) -> Iterator[WrittenNumber]:
    """The numbers that a run of words makes: ``ten twelve`` are two."""
    start, end, total, current, last = 0, 0, 0, 0, 0
    for match in run:
        word = match[0].lower()
        if word == "and":
            continue
        small = UNITS.get(word, TENS.get(word))
        goes_on = last >= _WRITTEN_SCALES["hundred"] or (last in TENS.values() and 0 < (small or 0) < UNITS["ten"])
        if small is not None and last and not goes_on:
            yield WrittenNumber(start, end, frozenset({float(total + current)}))
            total, current, last = 0, 0, 0
        start, end = (start if last or total or current else match.start()), match.end()
        if small is not None:
            current, last = current + small, small
        elif word == "hundred":
            current, last = current * 100, 100
        else:
            total, current, last = total + current * _WRITTEN_SCALES[word], 0, _WRITTEN_SCALES[word]
    if run:
        yield WrittenNumber(start, end, frozenset({float(total + current)}))


NUMBER_WORDS = UNITS.keys() | TENS.keys()
SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
TEN, HUNDRED = 10, 100
MOST_WORDS = 50_000
"""Words that are remembered."""
LONGEST_COUNT = 9
"""Digits of a count."""
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


def whole_number(tokens: Sequence[Token], index: int) -> tuple[int, int] | None:
    """A count that begins with token ``at``, and the index after it; none for decimals and percentages."""
    word = tokens[index].word
    if not _can_begin[word]:
        return None
    return digit_number(tokens, index) if word[0].isdigit() else spelled_number(tokens, index)


def number_places(sentence: Sentence) -> list[int]:
    """The indices of tokens with which a number can begin; most sentences have few."""
    return _places(sentence.tokens)


def all_number_places(sentence: Sentence) -> list[int]:
    """Likewise of all tokens, those within brackets included."""
    if sentence.tokens is sentence.all_tokens:
        return sentence.cached(number_places)
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


def digit_number(tokens: Sequence[Token], index: int) -> tuple[int, int] | None:
    """822, 1,234, 12 345 with a space, and 1.5 million."""
    word = tokens[index].word
    scale = SCALES.get(tokens[index + 1].word) if index + 1 < len(tokens) else None
    if scale and SHORT.fullmatch(word):
        return round(float(word) * scale), index + 2
    if "," in word and GROUPED.fullmatch(word):
        return int(word.replace(",", "")), index + 1
    if not word.isascii() or not word.isdigit() or len(word) > LONGEST_COUNT:
        return None
    value, after = int(word), index + 1
    while value and len(word) <= GROUP and after < len(tokens) and is_group(tokens, after):
        value, after = value * 1000 + int(tokens[after].word), after + 1
    return value, after


def is_group(tokens: Sequence[Token], index: int) -> bool:
    """Whether the token is three more digits of the number before it."""
    word = tokens[index].word
    return len(word) == GROUP and word.isascii() and word.isdigit() and tokens[index].start - tokens[index - 1].end == 1


def spelled_number(tokens: Sequence[Token], index: int) -> tuple[int, int] | None:
    """Forty-two; one hundred and forty; two thousand three hundred."""
    total, current, after, is_open = 0, 0, index, False
    while after < len(tokens):
        word = tokens[after].word
        following = tokens[after + 1].word if after + 1 < len(tokens) else ""
        first, _, times = word.partition("-")
        if after == index and times in SCALES and first in UNITS:  # one-hundred and twenty
            current, after = UNITS[first] * SCALES[times], after + 1
            continue
        value = below_hundred(word)
        if value is not None and can_add(current, value):
            current, is_open = current + value, False
        elif word in SCALES and current and not is_open:
            scale = SCALES[word]
            total, current = (total, current * scale) if scale == HUNDRED else (total + current * scale, 0)
        elif word == "and" and (total or current >= HUNDRED) and below_hundred(following) is not None:
            is_open = True
        else:
            break
        after += 1
    return (total + current, after) if total + current else None


def can_add(current: int, value: int) -> bool:
    """Whether a value can follow in a spelled number: forty after hundred, two after forty."""
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
