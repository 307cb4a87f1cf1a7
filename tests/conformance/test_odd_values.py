"""Answers with a value that no service writes, of another type, size or depth, in any field of any answer.

A call ends with a result or with an error of the tool, and the facts that it shows are true.
"""

import contextlib
import dataclasses
import itertools
import json
import random
import xml.etree.ElementTree as ET
from typing import ClassVar

import pytest

from tests.conformance.cases import first_from_services, outcome_of_damaged
from tests.conformance.claims import holds
from tests.conformance.items import each_tool
from tests.conformance.services import body_of, native
from tests.conformance.test_oddities import facts, known_facts
from tests.each_of import check_each

pytestmark = pytest.mark.quick

CASES = first_from_services()
DEPTH = 900
MARK = "a-value-nobody-wrote"
QUICK = 2
"""Odd answers to each tool, chosen at random and always the same."""
STEP = 7
"""The sweep tries each seventh value in a field, so that a few fields of an answer meet all of them."""
ENDS = {"found", "UPSTREAM_ERROR", "ENTITY_NOT_FOUND", "AMBIGUOUS_QUERY"}


class Json:
    """A JSON answer, its fields by their paths, and odd values as they are written."""

    NO_FACTS: ClassVar = {
        "null": b"null",
        "object": b"{}",
        "object with a field": b'{"unheard_of":"unheard of"}',
        "list of lists": b"[[[]]]",
        "list of 900 levels": b"[" * DEPTH + b"]" * DEPTH,
        "object of 900 levels": b'{"a":' * DEPTH + b"1" + b"}" * DEPTH,
        "object of 240 levels": b'{"a":' * 240 + b"1" + b"}" * 240,
        "list of 100,000 levels": b"[" * 100_000 + b"]" * 100_000,
    }
    """Values that are no text or number, and so cannot be shown."""
    VALUES: ClassVar = NO_FACTS | {
        "empty list": b"[]",
        "true": b"true",
        "zero": b"0",
        "negative": b"-1",
        "fraction": b"0.5",
        "1e308": b"1e308",
        "1e400": b"1e400",
        "64 bits": b"18446744073709551615",
        "65 bits": b"18446744073709551616",
        "400 digits": b"9" * 400,
        "5,000 digits": b"9" * 5000,
        "400 digits as text": b'"%s"' % (b"9" * 400),
        "5,000 digits as text": b'"%s"' % (b"9" * 5000),
        "1e400 as text": b'"1e400"',
        "negative as text": b'"-1"',
        "empty text": b'""',
        "blank": b'" "',
        "text": b'"unheard of"',
        "escaped NUL": b'"a\\u0000b"',
        "NUL": b'"a\0b"',
        "half a surrogate pair": b'"\\ud800"',
        "no UTF-8": b'"\xff\xfe"',
        "Arabic digits": '"\u0661\u0662"'.encode(),
        "1 MB": b'"%s"' % (b"x" * 1_000_000),
    }

    @staticmethod
    def fields(value, path=()):
        """The path to each value; of a list, to that of its first item."""
        yield path
        parts = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
        for name, part in parts:
            yield from Json.fields(part, (*path, name))

    @staticmethod
    def marked(document, path):
        """The document with a mark in place of a value; None where it has no such field."""
        place = root = {"": document}
        for step, name in itertools.pairwise(("", *path)):
            try:
                place = place[step]
                place[name]
            except (KeyError, IndexError, TypeError):
                return None
        place[path[-1] if path else ""] = MARK
        return json.dumps(root[""]).encode()

    @staticmethod
    def mark():
        return b'"%s"' % MARK.encode()


