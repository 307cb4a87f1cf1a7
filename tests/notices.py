"""The notices of a result, for assertions."""

from typing import Any


def codes(result: Any) -> list[str]:
    """The codes of the notices, in their order."""
    return [notice.code for notice in result.notices]


def messages(result: Any, code: str) -> list[str]:
    """The messages of the notices with this code."""
    return [notice.message for notice in result.notices if notice.code == code]


def message(result: Any, code: str) -> str:
    """The message of the only notice with this code."""
    [text] = messages(result, code)
    return text
