"""Services that misbehave: the sandbox's own stand-ins, asked or answering otherwise than they should."""

import dataclasses
import re
from collections.abc import Callable

from biofact.core import identifiers
from biofact.sandbox import services
from biofact.sandbox.standin import Reply, ServiceRequest, StandIn

Change = Callable[[ServiceRequest], ServiceRequest]
Damage = Callable[[Reply], Reply]


class _Changed:
    """A stand-in that hears another question than was asked, and whose replies come out changed."""

    def __init__(self, honest: StandIn, change: Change, damage: Damage) -> None:
        self.service = honest.service
        self._honest = honest
        self._change = change
        self._damage = damage

    def reply(self, request: ServiceRequest) -> Reply | None:
        reply = self._honest.reply(self._change(request))
        return None if reply is None else self._damage(reply)


def changed(change: Change = lambda request: request, damage: Damage = lambda reply: reply) -> list[StandIn]:
    """All stand-ins, for ``Sandbox(stand_ins=…)``: asked what ``change`` makes of a request, damaged afterwards."""
    return [_Changed(honest, change, damage) for honest in services.stand_ins()]


def replacement_of(pattern: str, replacement: str) -> Change:
    """Every request with ``pattern`` replaced, wherever in it that stands."""

    def change(request: ServiceRequest) -> ServiceRequest:
        return dataclasses.replace(
            request,
            path=re.sub(pattern, replacement, request.path),
            params=tuple((name, re.sub(pattern, replacement, value)) for name, value in request.params),
            body=re.sub(pattern.encode(), replacement.encode(), request.body),
        )

    return change


def native(text: str) -> str:
    """An ID as the service spells it: ``CHEMBL25`` where tools write ``CHEMBL:25``, ``672`` for ``NCBIGene:672``."""
    for kind in identifiers.declared_kinds():
        if re.fullmatch(kind.pattern, text, re.ASCII) and kind.local(text) != text:
            return kind.local(text)
    return text


def whole(text: str) -> str:
    """A pattern that an ID as the service spells it matches as a whole."""
    return rf"(?<![\w.]){re.escape(native(text))}(?!\w)"


def body_of(reply: Reply) -> bytes:
    """The whole body of a reply."""
    return reply.body if isinstance(reply.body, bytes) else b"".join(reply.body)
