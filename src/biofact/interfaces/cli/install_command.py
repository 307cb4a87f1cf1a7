"""``biofact install``: our entry in the configuration of an MCP client, without harm to whatever else stands there."""

import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path, PurePath
from typing import Any

from biofact import sources
from biofact.core.usage import WrongUsage, no_source
from biofact.interfaces import terminal
from biofact.interfaces.cli import files, writers
from biofact.interfaces.cli.client_files import CLIENTS, Client, ClientName, JsonText, NotEditable, configuration_file
from biofact.interfaces.cli.doctor import all_settings
from biofact.interfaces.sandbox_option import FLAG, SandboxOption

PACKAGE = "biofact"
_UV_CACHE = re.compile(r"(archive|builds|environments)-v\d+")
_PIPX_CACHE = ".cache"


class NoLastingCommand(ValueError):
    """Nothing can start the biofact that runs from another folder, or at another time."""


@dataclass(frozen=True, slots=True)
class Installation:
    """The installation of the running biofact."""

    executable: PurePath
    """Python's."""
    prefix: PurePath
    """The folder of the environment."""
    platform: str
    is_installed: bool
    """False where Python finds a folder of sources, by a variable or in the current folder."""
    origin: str | None
    """``direct_url.json`` of the distribution (PEP 610): the origin of a package that came from no index."""


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """Words that start the server, the first a file, with the reason for an unusual command."""

    words: tuple[str, ...]
    reason: str = ""

    def with_serve(self, *arguments: str) -> "ServerCommand":
        """The command with ``serve`` and its arguments."""
        return ServerCommand((*self.words, "serve", *arguments), self.reason)


def server_command(
    installation: Installation,
    exists: Callable[[PurePath], bool],
    find: Callable[[str], str | None],
    environment: Mapping[str, str],
) -> ServerCommand:
    """The command that starts biofact again; ``find`` looks for a program on the PATH.

    Raises:
        NoLastingCommand: it is not installed, or in a temporary environment of a tool that is missing.
    """
    suffix = ".exe" if installation.platform == "win32" else ""
    if any(_UV_CACHE.fullmatch(part) for part in installation.prefix.parts):
        uvx = type(installation.executable)(environment.get("UV", "uv")).with_name(f"uvx{suffix}")
        return _runner_command("uvx", str(uvx) if exists(uvx) else find("uvx"), ("--from",), installation)
    if installation.prefix.parent.name == _PIPX_CACHE and exists(installation.prefix / "pipx_metadata.json"):
        return _runner_command("pipx", find("pipx"), ("run", "--spec"), installation)
    script = installation.executable.with_name(f"{PACKAGE}{suffix}")
    if exists(script):
        return ServerCommand((str(script),))
    if not installation.is_installed:
        raise NoLastingCommand(f"This biofact is not installed for {installation.executable}.")
    reason = f"there is no {script.name} beside {installation.executable}"
    words = (str(installation.executable), "-P", "-m", PACKAGE)  # -P: no module of the folder that a client starts in
    return ServerCommand(words, reason)


def _runner_command(runner: str, path: str | None, words: tuple[str, ...], installation: Installation) -> ServerCommand:
    if path is None:
        raise NoLastingCommand(f"This biofact is a temporary one, and {runner}, which made it, is not to be found.")
    *run_words, option = words
    requirement = _requirement(installation.origin)
    options = (option, requirement) if requirement else ()
    reason = f"this biofact lies in a cache that is emptied now and then; {runner} makes it anew at each start"
    return ServerCommand((path, *run_words, *options, PACKAGE), reason)


def _requirement(origin: str | None) -> str:
    """The installed requirement as pip writes it; empty for a package of an index."""
    if origin is None:
        return ""
    source: dict[str, Any] = json.loads(origin)
    vcs = source.get("vcs_info")
    url = f"{vcs['vcs']}+{source['url']}@{vcs['commit_id']}" if vcs else source["url"]
    return f"{PACKAGE} @ {url}"


Entry = dict[str, Any]

_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")


class NotInstalled(WrongUsage):
    """A file or this installation does not allow what the command should do."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class Target:
    """A client's configuration file, and the name of our entry in it."""

    client_name: ClientName
    name: str
    file: Path | None
    """None for standard output."""

    @property
    def client(self) -> Client:
        """The client."""
        return CLIENTS[self.client_name]

    @property
    def path(self) -> tuple[str, str]:
        """The path of the entry in the configuration."""
        return self.client.section, self.name


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """The source and the sandbox of an entry's server, and the names of the variables in the entry."""

    source: str | None = None
    sandbox: SandboxOption = False
    variables: tuple[str, ...] = ()


