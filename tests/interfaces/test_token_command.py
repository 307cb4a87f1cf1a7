"""``biofact token``: its output, its file, and its refusals."""

import errno
import json
import os
import re
import stat
import subprocess
import sys
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import pytest

from biofact.gateway.tokens import TokenFile, digest, is_well_formed
from biofact.interfaces import every_source
from tests.interfaces import terminal

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
posix = pytest.mark.skipif(os.name != "posix", reason="Windows keeps rights elsewhere")


@pytest.fixture
def file(tmp_path, monkeypatch):
    path = tmp_path / "group" / "tokens.json"
    monkeypatch.setenv("BIOFACT_TOKENS", str(path))
    return path


@pytest.fixture
def token(file, capsys, monkeypatch):
    """Runs ``biofact token``; returns its exit code and output."""
    return lambda *words: terminal.biofact(capsys, monkeypatch, "token", *words)


def tokens_by_name(file):
    return {static_token.name: static_token for static_token in TokenFile(file).read().tokens}


def test_a_token_is_printed_once_and_only_its_hash_is_kept(token, file):
    added = token("add", "alice")
    text = added.stdout.strip()

    assert added.returncode == 0
    assert is_well_formed(text)
    assert added.stdout == f"{text}\n"
    assert text not in added.stderr
    assert "alice may ask every source. This is the only time" in added.stderr
    assert text not in file.read_text()
    assert tokens_by_name(file)["alice"].sha256 == digest(text)
    assert text not in token("list").stdout


@posix
def test_file_and_folder_are_their_owners_alone(token, file):
    before = os.umask(0)
    try:
        token("add", "alice")
        token("add", "bob")
        token("revoke", "alice")
    finally:
        os.umask(before)

    assert [stat.S_IMODE(owned_path.stat().st_mode) for owned_path in (file.parent, file)] == [0o700, 0o600]
    assert {stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()} == {0o600}


def test_a_token_can_be_narrow_and_end(token, file):
    added = token("add", "course", "--scope", "pubmed", "--scope", "entrez", "--scope", "pubmed", "--days", "90")

    course = tokens_by_name(file)["course"]
    assert course.scopes == ("entrez", "pubmed")
    assert timedelta(days=89) < course.expires - datetime.now(UTC) <= timedelta(days=90)
    assert re.search(r"course may ask entrez, pubmed until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.", added.stderr)


def test_a_list_shows_who_may_ask_what(token):
    token("add", "alice")
    token("add", "course", "--scope", "igvf", "--days", "3")

    alice, course = json.loads(token("list").stdout)
    table = token("list", "--format", "table").stdout

    assert alice["scopes"] == sorted(every_source.names())
    assert (course["name"], course["scopes"]) == ("course", ["igvf"])
    assert {*alice} == {"name", "scopes", "created"}
    assert {*course} == {"name", "scopes", "created", "expires"}
    assert "every source" in table
    assert "never" in table


def test_a_list_of_none_says_how_to_make_one(token):
    assert token("list").stdout.strip() == "[]"
    assert "`biofact token add NAME` makes one" in token("list", "--format", "table").stderr


def test_a_revoked_token_is_gone_and_its_name_is_free(token, file):
    first = token("add", "alice").stdout

    assert (
        token("revoke", "alice").stderr
        == "note: the token alice is revoked. Servers of this file refuse it from now on.\n"
    )
    assert tokens_by_name(file) == {}
    assert token("add", "alice").stdout != first


@contextmanager
def full_disk():
    """Let the system have no room for a new file."""

    def open_file(path, flags, *mode, dir_fd=None):
        if flags & os.O_EXCL:
            try:
                os.stat(path, dir_fd=dir_fd, follow_symlinks=False)
            except FileNotFoundError:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from None
        return opened(path, flags, *mode, dir_fd=dir_fd)

    opened = os.open
    with patch("os.open", open_file):
        yield


