"""The sandbox: every service that a source stands in for, on loopback, with its limits and with faults on request."""

import asyncio
import json
import os
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from biofact.sandbox import control
from biofact.sandbox.control import Control, LoggedRequest
from biofact.sandbox.faults import Faults, Latency, apply_fault
from biofact.sandbox.recordings import Era, Recordings, Replay, ReplayingStandIn
from biofact.sandbox.server import HOST, Incoming, LoopbackServer, Outgoing, Pipe
from biofact.sandbox.sizes import Sizes, real_size
from biofact.sandbox.standin import Admission, Limit, LimitedStandIn, Reply, ServiceRequest, StandIn
from biofact.transport import background
from biofact.transport.background import wait_for
from biofact.transport.service import Service

_MARK = {"X-Biofact-Sandbox": "1"}  # on every answer, so that it is not mistaken for the real service's
_SKIPPED = "X-Biofact-Sandbox-Ignored"
_SECRETS = {"api_key", "email"}
_FORM = "application/x-www-form-urlencoded"


class Sandbox(LoopbackServer):
    """``async with Sandbox() as sandbox`` serves on a free port; ``sandbox.environment()`` points clients at it.
    A plain ``with`` serves on an event loop in the background, to programs that have none.

    >>> with biofact.Sandbox() as sandbox, biofact.sync.open(sandbox=sandbox) as clients:
    ...     clients.entrez.get_gene("NCBIGene:7157").provenance.origin
    'sandbox'

    Without entering it, it listens on no port and serves the connections passed to ``accept`` until ``aclose``.
    ``recordings`` is a folder of recorded answers, which come before those of the stand-ins; ``era`` chooses among
    them. ``rate_factor`` multiplies the services' rates, ``latency`` makes them take their time. ``is_lenient`` ignores
    parameters that the real services ignore, and names them in the header ``X-Biofact-Sandbox-Ignored``.

    With ``sizes="real"`` records are as large as those of the services: a gene in XML has a megabyte and more. Each
    service sends ``bytes_per_second`` of bodies, packed with gzip where the client accepts it, over all connections
    together, and begins each answer after its ``first_byte_seconds``.

    Raises:
        ValueError: ``first_byte_seconds`` names a service that the sandbox does not serve, or ``bytes_per_second`` is
            not above 0.
    """

    def __init__(  # noqa: PLR0913  # options, by keyword only
        self,
        *,
        port: int = 0,
        recordings: Path | None = None,
        era: Era | None = None,
        rate_factor: float = 1.0,
        latency: Latency | None = None,
        is_lenient: bool = False,
        sizes: Sizes = "starter",
        bytes_per_second: float | None = None,
        first_byte_seconds: Mapping[str, float] | None = None,
        stand_ins: Sequence[StandIn] | None = None,
    ) -> None:
        super().__init__(port=port)
        self.faults = Faults()
        """Faults to come: ``sandbox.faults.set(Fault("status", status=503))``."""
        self.requests: list[LoggedRequest] = []
        """Requests so far, refused ones included."""
        self._stand_ins: dict[Service, list[StandIn]] = defaultdict(list)
        for stand_in in _every_stand_in(recordings) if stand_ins is None else stand_ins:
            self._stand_ins[stand_in.service].append(stand_in)
        self._prefixes = _prefixes(self._stand_ins)
        self._limits = {service: limit_of(group, rate_factor) for service, group in self._stand_ins.items()}
        self._replays = _replays(self._stand_ins, Recordings(recordings, era)) if recordings else {}
        self._latency = latency or Latency()
        self._is_lenient = is_lenient
        self._sizes = sizes
        if bytes_per_second is not None and not bytes_per_second > 0:
            raise ValueError(f"{bytes_per_second} bytes a second are too few.")
        self.pipes = {service.name: Pipe(bytes_per_second) for service in self._stand_ins}
        """The line of each service, and the bytes that it has sent."""
        self._first_byte_seconds = dict(first_byte_seconds or {})
        if unknown := sorted(self._first_byte_seconds.keys() - self.pipes.keys()):
            raise ValueError(f"The sandbox has no {', '.join(unknown)}; it has {', '.join(sorted(self.pipes))}.")
        self._control = Control(self.faults, self.requests, self.pipes)

    def __enter__(self) -> Self:
        background.close_at_exit(self)
        return wait_for(self.__aenter__())

    def __exit__(self, *_: object) -> None:
        background.close(self)

    @property
    def url(self) -> str:
        """The sandbox's own address."""
        return f"http://{HOST}:{self._port}"

    def environment(self) -> dict[str, str]:
        """The settings that point clients at the sandbox, for every service that it serves."""
        return {service.base_url.name: self.url + prefix for prefix, service in self._prefixes.items()}

    async def _respond(self, request: Incoming) -> Outgoing:
        path = unquote(request.target.partition("?")[0])
        # A path may begin another.
        prefix = max((p for p in self._prefixes if path.startswith(f"{p}/")), key=len, default=None)
        if prefix is not None:
            answer = await self._serve(self._prefixes[prefix], _ask(request, path.removeprefix(prefix)), request.caller)
        elif path.startswith(control.PREFIX):
            answer = self._control.respond(request)
        else:
            answer = Outgoing(f"The sandbox serves {', '.join(self._prefixes)}.".encode(), status=404)
        answer.headers |= _MARK
        return answer

    async def _serve(self, service: Service, request: ServiceRequest, caller: str) -> Outgoing:
        await asyncio.sleep(self._latency.on_the_way_in())  # before the limit counts: requests bunch on their way
        arrival_time = asyncio.get_running_loop().time()
        admission = self._limits[service].admit(request, caller, arrival_time)
        if admission.refusal is not None:
            answer = _outgoing(admission.refusal)
        else:
            answer = await self._answer_or_fault(service, request)
        answer.headers = {**admission.headers, **answer.headers}
        answer.pipe = self.pipes[service.name]
        self._note(service, request, answer, arrival_time)
        return answer

    async def _answer_or_fault(self, service: Service, request: ServiceRequest) -> Outgoing:
        await asyncio.sleep(self._latency.of(request.path) + self._first_byte_seconds.get(service.name, 0.0))
        fault = self.faults.take(service.name, request.path)
        if fault is None:
            return _outgoing(self._reply(service, request))
        if fault.kind == "delay":
            await asyncio.sleep(fault.seconds)
        outgoing = Outgoing() if fault.is_replacing else _outgoing(self._reply(service, request))
        return apply_fault(outgoing, fault, url=self.url)

    def _reply(self, service: Service, request: ServiceRequest) -> Reply:
        """A recorded reply if one fits, else a stand-in's."""
        reply = self._strict_reply(service, request)
        if not self._is_lenient:
            return reply
        while reply.unknown_parameters - request.skipped:  # dropping one may show the next
            request = request.remove_parameters(reply.unknown_parameters)
            reply = self._strict_reply(service, request)
        skipped = {_SKIPPED: quote(", ".join(sorted(request.skipped)), safe=", ")} if request.skipped else {}
        return replace(reply, headers={**reply.headers, **skipped})

    def _strict_reply(self, service: Service, request: ServiceRequest) -> Reply:
        replay = self._replays.get(service)
        if replay is not None and (reply := replay(request)) is not None:  # recordings come before stand-ins
            return reply
        for stand_in in self._stand_ins[service]:
            if (reply := stand_in.reply(request)) is not None:
                return real_size(stand_in, request, reply) if self._sizes == "real" else reply
        message = f"The sandbox has no {request.method} {request.path} of {service.title}."
        return Reply(message.encode(), "text/plain", 404)

    def _note(self, service: Service, request: ServiceRequest, answer: Outgoing, arrival_time: float) -> None:
        params = tuple((name, "(secret)" if name in _SECRETS else value) for name, value in request.params)
        status = 0 if answer.is_silent else answer.status
        self.requests.append(LoggedRequest(service.name, request.path, params, status, arrival_time))


