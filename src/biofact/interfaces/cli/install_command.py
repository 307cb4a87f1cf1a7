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
    """What is known of the biofact that runs."""

    executable: PurePath
    """Of Python."""
    prefix: PurePath
    """The folder of the environment."""
    platform: str
    is_installed: bool
    """Else Python finds it in a folder of sources, by a variable or by the folder that it was started in."""
    origin: str | None
    """``direct_url.json`` of the distribution (PEP 610): what was installed, where that was no package of an index."""


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """Words that start the server, the first a file; and why these, where that is not obvious."""

    words: tuple[str, ...]
    reason: str = ""

    def serving(self, *arguments: str) -> "ServerCommand":
        """The same with ``serve`` and its arguments behind it."""
        return ServerCommand((*self.words, "serve", *arguments), self.reason)


def server_command(
    installation: Installation,
    exists: Callable[[PurePath], bool],
    find: Callable[[str], str | None],
    environment: Mapping[str, str],
) -> ServerCommand:
    """How to start biofact again; ``find`` looks for a program on the PATH.

    Raises:
        NoLastingCommand: it is not installed, or only in a temporary environment whose maker is not to be found.
    """
    suffix = ".exe" if installation.platform == "win32" else ""
    if any(_UV_CACHE.fullmatch(part) for part in installation.prefix.parts):
        beside = type(installation.executable)(environment.get("UV", "uv")).with_name(f"uvx{suffix}")
        return _made_anew("uvx", str(beside) if exists(beside) else find("uvx"), ("--from",), installation)
    if installation.prefix.parent.name == _PIPX_CACHE and exists(installation.prefix / "pipx_metadata.json"):
        return _made_anew("pipx", find("pipx"), ("run", "--spec"), installation)
    script = installation.executable.with_name(f"{PACKAGE}{suffix}")
    if exists(script):
        return ServerCommand((str(script),))
    if not installation.is_installed:
        raise NoLastingCommand(f"This biofact is not installed for {installation.executable}.")
    reason = f"there is no {script.name} beside {installation.executable}"
    return ServerCommand(
        (str(installation.executable), "-P", "-m", PACKAGE), reason
    )  # -P: no module of a client's folder


def _made_anew(runner: str, path: str | None, words: tuple[str, ...], installation: Installation) -> ServerCommand:
    if path is None:
        raise NoLastingCommand(f"This biofact is a temporary one, and {runner}, which made it, is not to be found.")
    *before, option = words
    requirement = _requirement(installation.origin)
    chosen = (option, requirement) if requirement else ()
    reason = f"this biofact lies in a cache that is emptied now and then; {runner} makes it anew at each start"
    return ServerCommand((path, *before, *chosen, PACKAGE), reason)


def _requirement(origin: str | None) -> str:
    """What was installed, as pip writes it; empty for the package of an index."""
    if origin is None:
        return ""
    source: dict[str, Any] = json.loads(origin)
    vcs = source.get("vcs_info")
    url = f"{vcs['vcs']}+{source['url']}@{vcs['commit_id']}" if vcs else source["url"]
    return f"{PACKAGE} @ {url}"


Entry = dict[str, Any]

_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")


class NotInstalled(WrongUsage):
    """The command was understood; a file or this installation stands in its way."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class Target:
    """Whose configuration is meant: the client, its file, and the name of our entry in it."""

    client_name: ClientName
    name: str
    file: Path | None
    """None: standard output."""

    @property
    def client(self) -> Client:
        """The client."""
        return CLIENTS[self.client_name]

    @property
    def path(self) -> tuple[str, str]:
        """Where the entry stands in the configuration."""
        return self.client.section, self.name


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the server of an entry is to offer, and the variables that it takes along."""

    source: str | None = None
    sandbox: SandboxOption = False
    variables: tuple[str, ...] = ()


def choose_target(client: ClientName, name: str, output: str | None) -> Target:
    """The configuration that is meant: a file of the user's choice, or else the client's own.

    Raises:
        WrongUsage: nothing can be called so.
    """
    if not _NAME.fullmatch(name):
        hint = "Use up to 40 letters, digits, hyphens and underscores: agents see it before the name of each tool."
        raise WrongUsage(f"{name!r:.80} cannot name an entry.", hint=hint)
    own = configuration_file(client, sys.platform, os.environ, Path.home())
    return Target(client, name, Path(output) if output is not None else own)


def serve_arguments(wanted: Wanted) -> tuple[str, ...]:
    """What stands behind ``serve`` in the entry; a folder is written whole, for a client starts us anywhere.

    Raises:
        WrongUsage: there is no such source.
    """
    if wanted.source is not None and wanted.source not in sources.names():
        raise no_source(wanted.source, sources.names())
    source = [wanted.source] if wanted.source else []
    folder = wanted.sandbox.absolute() if isinstance(wanted.sandbox, Path) else None
    chosen = [f"{FLAG}={folder}" if folder else FLAG] if wanted.sandbox else []
    return (*source, *chosen)