def test_a_token_is_revoked_on_a_full_disk_where_none_can_be_added(token, file):
    for name in ("alice", "bob"):
        token("add", name)
    inode = file.stat().st_ino

    with full_disk():
        revoked = token("revoke", "alice")
        added = token("add", "carol")

    assert revoked.returncode == 0
    assert (added.returncode, added.stdout) == (1, "")
    assert "cannot be written: no space left on device." in added.stderr
    assert list(tokens_by_name(file)) == ["bob"]
    assert (file.stat().st_ino, stat.S_IMODE(file.stat().st_mode)) == (inode, 0o600)
    assert token("revoke", "bob").returncode == 0


MISTAKES = [
    (["add"], 2, ("add needs the name of a token.", "Call `biofact token add NAME`.")),
    (["revoke"], 2, ("revoke needs the name of a token.", "Call `biofact token revoke NAME`.")),
    (["revoke", "bob"], 1, ("There is no token 'bob'.", "`biofact token list` shows those that there are.")),
    (
        ["add", "alice"],
        1,
        ("There is a token 'alice' already.", "Choose another name, or call `biofact token revoke alice` first."),
    ),
    (
        ["add", "bob", "--scope", "genes"],
        2,
        ("There is no source 'genes'.", f"The sources are {', '.join(sorted(every_source.names()))}."),
    ),
    (
        ["add", "bob@example.org"],
        2,
        ("'bob@example.org' cannot name a token.", "Use up to 64 letters, digits, dots, hyphens and underscores."),
    ),
    (
        ["add", "x" * 65],
        2,
        (f"'{'x' * 65}' cannot name a token.", "Use up to 64 letters, digits, dots, hyphens and underscores."),
    ),
    (["list", "bob"], 2, ("list takes no name: it shows all tokens.", "Call `biofact token list`.")),
    (
        ["revoke", "alice", "--days", "3"],
        2,
        ("--scope and --days are of a token that is added.", "Leave them out of revoke."),
    ),
]


def test_a_senseless_command_is_refused(token, file, subtests):
    token("add", "alice")
    before = file.read_bytes()

    for words, code, advice in MISTAKES:
        with subtests.test(" ".join(words)):
            result = token(*words)
            assert result.returncode == code
            assert result.stderr == "error: {}\nhint: {}\n".format(*advice)
            assert result.stdout == ""
            assert file.read_bytes() == before


def test_days_are_a_reasonable_number(token, file, subtests):
    for days in ("0", "-1", "5000", "x"):
        with subtests.test(days):
            assert token("add", "bob", "--days", days).returncode == 2
            assert not file.exists()


@posix
def test_a_file_that_others_can_read_is_not_added_to(token, file):
    token("add", "alice")
    file.chmod(0o644)

    result = token("add", "bob")

    assert result.returncode == 2
    assert f"hint: chmod 600 {file}" in result.stderr
    assert result.stdout == ""


def test_a_place_that_cannot_be_written_is_named(token, file, monkeypatch, tmp_path):
    (tmp_path / "a-file").touch()
    monkeypatch.setenv("BIOFACT_TOKENS", str(tmp_path / "a-file" / "tokens.json"))

    result = token("add", "alice")

    assert result.returncode == 1
    assert "hint: Set BIOFACT_TOKENS to a file in a folder of yours." in result.stderr
    assert result.stdout == ""


@pytest.mark.processes
def test_commands_at_the_same_time_lose_nothing(file):
    names = [f"user-{number}" for number in range(6)]
    command = [sys.executable, "-m", "biofact", "token", "add"]
    processes = [subprocess.Popen([*command, name], stdout=subprocess.PIPE, cwd=ROOT) for name in names]

    texts = [process.communicate()[0].decode().strip() for process in processes]

    tokens = tokens_by_name(file)
    assert [tokens[name].sha256 for name in names] == [digest(text) for text in texts]
