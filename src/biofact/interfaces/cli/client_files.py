"""The configuration files of MCP clients: where each is, what an entry looks like, and edits of one entry. Pure.

Sources, read 2026-11-24: for VS Code code.visualstudio.com/docs/copilot/reference/mcp-configuration, for Claude Desktop
playwright.dev/mcp/clients/claude-desktop, for Claude Code issue 4193 of github.com/anthropics/claude-code, and for its
CLAUDE_CONFIG_DIR issue 2060 of github.com/microsoft/apm, for Cursor checkmcp.dev/learn/how-to-add-mcp-server-to-cursor.
Programs built on Electron keep it where others do, too.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

from biofact.core.settings import PathType, config_folder, folder_of

ClientName = Literal["claude-desktop", "claude-code", "cursor", "vscode", "json"]


@dataclass(frozen=True, slots=True)
class Client:
    """A program that starts MCP servers."""

    title: str
    next_step: str
    """What to do after a change; ``{name}`` is the entry's."""
    section: str = "mcpServers"
    """The key of its configuration under which the servers stand."""
    names_transport: bool = False
    """Whether an entry says that its transport is stdio."""
    reads_comments: bool = False


CLIENTS: dict[ClientName, Client] = {
    "claude-desktop": Client("Claude Desktop", "Quit Claude Desktop and open it again."),
    "claude-code": Client(
        "Claude Code", "Start a new session of Claude Code; /mcp shows {name} there.", names_transport=True
    ),
    "cursor": Client("Cursor", "Restart Cursor; its MCP settings show {name}.", names_transport=True),
    "vscode": Client(
        "VS Code",
        "In VS Code run the command 'MCP: List Servers', choose {name} and start it.",
        section="servers",
        names_transport=True,
        reads_comments=True,
    ),
    "json": Client("your client", "Give the file to your client, or copy the entry into its configuration."),
}


def configuration_file(
    client: ClientName, platform: str, environment: Mapping[str, str], home: PathType
) -> PathType | None:
    """The file with the servers that the user has in every project; None where a client has no file of its own.

    ``platform`` is written as in ``sys.platform``; the path is of the same kind as ``home``.
    """
    match client:
        case "claude-desktop":
            return config_folder(platform, environment, home) / "Claude" / "claude_desktop_config.json"
        case "claude-code":
            return folder_of(environment, "CLAUDE_CONFIG_DIR", home) / ".claude.json"
        case "cursor":
            return home / ".cursor" / "mcp.json"
        case "vscode":
            return config_folder(platform, environment, home) / "Code" / "User" / "mcp.json"
        case "json":
            return None


_BLANK = " \t\r\n"
_TEXT = r'"(?:[^"\\]|\\.)*"'
_COMMENT = re.compile(rf"{_TEXT}|(//[^\r\n]*|/\*.*?\*/)", re.DOTALL)
_LAST_COMMA = re.compile(rf"{_TEXT}|(,)(?=[{_BLANK}]*[}}\]])", re.DOTALL)
_INDENT = re.compile(r'^([ \t]+)["/]', re.MULTILINE)


class NotEditable(ValueError):
    """Why a text cannot be edited; the words follow on its name."""


@dataclass(frozen=True, slots=True)
class Member:
    """Where a member of an object stands: its key from ``start``, its value from ``value`` to ``end``."""

    key: str
    start: int
    value: int
    end: int


