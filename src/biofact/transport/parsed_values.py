"""Values parsed from cached answers, for as long as these are in memory: nobody can change what another gets."""

import pickle
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import fields, is_dataclass
from functools import partial
from types import BuiltinFunctionType, FunctionType
from typing import Any, Generic, Protocol, TypeVar, cast

T = TypeVar("T")

_MOST_READINGS = 8  # of one answer: a caller whose readings have no lasting name must not pile them up
_ATOMS = (str, bytes, int, float, bool, type(None))


class ParsedValues:
    """The values parsed from one body, by the function that parsed them."""

    __slots__ = ("_values", "checksum")

    def __init__(self) -> None:
        self.checksum: int | None = None
        """Of the body as it is stored, once it is."""
        self._values: dict[Hashable, Callable[[], Any]] = {}

    def value(self, read: Callable[[bytes], T], body: bytes) -> T:
        """What ``read``, which is pure, makes of the body: read once, if it can be told apart from other readings."""
        name = _name(read)
        if name is None:
            return read(body)
        copy = self._values.get(name)
        if copy is not None:
            return cast("T", copy())
        value = read(body)
        copy = _copier(value)
        if copy is not None and len(self._values) < _MOST_READINGS:
            self._values[name] = copy
        return value

    def clear(self) -> None:
        """Forget what was read."""
        self._values.clear()


class Readable(Protocol):
    """A kept answer."""

    @property
    def body(self) -> bytes | None:
        """The bytes of a record, if there is one."""

    @property
    def readings(self) -> ParsedValues:
        """What was read from it."""


E = TypeVar("E", bound=Readable)


class RecentEntries(Generic[E]):
    """Cached answers with the values parsed from them; the least recently used leaves first."""

    def __init__(self, most: int, most_bytes: int) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._bytes = 0
        self._entries: OrderedDict[bytes, E] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: bytes) -> E | None:
        """The answer under a key."""
        entry = self._entries.get(key)
        if entry is not None:
            self._entries.move_to_end(key)
        return entry

    def add(self, key: bytes, entry: E) -> None:
        """Hold an answer, in place of another under its key."""
        self.drop(key)
        size = _size(entry)
        if size > self._most_bytes:
            return
        self._entries[key] = entry
        self._bytes += size
        while len(self._entries) > self._most or self._bytes > self._most_bytes:
            self.drop(next(iter(self._entries)))

    def drop(self, key: bytes) -> None:
        """Forget what was read from the answer under a key."""
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._bytes -= _size(entry)
            entry.readings.clear()

    def clear(self) -> None:
        """Forget what was read from all of them."""
        for key in list(self._entries):
            self.drop(key)


def _size(entry: Readable) -> int:
    return len(entry.body or b"")


def _name(read: object) -> Hashable | None:
    """What tells a reading from others of the same body; None for one that hangs on more than its arguments."""
    if isinstance(read, partial):
        parts = (read.func, *read.args, *read.keywords.values())
        names = tuple(_name(part) if callable(part) else _argument(part) for part in parts)
        return None if None in names else (*names, *read.keywords)
    is_plain = isinstance(read, type | BuiltinFunctionType) or (isinstance(read, FunctionType) and not read.__closure__)
    return read if is_plain else None


def _argument(value: object) -> Hashable | None:
    """An argument with its type, as 1 equals True; None for one that can change."""
    return (type(value), value) if _is_constant(value) else None


def _copier(value: object) -> Callable[[], Any] | None:
    """What gives each caller the value: itself if nobody can change it, else a copy. None where that is no gain."""
    if _is_constant(value):
        return lambda: value
    if _is_document(value):
        return None
    try:
        pickled = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    except (pickle.PicklingError, TypeError, AttributeError):
        return None
    return partial(pickle.loads, pickled)


def _is_constant(value: object) -> bool:
    """Nothing in it can be changed."""
    if isinstance(value, _ATOMS):
        return True
    if isinstance(value, tuple | frozenset):
        return all(map(_is_constant, value))
    if is_dataclass(value) and not isinstance(value, type):
        is_frozen = type(value).__dataclass_params__.frozen  # type: ignore[attr-defined]  # dataclasses' own mark
        return is_frozen and all(_is_constant(getattr(value, field.name)) for field in fields(value))
    return False


def _is_document(value: object) -> bool:
    """Bare JSON: it is read from its bytes as quickly as it is copied."""
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(item, dict | list) for item in value))
