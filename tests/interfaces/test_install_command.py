"""``biofact install``: the files it writes, the content it preserves, and its messages."""

import json
import os
import re
import stat
import sys
from pathlib import Path

import pytest

from biofact.interfaces.cli import files, install_command
from biofact.interfaces.cli.client_files import CLIENTS
from biofact.interfaces.cli.install_command import NotInstalled, ServerCommand
from tests.interfaces import terminal

pytestmark = pytest.mark.quick

FILES = {
    "claude-desktop": ".config/Claude/claude_desktop_config.json",
    "claude-code": ".claude.json",
    "cursor": ".cursor/mcp.json",
    "vscode": ".config/Code/User/mcp.json",
}
FOREIGN_CONFIGURATION = (
    '{\n    "theme": "dark",\n    "mcpServers": {\n        "other": {"command": "x"}\n    },\n    "n": 1e3\n}\n'
)

GUIDE = (Path(__file__).parents[2] / "docs" / "guide.md").read_text("utf-8")


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The home of a user of Linux without settings."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    names = [name for name in os.environ if name.startswith("BIOFACT_")]
    for name in ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "NCBI_API_KEY", "IGVF_CATALOG_API_URL", *names):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def install(capsys, monkeypatch, home):
    return lambda *words: terminal.biofact(capsys, monkeypatch, "install", "--client", *words)


def content_of(file):
    return json.loads(file.read_text("utf-8"))


@pytest.mark.parametrize("client", FILES)
def test_each_client_finds_its_entry_where_it_looks(install, home, client):
    done = install(client)

    assert (done.returncode, done.stderr) == (0, "")
    section = "servers" if client == "vscode" else "mcpServers"
    entry = content_of(home / FILES[client])[section]["biofact"]
    assert Path(entry["command"]).is_absolute()
    assert os.access(entry["command"], os.X_OK)
    assert entry["args"][-1] == "serve"
    assert entry.get("type") == (None if client == "claude-desktop" else "stdio")
    assert f"is set up for {CLIENTS[client].title} now" in done.stdout
    assert str(home / FILES[client]) in done.stdout
    assert "\nNext: " in done.stdout


@pytest.mark.parametrize("client", CLIENTS)
def test_the_guide_shows_what_a_client_gets(client):
    chapter = GUIDE.partition("## Set up a client\n")[2].partition("\n## ")[0]
    blocks = [json.loads(block) for block in re.findall("```json\n(.*?)```", chapter, re.DOTALL)]
    command = ServerCommand(("/home/ann/.local/bin/biofact",)).with_serve()
    entry = install_command.entry(CLIENTS[client], command, {})

    assert {CLIENTS[client].section: {"biofact": entry}} in blocks
    assert f"| `{client}` | " in chapter


@pytest.mark.parametrize("client", CLIENTS)
def test_print_shows_the_entry_and_writes_nothing(install, home, client):
    result = install(client, "--print", "--source", "entrez", "--name", "genes")

    assert result.returncode == 0
    assert list(home.iterdir()) == []
    if client in FILES:
        assert f"without --print this goes into {home / FILES[client]}" in result.stderr
        install(client, "--source", "entrez", "--name", "genes")
        assert content_of(home / FILES[client]) == json.loads(result.stdout)


def test_all_else_stays_and_the_file_before_is_kept(install, home):
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text(FOREIGN_CONFIGURATION, "utf-8")
    done = install("cursor", "--sandbox")

    head, tail = FOREIGN_CONFIGURATION.split('{"command": "x"}')
    assert file.read_text("utf-8").startswith(f'{head}{{"command": "x"}},\n        "biofact": {{\n')
    assert file.read_text("utf-8").endswith(f"        }}{tail}")
    assert content_of(file)["mcpServers"]["biofact"]["args"][-2:] == ["serve", "--sandbox"]
    assert (home / ".cursor" / "mcp.json.bak").read_text("utf-8") == FOREIGN_CONFIGURATION
    assert f"the file before: {home / '.cursor' / 'mcp.json.bak'}" in done.stdout


def test_an_earlier_backup_is_never_overwritten(install, home):
    install("cursor")
    contents = []
    for source in ("entrez", "pubmed", "igvf"):
        contents.append((home / ".cursor" / "mcp.json").read_bytes())
        install("cursor", "--source", source)

    backups = [home / ".cursor" / f"mcp.json.bak{number}" for number in ("", 2, 3)]
    assert [backup.read_bytes() for backup in backups] == contents


