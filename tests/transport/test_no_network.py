"""The failures that count as no network, the number of attempts, and other failures."""

import asyncio
import errno
import socket
import ssl
from dataclasses import replace

import httpcore2
import httpx2
import pytest

from biofact.core import call
from biofact.core.errors import NoNetwork, RetryAfter, UpstreamError
from biofact.core.settings import Setting
from biofact.transport.ask.wire import connection_fault
from tests import virtual_time
from tests.transport.scene import ASK, SECRET, TOY, URL, Scene, error_reply, failure_reply, good

pytestmark = pytest.mark.quick

HOST = "toy.example.org"
NO_NAME = socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
NO_ROUTE = OSError(errno.ENETUNREACH, "Network is unreachable")
UNTRUSTED = ssl.SSLCertVerificationError(1, "certificate verify failed")
UNTRUSTED.verify_message = "self-signed certificate in certificate chain"
REFUSAL = ConnectionRefusedError(errno.ECONNREFUSED, "Connect call failed")
OTHER_SERVICE = replace(
    TOY, name="other", title="The Other", base_url=Setting("OTHER_URL", "", default="https://other.example.org")
)


def failed(fault):
    """An error in the form of httpcore2 and httpx2: the pool strips its cause, which is within it."""
    inner = httpcore2.ConnectError(fault)
    error = httpx2.ConnectError(str(fault))
    error.__cause__ = inner
    return error


def all_of(*faults):
    """An error in the form of anyio, for a name with several addresses."""
    error = OSError("All connection attempts failed")
    error.__cause__ = faults[0] if len(faults) == 1 else ExceptionGroup("multiple", faults)
    return error


def test_the_cause_of_a_missing_network_is_read_from_the_first_errors(subtests):
    cases = [
        (NO_NAME, HOST, "no name"),
        (socket.gaierror(socket.EAI_NONAME, "unknown"), HOST, "no name"),
        (all_of(NO_ROUTE), HOST, "no route"),
        (all_of(OSError(errno.EHOSTUNREACH, "No route to host"), NO_ROUTE), HOST, "no route"),
        (all_of(NO_ROUTE, REFUSAL), HOST, None),
        (all_of(NO_ROUTE, TimeoutError()), HOST, None),
        (all_of(REFUSAL), HOST, None),
        (all_of(OSError(errno.ETIMEDOUT, "timed out")), HOST, None),
        (all_of(REFUSAL), "proxy", "no proxy"),
        (NO_NAME, "proxy", "no proxy"),
        (all_of(TimeoutError()), "proxy", None),
        (UNTRUSTED, HOST, "untrusted"),
        (ssl.SSLError(1, "wrong version number"), HOST, None),
    ]
    for fault, connected_host, obstacle in cases:
        with subtests.test(fault=fault):
            outcomes = connection_fault(failed(fault), HOST, connected_host)

            assert (outcomes and outcomes.obstacle) == obstacle
            assert outcomes is None or outcomes.host == (connected_host if obstacle == "no proxy" else HOST)


def outcome(scene, *requests):
    """The errors of concurrent requests, and the seconds until then."""

    async def ask(transport, request):
        with call.session():
            try:
                return await transport.fetch(request, bytes.decode)
            except UpstreamError as error:
                return error

    async def scenario():
        transport = scene.transport()
        start = asyncio.get_running_loop().time()
        outcomes = await asyncio.gather(*(ask(transport, request) for request in requests))
        seconds = asyncio.get_running_loop().time() - start
        await transport.aclose()
        return outcomes, seconds

    return virtual_time.run(scenario())


def test_a_moment_without_a_network_is_not_noticed(tmp_path):
    scene = Scene(tmp_path, error_reply(failed(NO_NAME)), good(b"at last"))

    assert outcome(scene, ASK)[0] == ["at last"]


@pytest.mark.parametrize(
    ("fault", "problem"),
    [
        (NO_NAME, "there seems to be no network (the name toy.example.org is not known)"),
        (all_of(NO_ROUTE), "there seems to be no network (no route leads to toy.example.org)"),
    ],
)
def test_no_network_is_tried_twice_and_reported(tmp_path, fault, problem):
    scene = Scene(tmp_path, error_reply(failed(fault)), TOY_API_KEY=SECRET)

    (error,), seconds = outcome(scene, ASK)

    assert type(error) is NoNetwork
    assert str(error) == f"The Toy Database was not asked: {problem}."
    assert error.hint == (
        "Check the connection and HTTPS_PROXY. To try biofact without a network, use biofact.sandbox.Sandbox."
    )
    assert error.recovery is None
    assert len(scene.requests) == 2
    assert seconds <= 1.0


def test_the_hint_names_the_setting_of_a_service_at_another_address(tmp_path):
    scene = Scene(tmp_path, error_reply(failed(NO_NAME)), **{URL.name: f"https://me:{SECRET}@name.invalid/x"})

    (error,), _ = outcome(scene, ASK)

    assert "(the name name.invalid is not known)" in str(error)
    assert error.hint.startswith("Check the connection and BIOFACT_TOY_URL or HTTPS_PROXY.")


