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
    """The user's next step after a change; ``{name}`` is the entry's name."""
    section: str = "mcpServers"
    """The key of its configuration under which the servers stand."""
    names_transport: bool = False
    """Whether an entry names its transport, stdio."""
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
    """The file with the user's servers for every project; None for a client without a known file.

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
_INDENT = re.compile(r'^([ \t]+)["/]', re.MULTILINE)  # the first line that begins with a key or a comment has it


class NotEditable(ValueError):
    """A text cannot be edited; the message follows on the name of its file."""


@dataclass(frozen=True, slots=True)
class Member:
    """The position of an object's member: its key begins at ``start``, its value is from ``value`` to ``end``."""

    key: str
    start: int
    value: int
    end: int


@dataclass(frozen=True, slots=True)
class JsonText:
    """A JSON text with an object as its root. A position is the same in all three forms of it."""

    text: str
    without_comments: str
    """The text with blanks for comments."""
    strict: str
    """The text with blanks for trailing commas, too."""

    @classmethod
    def read(cls, text: str, *, reads_comments: bool = False) -> "JsonText":
        """The parsed text; an empty one is an empty object. ``reads_comments`` allows comments and trailing commas.

        Raises:
            NotEditable: it is no JSON, or no object.
        """
        if not text.strip():
            text = "{}\n"
        without_comments = _COMMENT.sub(_blanks, text) if reads_comments else text
        strict = _LAST_COMMA.sub(_blanks, without_comments) if reads_comments else text
        try:
            value = json.loads(strict, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            raise NotEditable(f"is not JSON ({error})") from error
        if not isinstance(value, dict):
            raise NotEditable("is JSON, but no object")
        return cls(text, without_comments, strict)

    def value(self, path: Sequence[str]) -> Any:
        """The value at a path; None where there is none.

        Raises:
            NotEditable: a part of the path is there twice, or within a value that is no object.
        """
        start = self._value_start(path)
        return None if start is None else _DECODER.raw_decode(self.strict, start)[0]

    def with_value(self, path: Sequence[str], value: object) -> str:
        """The text with ``value`` at the path; missing objects on the path are created.

        Raises:
            NotEditable: as for ``value``, or a comment within the old value would be lost.
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
        return self.text[:start] + self._serialized(value, len(path)) + self.text[end:]

    def without_member(self, path: Sequence[str]) -> str:
        """The text without the member at the path; unchanged where there is none.

        Raises:
            NotEditable: as for ``with_value``.
        """
        *outer, key = path
        parent = self._value_start(outer)
        member = None if parent is None else self._find(parent, key)
        if parent is None or member is None:
            return self.text
        self._check_comments(member.start, member.end)
        return self._removed(parent, member)

    def _value_start(self, path: Sequence[str]) -> int | None:
        """The start of the value at a path; None where there is none."""
        start = self._skip(0)
        for key in path:
            member = self._find(start, key)
            if member is None:
                return None
            start = member.value
        return start

    def _find(self, start: int, key: str) -> Member | None:
        members = [member for member in self._members(start)[0] if member.key == key]
        if len(members) > 1:
            raise NotEditable(f"has {key!r} twice")
        return members[0] if members else None

    def _members(self, start: int) -> tuple[list[Member], int]:
        """The members of the object that begins at ``start``, and the position of its closing brace."""
        if self.strict[start] != "{":
            raise NotEditable(f"has {_DECODER.raw_decode(self.strict, start)[0]!r:.40} where an object is expected")
        members = []
        position = self._skip(start + 1)
        while self.strict[position] != "}":
            key, key_end = _DECODER.raw_decode(self.strict, position)
            value = self._skip(self._skip(key_end) + 1)
            _, end = _DECODER.raw_decode(self.strict, value)
            members.append(Member(key, position, value, end))
            position = self._skip(end)
            if self.strict[position] == ",":
                position = self._skip(position + 1)
        return members, position

    def _inserted(self, start: int, key: str, value: object, depth: int) -> str:
        """The text with a further member, the last one, in the object at ``start``."""
        members, close = self._members(start)
        end = members[-1].end if members else close
        comma = "," if members and "," not in self.without_comments[end:close] else ""
        body = self.text[end:close].rstrip(_BLANK)
        gap = self.text[end + len(body) : close]
        line = self._new_line(depth + 1)
        member = f"{json.dumps(key, ensure_ascii=False)}: {self._serialized(value, depth + 1)}"
        head = self.text[:end] if members else self.text[:end].rstrip(_BLANK)
        if not members:
            gap = self.text[len(head) : close]
        after = gap if "\n" in gap or not line else self._new_line(depth)
        return f"{head}{comma}{body}{line or ' ' * bool(members)}{member}{after}{self.text[close:]}"

    def _removed(self, parent: int, member: Member) -> str:
        """The text without a member, and without the comma that it needed."""
        members, close = self._members(parent)
        position = members.index(member)
        # not in the strict text, where a trailing comma is blank
        comma = self.without_comments.find(",", member.end, close)
        if comma >= 0:
            remainder = self.text[member.end : comma].strip(_BLANK)
            rest = f"{remainder}\n{self.text[comma + 1 :]}" if remainder else self.text[comma + 1 :]
            if position + 1 < len(members):
                return self.text[: member.start] + (rest if remainder else rest.lstrip(_BLANK))
            return self._head(member, rest) + rest
        rest = self.text[member.end :]
        head = self._head(member, rest)
        if position:
            before = self.without_comments.index(",", members[position - 1].end, member.start)
            return head[:before] + head[before + 1 :] + rest
        return head + (rest.lstrip(_BLANK) if head.endswith("{") else rest)

    def _head(self, member: Member, rest: str) -> str:
        """The text before a member, without trailing blanks; a comment there keeps the end of its line."""
        head = self.text[: member.start]
        stripped = head.rstrip(_BLANK)
        is_comment = self.without_comments[len(stripped) - 1] in _BLANK  # a comment is blank there, and not in the text
        return head if is_comment and not rest.lstrip(" \t").startswith(("\n", "\r")) else stripped

    def _check_comments(self, start: int, end: int) -> None:
        if self.text[start:end] != self.without_comments[start:end]:
            raise NotEditable("has a comment within the entry, which would be lost")

    def _serialized(self, value: object, depth: int) -> str:
        line = self._new_line(depth)
        if not line:
            return json.dumps(value, ensure_ascii=False)
        return json.dumps(value, ensure_ascii=False, indent=self._indent()).replace("\n", line)

    def _new_line(self, depth: int) -> str:
        """A line break with its indent; empty where the whole text is on one line."""
        if "\n" not in self.text.strip() and self._members(self._skip(0))[0]:
            return ""
        return ("\r\n" if "\r\n" in self.text else "\n") + self._indent() * depth

    def _indent(self) -> str:
        match = _INDENT.search(self.text)
        return match[1] if match else "  "

    def _skip(self, position: int) -> int:
        """The next position that is not blank."""
        while self.strict[position] in _BLANK:
            position += 1
        return position


def _blanks(match: re.Match[str]) -> str:
    """Blanks in place of a comment or comma; a string, which the pattern matches too, stays."""
    return re.sub(r"[^\r\n]", " ", match[1]) if match[1] else match[0]


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


_DECODER = json.JSONDecoder()