def choose_target(client: ClientName, name: str, output: str | None) -> Target:
    """The configuration to edit: a file of the user's choice, or else the client's own.

    Raises:
        WrongUsage: an entry cannot have this name.
    """
    if not _NAME.fullmatch(name):
        hint = "Use up to 40 letters, digits, hyphens and underscores: agents see it before the name of each tool."
        raise WrongUsage(f"{name!r:.80} cannot name an entry.", hint=hint)
    default = configuration_file(client, sys.platform, os.environ, Path.home())
    return Target(client, name, Path(output) if output is not None else default)


def serve_arguments(server: ServerOptions) -> tuple[str, ...]:
    """The arguments of ``serve`` in the entry; a folder is absolute, for a client starts the server anywhere.

    Raises:
        WrongUsage: there is no such source.
    """
    if server.source is not None and server.source not in sources.names():
        raise no_source(server.source, sources.names())
    source = [server.source] if server.source else []
    folder = server.sandbox.absolute() if isinstance(server.sandbox, Path) else None
    sandbox = [f"{FLAG}={folder}" if folder else FLAG] if server.sandbox else []
    return (*source, *sandbox)


def entry_variables(names: Sequence[str], environment: Mapping[str, str]) -> dict[str, str]:
    """The variables of the entry, with their values.

    Raises:
        WrongUsage: one is not set, or is given with a value.
    """
    for name in names:
        if "=" in name:  # its value may be secret, and is not repeated
            hint = "Set the variable in your shell, and give --env its name alone."
            raise WrongUsage("--env takes the name of a variable, without a value.", hint=hint)
        if not environment.get(name, "").strip():
            hint = f"Set {name} and call again, or leave out --env {name}."
            raise WrongUsage(f"{name!r:.80} is not set here, so that it cannot be carried.", hint=hint)
    return {name: environment[name] for name in names}


def lasting_command(arguments: Sequence[str]) -> ServerCommand:
    """The command by which a client starts this biofact.

    Raises:
        NotInstalled: no lasting command can start it.
    """
    try:
        origin, is_installed = distribution(PACKAGE).read_text("direct_url.json"), True
    except PackageNotFoundError:
        origin, is_installed = None, False
    installation = Installation(Path(sys.executable), Path(sys.prefix), sys.platform, is_installed, origin)
    try:
        return server_command(installation, os.path.exists, shutil.which, os.environ).with_serve(*arguments)
    except NoLastingCommand as error:
        hint = "Install it with pip, pipx or uv tool, and call biofact install again."
        raise NotInstalled(str(error), hint=hint) from error


def entry(client: Client, command: ServerCommand, variables: Mapping[str, str]) -> Entry:
    """The entry in the client's form."""
    program, *arguments = command.words
    transport = {"type": "stdio"} if client.names_transport else {}
    return {**transport, "command": program, "args": arguments, **({"env": dict(variables)} if variables else {})}


def merged(existing: object, new: Entry) -> Entry:
    """The new entry with the further keys and variables of the old one.

    An old entry without a command, such as one with an address, is dropped.
    """
    if not isinstance(existing, dict) or "command" not in existing:
        return new
    variables = existing.get("env")
    if not isinstance(variables, dict):
        return {name: value for name, value in existing.items() if name != "env"} | new
    return {**existing, **new, "env": {**variables, **new.get("env", {})}}


def install(target: Target, server: ServerOptions, *, prints: bool) -> int:
    """Write the entry into the file; without a file, or if it only ``prints``, on stdout. Returns the exit code.

    Raises:
        WrongUsage: there is no such source, or a variable is not set.
        NotInstalled: the file cannot be read, or not edited without a loss.
        FileNotWritten: it cannot be written.
    """
    command = lasting_command(serve_arguments(server))
    new = entry(target.client, command, entry_variables(server.variables, os.environ))
    if prints or target.file is None:
        return _show(target, new, command)
    configuration = Configuration.read(target.file, target.client)
    try:
        existing = configuration.json.value(target.path)
        whole = merged(existing, new)
        changed = configuration.json.with_value(target.path, whole) if whole != existing else None
    except NotEditable as error:
        raise _not_editable(target.file, error) from error
    if changed is None:
        _say(f"{target.name} is already there; nothing was written.", target, whole)
    else:
        backup = configuration.replace(changed)
        _say(f"{target.name} is set up for {target.client.title} now.", target, whole, backup)
    terminal.write_messages(_notes(command, whole))
    return 0


