"""Services that misbehave: the sandbox's own stand-ins with changed requests or replies."""

import dataclasses
import re
from collections.abc import Callable

from biofact.core import identifiers
from biofact.sandbox import services
from biofact.sandbox.standin import Reply, ServiceRequest, StandIn

Change = Callable[[ServiceRequest], ServiceRequest]
Damage = Callable[[Reply], Reply]


class _Changed:
    """A stand-in that gets a changed request, and whose reply is changed."""

    def __init__(self, honest: StandIn, change: Change, damage: Damage) -> None:
        self.service = honest.service
        self._honest = honest
        self._change = change
        self._damage = damage

    def reply(self, request: ServiceRequest) -> Reply | None:
        reply = self._honest.reply(self._change(request))
        return None if reply is None else self._damage(reply)


def changed(
    change: Change = lambda request: request, damage: Damage = lambda reply: reply, *, only: str = ""
) -> list[StandIn]:
    """All stand-ins, for ``Sandbox(stand_ins=…)``: ``change`` is applied to each request, ``damage`` to each reply; to
    those of the service ``only``, if it is given.
    """
    return [
        _Changed(honest, change, damage) if only in {"", honest.service.name} else honest
        for honest in services.stand_ins()
    ]


def replacement_of(pattern: str, replacement: str) -> Change:
    """Every request with ``pattern`` replaced in all its parts."""

    def change(request: ServiceRequest) -> ServiceRequest:
        return dataclasses.replace(
            request,
            path=re.sub(pattern, replacement, request.path),
            params=tuple((name, re.sub(pattern, replacement, value)) for name, value in request.params),
            body=re.sub(pattern.encode(), replacement.encode(), request.body),
        )

    return change


def native(text: str) -> str:
    """An ID in the service's spelling: ``CHEMBL25`` for ``CHEMBL:25``, ``672`` for ``NCBIGene:672``."""
    for kind in identifiers.declared_kinds():
        if re.fullmatch(kind.pattern, text, re.ASCII) and kind.local(text) != text:
            return kind.local(text)
    return text


def whole(text: str) -> str:
    """A pattern that matches an ID in the service's spelling as a whole."""
    return rf"(?<![\w.]){re.escape(native(text))}(?!\w)"


def body_of(reply: Reply) -> bytes:
    """The whole body of a reply."""
    return reply.body if isinstance(reply.body, bytes) else b"".join(reply.body)