def carried(names: Sequence[str], environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that the entry holds.

    Raises:
        WrongUsage: one is not set, or has its value beside it.
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
    """How a client starts this biofact.

    Raises:
        NotInstalled: nothing that lasts can start it.
    """
    try:
        origin, is_installed = distribution(PACKAGE).read_text("direct_url.json"), True
    except PackageNotFoundError:
        origin, is_installed = None, False
    installation = Installation(Path(sys.executable), Path(sys.prefix), sys.platform, is_installed, origin)
    try:
        return server_command(installation, os.path.exists, shutil.which, os.environ).serving(*arguments)
    except NoLastingCommand as error:
        hint = "Install it with pip, pipx or uv tool, and call biofact install again."
        raise NotInstalled(str(error), hint=hint) from error


def entry(client: Client, command: ServerCommand, variables: Mapping[str, str]) -> Entry:
    """The entry as the client reads it."""
    program, *arguments = command.words
    transport = {"type": "stdio"} if client.names_transport else {}
    return {**transport, "command": program, "args": arguments, **({"env": dict(variables)} if variables else {})}


def merged(existing: object, new: Entry) -> Entry:
    """The new entry with what somebody else wrote into the one before: further keys, further variables.

    Of an entry that starts nothing, as one with an address, nothing fits.
    """
    if not isinstance(existing, dict) or "command" not in existing:
        return new
    variables = existing.get("env")
    if not isinstance(variables, dict):
        return {name: value for name, value in existing.items() if name != "env"} | new
    return {**existing, **new, "env": {**variables, **new.get("env", {})}}


def install(choose_target: Target, wanted: Wanted, *, prints: bool) -> int:
    """Write the entry into the file; without a file, or if it only ``prints``, on stdout. Returns the exit code.

    Raises:
        WrongUsage: there is no such source, or a variable is not set.
        NotInstalled: the file cannot be read, or not be edited without a loss.
        FileNotWritten: it cannot be written.
    """
    command = lasting_command(serve_arguments(wanted))
    new = entry(choose_target.client, command, carried(wanted.variables, os.environ))
    if prints or choose_target.file is None:
        return _show(choose_target, new, command)
    configuration = Configuration.read(choose_target.file, choose_target.client)
    try:
        existing = configuration.json.value(choose_target.path)
        whole = merged(existing, new)
        changed = configuration.json.with_value(choose_target.path, whole) if whole != existing else None
    except NotEditable as error:
        raise _not_editable(choose_target.file, error) from error
    if changed is None:
        _say(f"{choose_target.name} is already there; nothing was written.", choose_target, whole)
    else:
        backup = configuration.replace(changed)
        _say(f"{choose_target.name} is set up for {choose_target.client.title} now.", choose_target, whole, backup)
    terminal.write_messages(_notes(command, whole))
    return 0


def _show(choose_target: Target, new: Entry, command: ServerCommand) -> int:
    """Write on stdout what would stand in the file, on stderr where; returns the exit code."""
    terminal.write_json({choose_target.client.section: {choose_target.name: new}})
    if choose_target.file is not None:
        terminal.write_messages([f"note: nothing is written; without --print this goes into {choose_target.file}"])
    terminal.write_messages(_notes(command, new))
    return 0


def remove(choose_target: Target, *, prints: bool) -> int:
    """Take the entry out of the file, or say that it would be; returns the exit code.

    Raises:
        WrongUsage: there is no file to take it out of.
        NotInstalled: the file cannot be read, or not be edited without a loss.
        FileNotWritten: it cannot be written.
    """
    if choose_target.file is None:
        raise WrongUsage("--remove needs the file that holds the entry.", hint="Give it as --output FILE.")
    configuration = Configuration.read(choose_target.file, choose_target.client)
    try:
        changed = configuration.json.without(choose_target.path)
    except NotEditable as error:
        raise _not_editable(choose_target.file, error) from error
    if changed == configuration.json.text:
        writers.write_line(f"{choose_target.name} is not in {choose_target.file}; nothing was written.")
    elif prints:
        writers.write_line(f"{choose_target.name} would be taken out of {choose_target.file}; nothing was written.")
    else:
        backup = configuration.replace(changed)
        writers.write_line(f"{choose_target.name} was taken out of {choose_target.file}; the file before is {backup}.")
        writers.write_line(f"Next: restart {choose_target.client.title}.")
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
        """Put the text in the place of the file, all at once; returns where the file before is kept now.

        Raises:
            NotInstalled: somebody else has changed the file since it was read.
            FileNotWritten: the system does not let us.
        """
        _make_folder(self.file.parent)
        place = files.writable(str(self.file))
        if _content(self.file) != self.content:
            hint = "Call the same command again; end the client first if it keeps happening."
            raise NotInstalled(f"{str(self.file)!r} was changed by another program just now.", hint=hint)
        backup = None if self.content is None else files.backup(place, self.content)
        bom = b"\xef\xbb\xbf" if (self.content or b"").startswith(b"\xef\xbb\xbf") else b""
        files.write(place, bom + text.encode(), is_private=True)
        return backup


def _say(outcome: str, choose_target: Target, entry: Entry, backup: Path | None = None) -> None:
    """What is where now, and what to do next. Values of variables are not shown: some are secret."""
    lines = [outcome, f"file: {choose_target.file}", f"command: {shlex.join([entry['command'], *entry['args']])}"]
    if variables := entry.get("env"):
        lines.append(f"variables: {', '.join(variables)}")
    if backup is not None:
        lines.append(f"the file before: {backup}")
    for line in (*lines, f"Next: {choose_target.client.next_step.format(name=choose_target.name)}"):
        writers.write_line(line)


def _notes(command: ServerCommand, entry: Entry) -> Iterator[str]:
    """Why this command, and which settings the server will not have."""
    if command.reason:
        yield f"note: the entry starts {command.words[0]}, because {command.reason}."
    there = [setting.name for setting in all_settings() if os.environ.get(setting.name, "").strip()]
    missing = sorted(name for name in there if name not in entry.get("env", {}))
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