def _show(target: Target, new: Entry, command: ServerCommand) -> int:
    """Write the entry on stdout, and on stderr the file that it is for; returns the exit code."""
    terminal.write_json({target.client.section: {target.name: new}})
    if target.file is not None:
        terminal.write_messages([f"note: nothing is written; without --print this goes into {target.file}"])
    terminal.write_messages(_notes(command, new))
    return 0


def remove(target: Target, *, prints: bool) -> int:
    """Take the entry out of the file, or only report it with ``prints``; returns the exit code.

    Raises:
        WrongUsage: there is no file to take it out of.
        NotInstalled: the file cannot be read, or not edited without a loss.
        FileNotWritten: it cannot be written.
    """
    if target.file is None:
        raise WrongUsage("--remove needs the file that holds the entry.", hint="Give it as --output FILE.")
    configuration = Configuration.read(target.file, target.client)
    try:
        changed = configuration.json.without_member(target.path)
    except NotEditable as error:
        raise _not_editable(target.file, error) from error
    if changed == configuration.json.text:
        writers.write_line(f"{target.name} is not in {target.file}; nothing was written.")
    elif prints:
        writers.write_line(f"{target.name} would be taken out of {target.file}; nothing was written.")
    else:
        backup = configuration.replace(changed)
        writers.write_line(f"{target.name} was taken out of {target.file}; the file before is {backup}.")
        writers.write_line(f"Next: restart {target.client.title}.")
    return 0


@dataclass(frozen=True, slots=True)
class Configuration:
    """A client's file as it was read."""

    file: Path
    content: bytes | None
    """None where there was no file."""
    json: JsonText

    @classmethod
    def read(cls, file: Path, client: Client) -> "Configuration":
        """The file, or an empty configuration where there is none.

        Raises:
            NotInstalled: it cannot be read, or holds something else.
        """
        content = _content(file)
        try:
            text = (content or b"").decode("utf-8-sig")
            return cls(file, content, JsonText.read(text, reads_comments=client.reads_comments))
        except UnicodeDecodeError as error:
            raise _not_editable(file, NotEditable("is no text in UTF-8")) from error
        except NotEditable as error:
            raise _not_editable(file, error) from error

    def replace(self, text: str) -> Path | None:
        """Replace the file by a text, all at once; returns the backup of the old file.

        Raises:
            NotInstalled: another program has changed the file since it was read.
            FileNotWritten: the system refuses the write.
        """
        _make_folder(self.file.parent)
        path = files.writable(str(self.file))
        if _content(self.file) != self.content:
            hint = "Call the same command again; end the client first if it keeps happening."
            raise NotInstalled(f"{str(self.file)!r} was changed by another program just now.", hint=hint)
        backup = None if self.content is None else files.backup(path, self.content)
        bom = b"\xef\xbb\xbf" if (self.content or b"").startswith(b"\xef\xbb\xbf") else b""
        files.write(path, bom + text.encode(), is_private=True)
        return backup


def _say(outcome: str, target: Target, entry: Entry, backup: Path | None = None) -> None:
    """Report the file, the command and the next step. Values of variables are not shown: some are secret."""
    lines = [outcome, f"file: {target.file}", f"command: {shlex.join([entry['command'], *entry['args']])}"]
    if variables := entry.get("env"):
        lines.append(f"variables: {', '.join(variables)}")
    if backup is not None:
        lines.append(f"the file before: {backup}")
    for line in (*lines, f"Next: {target.client.next_step.format(name=target.name)}"):
        writers.write_line(line)


def _notes(command: ServerCommand, entry: Entry) -> Iterator[str]:
    """Notes on the reason for the command, and on settings that the server will not have."""
    if command.reason:
        yield f"note: the entry starts {command.words[0]}, because {command.reason}."
    names = [setting.name for setting in all_settings() if os.environ.get(setting.name, "").strip()]
    missing = sorted(name for name in names if name not in entry.get("env", {}))
    if missing:
        options = " ".join(f"--env {name}" for name in missing)
        yield f"note: set here, and not carried into the entry: {', '.join(missing)}; add {options} for that."


def _content(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        hint = "Give --output another file, or --print to see what would be written."
        raise NotInstalled(f"{str(file)!r} cannot be read: {str(error.strerror).lower()}.", hint=hint) from error


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        hint = "Give --output another file, or --print to see what would be written."
        raise NotInstalled(f"{str(folder)!r} cannot be made: {str(error.strerror).lower()}.", hint=hint) from error


def _not_editable(file: Path, error: NotEditable) -> NotInstalled:
    hint = "Mend the file, or edit it by hand: --print shows the entry. Nothing was written."
    return NotInstalled(f"{str(file)!r} {error}.", hint=hint)
