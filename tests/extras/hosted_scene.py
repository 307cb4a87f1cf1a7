"""A hosted gateway with every option: Redis with a password, tokens, an issuer, a model, traces, an audit log.

Every secret, and every word that only its callers write, is planted, so that it can be searched for.
"""

import base64
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import zlib
from contextlib import ExitStack, closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, quote_plus

from benchmarks.redis_server import RedisServer

from biofact.sandbox import SandboxProcess
from tests.interfaces.http.issuer import run_issuer

KEY, OWN_KEY, EMAIL = "KEY0planted1", "0wnKEY0planted2", "planted@example.org"
BAD_KEY = "n0 key: planted3"
MODEL_KEY, TRACES_KEY = "MODELKEY0planted4", "TRACESKEY0planted5"
PASSWORD, OLD_PASSWORD = "redis/planted+6", "redis/planted+7"
NAME, SUB, CLIENT = "annaplanted8", "sub0planted9@example.org", "client0planted10"
"""The callers, by their tokens: for the audit log alone."""
WORD = "zebrafinchgene77"
"""A word that only callers write."""

_ZLIB = re.compile(rb"\x78[\x01\x5e\x9c\xda]")


class Recorder:
    """A server that stores its requests, and echoes them with a status."""

    def __init__(self, status):
        recorder = self
        self.received = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                recorder.received.append(body)
                answer = json.dumps({"error": f"{self.headers} {body!r:.2000}"}).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self):
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class Hosted:
    """The gateway, its servers, and all traces that it leaves."""

    def __init__(self, folder, redis, issuer, sandbox, *, model, traces):
        self.folder, self.redis, self.issuer, self.sandbox, self.traces = folder, redis, issuer, sandbox, traces
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        issuer.audience = f"http://{self.address}/mcp"
        self.environment = {
            **{name: os.environ[name] for name in ("PATH", "TMPDIR", "COVERAGE_PROCESS_START") if name in os.environ},
            **sandbox.environment(),
            "HOME": str(folder),
            "PYTHONWARNINGS": "ignore",
            "NCBI_API_KEY": KEY,
            "BIOFACT_EMAIL": EMAIL,
            "BIOFACT_LLM_BASE_URL": model.url,
            "BIOFACT_LLM_API_KEY": MODEL_KEY,
            "BIOFACT_REDIS_URL": f"unix://:{quote(PASSWORD, safe='')}@{redis.socket}",
            "BIOFACT_CACHE_DIR": str(folder / "cache"),
            "BIOFACT_TOKENS": str(folder / "tokens.json"),
            "BIOFACT_AUTH_ISSUER": issuer.url,
            "BIOFACT_HTTP_URL": issuer.audience,
            "BIOFACT_AUDIT_LOG": str(folder / "audit.jsonl"),
            "BIOFACT_LOG": "debug",
            "BIOFACT_LOG_FORMAT": "json",
            "OTEL_EXPORTER_OTLP_ENDPOINT": traces.url,
            "OTEL_EXPORTER_OTLP_HEADERS": f"authorization={TRACES_KEY}",
        }

    def command(self, *words, **changes):
        """A command on the same host: its exit code and all its output."""
        command = [sys.executable, "-m", "biofact", *words]
        environment = self.environment | changes
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)

    @contextmanager
    def run(self):
        """The gateway, running within the block; its output goes into files."""
        command = [sys.executable, "-m", "biofact", "serve", "--http", self.address]
        with (self.folder / "stdout").open("w") as out, (self.folder / "stderr").open("w") as err:
            process = subprocess.Popen(command, env=self.environment, stdout=out, stderr=err)
            try:
                self._wait_for(process)
                yield
            finally:
                process.send_signal(signal.SIGTERM)
                process.wait()

    def _wait_for(self, process):
        host, port = self.address.split(":")
        while process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex((host, int(port))) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError((self.folder / "stderr").read_text())

    def set_password(self, password, old=""):
        """Set another password of Redis, for connected clients, too."""
        self.redis.command("CONFIG", "SET", "requirepass", password, password=old or None)
        self.redis.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes", password=password or None)

    def redis_values(self, password):
        """Each key in Redis, and the value there, as one text of bytes."""

        def command(*words):
            return self.redis.command(*words, password=password)

        readers = {b"string": ("GET",), b"hash": ("HGETALL",), b"zset": ("ZRANGE", 0, -1), b"set": ("SMEMBERS",)}
        values = {}
        for key in command("KEYS", "*"):
            kind = command("TYPE", key)
            kind = kind if isinstance(kind, bytes) else kind.encode()
            verb, *rest = readers[kind]
            values[key] = unpacked(repr_bytes(command(verb, key, *rest)))
        return values

    def files(self):
        """Each file of the cache folder, and for those of SQLite each value in them."""
        texts = {}
        for file in sorted((self.folder / "cache").rglob("*")):
            if file.is_file():
                texts[file.name] = unpacked(file.read_bytes())
            if file.suffix == ".sqlite":
                texts[f"rows of {file.name}"] = b"\n".join(map(unpacked, _cells(file)))
        return texts


def _cells(file):
    with closing(sqlite3.connect(file)) as database:
        for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in database.execute(f"SELECT * FROM {table}"):
                yield repr_bytes(row)


def repr_bytes(value):
    """The text in a value of any shape."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, dict):
        return b"\n".join(repr_bytes(item) for pair in value.items() for item in pair)
    if isinstance(value, list | tuple | set):
        return b"\n".join(map(repr_bytes, value))
    return str(value).encode()


def unpacked(value):
    """A value and all that is compressed in it: a secret within counts as well."""
    parts = [value]
    for match in _ZLIB.finditer(value):
        try:
            parts.append(zlib.decompressobj().decompress(value[match.start() :]))
        except zlib.error:
            continue
    return b"\n".join(parts)


def spellings(secret):
    """Forms in which a secret may be written: unchanged, in an address, in base64, or its middle alone."""
    middle = secret[len(secret) // 3 : 2 * len(secret) // 3]
    long = {middle} if len(middle) >= 16 else set()
    encoded = base64.b64encode(secret.encode()).decode().rstrip("=")
    return {secret, quote(secret, safe=""), quote_plus(secret), encoded, *long}


@contextmanager
def hosted(folder):
    """A host that has not started its gateway yet."""
    with ExitStack() as stack:
        redis = RedisServer(folder)
        stack.callback(redis.stop)
        issuer = stack.enter_context(run_issuer())
        sandbox = stack.enter_context(SandboxProcess(rate_factor=100))
        model, traces = stack.enter_context(Recorder(400)), stack.enter_context(Recorder(200))
        yield Hosted(folder, redis, issuer, sandbox, model=model, traces=traces)