@pytest.mark.parametrize("questions", [[ASK] * 50, [replace(ASK, params=(("term", str(n)),)) for n in range(50)]])
def test_fifty_who_ask_at_once_try_no_more_often_than_they_must(tmp_path, questions):
    async def reply(request):
        await asyncio.sleep(0.4)
        raise failed(NO_NAME)

    scene = Scene(tmp_path, reply)
    outcomes, seconds = outcome(scene, *questions)

    assert {type(error) for error in outcomes} == {NoNetwork}
    assert seconds < 2.0
    assert len(scene.requests) <= 2 * len({request.params for request in questions})


def test_a_failure_after_a_long_time_is_not_retried(tmp_path):
    async def reply(request):
        await asyncio.sleep(2.5)
        raise failed(all_of(NO_ROUTE))

    scene = Scene(tmp_path, reply)
    (error,), seconds = outcome(scene, ASK)

    assert type(error) is NoNetwork
    assert (len(scene.requests), seconds) == (1, 2.5)


def test_a_certificate_that_is_not_trusted_is_no_missing_network(tmp_path):
    (error,), seconds = outcome(Scene(tmp_path, error_reply(failed(UNTRUSTED))), ASK)

    assert type(error) is UpstreamError
    assert str(error).endswith(
        "toy.example.org has a certificate that is not trusted here: self-signed certificate in certificate chain."
    )
    assert "SSL_CERT_FILE" in error.hint
    assert seconds <= 1.0


def test_a_proxy_that_refuses_is_named(tmp_path):
    (error,), seconds = outcome(
        Scene(tmp_path, error_reply(httpx2.ProxyError("407 Proxy Authentication Required"))), ASK
    )

    assert str(error) == "The Toy Database was not asked: the proxy refused the connection (HTTP 407)."
    assert error.hint == "Check HTTPS_PROXY."
    assert seconds <= 1.0


def steps(scene, *moves):
    """The messages of requests in turn; a number among them is a pause in seconds."""

    async def scenario():
        transport = scene.transport()
        outcomes = []
        for move in moves:
            if isinstance(move, float):
                await asyncio.sleep(move)
                continue
            try:
                outcomes.append(await transport.fetch(move, bytes.decode))
            except UpstreamError as error:
                outcomes.append(error)
        await transport.aclose()
        return outcomes

    return virtual_time.run(scenario())


def test_a_name_that_is_lost_while_others_answer_is_the_services_trouble(tmp_path):
    def reply(request):
        if request.url.host == HOST:
            raise failed(NO_NAME)
        return good(b"well")(request)

    other = replace(ASK, service=OTHER_SERVICE)
    _, first_error, last_error = steps(Scene(tmp_path, reply), other, ASK, 10.0, ASK)

    assert type(first_error) is UpstreamError
    assert str(first_error) == (
        "The Toy Database cannot be reached: the name toy.example.org is not known, "
        "while another service was reached lately."
    )
    assert first_error.recovery == RetryAfter(10)
    assert type(last_error) is NoNetwork


def test_a_service_on_this_machine_says_nothing_of_the_network(tmp_path):
    def reply(request):
        if request.url.host == HOST:
            raise failed(NO_NAME)
        return good(b"well")(request)

    scene = Scene(tmp_path, reply, OTHER_URL="http://127.0.0.1:1234")
    _, error = steps(scene, replace(ASK, service=OTHER_SERVICE), ASK)

    assert type(error) is NoNetwork


def test_a_second_service_is_tried_once(tmp_path):
    scene = Scene(tmp_path, error_reply(failed(NO_NAME)))

    outcomes = steps(scene, ASK, replace(ASK, service=OTHER_SERVICE))

    assert {type(error) for error in outcomes} == {NoNetwork}
    assert [request.url.host for request in scene.requests] == [HOST, HOST, "other.example.org"]


def test_a_request_without_a_network_is_retried_after_a_second_and_not_at_once(tmp_path):
    scene = Scene(tmp_path, error_reply(failed(NO_NAME)), error_reply(failed(NO_NAME)), good(b"back"))

    while_lost, at_once, when_back = steps(scene, ASK, ASK, 1.0, ASK)

    assert type(while_lost) is type(at_once) is NoNetwork
    assert when_back == "back"
    assert len(scene.requests) == 3


def test_a_probe_that_finds_no_network_leaves_the_next_to_another(tmp_path):
    """The service does not count as down for ten more seconds, as after a probe that it failed."""
    failures = [error_reply(failed(NO_NAME))] * 2
    scene = Scene(tmp_path, *[failure_reply(500)] * 5, *failures, good(b"back"))
    questions = [replace(ASK, params=(("term", str(n)),)) for n in range(5)]

    async def scenario():
        transport = scene.transport()
        outcomes = []
        for question in (*questions, None, ASK, ASK):
            if question is None:
                await asyncio.sleep(10.1)
                continue
            try:
                with call.session() as current:
                    current.deadline = scene.clock.now + (0.1 if question in questions else 30.0)
                    outcomes.append(await transport.fetch(question, bytes.decode))
            except UpstreamError as error:
                outcomes.append(error)
                await asyncio.sleep(1.0 if isinstance(error, NoNetwork) else 0.0)
        await transport.aclose()
        return outcomes

    *_, while_lost, when_back = virtual_time.run(scenario())

    assert type(while_lost) is NoNetwork
    assert when_back == "back"
