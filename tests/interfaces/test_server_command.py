"""The command by which a client starts the running biofact, for each way of installation."""

import dataclasses
import json
from pathlib import PurePosixPath, PureWindowsPath

import pytest

from biofact.interfaces.cli.install_command import Installation, NoLastingCommand, server_command

pytestmark = pytest.mark.quick

LINUX_VENV = Installation(PurePosixPath("/v/bin/python"), PurePosixPath("/v"), "linux", True, None)
WINDOWS_VENV = Installation(PureWindowsPath(r"C:\v\Scripts\python.exe"), PureWindowsPath(r"C:\v"), "win32", True, None)
UVX = "/home/ann/.cache/uv/archive-v0/OBbL8NOynUfiRWRr"
PIPX_RUN = "/home/ann/.local/share/pipx/.cache/f4f31eca9291425"
WHEEL = json.dumps({"url": "file:///w/biofact-1-py3-none-any.whl", "archive_info": {}})
COMMIT = json.dumps({"url": "https://git.example/b.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}})


def command(installation, *files, path=(), **environment):
    """The command of an installation beside these files, with these programs on the PATH."""
    server = server_command(
        installation, lambda file: str(file) in files, {name: f"/path/{name}" for name in path}.get, environment
    )
    return list(server.with_serve("entrez").words), server.reason


def temporary(prefix, origin=None):
    return Installation(PurePosixPath(f"{prefix}/bin/python"), PurePosixPath(prefix), "linux", True, origin)


def test_the_command_beside_python_is_started(subtests):
    for installation, script in [(LINUX_VENV, "/v/bin/biofact"), (WINDOWS_VENV, r"C:\v\Scripts\biofact.exe")]:
        with subtests.test(script):
            assert command(installation, script) == ([script, "serve", "entrez"], "")


def test_without_such_a_command_python_is_started_and_reads_no_module_of_a_clients_folder():
    words, reason = command(LINUX_VENV)

    assert words == ["/v/bin/python", "-P", "-m", "biofact", "serve", "entrez"]
    assert reason == "there is no biofact beside /v/bin/python"


def test_sources_that_are_not_installed_are_refused():
    with pytest.raises(NoLastingCommand, match="not installed for /v/bin/python"):
        command(dataclasses.replace(LINUX_VENV, is_installed=False))


def test_a_copy_in_the_cache_of_uvx_is_started_by_uvx(subtests):
    script = f"{UVX}/bin/biofact"

    for origin, requirement in [
        (None, []),
        (WHEEL, ["--from", "biofact @ file:///w/biofact-1-py3-none-any.whl"]),
        (COMMIT, ["--from", "biofact @ git+https://git.example/b.git@abc"]),
    ]:
        with subtests.test(origin or "from an index"):
            installation = temporary(UVX, origin)
            words, reason = command(installation, script, "/opt/uv/uvx", path=["uvx"], UV="/opt/uv/uv")
            assert words == ["/opt/uv/uvx", *requirement, "biofact", "serve", "entrez"]
            assert "cache that is emptied" in reason
            assert command(installation, script, path=["uvx"])[0][0] == "/path/uvx"


def test_a_copy_in_the_cache_of_pipx_run_is_started_by_pipx():
    words, _ = command(temporary(PIPX_RUN, WHEEL), f"{PIPX_RUN}/pipx_metadata.json", path=["pipx"])

    assert words[:3] == ["/path/pipx", "run", "--spec"]
    assert words[3:] == ["biofact @ file:///w/biofact-1-py3-none-any.whl", "biofact", "serve", "entrez"]


def test_a_temporary_biofact_that_nothing_can_recreate_is_refused(subtests):
    for prefix, runner in [(UVX, "uvx"), (PIPX_RUN, "pipx")]:
        with (
            subtests.test(runner),
            pytest.raises(NoLastingCommand, match=f"{runner}, which made it, is not to be found"),
        ):
            command(temporary(prefix), f"{prefix}/bin/biofact", f"{prefix}/pipx_metadata.json")


def test_a_lasting_installation_is_started_itself(subtests):
    share = "/home/ann/.local/share"

    for prefix in (f"{share}/pipx/venvs/biofact", f"{share}/uv/tools/biofact", "/h/.cache/v"):
        with subtests.test(prefix):
            script = f"{prefix}/bin/biofact"
            assert command(temporary(prefix, WHEEL), script)[0] == [script, "serve", "entrez"]
