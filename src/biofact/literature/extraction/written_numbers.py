"""Numbers as articles write them, each with its place and the ways to read it. Pure."""

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

_DASH = r"[-\u2010\u2011\u2012\u2013\u2212]"
_BLANK = r"[ \u00a0\u2009\u202f]"
_DIGITS = re.compile(
    rf"(?i)(?<![^\W\d])(?<![^\W\d]-)(?<!\d)(?<!\d[.,\u00b7])(?P<sign>{_DASH})?"
    rf"(?P<digits>\d+(?:[.,\u00b7]\d+)*(?:{_BLANK}\d{{3}}(?!\d))*|[.\u00b7]\d+)"
    rf"(?P<power>\s?[\u00d7x*]\s?10\s?\^?\s?(?P<times>{_DASH}?\d+|[\u207b\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+)"
    rf"|[eE](?P<exponent>{_DASH}?\d+))?"
    rf"(?P<percent>\s?(?:%|per\s?cent\b))?(?:\s?(?P<scale>hundred|thousand|million|billion)\b)?"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_WORD = re.compile(r"[^\W\d_]+")
_BELOW_TWENTY = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
)
_DECADES = "twenty thirty forty fifty sixty seventy eighty ninety"
UNITS = {word: value for value, word in enumerate(_BELOW_TWENTY.split())}
TENS = {word: 10 * value for value, word in enumerate(_DECADES.split(), start=2)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_IN_RUNS = UNITS.keys() | TENS.keys() | _SCALES.keys() | {"and"}
_LONGEST = 20  # digits; longer ones are no quantities
_LARGEST_POWER = 300  # of ten that a float holds
_GROUP = 3  # digits between separators, as in 12 345


class WrittenNumber(NamedTuple):
    """A number in a text."""

    start: int
    end: int
    readings: frozenset[float]
    """What it can mean: ``0,52`` is a decimal or a list of two, ``45%`` is 45 or 0.45."""


def written_numbers(text: str) -> list[WrittenNumber]:
    """The numbers of a text, in digits and in words."""
    return sorted([*_in_digits(text), *_in_words(text)])


def _in_digits(text: str) -> Iterator[WrittenNumber]:
    for match in _DIGITS.finditer(text):
        if match.end("digits") - match.start("digits") > _LONGEST:
            continue
        start, readings = match.start("digits"), _plain(match["digits"])
        if match["power"]:
            power = _whole(match["times"] or match["exponent"])
            readings = {value * 10.0**power for value in readings} if abs(power) < _LARGEST_POWER else set()
        if match["scale"]:
            readings = {value * _SCALES[match["scale"].lower()] for value in readings}
        if match["percent"]:
            readings |= {value / 100 for value in readings}
        if match["sign"]:
            before = text[: match.start("sign")]
            is_range = bool(re.search(r"[\w)\]%]\s?$", before))
            minus = {-value for value in readings}
            if not before[-1:].isalnum() and before[-1:] not in {")", "]", "%"}:
                start, readings = match.start("sign"), minus | (readings if is_range else set())
        yield WrittenNumber(start, match.end(), frozenset(readings))


def _plain(digits: str) -> set[float]:
    """What digits with separators can mean."""
    if _THOUSANDS.fullmatch(digits):
        return {float(digits.replace(",", ""))}
    groups = re.split(_BLANK, digits)
    if len(groups) > 1:
        joined = "".join(groups)
        is_one = len(groups[0]) <= _GROUP and groups[0].isdigit()
        parts = {value for group in groups for value in _plain(group)}
        return parts | ({float(joined)} if is_one else set())
    pieces = re.split(r"[.,\u00b7]", digits)
    has_one_separator = len(pieces) - 1 == 1
    if has_one_separator and pieces[1]:
        listed = {float(piece) for piece in pieces} if "," in digits else set()
        return {float(f"{pieces[0] or 0}.{pieces[1]}")} | listed
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
        goes_on = last >= _SCALES["hundred"] or (last in TENS.values() and 0 < (small or 0) < UNITS["ten"])
        if small is not None and last and not goes_on:
            yield WrittenNumber(start, end, frozenset({float(total + current)}))
            total, current, last = 0, 0, 0
        start, end = (start if last or total or current else match.start()), match.end()
        if small is not None:
            current, last = current + small, small
        elif word == "hundred":
            current, last = current * 100, 100
        else:
            total, current, last = total + current * _SCALES[word], 0, _SCALES[word]
    if run:
        yield WrittenNumber(start, end, frozenset({float(total + current)}))
