"""Keys, e-mail addresses and logins are only on the wire."""

import logging
import traceback

import httpx2
import pytest

from biofact.core import call
from biofact.core.errors import BiofactError
from biofact.core.settings import Settings
from biofact.transport.service import Refused, Request, Transient, redacted, shown_url
from biofact.transport.timing import Timing
from tests import virtual_time
from tests.transport.scene import (
    ASK,
    KEEP,
    KEY,
    MAIL,
    SECRET,
    TOY,
    URL,
    Scene,
    error_reply,
    failure_reply,
    good,
    lines,
    words,
)

pytestmark = pytest.mark.quick

WITH_KEY = Settings({KEY.name: SECRET})
ECHO = f'{{"error":"API key invalid","api-key":"{SECRET}","address":"/x?api_key={SECRET}&email={MAIL}"}}'.encode()


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (f"the key {SECRET} is bad", "the key [hidden] is bad"),
        ("https://h/x?api_key=abc&term=p53", "https://h/x?api_key=[hidden]&term=p53"),
        ("https://h/x?term=p53&email=me%40there.org&tool=biofact", "https://h/x?term=p53&email=[hidden]&tool=[hidden]"),
        ('{"api-key":"203.0.113.7","count":"4"}', '{"api-key":"[hidden]","count":"4"}'),
        ('{"api-key": "203.0.113.7"}', '{"api-key": "[hidden]"}'),
        ("https://me:pass@proxy.example.org/", "https://proxy.example.org/"),
        ("nothing to hide: a gene = tool", "nothing to hide: a gene = tool"),
    ],
)
def test_secrets_are_blotted_out_of_texts(text, clean):
    assert redacted(text, WITH_KEY) == clean


def test_a_key_is_found_in_every_spelling():
    settings = Settings({KEY.name: "a/b c+d"})

    assert redacted("a/b c+d a%2Fb%20c%2Bd a%2Fb+c%2Bd", settings) == "[hidden] [hidden] [hidden]"


def test_an_address_is_shown_without_signature_and_cut_where_it_is_long():
    ids = ",".join(map(str, range(100)))

    assert shown_url(ASK, WITH_KEY) == "https://toy.example.org/api/word?term=a"
    assert shown_url(Request(TOY, "/x", (("id", ids),)), WITH_KEY).endswith("...")
    assert len(shown_url(Request(TOY, "/x", (("id", ids),)), WITH_KEY)) == 200
    assert shown_url(ASK, Settings({URL.name: "https://me:pass@mirror/"})) == "https://mirror/word?term=a"


@pytest.mark.parametrize(
    "reply",
    [
        good(ECHO),
        failure_reply(400, ECHO),
        failure_reply(429, ECHO, retry_after="60"),
        failure_reply(500, ECHO),
        failure_reply(302, location=f"https://elsewhere/?api_key={SECRET}"),
        error_reply(httpx2.ConnectError(f"cannot connect to https://toy/?api_key={SECRET}&email={MAIL}")),
    ],
)
def test_the_key_is_sent_but_no_error_or_log_contains_it(tmp_path, caplog, reply):
    caplog.set_level(logging.DEBUG)
    scene = Scene(tmp_path, reply, timing=Timing(deadline_seconds=1.0), **{KEY.name: SECRET})

    def read(body):
        raise Transient(f"said {body.decode()}")

    with pytest.raises((BiofactError, Refused)) as error:
        virtual_time.run(scene.transport().fetch(ASK, read))

    assert scene.requests[0].url.params["api_key"] == SECRET
    for text in (str(error.value), error.value.hint if isinstance(error.value, BiofactError) else "", caplog.text):
        assert SECRET not in text
        assert MAIL not in text
    assert SECRET not in repr(getattr(error.value, "answer", ""))
    assert "toy.example.org" not in caplog.text


def test_no_secret_of_the_http_library_is_in_a_traceback(tmp_path):
    scene = Scene(tmp_path, error_reply(httpx2.ReadError(f"https://toy/?api_key={SECRET}")), **{KEY.name: SECRET})

    with pytest.raises(BiofactError) as error:
        virtual_time.run(scene.transport().fetch(ASK, bytes))

    assert SECRET not in "".join(traceback.format_exception(error.value))


def test_the_key_is_in_no_provenance_and_no_file(tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    replies = (good(b"a body"), lambda request: lines(["a"]))
    scene = Scene(tmp_path, *replies, **{KEY.name: SECRET})

    async def scenario():
        transport = scene.transport()
        with call.session() as current:
            await transport.fetch(ASK, bytes.decode, keep=KEEP)
            await transport.batched(words()).get("b")
        await transport.aclose()
        files = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        return current, files.decode("latin-1")

    current, files = virtual_time.run(scenario())

    assert [request.url.params["api_key"] for request in scene.requests] == [SECRET, SECRET]
    assert "https://toy.example.org/api/word?term=a" in files
    for text in (repr(current), files, caplog.text):
        assert SECRET not in text
        assert MAIL not in text


def test_other_users_of_the_http_library_keep_their_logs(caplog):
    caplog.set_level(logging.INFO)

    async def scenario():
        async with httpx2.AsyncClient(transport=httpx2.MockTransport(good())) as client:
            await client.get("https://theirs.example.org/x?q=1")

    virtual_time.run(scenario())

    assert "https://theirs.example.org/x?q=1" in caplog.text
