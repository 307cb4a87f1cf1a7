"""A redis-server of one's own, which can be stopped in every way."""

import contextlib
import importlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


class RedisServer:
    """One that keeps nothing on disk; it has been used before, unless it is emptied."""

    def __init__(self, folder: Path, *options: str, environment: Mapping[str, str] = os.environ) -> None:
        self._environment = {**os.environ, **environment}
        self.socket = folder / "socket"
        self.url = f"unix://{self.socket}"
        self._options = options
        self._redis = importlib.import_module("redis")  # first: nothing is left running where it is not installed
        self.start()
        self.empty()

    def start(self) -> None:
        """Return when it answers."""
        binary = shutil.which("redis-server")
        if binary is None:
            raise RuntimeError("There is no redis-server; it comes from the system (apt-get install redis-server).")
        place = ("--port", "0", "--unixsocket", str(self.socket))
        options = ("--save", "", "--enable-debug-command", "yes", *self._options)
        self._running = subprocess.Popen([binary, *place, *options], env=self._environment, stdout=subprocess.DEVNULL)
        while self._running.poll() is None and not self._is_answering():
            time.sleep(0.01)

    def _is_answering(self) -> bool:
        """Whether it takes connections: its socket is there a moment before that."""
        try:
            self.command("PING")
        except self._redis.ConnectionError:
            return False
        return True

    def command(self, *words: Any, password: str | None = None) -> Any:
        """The answer to a command."""
        with self._redis.Redis(unix_socket_path=str(self.socket), password=password) as client:
            return client.execute_command(*words)

    def empty(self) -> None:
        """Forget everything but that it has been in use before."""
        self.command("FLUSHALL")
        self.command("HSET", "biofact:replicas", "since", "1.0 before")

    def stall(self) -> None:
        """Stop answering, and hold on to connections."""
        self._running.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Answer what was asked while it stalled."""
        self._running.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """End, and lose all."""
        self.go_on()
        self._running.terminate()
        self._running.wait()
        with contextlib.suppress(FileNotFoundError):
            self.socket.unlink()


@contextlib.contextmanager
def server(folder: Path, *options: str, environment: Mapping[str, str] = os.environ) -> Iterator[RedisServer]:
    """One that runs until the end of the block."""
    redis_server = RedisServer(folder, *options, environment=environment)
    try:
        yield redis_server
    finally:
        redis_server.stop()
