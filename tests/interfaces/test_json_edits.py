"""A configuration with one entry more or less is otherwise unchanged, to the letter."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.interfaces.cli.client_files import JsonText, NotEditable

pytestmark = pytest.mark.quick

PATH = ("servers", "b")
ENTRY = {"command": "c"}
KEYS = st.sampled_from(["servers", "b", "a", 'q"', "é", "//", ","])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
ROOTS = st.dictionaries(KEYS, VALUES, max_size=3)
NOTES = st.sampled_from(["", " ", "\n", "\r\n\t", ' // a, {b} "c"\n', "/* } , */", "\n  // x\n  "])


def with_comments(value, draw):
    """The value as JSON with comments, blanks and trailing commas in all permitted places."""

    def note():
        return draw(NOTES)

    if isinstance(value, dict):
        members = [
            f"{note()}{json.dumps(k)}{note()}:{note()}{with_comments(v, draw)}{note()}" for k, v in value.items()
        ]
        last = "," if members and draw(st.booleans()) else ""
        return "{" + ",".join(members) + last + note() + "}"
    if isinstance(value, list):
        items = [f"{note()}{with_comments(item, draw)}{note()}" for item in value]
        return "[" + ",".join(items) + ("," if items and draw(st.booleans()) else "") + note() + "]"
    return json.dumps(value, ensure_ascii=draw(st.booleans()))


def comments(text):
    matches = re.findall(r'"(?:[^"\\]|\\.)*"|(//[^\r\n]*|/\*.*?\*/)', text, re.DOTALL)
    return [note.strip() for note in matches if note]


def read(text):
    return JsonText.read(text, reads_comments=True)


def edit_or_refusal(edit):
    """The text after an edit, or the reason that it is refused."""
    try:
        return edit(), None
    except NotEditable as refusal:
        return None, str(refusal)


def with_entry(root):
    return {**root, "servers": {**root.get("servers", {}), "b": ENTRY}}


def check_an_entry_goes_in(data, root):
    text = with_comments(root, data.draw)
    changed, refusal = edit_or_refusal(lambda: read(text).with_value(PATH, ENTRY))
    if refusal is not None:
        is_object = isinstance(servers := root["servers"], dict)
        assert ("comment" in refusal and "b" in servers) if is_object else "where an object" in refusal
        return

    assert json.loads(read(changed).strict) == with_entry(root)
    assert list(json.loads(read(changed).strict)) == list(with_entry(root))
    assert comments(changed) == comments(text)


def check_an_entry_goes_out(data, root, servers):
    root = {**root, "servers": {**servers, "b": ENTRY}}
    text = with_comments(root, data.draw)
    changed, refusal = edit_or_refusal(lambda: read(text).without_member(PATH))
    if refusal is not None:
        assert "comment" in refusal
        return

    del root["servers"]["b"]
    assert json.loads(read(changed).strict) == root
    assert comments(changed) == comments(text)


@settings(max_examples=25)
@given(st.data(), ROOTS)
def test_an_entry_goes_in_and_all_else_stays(data, root):
    check_an_entry_goes_in(data, root)


@settings(max_examples=25)
@given(st.data(), ROOTS, ROOTS)
def test_an_entry_goes_out_and_all_else_stays(data, root, servers):
    check_an_entry_goes_out(data, root, servers)


@pytest.mark.sweep
@settings(max_examples=200)
@given(st.data(), ROOTS, ROOTS)
def test_entries_go_in_and_out_and_all_else_stays(data, root, servers):
    check_an_entry_goes_in(data, root)
    check_an_entry_goes_out(data, root, servers)


@settings(max_examples=30)
@given(ROOTS, st.sampled_from([None, 2, 4, "\t"]))
def test_an_entry_that_is_removed_again_leaves_no_trace(root, indent):
    root = {**root, "servers": {"a": 1}}
    text = json.dumps(root, indent=indent, ensure_ascii=False)

    assert JsonText.read(JsonText.read(text).with_value(PATH, ENTRY)).without_member(PATH) == text


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("", '{\n  "servers": {\n    "b": {\n      "command": "c"\n    }\n  }\n}\n'),
        ('{"z": 1e5}', '{"z": 1e5, "servers": {"b": {"command": "c"}}}'),
        ('{"servers": {}}\n', '{"servers": {"b": {"command": "c"}}}\n'),
        (
            '{\r\n\t"z": [1,  2]\r\n}',
            '{\r\n\t"z": [1,  2],\r\n\t"servers": {\r\n\t\t"b": {\r\n\t\t\t"command": "c"\r\n\t\t}\r\n\t}\r\n}',
        ),
        (
            '{\n  "servers": {\n    "a": {}, // mine\n  },\n}\n',
            '{\n  "servers": {\n    "a": {}, // mine\n    "b": {\n      "command": "c"\n    }\n  },\n}\n',
        ),
        ('{\n  "servers": {"b": 1, "a": 2}\n}', '{\n  "servers": {"b": {\n      "command": "c"\n    }, "a": 2}\n}'),
    ],
)
def test_an_entry_is_laid_out_like_its_neighbours(text, changed):
    assert read(text).with_value(PATH, ENTRY) == changed


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"servers": ', "is not JSON"),
        ("{'servers': {}}", "is not JSON"),
        ('{"servers": NaN}', "NaN is no JSON value"),
        ('{"a": 1} // mine', "is not JSON"),
        ('{"a": 1,}', "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "is JSON, but no object"),
        ('{"servers": []}', "has [] where an object is expected"),
        ('{"servers": {}, "servers": {}}', "has 'servers' twice"),
        ('{"servers": {"b": 1, "b": 2}}', "has 'b' twice"),
    ],
)
def test_a_text_that_cannot_be_edited_is_refused(text, why):
    with pytest.raises(NotEditable, match=re.escape(why)):
        JsonText.read(text).with_value(PATH, ENTRY)


@pytest.mark.parametrize("edit", [lambda text: text.with_value(PATH, ENTRY), lambda text: text.without_member(PATH)])
def test_a_comment_within_the_entry_is_not_destroyed(edit):
    with pytest.raises(NotEditable, match="comment within the entry"):
        edit(read('{"servers": {"b": {"command": "old" /* why */}}}'))


def test_removing_an_absent_entry_changes_nothing():
    text = '{"servers": {"a": {}}}'

    assert JsonText.read(text).without_member(PATH) == text
    assert JsonText.read(text).without_member(("mcpServers", "b")) == text
    assert JsonText.read(text).value(PATH) is None