@dataclass(frozen=True, slots=True)
class JsonText:
    """A JSON text whose root is an object. The same place means the same in all three of its forms."""

    text: str
    uncommented: str
    """With blanks for comments."""
    strict: str
    """With blanks for the commas behind a last member, too."""

    @classmethod
    def read(cls, text: str, *, reads_comments: bool = False) -> "JsonText":
        """The text; an empty one is an empty object. Comments and last commas are read where ``reads_comments``.

        Raises:
            NotEditable: it is no JSON, or no object.
        """
        if not text.strip():
            text = "{}\n"
        uncommented = _COMMENT.sub(_blanked, text) if reads_comments else text
        strict = _LAST_COMMA.sub(_blanked, uncommented) if reads_comments else text
        try:
            value = json.loads(strict, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            raise NotEditable(f"is not JSON ({error})") from error
        if not isinstance(value, dict):
            raise NotEditable("is JSON, but no object")
        return cls(text, uncommented, strict)

    def value(self, path: Sequence[str]) -> Any:
        """What stands at a path; None where nothing does.

        Raises:
            NotEditable: a part of the path is twice there, or within what is no object.
        """
        start = self._place(path)
        return None if start is None else _DECODER.raw_decode(self.strict, start)[0]

    def with_value(self, path: Sequence[str], value: object) -> str:
        """The text with ``value`` at the path; objects on the way there are made.

        Raises:
            NotEditable: as for ``value``, or a comment stands in what would be replaced.
        """
        start, end = self._skip(0), len(self.text.rstrip(_BLANK))
        for depth, key in enumerate(path):
            member = self._find(start, key)
            if member is None:
                for inner in reversed(path[depth + 1 :]):
                    value = {inner: value}
                return self._inserted(start, key, value, depth)
            start, end = member.value, member.end
        self._check_comments(start, end)
        return self.text[:start] + self._written(value, len(path)) + self.text[end:]

    def without(self, path: Sequence[str]) -> str:
        """The text without the member at the path; as it is where there is none.

        Raises:
            NotEditable: as for ``with_value``.
        """
        *outer, key = path
        parent = self._place(outer)
        member = None if parent is None else self._find(parent, key)
        if parent is None or member is None:
            return self.text
        self._check_comments(member.start, member.end)
        return self._removed(parent, member)

    def _place(self, path: Sequence[str]) -> int | None:
        """Where the value at a path begins; None where there is none."""
        start = self._skip(0)
        for key in path:
            member = self._find(start, key)
            if member is None:
                return None
            start = member.value
        return start

    def _find(self, start: int, key: str) -> Member | None:
        found = [member for member in self._members(start)[0] if member.key == key]
        if len(found) > 1:
            raise NotEditable(f"has {key!r} twice")
        return found[0] if found else None

    def _members(self, start: int) -> tuple[list[Member], int]:
        """The members of the object that begins at ``start``, and where it is closed."""
        if self.strict[start] != "{":
            raise NotEditable(f"has {_DECODER.raw_decode(self.strict, start)[0]!r:.40} where an object is expected")
        members = []
        place = self._skip(start + 1)
        while self.strict[place] != "}":
            key, key_end = _DECODER.raw_decode(self.strict, place)
            value = self._skip(self._skip(key_end) + 1)
            _, end = _DECODER.raw_decode(self.strict, value)
            members.append(Member(key, place, value, end))
            place = self._skip(end)
            if self.strict[place] == ",":
                place = self._skip(place + 1)
        return members, place

    def _inserted(self, start: int, key: str, value: object, depth: int) -> str:
        """The text with a further member, the last one, in the object at ``start``."""
        members, close = self._members(start)
        end = members[-1].end if members else close
        comma = "," if members and "," not in self.uncommented[end:close] else ""
        body, gap = _split_blank(self.text[end:close])
        line = self._new_line(depth + 1)
        member = f"{json.dumps(key, ensure_ascii=False)}: {self._written(value, depth + 1)}"
        head = self.text[:end] if members else self.text[:end].rstrip(_BLANK)
        if not members:
            gap = self.text[len(head) : close]
        after = gap if "\n" in gap or not line else self._new_line(depth)
        return f"{head}{comma}{body}{line or ' ' * bool(members)}{member}{after}{self.text[close:]}"

    def _removed(self, parent: int, member: Member) -> str:
        """The text without a member, and without the comma that it needed."""
        members, close = self._members(parent)
        position = members.index(member)
        comma = self.uncommented.find(",", member.end, close)
        if comma >= 0:
            between = self.text[member.end : comma].strip(_BLANK)
            rest = f"{between}\n{self.text[comma + 1 :]}" if between else self.text[comma + 1 :]
            if position + 1 < len(members):
                return self.text[: member.start] + (rest if between else rest.lstrip(_BLANK))
            return self._head(member, rest) + rest
        rest = self.text[member.end :]
        head = self._head(member, rest)
        if position:
            before = self.uncommented.index(",", members[position - 1].end, member.start)
            return head[:before] + head[before + 1 :] + rest
        return head + (rest.lstrip(_BLANK) if head.endswith("{") else rest)

    def _head(self, member: Member, rest: str) -> str:
        """What stands before a member, without the blanks between; a comment there keeps the end of its line."""
        head = self.text[: member.start]
        stripped = head.rstrip(_BLANK)
        is_comment = self.uncommented[len(stripped) - 1] in _BLANK
        return head if is_comment and not rest.lstrip(" \t").startswith(("\n", "\r")) else stripped

    def _check_comments(self, start: int, end: int) -> None:
        if self.text[start:end] != self.uncommented[start:end]:
            raise NotEditable("has a comment within the entry, which would be lost")

    def _written(self, value: object, depth: int) -> str:
        line = self._new_line(depth)
        if not line:
            return json.dumps(value, ensure_ascii=False)
        return json.dumps(value, ensure_ascii=False, indent=self._indent()).replace("\n", line)

    def _new_line(self, depth: int) -> str:
        """What begins a line; nothing where the whole text stands on one."""
        if "\n" not in self.text.strip() and self._members(self._skip(0))[0]:
            return ""
        return ("\r\n" if "\r\n" in self.text else "\n") + self._indent() * depth

    def _indent(self) -> str:
        found = _INDENT.search(self.text)
        return found[1] if found else "  "

    def _skip(self, place: int) -> int:
        """The next place that is not blank."""
        while self.strict[place] in _BLANK:
            place += 1
        return place


def _blanked(found: re.Match[str]) -> str:
    return re.sub(r"[^\r\n]", " ", found[1]) if found[1] else found[0]


def _split_blank(text: str) -> tuple[str, str]:
    """What is written, and the blanks behind it."""
    body = text.rstrip(_BLANK)
    return body, text[len(body) :]


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


_DECODER = json.JSONDecoder()
