"""The MCP clients that can be set up: where each keeps its configuration, and how an entry is written there. Pure.

Sources, read 2026-11-24: for VS Code code.visualstudio.com/docs/copilot/reference/mcp-configuration, for Claude Desktop
playwright.dev/mcp/clients/claude-desktop, for Claude Code issue 4193 of github.com/anthropics/claude-code, and for its
CLAUDE_CONFIG_DIR issue 2060 of github.com/microsoft/apm, for Cursor checkmcp.dev/learn/how-to-add-mcp-server-to-cursor.
Programs built on Electron keep it where others do, too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from biofact.core.config_folder import PathType, config_folder, folder_of

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
