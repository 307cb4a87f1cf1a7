"""Mistakes in BIOFACT_REDIS_URL, and an absent Redis: with TLS, passwords and foreign servers."""

import asyncio
import shutil
import socket
import subprocess
import threading

import pytest

from biofact.core.errors import WrongSetting
from biofact.core.settings import Settings
from biofact.gateway import link
from biofact.transport.backends import REDIS_URL
from biofact.transport.keep.cache import CACHE_DIR, Cache
from biofact.transport.timing import Timing
from biofact.transport.turns.budget import Budgets
from tests.extras.redis_scene import LONGEST_SECONDS, NCBI, redis, redis_at_ports
from tests.interfaces import terminal
from tests.transport.scene import TOY

pytestmark = [pytest.mark.extras, pytest.mark.usefixtures("patience")]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl: it comes from the system")
    folder = tmp_path_factory.mktemp("tls")
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    command = [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    subprocess.run([*command, *names, *files], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def ports(certificate):
    """The ports of a server that requires a password, without TLS at the first and with it at the second."""
    keys = ["--tls-cert-file", str(certificate / "cert.pem"), "--tls-key-file", str(certificate / "key.pem")]

    def options(plain, tls):
        places = ["--port", str(plain), "--tls-port", str(tls), "--tls-auth-clients", "no"]
        return [*places, *keys, "--save", "", "--requirepass", "sesame"]

    with redis_at_ports(2, options) as both:
        with redis.Redis(port=both[0], password="sesame") as client:
            client.hset("biofact:replicas", "since", "1.0 before")  # a new one is left to others for five seconds
        yield both


@pytest.fixture
def urls(ports, certificate):
    plain, tls = ports
    trusted = f"ssl_ca_certs={certificate / 'cert.pem'}"
    return {
        "right": f"redis://:sesame@127.0.0.1:{plain}/0",
        "right with TLS": f"rediss://:sesame@127.0.0.1:{tls}/0?{trusted}",
        "right in the newer protocol": f"redis://:sesame@127.0.0.1:{plain}/0?protocol=3",
        "wrong password": f"redis://:hunter2@127.0.0.1:{plain}/0",
        "no password": f"redis://127.0.0.1:{plain}/0",
        "wrong database": f"redis://:sesame@127.0.0.1:{plain}/99",
        "TLS where there is none": f"rediss://:hunter2@127.0.0.1:{plain}/0",
        "no TLS where there is": f"redis://:hunter2@127.0.0.1:{tls}/0",
        "a certificate that nobody vouches for": f"rediss://:hunter2@127.0.0.1:{tls}/0",
        "a scheme that there is not": f"nonsense://:hunter2@127.0.0.1:{plain}/0",
    }


RIGHT = ["right", "right with TLS", "right in the newer protocol"]
WRONG = [
    "wrong password",
    "no password",
    "wrong database",
    "TLS where there is none",
    "no TLS where there is",
    "a certificate that nobody vouches for",
    "a scheme that there is not",
]
SILENT = {"TLS where there is none", "no TLS where there is"}
ALWAYS_WRONG = [case for case in WRONG if case not in SILENT]
"""These show at the first answer, too; a server that waits for another protocol just does not answer."""


@pytest.mark.parametrize("case", RIGHT)
def test_a_right_url_serves_budget_and_cache(urls, case, tmp_path):
    settings = Settings({REDIS_URL.name: urls[case], CACHE_DIR.name: str(tmp_path)})

    async def scenario():
        budgets, cache = Budgets(settings, Timing(rate_factor=50.0), tmp_path), Cache(settings)
        await asyncio.wait_for(budgets.take(NCBI, "bulk"), LONGEST_SECONDS)
        await cache.find(TOY, "word/1", "a")
        kinds = (await budgets.stats(NCBI)).kept, (await cache.stats()).kind
        await budgets.aclose()
        await cache.aclose()
        return kinds

    link.check(urls[case])

    assert asyncio.run(scenario()) == ("redis", "redis")


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_url_is_a_mistake_at_the_start(urls, case, capsys, monkeypatch):
    monkeypatch.setenv(REDIS_URL.name, urls[case])
    if case in SILENT:
        wait_for_the_other_protocol_alone(monkeypatch)
    done = terminal.biofact(capsys, monkeypatch, "entrez", "get-gene", "NCBIGene:672")
    error, hint = done.stderr.splitlines()

    assert done.returncode == 2
    assert REDIS_URL.name in error
    assert hint.startswith("hint: Set ")
    assert "hunter2" not in done.stderr


def wait_for_the_other_protocol_alone(monkeypatch):
    """Give up soon on a server that is asked in the wrong one, and does not answer."""
    ping = link._ping

    def ping_then_have_patience(url):
        loss = ping(url)
        monkeypatch.setattr(link, "_CHECK_SECONDS", LONGEST_SECONDS)
        return loss

    monkeypatch.setattr(link, "_CHECK_SECONDS", 0.3)
    monkeypatch.setattr(link, "_ping", ping_then_have_patience)


@pytest.mark.parametrize("command", [("serve",), ("serve", "entrez", "--http", "127.0.0.1:0")])
def test_a_server_does_not_begin_with_a_wrong_url(urls, command, capsys, monkeypatch):
    monkeypatch.setenv(REDIS_URL.name, urls["wrong password"])
    done = terminal.biofact(capsys, monkeypatch, *command)

    assert done.returncode == 2
    assert REDIS_URL.name in done.stderr
    assert "hunter2" not in done.stderr


@pytest.mark.parametrize("case", ALWAYS_WRONG)
def test_a_library_says_so_at_the_first_use(urls, case, tmp_path):
    settings = Settings({REDIS_URL.name: urls[case], CACHE_DIR.name: str(tmp_path)})

    async def scenario():
        budgets, cache = Budgets(settings, Timing(), tmp_path), Cache(settings)
        with pytest.raises(WrongSetting, match="BIOFACT_REDIS_URL") as of_budget:
            await budgets.take(NCBI, "bulk")
        with pytest.raises(WrongSetting, match="BIOFACT_REDIS_URL") as of_cache:
            await cache.find(TOY, "word/1", "a")
        await budgets.aclose()
        await cache.aclose()
        return f"{of_budget.value} {of_cache.value} {of_budget.value.hint}"

    assert "hunter2" not in asyncio.run(scenario())


def test_a_redis_that_is_away_is_no_mistake():
    link.check("redis://:hunter2@127.0.0.1:9/0")


def test_a_server_that_is_no_redis_is_a_mistake():
    def answer(listener):
        connection, _ = listener.accept()
        with connection:
            connection.recv(1000)
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        thread = threading.Thread(target=answer, args=(listener,), daemon=True)
        thread.start()
        with pytest.raises(WrongSetting, match="does not speak as Redis does"):
            link.check(f"redis://127.0.0.1:{listener.getsockname()[1]}/0")
        thread.join(5.0)
