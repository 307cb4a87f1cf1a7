"""Lists of which one row lacks a field: the others are shown, and it is counted; where all lack it, none are empty."""

import dataclasses
import json
import xml.etree.ElementTree as ET

import pytest

from biofact.dialects.readable_rows import omission_notices
from tests.conformance.cases import cases, is_of_source, is_service_asked, outcome_of_damaged, results
from tests.conformance.claims import holds
from tests.conformance.items import each_tool
from tests.conformance.services import body_of

pytestmark = pytest.mark.quick

LISTS = cases(lambda case: is_service_asked(case) and is_of_source(case) and case.spec.returns.listed)
QUICK_FIELDS = 3
SECOND, ALL = slice(1, 2), slice(None)
COUNTED = {"NOT_COVERED", "DROPPED", "LEG_FAILED"}
"""Codes of notices that count the rows that are not shown."""


def longest(tool):
    """The case of a tool that lists most."""
    known_results = results(tool.source)
    return max(tool.cases, key=lambda case: len(case.rows(known_results[case].model_dump(mode="json", by_alias=True))))


class Json:
    """A JSON reply."""

    @staticmethod
    def rows(value, where=()):
        """The outermost lists of two objects and more, by their path; an object of records by ID is one, too."""
        rows = members(value)
        if len(rows) > 1:
            yield where, rows
        elif isinstance(value, dict | list):
            for name, part in value.items() if isinstance(value, dict) else enumerate(value):
                yield from Json.rows(part, (*where, name))

    @staticmethod
    def fields(row, prefix=()):
        """The path to each field of a row, through objects."""
        if isinstance(row, dict):
            for name, part in row.items():
                yield (*prefix, name)
                yield from Json.fields(part, (*prefix, name))

    @staticmethod
    def remove(row, field):
        *path, name = field
        for step in path:
            row = row.get(step) if isinstance(row, dict) else None
        if isinstance(row, dict):
            row.pop(name, None)


class Xml:
    """An XML reply."""

    @staticmethod
    def rows(root):
        rows = list(root)
        if len(rows) > 1 and len({row.tag for row in rows}) == 1:
            yield (), rows

    @staticmethod
    def fields(row):
        return ((*path, child.tag) for path, parent in Xml.parents(row) for child in parent)

    @staticmethod
    def parents(row, path=()):
        yield path, row
        for child in row:
            yield from Xml.parents(child, (*path, child.tag))

    @staticmethod
    def remove(row, field):
        *path, tag = field
        for found_path, parent in list(Xml.parents(row)):
            if found_path == tuple(path):
                for child in parent.findall(tag):
                    parent.remove(child)


def members(value):
    """The objects of a list, or of an object whose members are records by ID."""
    if isinstance(value, list) and all(isinstance(row, dict) for row in value):
        return value
    if isinstance(value, dict):
        records = [row for name, row in value.items() if any(map(str.isdigit, name)) and isinstance(row, dict)]
        return records if len(records) >= len(value) - 1 else []
    return []


def parsed(reply):
    body = body_of(reply)
    if body.lstrip().startswith((b"{", b"[")):
        return Json, json.loads(body)
    return (Xml, ET.fromstring(body)) if body.lstrip().startswith(b"<") else (None, body)


def fields_of(case):
    """The form, the list and the field, of every field that a row of a reply has."""
    fields = {}

    def note(reply):
        reply = dataclasses.replace(reply, body=body_of(reply))
        form, document = parsed(reply)
        for where, rows in form.rows(document) if form else ():
            fields.update(dict.fromkeys((form, where, field) for field in form.fields(rows[1])))
        return reply

    outcome_of_damaged(case, note)
    return list(fields)


def without(field, which, damaged_replies):
    """A reply of which the second row of a list, or all of them, lack a field."""
    lacking_form, place, name = field

    def damage(reply):
        reply = dataclasses.replace(reply, body=body_of(reply))
        form, document = parsed(reply)
        lists = [rows for where, rows in form.rows(document) if where == place] if form is lacking_form else []
        for rows in lists:
            for row in rows[which]:
                form.remove(row, name)
        if not lists:
            return reply
        damaged_replies.append(reply)
        return dataclasses.replace(reply, body=json.dumps(document).encode() if form is Json else ET.tostring(document))

    return damage


def shown_count(case, answer):
    """The number of rows, without the failures of single IDs."""
    return sum(row.get("success") is not False for row in case.rows(answer))


def check(case, fields):
    """A row without one of the fields costs no more than that row, which is counted."""
    plain_result = results(case.source)[case].model_dump(mode="json", by_alias=True)
    for field in fields:
        damaged_replies = []
        code, answer, _ = outcome_of_damaged(case, without(field, SECOND, damaged_replies))
        assert code == "found", field
        lost_rows = shown_count(case, plain_result) - shown_count(case, answer)
        assert lost_rows <= len(damaged_replies), (field, lost_rows)
        if len(case.rows(answer)) < len(case.rows(plain_result)):
            notices = [notice for notice in answer["notices"] if notice not in plain_result.get("notices", [])]
            assert {notice["code"] for notice in notices} & COUNTED, (field, notices)
            if any(map(is_omission, notices)):
                code, answer, _ = outcome_of_damaged(case, without(field, ALL, []))
                assert code == "UPSTREAM_ERROR", (field, answer)


def is_omission(notice):
    (sample,) = omission_notices("", {"": 1})
    return sample.message.split(":")[0].strip() in notice["message"]


@holds("partial_payloads_survive")
@each_tool(LISTS)
def test_a_row_without_a_field_costs_that_row_alone(tool):
    case = longest(tool)
    fields = fields_of(case)

    check(case, fields[:: max(1, len(fields) // QUICK_FIELDS)])


@pytest.mark.sweep
@each_tool(LISTS)
def test_a_row_without_any_one_of_its_fields_costs_that_row_alone(tool):
    case = longest(tool)

    check(case, fields_of(case))
