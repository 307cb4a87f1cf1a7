"""The value that the likeliest candidates agree on."""

from collections.abc import Mapping, Sequence

MOST_COMPARED = 40
PRICE_OF_A_WORD = 0.01
"""A longer phrase must be surer by so much for each word."""


def best_phrase(likely: Mapping[str, float]) -> tuple[str, float]:
    """The phrase that holds the most of what is likely, and how likely it holds the right one.

    Phrases that overlap share one answer: ``aspirin``, ``low-dose aspirin`` and ``low-dose aspirin daily``.
    """
    items = sorted(likely.items(), key=lambda item: -item[1])[:MOST_COMPARED]
    begun = [(f" {value}", share) for value, share in items]  # a word must begin alike: men is not in women
    best, worth, sure = "", -1.0, 0.0
    for value, _ in begun:
        held = sum(share for other, share in begun if other in value)
        price = PRICE_OF_A_WORD * value.count(" ")
        if held - price > worth:
            best, worth, sure = value[1:], held - price, held
    return best, sure


def share_by_value(values: Sequence[str], shares: Sequence[float]) -> dict[str, float]:
    """The probability of each value, summed over all its occurrences."""
    likely: dict[str, float] = {}
    for value, share in zip(values, shares, strict=True):
        likely[value] = likely.get(value, 0.0) + share
    return likely


def likeliest(likely: Mapping[str, float]) -> str:
    """The first of the values that are the likeliest."""
    return max(likely, key=lambda value: likely[value])


def share_in_agreement(likely: Mapping[str, float], value: str) -> float:
    """How likely the right phrase is one that holds this value, or is held by it."""
    return sum(share for other, share in likely.items() if other in value or value in other)