def test_the_same_again_writes_nothing(install, home):
    install("vscode")
    second = install("vscode")

    assert second.returncode == 0
    assert "already there; nothing was written" in second.stdout
    assert [file.name for file in (home / ".config/Code/User").iterdir()] == ["mcp.json"]


def test_members_that_others_wrote_into_the_entry_stay(install, home):
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    entry = {"command": "old", "args": [], "disabled": True, "env": {"A": "1"}}
    file.write_text(json.dumps({"mcpServers": {"biofact": entry}}), "utf-8")
    install("cursor", "--env", "HOME")

    changed = content_of(file)["mcpServers"]["biofact"]
    assert changed["disabled"] is True
    assert changed["env"] == {"A": "1", "HOME": str(home)}
    assert changed["args"][-1] == "serve"


@pytest.mark.parametrize(
    ("existing", "expected"),
    [
        ({"type": "http", "url": "http://127.0.0.1:8000/mcp"}, {}),
        (None, {}),
        ({"command": "old", "env": {}, "timeout": 9}, {"env": {}, "timeout": 9}),
        ({"command": "old", "env": "none"}, {}),
    ],
)
def test_of_an_entry_before_stays_what_fits(existing, expected):
    new = {"command": "biofact", "args": ["serve"]}

    assert install_command.merged(existing, new) == {**new, **expected}


def test_an_entry_with_a_comment_that_is_right_stays_as_it_is(install, home):
    install("vscode")
    file = home / ".config/Code/User/mcp.json"
    text = file.read_text("utf-8").replace('"stdio",', '"stdio", // always')
    file.write_text(text, "utf-8")
    second = install("vscode")

    assert (second.returncode, file.read_text("utf-8")) == (0, text)
    assert "already there" in second.stdout


def test_removing_takes_out_the_entry_alone(install, home):
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text(FOREIGN_CONFIGURATION, "utf-8")
    install("cursor")
    result = install("cursor", "--remove", "--print")
    assert "would be taken out of" in result.stdout
    assert "biofact" in content_of(file)["mcpServers"]

    removed = install("cursor", "--remove")
    assert file.read_text("utf-8") == FOREIGN_CONFIGURATION
    assert (removed.returncode, removed.stderr) == (0, "")
    assert f"biofact was taken out of {file}" in removed.stdout
    assert "biofact is not in" in install("cursor", "--remove").stdout


def test_removing_from_a_client_without_a_file_makes_none(install, home):
    done = install("claude-code", "--remove")

    assert (done.returncode, done.stdout.split(";")[1].strip()) == (0, "nothing was written.")
    assert list(home.iterdir()) == []


def test_a_secret_goes_into_the_entry_only_where_it_is_asked_for_and_is_not_shown(install, home, monkeypatch):
    monkeypatch.setenv("NCBI_API_KEY", "s3cret")
    plain = install("cursor")
    assert "s3cret" not in (home / ".cursor/mcp.json").read_text("utf-8") + plain.stdout + plain.stderr
    assert "not carried into the entry: NCBI_API_KEY; add --env NCBI_API_KEY" in plain.stderr

    result = install("cursor", "--env", "NCBI_API_KEY")
    assert content_of(home / ".cursor/mcp.json")["mcpServers"]["biofact"]["env"] == {"NCBI_API_KEY": "s3cret"}
    assert "s3cret" not in result.stdout + result.stderr
    assert "variables: NCBI_API_KEY" in result.stdout
    assert result.stderr == ""


def test_a_new_file_is_its_owners_alone_and_an_old_one_keeps_its_permissions(install, home):
    old = home / ".claude.json"
    old.write_text("{}", "utf-8")
    old.chmod(0o640)
    install("claude-code")
    install("cursor")

    modes = [stat.S_IMODE(file.stat().st_mode) for file in (old, home / ".claude.json.bak", home / ".cursor/mcp.json")]
    assert modes == [0o640, 0o640, 0o600]


def test_a_link_stays_a_link(install, home):
    (home / "dotfiles").mkdir()
    (home / "dotfiles" / "claude.json").write_text("{}", "utf-8")
    (home / ".claude.json").symlink_to(home / "dotfiles" / "claude.json")
    install("claude-code")

    assert (home / ".claude.json").is_symlink()
    assert "biofact" in content_of(home / "dotfiles" / "claude.json")["mcpServers"]


