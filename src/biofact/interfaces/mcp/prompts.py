"""Journeys as MCP prompts: a text for the agent, with its tools as this server names them."""

import logging
from typing import Any

from fastmcp.exceptions import FastMCPError
from fastmcp.prompts.base import Prompt, PromptArgument
from mcp import MCPError
from mcp_types import INVALID_PARAMS
from mcp_types import Prompt as ListedPrompt
from pydantic import PrivateAttr

from biofact.core.errors import AmbiguousQuery
from biofact.interfaces.answer import failure_answer
from biofact.interfaces.journey import Journey, filled
from biofact.interfaces.spelling import Spelling


class UnusableArguments(FastMCPError, MCPError):
    """A prompt was asked for with other arguments than it has; FastMCP leaves no traceback of it on stderr."""

    @classmethod
    def of(cls, error: AmbiguousQuery, prompt: str, spelling: Spelling) -> "UnusableArguments":
        """The failure as an MCP error: message and hint in words, the envelope's error beside them."""
        details = {"prompt": prompt, "error": failure_answer(error, spelling).body["error"]}
        return cls(INVALID_PARAMS, f"{error.message} {error.hint}", details, log_level=logging.DEBUG)


class JourneyPrompt(Prompt):
    """The prompt that leads through a journey."""

    _journey: Journey = PrivateAttr()
    _spelling: Spelling = PrivateAttr()

    def leading_through(self, journey: Journey, spelling: Spelling) -> "JourneyPrompt":
        """Itself, leading through this journey."""
        self._journey = journey
        self._spelling = spelling
        return self

    def to_mcp_prompt(self, **overrides: Any) -> ListedPrompt:
        """As it is listed, without the tags that FastMCP adds: it has none."""
        return super().to_mcp_prompt(**{"_meta": None, **overrides})

    async def render(self, arguments: dict[str, Any] | None = None) -> str:
        """The text.

        Raises:
            UnusableArguments: an argument is unknown, missing or too long.
        """
        try:
            values = self._journey.checked(arguments or {})
        except AmbiguousQuery as error:
            raise UnusableArguments.of(error, self.name, self._spelling) from error
        return filled(self._spelling.text(self._journey.whole_text), values)


def prompt(journey: Journey, spelling: Spelling) -> Prompt:
    """The prompt of a journey."""
    made = JourneyPrompt(
        name=journey.name,
        title=journey.title,
        description=journey.description,
        arguments=[
            PromptArgument(name=argument.name, description=argument.description, required=argument.default is None)
            for argument in journey.arguments
        ],
    )
    return made.leading_through(journey, spelling)
