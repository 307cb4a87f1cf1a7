"""The value that the likeliest candidates agree on."""

from collections.abc import Mapping, Sequence


def share_by_value(values: Sequence[str], shares: Sequence[float]) -> dict[str, float]:
    """The probability of each value, summed over all its occurrences."""
    likely: dict[str, float] = {}
    for value, share in zip(values, shares, strict=True):
        likely[value] = likely.get(value, 0.0) + share
    return likely


def likeliest(likely: Mapping[str, float]) -> str:
    """The first of the values that are the likeliest."""
    return max(likely, key=lambda value: likely[value])
