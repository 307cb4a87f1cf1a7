"""Asks a stand-in for E-utilities, and parses its answers."""

import json
from typing import Any
from urllib.parse import parse_qsl
from xml.etree import ElementTree as ET

from biofact.sandbox.dialects.eutils.standin import EutilsStandIn
from biofact.sandbox.standin import Reply, ServiceRequest


def reply(stand_in: EutilsStandIn, program: str, query: str) -> Reply:
    answer = stand_in.reply(ServiceRequest("GET", f"/{program}.fcgi", tuple(parse_qsl(query, keep_blank_values=True))))
    assert answer is not None
    return answer


def body(answer: Reply) -> bytes:
    return answer.body if isinstance(answer.body, bytes) else b"".join(answer.body)


def json_answer(stand_in: EutilsStandIn, program: str, query: str) -> Any:
    return json.loads(body(reply(stand_in, program, f"{query}&retmode=json")))


def xml(stand_in: EutilsStandIn, program: str, query: str) -> ET.Element:
    return ET.fromstring(body(reply(stand_in, program, query)))