class Xml:
    """An XML answer, its elements and attributes by their paths, and odd contents of these."""

    NO_FACTS: ClassVar = {
        "nothing": b"",
        "blank": b" \n ",
        "an element": b"<Unheard/>",
        "an element with text": b"<Unheard><Of>x</Of></Unheard>",
        "900 levels": b"<a>" * DEPTH + b"</a>" * DEPTH,
        "100,000 levels": b"<a>" * 100_000 + b"</a>" * 100_000,
    }
    VALUES: ClassVar = NO_FACTS | {
        "text": b"unheard of",
        "zero": b"0",
        "negative": b"-1",
        "1e400": b"1e400",
        "400 digits": b"9" * 400,
        "5,000 digits": b"9" * 5000,
        "NUL": b"\0",
        "a reference to NUL": b"&#0;",
        "half a surrogate pair": b"&#xD800;",
        "no UTF-8": b"\xff\xfe",
        "Arabic digits": "\u0661\u0662".encode(),
        "an unknown entity": b"&unheard;",
        "a comment": b"<!-- a --",
        "1 MB": b"x" * 1_000_000,
    }

    @staticmethod
    def fields(element, path=()):
        yield path
        yield from ((*path, f"@{name}") for name in element.attrib)
        for child in element:
            yield from Xml.fields(child, (*path, child.tag))

    @staticmethod
    def marked(root, path):
        tags, attribute = (path[:-1], path[-1][1:]) if path and path[-1].startswith("@") else (path, None)
        element = root.find("/".join(tags)) if tags else root
        if element is None or attribute not in {None, *element.attrib}:
            return None
        if attribute is None:
            element[:], element.text = [], MARK
        else:
            element.set(attribute, MARK)
        return ET.tostring(root)

    @staticmethod
    def mark():
        return MARK.encode()


def read(body):
    """The form of an answer, and its document; None for both where it is neither JSON nor XML."""
    if body.lstrip().startswith((b"{", b"[")):
        return Json, json.loads(body)
    return (Xml, ET.fromstring(body)) if body.lstrip().startswith(b"<") else (None, None)


def fields_of(case):
    """The form and path of each field of all answers that a call reads."""
    fields = {}

    def note(reply):
        body = body_of(reply)
        form, document = read(body)
        fields.update(dict.fromkeys((form, path) for path in form.fields(document)) if form else {})
        return dataclasses.replace(reply, body=body)

    outcome_of_damaged(case, note)
    return list(fields)


def with_value(form, path, value, sent_facts):
    """A reply with a value in place of its field; ``sent_facts`` takes what was true before."""

    def damage(reply):
        body = body_of(reply)
        own_form, document = read(body)
        if own_form is Json:
            sent_facts.update(facts(document))
        marked = form.marked(document, path) if own_form is form else None
        return dataclasses.replace(reply, body=marked.replace(form.mark(), value) if marked else body)

    return damage


def with_numbers(values):
    """The values, and the number of each that is one as text."""
    numbers = set()
    for value in values:
        with contextlib.suppress(ValueError, TypeError):
            numbers.add(float(value))
    return values | numbers


def check(case, odd_answers):
    """Calls with these odd answers end well."""
    _, true_facts = known_facts(case)

    def check_one(odd_answer):
        form, path, name = odd_answer
        sent_facts = set()
        code, answer, _ = outcome_of_damaged(case, with_value(form, path, form.VALUES[name], sent_facts))
        assert code in ENDS
        if form is Json and name in form.NO_FACTS:
            entries = [entry for entry in answer.get("items", []) if entry.get("success") is not False]
            shown_facts = facts(answer | {"items": entries} if "items" in answer else answer)
            known_values = with_numbers(true_facts | sent_facts)
            untrue_facts = {fact for fact in shown_facts if not {fact, native(str(fact))} & known_values}
            assert not untrue_facts, untrue_facts

    check_each(odd_answers, check_one)


def odd_answers_of(case):
    return [(form, path, name) for form, path in fields_of(case) for name in form.VALUES]


@holds("partial_payloads_survive")
@each_tool(CASES)
def test_a_value_nobody_wrote_is_read_as_absent_or_refused(tool):
    for case in tool.cases:
        odd_answers = odd_answers_of(case)
        check(case, random.Random(str(case)).sample(odd_answers, min(QUICK, len(odd_answers))))


@pytest.mark.sweep
@each_tool(CASES)
def test_a_value_nobody_wrote_in_any_field_is_read_as_absent_or_refused(tool):
    for case in tool.cases:
        odd_answers = odd_answers_of(case)
        check(case, odd_answers[::STEP])
