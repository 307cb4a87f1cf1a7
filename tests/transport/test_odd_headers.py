"""Headers and statuses that no service sends: a call ends with the answer, or with an error of the service."""

import itertools

import pytest

from biofact.core.errors import RateLimited, UpstreamError
from biofact.transport.service import Refused
from tests.each_of import check_each, each_of
from tests.tiers import sample_and_rest
from tests.transport.raw_server import RawServer, with_server
from tests.transport.scene import ASK

pytestmark = pytest.mark.quick

DATE = b"Wed, 21 Oct 2026 07:28:00 GMT"
VALUES = {
    "nothing": b"",
    "text": b"unheard of",
    "a list": b"1, 2, 1",
    "zero": b"0",
    "negative": b"-1",
    "fraction": b"0.5",
    "1e400": b"1e400",
    "not a number": b"nan",
    "400 digits": b"9" * 400,
    "5,000 digits": b"9" * 5000,
    "90,000 digits": b"9" * 90_000,
    "Arabic digits": "\u0661\u0662".encode(),
    "no UTF-8": b"\xff\xfe",
    "NUL": b"a\0b",
    "a year of 20 digits": DATE.replace(b"2026", b"9" * 20),
    "the year 0": DATE.replace(b"2026", b"0000"),
    "the year 9999": DATE.replace(b"2026", b"9999"),
    "a day of 20 digits": DATE.replace(b"21", b"9" * 20),
    "seconds of 20 digits": DATE.replace(b":00 ", b":" + b"9" * 20 + b" "),
    "a zone of 20 digits": DATE.replace(b"GMT", b"+" + b"9" * 20),
    "a zone of 99 hours": DATE.replace(b"GMT", b"+9999"),
    "before the first year": b"Mon, 01 Jan 0001 00:00:00 +2359",
    "900 brackets": b"(" * 900,
    "another packing": b"br",
    "a packing 900 times": b", ".join([b"gzip"] * 900),
    "a quoted text without end": b'"a',
}
HEADERS = (
    b"Retry-After",
    b"Date",
    b"Content-Length",
    b"Content-Type",
    b"Content-Encoding",
    b"Transfer-Encoding",
    b"Connection",
    b"ETag",
    b"Location",
    b"Set-Cookie",
    b"X-RateLimit-Limit",
    b"X-RateLimit-Period",
    b"X-RateLimit-Remaining",
    b"X-RateLimit-Reset",
    b"X-Unheard-Of",
)
STATUSES = (b"200", b"204", b"301", b"404", b"429", b"503")
LINES = (
    *(b"HTTP/1.1 %s OK" % status for status in (b"", b"0", b"99", b"199", b"-200", b"999", b"2000", b"9" * 5000, b"x")),
    *(b"HTTP/%s 200 OK" % version for version in (b"", b"0.9", b"2", b"9" * 5000)),
    b"",
    b"\0",
    b"<html>",
    b"HTTP/1.1 200 " + b"x" * 90_000,
    b"HTTP/1.1 200 \xff",
    b"HTTP/1.1 101 Switching Protocols",
)


CASES = list(itertools.product(STATUSES, HEADERS, VALUES))


def outcome(head):
    """The body that a call gets, or the class of its error."""

    async def scenario(transport):
        try:
            return await transport.fetch(ASK, bytes)
        except (UpstreamError, RateLimited, Refused) as error:
            return type(error)

    return with_server(RawServer(lambda: [head + b"\r\n\r\nword"]), scenario)


@pytest.mark.parametrize("cases", sample_and_rest(CASES))
def test_a_header_nobody_sends_is_ignored_or_an_error_of_the_service(cases):
    def check(case):
        status, header, name = case
        head = b"HTTP/1.1 %s OK\r\n%s: %s" % (status, header, VALUES[name])
        assert outcome(head) in {b"word", b"", UpstreamError, RateLimited, Refused}

    check_each(cases, check)


@each_of("line", LINES)
def test_a_status_line_nobody_sends_is_an_error_of_the_service(line):
    assert outcome(line) in {b"word", UpstreamError, Refused}
