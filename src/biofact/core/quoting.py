"""What a caller gave, as a sentence quotes it: short, whatever it is."""

_MOST = 80
_LONGEST_NUMBER_BITS = 256


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
