import itertools
import time

import pytest

from biofact.core.errors import UpstreamError
from biofact.dialects import xml
from biofact.dialects.eutils import search_answer, summaries
from biofact.transport.service import Transient
from tests.marks import requirement

pytestmark = pytest.mark.quick

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
HOSTILE = {
    "billion laughs": f'<!DOCTYPE r [<!ENTITY l0 "ha">{LAUGHS}]><r>&l9;</r>',
    "quadratic blow-up": f'<!DOCTYPE r [<!ENTITY a "{"a" * 50_000}">]><r>{"&a;" * 50_000}</r>',
    "external entity": '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>',
    "external parameter entity": '<!DOCTYPE r [<!ENTITY % x SYSTEM "http://127.0.0.1:9/x.dtd"> %x;]><r/>',
    "internal subset": "<!DOCTYPE r [<!ELEMENT r ANY>]><r/>",
    "empty internal subset": "<!DOCTYPE r []><r/>",
    "subset beside an external DTD": '<!DOCTYPE r SYSTEM "http://127.0.0.1:9/x.dtd" [<!ATTLIST r a CDATA "b">]><r/>',
}


@requirement("000 R3-defusedxml")
def test_a_hostile_document_is_refused_at_once(subtests):
    encodings = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"]
    for encoding, (name, document) in itertools.product(encodings, HOSTILE.items()):
        with subtests.test(encoding=encoding, name=name):
            start = time.process_time()

            with pytest.raises(xml.HostileDocument) as refusal:
                xml.tree(document.encode(encoding))

            assert time.process_time() - start < 1
            assert isinstance(refusal.value, UpstreamError)
            assert "passwd" not in str(refusal.value)


def test_a_reader_refuses_it_too(subtests):
    for name, document in HOSTILE.items():
        with subtests.test(name=name), pytest.raises(xml.HostileDocument):
            search_answer(b"\n" + document.encode())


def test_a_disguised_document_never_reaches_a_reader(subtests):
    for encoding in ["utf-16", "utf-16-le", "utf-16-be"]:
        with subtests.test(encoding=encoding), pytest.raises((xml.HostileDocument, Transient)):
            search_answer(HOSTILE["external entity"].encode(encoding))


def test_an_external_dtd_is_named_and_not_fetched():
    document = b'<!DOCTYPE r PUBLIC "-//NLM//DTD r//EN" "http://127.0.0.1:9/there-is-no-server.dtd"><r><a>1</a></r>'

    assert xml.tree(document).findtext("a") == "1"


def test_a_damaged_document_may_be_better_next_time(subtests):
    cases = [
        b"",
        b"<r>",
        b"<r><a></r>",
        b"<r/><r/>",
        b"<r>&undeclared;</r>",
        b'<!DOCTYPE r SYSTEM "x.dtd"><r>&undeclared;</r>',
        b"<r>\xff</r>",
        b"<r>\x00</r>",
    ]
    for document in cases:
        with subtests.test(document=document), pytest.raises(Transient):
            xml.tree(document)


def test_characters_come_in_the_encoding_that_the_document_names():
    assert xml.tree('<?xml version="1.0" encoding="ISO-8859-1"?><r>Sjögren</r>'.encode("latin-1")).text == "Sjögren"


def test_an_encoding_that_cannot_be_read_is_damage(subtests):
    for encoding in ["no-such-encoding", "gb18030", "utf-7", "hex", "idna", "punycode"]:
        with subtests.test(encoding=encoding), pytest.raises(Transient):
            xml.tree(f'<?xml version="1.0" encoding="{encoding}"?><r/>'.encode())


def test_a_document_nested_absurdly_deep_is_damaged():
    depth = 50_000
    body = b"<eSummaryResult><DocumentSummarySet><DocumentSummary uid='1'>" + b"<a>" * depth + b"</a>" * depth
    body += b"</DocumentSummary></DocumentSummarySet></eSummaryResult>"

    with pytest.raises(Transient, match="absurdly deep"):
        summaries(body)
