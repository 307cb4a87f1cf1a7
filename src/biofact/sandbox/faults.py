"""Faults and latency on request: what can go wrong between a service and us, and how each goes onto the wire."""

import dataclasses
import functools
import itertools
import json
import random
import re
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from biofact.sandbox.server import Outgoing


@dataclass(frozen=True, slots=True)
class Latency:
    """Waits that the sandbox adds to every answer."""

    seconds: Mapping[str, float] = field(default_factory=dict)
    """By the last part of a path, such as ``esearch.fcgi``, ``""`` for all others; spent once a request is counted."""
    jitter_seconds: tuple[float, float] = (0.0, 0.0)
    """The least and the most; spent before, so that evenly sent requests arrive unevenly, as through a network."""
    uniform: Callable[[float, float], float] = random.uniform

    def on_the_way_in(self) -> float:
        """Seconds until a request arrives."""
        return self.uniform(*self.jitter_seconds)

    def of(self, path: str) -> float:
        """Seconds that the service takes for ``path``."""
        return self.seconds.get(path.rsplit("/", 1)[-1], self.seconds.get("", 0.0))


EVERYDAY = Latency({"esearch.fcgi": 0.100, "esummary.fcgi": 0.150, "efetch.fcgi": 0.300}, (0.010, 0.040))
"""NCBI's latency on an ordinary day; benchmarks run with it."""


Kind = Literal[
    "status",  # another status, with ``headers`` and ``body``
    "body",  # another body under 200
    "html",  # a page under 200, as proxies send
    "delay",  # the answer, ``seconds`` later
    "slow_body",  # the answer, ``size`` bytes every ``seconds``
    "truncate",  # ``at`` bytes of the body, ended as if that were all
    "short",  # ``at`` bytes of the body that Content-Length says is longer
    "reset",  # connection reset after ``at`` bytes of the body; before any answer when ``at`` is 0
    "close",  # connection closed without an answer
    "oversize",  # ``size`` bytes of padding after ``at`` bytes of the body
    "bomb",  # the same, packed with gzip to a thousandth
    "entities",  # XML whose entities multiply
    "external_entity",  # XML that refers to a document elsewhere; requests of ``LEAK_PATH`` show whether it was fetched
]

LEAK_PATH = "/sandbox/leak"

_REPLACEMENT_KINDS = {"status", "body", "html", "close"}
_PIECE = b"A" * (1 << 20)
_HTML = b"<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>\n"
_ROOT = re.compile(rb"<([A-Za-z][\w.-]*)[^>]*>")


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault, and the requests that it applies to."""

    kind: Kind
    service: str = ""
    """Name of a service; empty for all."""
    path: str = ""
    """A part of the path, such as ``efetch``; empty for all."""
    times: int | None = 1
    """Number of requests that it affects; None for all."""
    after: int = 0
    """Number of requests that pass before it takes effect."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    content_type: str = ""
    """Content type of ``body``; by default JSON, XML, HTML or text, by the first bytes of ``body``."""
    seconds: float = 0.0
    at: int = 0
    size: int = 0

    @property
    def is_replacing(self) -> bool:
        """Whether the real answer is not needed."""
        return self.kind in _REPLACEMENT_KINDS

    @classmethod
    def from_json(cls, values: object) -> "Fault":
        """The fault that an object describes; ``body`` is text in it.

        Raises:
            ValueError: it describes none.
        """
        if not isinstance(values, dict) or values.get("kind") not in get_args(Kind):
            raise ValueError(f"A fault needs a kind: {', '.join(get_args(Kind))}.")
        names = {field.name for field in dataclasses.fields(cls)}
        if unknown := sorted(values.keys() - names):
            raise ValueError(f"A fault has no {', '.join(unknown)}; it has {', '.join(sorted(names))}.")
        return cls(**{**values, "body": str(values.get("body", "")).encode()})

    def to_json(self) -> dict[str, Any]:
        """The object that ``from_json`` reads."""
        return {**dataclasses.asdict(self), "body": self.body.decode(errors="replace")}


class Faults:
    """The faults set, in order; each request meets the first that applies to it."""

    def __init__(self) -> None:
        self._set: list[_ArmedFault] = []

    def set(self, *faults: Fault) -> None:
        """Add faults behind those that are set."""
        self._set += [_ArmedFault(fault, fault.after, fault.times) for fault in faults]

    def clear(self) -> None:
        """Remove all."""
        self._set.clear()

    def all(self) -> list[Fault]:
        """The faults that can still take effect."""
        return [setting.fault for setting in self._set if setting.remaining != 0]

    def take(self, service: str, path: str) -> Fault | None:
        """The fault that affects this request; its remaining count drops by one."""
        for setting in self._set:
            if setting.fault.service in {"", service} and setting.fault.path in path and setting.strikes():
                return setting.fault
        return None


@dataclass(slots=True)
class _ArmedFault:
    fault: Fault
    skips_remaining: int
    remaining: int | None

    def strikes(self) -> bool:
        if self.remaining == 0:
            return False
        if self.skips_remaining > 0:
            self.skips_remaining -= 1
            return False
        if self.remaining is not None:
            self.remaining -= 1
        return True


