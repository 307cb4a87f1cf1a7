"""The audit log: who asked what with which outcome, in a file of its owner's, through renames and full disks."""

import asyncio
import json
import os
import stat

import pytest
from fastmcp import Client
from fastmcp.server.auth import AccessToken

from biofact.core import events
from biofact.core.events import AuditFailed
from biofact.core.settings import Settings
from biofact.core.usage import WrongUsage
from biofact.interfaces.http.audit import audit_of
from biofact.interfaces.mcp.server import gateway
from tests.interfaces.http.protected import carried
from tests.interfaces.toy import TOYS

pytestmark = pytest.mark.quick

SUBJECT = "0123456789abcdef"
GET = ("toy_get_toy", {"toy_id": "TOY:8"})


def audited(path, *calls, required=False, before_close=lambda: None):
    """The answers of a gateway of toys to these calls, with an audit log at ``path``."""
    settings = Settings({"BIOFACT_AUDIT_LOG": str(path), "BIOFACT_AUDIT_REQUIRED": "1" if required else ""})
    audit = audit_of(settings, lambda: SUBJECT)

    async def run():
        server = gateway(catalog=TOYS)
        server.middleware.insert(0, audit)
        async with Client(server) as client:
            answers = []
            for call in calls:
                answers.append(await client.call_tool_mcp(*call))
                before_close()
            return answers, await audit.state()

    return asyncio.run(run())


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_each_call_is_a_line_with_all_that_was_asked(tmp_path):
    path = tmp_path / "audit.jsonl"
    token = AccessToken(
        token="t0ken",
        client_id="claude.ai",
        scopes=[],
        subject="ann@example.org",
        claims={"iss": "https://login.example"},
    )

    with carried(token):
        audited(path, GET, ("toy_get_toy", {"toy_id": "ball"}), ("no_such_tool", {"x": [1]}))

    entries = lines(path)
    assert [(line["tool"], line["arguments"], line["outcome"]) for line in entries] == [
        ("toy_get_toy", {"toy_id": "TOY:8"}, "OK"),
        ("toy_get_toy", {"toy_id": "ball"}, "UNRESOLVED_ENTITY"),
        ("no_such_tool", {"x": [1]}, "AMBIGUOUS_QUERY"),
    ]
    for line in entries:
        assert (line["subject"], line["issuer"], line["sub"]) == (SUBJECT, "https://login.example", "ann@example.org")
        assert (line["client"], line["method"]) == ("claude.ai", "tools/call")
        assert line["seconds"] >= 0
        assert line["time"].endswith("+00:00")
    assert "t0ken" not in path.read_text()


def test_only_its_owner_can_read_it(tmp_path):
    path = tmp_path / "audit.jsonl"
    before = os.umask(0)
    try:
        audited(path, GET)
    finally:
        os.umask(before)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_earlier_lines_stay(tmp_path):
    path = tmp_path / "audit.jsonl"
    path.touch(0o600)
    path.write_text('{"of": "yesterday"}\n')

    audited(path, GET)

    assert [line.get("of") for line in lines(path)] == ["yesterday", None]


def test_a_file_that_was_moved_is_created_again(tmp_path):
    path, old_path = tmp_path / "audit.jsonl", tmp_path / "audit.jsonl.1"

    def rotate():
        if not old_path.exists():
            path.rename(old_path)

    audited(path, GET, GET, GET, before_close=rotate)

    assert (len(lines(old_path)), len(lines(path))) == (1, 2)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("kind", ["readable", "folder", "link", "nowhere", "pipe"])
def test_a_file_that_will_not_do_is_refused_at_the_start(tmp_path, kind):
    path = tmp_path / "audit.jsonl"
    match kind:
        case "readable":
            path.touch()
            path.chmod(0o644)
        case "folder":
            path.mkdir()
        case "link":
            (tmp_path / "elsewhere").touch(0o600)
            path.symlink_to(tmp_path / "elsewhere")
        case "nowhere":
            path = tmp_path / "nowhere" / "audit.jsonl"
        case "pipe":
            os.mkfifo(path, 0o600)

    with pytest.raises(WrongUsage, match="cannot be the audit log") as wrong:
        audit_of(Settings({"BIOFACT_AUDIT_LOG": str(path)}), lambda: "")

    assert "chmod 600" in wrong.value.hint


def test_a_log_that_is_required_has_to_be_named():
    with pytest.raises(WrongUsage, match="there is no audit log"):
        audit_of(Settings({"BIOFACT_AUDIT_REQUIRED": "1"}), lambda: "")

    assert audit_of(Settings({}), lambda: "") is None


@pytest.fixture
def lost():
    """The losses that listeners are notified of."""
    failures = []
    with events.subscription(lambda event: failures.append(event) if isinstance(event, AuditFailed) else None):
        yield failures


def deleted_folder(path):
    """Moves the folder away after the first call, so that the file cannot be opened again."""
    folder = path.parent
    return lambda: folder.exists() and folder.rename(folder.with_name("gone"))


def test_a_loss_is_logged_once_counted_each_time_and_the_call_is_answered(tmp_path, caplog, lost):
    path = tmp_path / "logs" / "audit.jsonl"
    path.parent.mkdir()

    answers, state = audited(path, GET, GET, GET, before_close=deleted_folder(path))

    assert [answer.is_error for answer in answers] == [False] * 3
    assert len(lost) == 2
    assert caplog.text.count("The audit log cannot be written: No such file or directory.") == 1
    assert (state.state, state.reason) == ("degraded", "calls cannot be written")


def test_a_required_audit_log_withholds_answers_without_a_line(tmp_path, lost):
    path = tmp_path / "logs" / "audit.jsonl"
    path.parent.mkdir()

    answers, state = audited(path, GET, GET, required=True, before_close=deleted_folder(path))

    assert [answer.is_error for answer in answers] == [False, True]
    assert answers[1].content[0].text.startswith("This server must write every call to its audit log")
    assert "doll" not in str(answers[1])
    assert state.state == "failed"
    assert len(lost) == 1


def test_when_the_file_can_be_written_again_it_says_what_is_missing(tmp_path, lost):
    path = tmp_path / "logs" / "audit.jsonl"
    path.parent.mkdir()
    take_away, turns = deleted_folder(path), []

    def away_and_back():
        turns.append(1)
        if len(turns) == 1:
            take_away()
        elif len(turns) == 3:
            path.parent.mkdir()

    _, state = audited(path, GET, GET, GET, GET, GET, before_close=away_and_back)

    first, *later_lines = lines(path)
    assert {name: first[name] for name in ("method", "outcome", "calls")} == {
        "method": "audit", "outcome": "LOST", "calls": 2,
    }  # fmt: skip
    assert [line["outcome"] for line in later_lines] == ["OK", "OK"]
    assert (len(lost), state.state) == (2, "ok")


def test_a_gateway_that_is_sent_no_calls_gets_ready_again(tmp_path, lost):
    path = tmp_path / "logs" / "audit.jsonl"
    path.parent.mkdir()
    audit = audit_of(Settings({"BIOFACT_AUDIT_LOG": str(path), "BIOFACT_AUDIT_REQUIRED": "1"}), lambda: SUBJECT)
    take_away = deleted_folder(path)

    async def run():
        server = gateway(catalog=TOYS)
        server.middleware.insert(0, audit)
        async with Client(server) as client:
            take_away()
            await client.call_tool_mcp(*GET)
            before = await audit.state()
            path.parent.mkdir()
            return before.state, (await audit.state()).state

    assert asyncio.run(run()) == ("failed", "ok")
    assert [(line["outcome"], line["calls"]) for line in lines(path)] == [("LOST", 1)]
