"""What a caller gave, and lists, as a sentence has them: short, whatever they are."""

from collections.abc import Sequence

_MOST = 80
_LONGEST_NUMBER_BITS = 256


def listed(names: Sequence[str], most: int) -> str:
    """The first ``most`` names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def quoted(value: object, most: int = _MOST) -> str:
    """``value`` in at most ``most`` characters or so; of a list or object only that it is one.

    Never fails: Python's own ``repr`` does for numbers of thousands of digits and for what is nested very deeply.
    """
    match value:
        case int() if value.bit_length() > _LONGEST_NUMBER_BITS:
            return "a number of more than 70 digits"
        case None | bool() | int() | float():
            return repr(value)
        case str():
            text = repr(value[: most + 1])
            return text if len(text) <= most else f"{text[:most]}..."
        case dict():
            return "an object" if value else "an empty object"
        case list() | tuple():
            return "a list" if value else "an empty list"
    return f"a {type(value).__name__}"