def apply_fault(  # noqa: C901, PLR0911  # a case for each kind
    outgoing: Outgoing, fault: Fault, *, url: str
) -> Outgoing:
    """``outgoing`` as ``fault`` leaves it; ``url`` is the sandbox's own address.

    ``delay`` leaves it as it is: the waiting is the sandbox's.
    """
    replace = functools.partial(dataclasses.replace, outgoing)
    match fault.kind:
        case "status" | "body" | "html":
            body = fault.body or (_HTML if fault.kind == "html" else b"")
            headers, kind = {**outgoing.headers, **fault.headers}, fault.content_type or _content_type(body)
            return replace(status=fault.status, body=body, content_type=kind, headers=headers)
        case "delay":
            return outgoing
        case "slow_body":
            return replace(is_zipped=False, drip_bytes=fault.size or 1, drip_seconds=fault.seconds)
        case "truncate":
            return replace(body=b"".join(_first(outgoing.body, fault.at)))
        case "short":
            whole = b"".join(_pieces(outgoing.body))
            return replace(body=whole[: fault.at], promised_bytes=len(whole), ending="cut")
        case "reset":
            return replace(body=_first(outgoing.body, fault.at), is_silent=not fault.at, ending="reset")
        case "close":
            return replace(is_silent=True, ending="cut")
        case "oversize":
            return replace(body=_padded(outgoing.body, fault), is_zipped=False)
        case "bomb":
            headers = {**outgoing.headers, "Content-Encoding": "gzip"}
            return replace(body=_packed(_padded(outgoing.body, fault)), headers=headers, is_zipped=False)
        case "entities":
            levels = (b'<!ENTITY a%d "%s">' % (level, b"&a%d;" % (level - 1) * 10) for level in range(1, 10))
            return _with_entity(outgoing, b'<!ENTITY a0 "aaaaaaaaaa">' + b"".join(levels), b"&a9;")
        case "external_entity":
            return _with_entity(outgoing, f'<!ENTITY leak SYSTEM "{url}{LEAK_PATH}">'.encode(), b"&leak;")


def _content_type(body: bytes) -> str:
    head = body.lstrip()[:200].lower()
    if head.startswith((b"{", b"[")):
        return "application/json"
    if head.startswith((b"<!doctype html", b"<html")):
        return "text/html; charset=UTF-8"
    return "text/xml; charset=UTF-8" if head.startswith(b"<") else "text/plain; charset=UTF-8"


def _pieces(body: bytes | Iterable[bytes]) -> Iterable[bytes]:
    return [body] if isinstance(body, bytes) else body


def _first(body: bytes | Iterable[bytes], max_bytes: int) -> Iterator[bytes]:
    for piece in _pieces(body):
        yield piece[:max_bytes]
        max_bytes -= len(piece)
        if max_bytes <= 0:
            return


def _padded(body: bytes | Iterable[bytes], fault: Fault) -> Iterator[bytes]:
    pieces = iter(_pieces(body))
    head = b""
    while len(head) < fault.at and (piece := next(pieces, b"")):
        head += piece
    yield head[: fault.at]
    whole, rest = divmod(fault.size, len(_PIECE))
    yield from itertools.repeat(_PIECE, whole)
    yield _PIECE[:rest]
    yield head[fault.at :]
    yield from pieces


def _packed(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The pieces in one gzip member; the padding is packed only once."""
    padding = _deflated(_PIECE)
    check, length = 0, 0
    yield b"\x1f\x8b\x08\0\0\0\0\0\0\xff"  # gzip's header: deflate, no name, no time, unknown system
    for piece in pieces:
        yield padding if piece is _PIECE else _deflated(piece)
        check, length = zlib.crc32(piece, check), length + len(piece)
    yield zlib.compressobj(wbits=-zlib.MAX_WBITS).flush() + struct.pack("<LL", check, length & 0xFFFFFFFF)


def _deflated(piece: bytes) -> bytes:
    """A piece packed by itself, so that it can stand anywhere in a member."""
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    return packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)  # ends on a byte, and refers to nothing before it


def _with_entity(outgoing: Outgoing, declarations: bytes, reference: bytes) -> Outgoing:
    """The answer with a DTD of its own, and the entity as the first text in it."""
    body = b"".join(_pieces(outgoing.body))
    root = _ROOT.search(body)
    start, name = (root[0], root[1]) if root else (b"<answer>", b"answer")
    rest = body[root.end() :] if root else b"</answer>"
    prolog = b'<?xml version="1.0"?>\n<!DOCTYPE %s [%s]>\n' % (name, declarations)  # a document has one DOCTYPE only
    body_with_entity = prolog + start + reference + rest
    return dataclasses.replace(outgoing, body=body_with_entity, content_type="text/xml; charset=UTF-8")


def read_faults(body: bytes) -> list[Fault]:
    """The faults of a JSON body: one object, or a list of them.

    Raises:
        ValueError: it is not JSON, or describes no fault.
    """
    document = json.loads(body)
    return [Fault.from_json(values) for values in (document if isinstance(document, list) else [document])]