async def serve(sandbox: Sandbox, *, write: Callable[[str], object] = sys.stdout.write) -> None:
    """Serve until cancelled; writes the exports that lead clients to the sandbox.

    Raises:
        OSError: the port is taken.
    """
    async with sandbox:
        for name, value in sandbox.environment().items():
            write(f"export {name}={value}\n")
        write(f"# The sandbox listens on {sandbox.url}; end it with Ctrl-C.\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


def _every_stand_in(recordings: Path | None) -> list[StandIn]:
    from biofact.sandbox import services  # noqa: PLC0415  # a test with stand-ins of its own starts without them

    return services.stand_ins(recordings)


def _prefixes(services: Iterable[Service]) -> dict[str, Service]:
    """The path of each service: that of its real address, or one after its name where it is no service's alone."""
    paths = {service: urlsplit(service.base_url.default).path.rstrip("/") for service in services}
    shared = Counter(paths.values())
    return {
        path if path and shared[path] == 1 else f"/{service.name}{path}": service for service, path in paths.items()
    }


def _replays(stand_ins: dict[Service, list[StandIn]], recordings: Recordings) -> dict[Service, Replay]:
    """For each service the rule of the first stand-in that has one."""
    replays: dict[Service, Replay] = {}
    for service, candidates in stand_ins.items():
        if rule := next((stand_in for stand_in in candidates if isinstance(stand_in, ReplayingStandIn)), None):
            replays[service] = rule.replay(recordings.for_service(service))
    return replays


def _ask(request: Incoming, path: str) -> ServiceRequest:
    params = parse_qsl(request.target.partition("?")[2], keep_blank_values=True)
    if request.headers.get("content-type", "").startswith(_FORM):
        params += parse_qsl(request.body.decode("utf-8", "replace"), keep_blank_values=True)
    return ServiceRequest(request.method, path, tuple(params), request.body, request.headers)


def _outgoing(reply: Reply) -> Outgoing:
    return Outgoing(reply.body, reply.content_type, reply.status, dict(reply.headers))


class Unlimited:
    """For services that publish no limit."""

    def admit(self, request: ServiceRequest, caller: str, now: float) -> Admission:  # noqa: ARG002  # as the protocol has it
        """Let everything in."""
        return Admission()


def limit_of(stand_ins: Iterable[StandIn], factor: float) -> Limit:
    """The limit of the stand-ins' service, from the first that has one; ``factor`` multiplies its rate."""
    limited = next((stand_in for stand_in in stand_ins if isinstance(stand_in, LimitedStandIn)), None)
    return limited.limit(factor) if limited else Unlimited()


def main() -> None:
    """Run ``serve`` with the options of the one argument until stdin ends: the program of ``SandboxProcess``."""
    threading.Thread(target=_end_with_input, daemon=True).start()
    options = json.loads(sys.argv[1])
    if options["recordings"]:
        options["recordings"] = Path(options["recordings"])
    if options["latency"]:
        seconds, jitter_seconds = options["latency"]
        options["latency"] = Latency(seconds, tuple(jitter_seconds))
    try:
        asyncio.run(serve(Sandbox(**options)))
    except KeyboardInterrupt:
        sys.exit(130)


def _end_with_input() -> None:
    """Exit when the pipe closes, whose other end belongs to the process that started this one."""
    sys.stdin.buffer.read()
    os._exit(0)  # nothing is kept
