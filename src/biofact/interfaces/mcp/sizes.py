"""Answers as long as a host reads them: what has no cursor ends with a notice that says what to ask for. Pure.

Lists with a cursor come cut already, and batches short (decision 0082).
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from biofact.interfaces.result_json import Body, text

_ADVICE = {
    "max_results": "ask for fewer with a smaller `max_results`",
    "limit": "ask for fewer with a smaller `limit`",
    "slim": "ask for short rows with `slim`",
    "include": "ask for less with `include`",
    "fields": "ask for less with `fields`",
}
"""What makes an answer shorter, by the arguments that a tool may have."""
_NOTICE = 400
"""Characters of one notice, at most."""


@dataclass(frozen=True, slots=True)
class _List:
    """A list somewhere in an answer."""

    name: str
    items: list[Any]
    count: int
    """Of its items before any was taken away."""
    characters: int


def readable(body: Body, most: float, arguments: Collection[str]) -> Body:
    """The answer with its longest lists cut until it has at most so many characters; ``arguments`` are the tool's.

    The rows of a page or batch stay, whatever their number: each belongs to its place.
    """
    shorter: Body = _copied(body)
    cut: dict[int, _List] = {}
    while (over := len(text(shorter)) + _NOTICE * (1 + len({one.name for one in cut.values()})) - most) > 0:
        lists = [one for one in _lists(shorter) if id(one.items) not in cut]
        if not lists:
            break
        longest = max(lists, key=lambda one: one.characters)
        cut[id(longest.items)] = longest
        _shorten(longest, over)
    if notices := _notices(list(cut.values()), _advice(body, arguments), most):
        shorter["notices"] = [*body.get("notices", ()), *notices]
    return shorter


def _notices(cut: Sequence[_List], advice: str, most: float) -> list[Body]:
    """One for each name of lists that were cut."""
    by_name: dict[str, list[_List]] = {}
    for one in cut:
        if len(one.items) < one.count:
            by_name.setdefault(one.name, []).append(one)
    return [
        {"code": "LIST_CUT", "message": f"`{name}` {_shown(lists)}: more would be over {most:,} characters.{advice}"}
        for name, lists in by_name.items()
    ]


def _shown(lists: Sequence[_List]) -> str:
    if len(lists) > 1:
        return f"is cut in {len(lists)} rows"
    return f"shows {len(lists[0].items)} of {lists[0].count}"


def _advice(body: Body, arguments: Collection[str]) -> str:
    """How to have what is cut."""
    ways = [words for name, words in _ADVICE.items() if name in arguments]
    if "collection" in body:
        ways.insert(0, "give its `collection` to the next step, which has all of them")
    return f" To have the others, {', or '.join(ways)}." if ways else ""


def _shorten(one: _List, over: float) -> None:
    """Take items from its end until ``over`` characters are gone; one item stays."""
    while over > 0 and len(one.items) > 1:
        over -= len(text(one.items.pop())) + 1


def _lists(value: object, name: str = "", *, is_top: bool = True) -> Iterator[_List]:
    """The lists that may be cut, at any depth."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key == "notices":
                continue
            is_page = is_top and key == "items" and "pagination" in value
            if isinstance(part, list) and part and not is_page:
                yield _List(key, part, len(part), len(text(part)))
            yield from _lists(part, key, is_top=False)
    elif isinstance(value, list):
        for part in value:
            yield from _lists(part, name, is_top=False)


def _copied(value: Any) -> Any:
    """A copy whose lists and objects are its own."""
    if isinstance(value, dict):
        return {name: _copied(part) for name, part in value.items()}
    return [_copied(part) for part in value] if isinstance(value, list) else value