def test_a_byte_order_mark_stays(install, home):
    (home / ".claude.json").write_bytes(b"\xef\xbb\xbf{}")
    install("claude-code")

    assert (home / ".claude.json").read_bytes().startswith(b'\xef\xbb\xbf{\n  "mcpServers"')


def test_comments_stay_where_the_client_reads_them(install, home):
    file = home / ".config/Code/User/mcp.json"
    file.parent.mkdir(parents=True)
    file.write_text('{\n  // mine\n  "servers": {}, // none\n}\n', "utf-8")
    install("vscode")

    text = file.read_text("utf-8")
    assert text.startswith('{\n  // mine\n  "servers": {\n    "biofact": {')
    assert text.endswith("    }\n  }, // none\n}\n")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"mcpServers": {', "is not JSON"),
        (b'{} // "claude" reads no comments', "is not JSON"),
        (b"[]", "no object"),
        (b'{"mcpServers": []}', "where an object is expected"),
        (b"\xff\xfe{\x00}\x00", "no text in UTF-8"),
    ],
)
@pytest.mark.parametrize("words", [[], ["--remove"]])
def test_a_file_that_cannot_be_edited_stays_as_it_is(install, home, content, reason, words):
    (home / ".claude.json").write_bytes(content)
    done = install("claude-code", *words)

    assert (done.returncode, done.stdout) == (1, "")
    assert reason in done.stderr
    assert "hint: Mend the file, or edit it by hand: --print shows the entry. Nothing was written." in done.stderr
    assert [(file.name, file.read_bytes()) for file in home.iterdir()] == [(".claude.json", content)]


def test_a_file_that_another_program_changes_meanwhile_is_not_overwritten(home):
    file = home / ".claude.json"
    file.write_text('{"sessions": 1}', "utf-8")
    configuration = install_command.Configuration.read(file, CLIENTS["claude-code"])
    file.write_text('{"sessions": 2}', "utf-8")

    with pytest.raises(NotInstalled, match="was changed by another program"):
        configuration.replace("{}")
    assert file.read_text("utf-8") == '{"sessions": 2}'
    assert list(home.iterdir()) == [file]


def test_a_folder_in_the_place_of_the_file_is_refused(install, home):
    (home / ".claude.json").mkdir()
    done = install("claude-code")

    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot be read: is a directory" in done.stderr


def test_a_folder_that_cannot_be_made_is_refused(install, home):
    (home / ".cursor").write_text("a file", "utf-8")
    done = install("cursor")

    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 2


def test_any_client_gets_its_entry_on_stdout_or_in_a_file(install, home):
    result = install("json", "--sandbox=box")
    install("json", "--sandbox=box", "-o", str(home / "mcp.json"))

    assert result.stderr == ""
    entry = json.loads(result.stdout)["mcpServers"]["biofact"]
    assert entry["args"][-1] == f"--sandbox={Path('box').absolute()}"
    assert content_of(home / "mcp.json") == json.loads(result.stdout)


def test_a_projects_file_takes_the_place_of_the_clients_own(install, home):
    install("claude-code", "-o", str(home / ".mcp.json"))

    assert [file.name for file in home.iterdir()] == [".mcp.json"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["cursor", "--source", "gwas"], "There is no source 'gwas'."),
        (["cursor", "--name", "my server"], "'my server' cannot name an entry."),
        (["cursor", "--env", "NCBI_API_KEY"], "'NCBI_API_KEY' is not set here, so that it cannot be carried."),
        (["cursor", "--env", "NCBI_API_KEY=s3cret"], "--env takes the name of a variable, without a value."),
        (["zed"], "--client cannot be 'zed'."),
        (["json", "--remove"], "--remove needs the file that holds the entry."),
        (["cursor", "--remove", "--sandbox"], "--remove takes the entry out, whatever it holds."),
    ],
)
def test_a_mistake_is_wrong_usage_and_writes_nothing(install, home, words, message):
    done = install(*words)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {message}\nhint: ")
    assert list(home.iterdir()) == []


def test_a_backup_that_cannot_be_written_is_an_error_and_the_file_stays(tmp_path):
    with pytest.raises(files.FileNotWritten, match="cannot be written"):
        files.backup(tmp_path / "no folder" / "mcp.json", b"{}")
