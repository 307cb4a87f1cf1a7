"""One page of a headless Chromium, asked over DevTools' pipe: no port, no driver, no library."""

import base64
import itertools
import json
import os
import subprocess
import time

from tests.extras import needs

_PART = 1 << 20
"""Bytes read at once; a printed page has many million."""
_KEYS = {"ArrowRight": 39, "ArrowDown": 40, "Enter": 13, "Tab": 9}
_TYPED = {"Enter": "\r"}
_PATIENCE_SECONDS = 120.0


class Browser:
    """One page of a headless browser. Commands go out and events come in as JSON, each ended by a zero byte."""

    def __init__(self, folder):
        input_pipe, output_pipe = os.pipe(), os.pipe()
        shell = f'exec "$0" "$@" 3<&{input_pipe[0]} 4>&{output_pipe[1]}'
        options = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--remote-debugging-pipe",
            f"--user-data-dir={folder}",
        ]
        self._running = subprocess.Popen(
            ["bash", "-c", shell, needs.chromium(), *options, "about:blank"],
            pass_fds=(input_pipe[0], output_pipe[1]),
            env=os.environ | {"XDG_CONFIG_HOME": str(folder)},  # the folder for its reports of crashes
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(input_pipe[0])
        os.close(output_pipe[1])
        self._out, self._in = os.fdopen(input_pipe[1], "wb", buffering=0), os.fdopen(output_pipe[0], "rb", buffering=0)
        self._read = bytearray()
        self._numbers, self.events, self._session = itertools.count(1), [], None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log", "Security"):
            self.ask(f"{domain}.enable")

    def ask(self, method, **arguments):
        """The answer to a command; events that come before it are kept."""
        number = next(self._numbers)
        session = {"sessionId": self._session} if self._session else {}
        self._out.write(json.dumps({"id": number, "method": method, "params": arguments, **session}).encode() + b"\0")
        while True:
            message = self._next()
            if message.get("id") == number:
                assert "error" not in message, message
                return message["result"]
            self.events.append(message)

    def _next(self):
        done = 0
        while (end := self._read.find(b"\0", done)) < 0:
            done = len(self._read)
            part = self._in.read(_PART)
            assert part, "the browser has gone"
            self._read += part
        message = json.loads(self._read[:end])
        del self._read[: end + 1]
        return message

    def show(self, address, *, width, scheme):
        """Reload a page."""
        self.events.clear()
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.ask("Emulation.setEmulatedMedia", features=[feature])
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.ask("Page.navigate", url=address)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._next())

    def value(self, expression):
        """The value of an expression on the page, or of its promise."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def press(self, key):
        """Press a key on the focused element."""
        key_of = {"key": key, "code": key, "windowsVirtualKeyCode": _KEYS[key]}
        self.ask("Input.dispatchKeyEvent", type="keyDown", text=_TYPED.get(key, ""), **key_of)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **key_of)

    def write(self, text):
        """Type a text into the focused element."""
        self.ask("Input.insertText", text=text)

    def wait(self, expression):
        """Return when an expression holds on the page."""
        ends = time.monotonic() + _PATIENCE_SECONDS
        while not self.value(f"!!({expression})"):
            assert time.monotonic() < ends, (expression, self.events_of("Runtime.exceptionThrown", "Log.entryAdded"))
            time.sleep(0.02)

    def pdf(self):
        """The page as it prints on A4, as bytes."""
        paper = {"paperWidth": 8.27, "paperHeight": 11.69, "preferCSSPageSize": True}
        return base64.b64decode(self.ask("Page.printToPDF", printBackground=False, **paper)["data"])

    def events_of(self, *methods):
        """The events of these kinds."""
        return [event for event in self.events if event.get("method") in methods]

    def close(self):
        self._out.close()
        self._in.close()
        self._running.terminate()
        self._running.wait(timeout=_PATIENCE_SECONDS)
