"""Resources and prompts of MCP: texts and files under URIs, and journeys as texts for the agent.

A failure is an MCP error that says what to do.
"""

import functools
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from fastmcp.exceptions import FastMCPError
from fastmcp.prompts.base import Prompt, PromptArgument
from fastmcp.resources.base import Resource, ResourceContent, ResourceResult
from fastmcp.resources.template import ResourceTemplate
from mcp import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS
from mcp_types import Prompt as ListedPrompt
from pydantic import AnyUrl, PrivateAttr

from biofact.core.call import Caller, on_behalf_of
from biofact.core.errors import AmbiguousQuery
from biofact.interfaces.answer import PROVENANCE, AnswerFunction, ToolAnswer, failure_answer
from biofact.interfaces.journey import Journey, fill
from biofact.interfaces.listing import ListedResource
from biofact.interfaces.mcp.subject import subject
from biofact.interfaces.spelling import Spelling

NOTICES = "biofact/notices"
_TEXT = "text/markdown"
_OF_THE_CALLER = {"UNRESOLVED_ENTITY", "ENTITY_NOT_FOUND", "AMBIGUOUS_QUERY"}


class RequestFailed(FastMCPError, MCPError):
    """A resource could not be read, or a prompt was requested with wrong arguments.

    FastMCP logs its own errors at the level that they name, so that a wrong ID leaves no traceback on stderr;
    an MCP error reaches the client as it is, with its code.
    """

    @classmethod
    def of(cls, failure: ToolAnswer, **subject: str) -> "RequestFailed":
        """The failure as an MCP error: message and hint in words, the envelope's error and its subject beside them."""
        error = failure.body["error"]
        code = INVALID_PARAMS if error["code"] in _OF_THE_CALLER else INTERNAL_ERROR
        message = f"{error['message']} {error['recovery_hint']}"
        return cls(code, message, {**subject, "error": error}, log_level=logging.DEBUG)


class AnsweringResource(Resource):
    """A resource under one URI, with an answer as its content."""

    _answer: Callable[[], Awaitable[ToolAnswer]] = PrivateAttr()
    _spelling: Spelling = PrivateAttr()

    def with_answer(self, answer: Callable[[], Awaitable[ToolAnswer]], spelling: Spelling) -> "AnsweringResource":
        """The resource, with the function that answers reads."""
        self._answer = answer
        self._spelling = spelling
        return self

    async def read(self) -> ResourceResult:
        """The content; provenance and notices stand in ``_meta``.

        Raises:
            RequestFailed: the resource could not be read.
        """
        with on_behalf_of(Caller(subject=subject())):
            answer = await self._answer()
        if answer.is_failure:
            raise RequestFailed.of(answer, uri=str(self.uri))
        metadata = {PROVENANCE: answer.provenance, NOTICES: answer.body.get("notices")}
        return ResourceResult(
            [ResourceContent(self._with_tool_names(answer.content), mime_type=self.mime_type)],
            meta={name: value for name, value in metadata.items() if value} or None,
        )

    def _with_tool_names(self, content: str | bytes) -> str | bytes:
        """The content, with the names of tools in Markdown as this server has them; everything else is data."""
        return self._spelling.text(content) if isinstance(content, str) and self.mime_type == _TEXT else content


class AnsweringTemplate(ResourceTemplate):
    """A resource for each ID in its URI."""

    _make: Callable[[str, Mapping[str, object]], Resource] = PrivateAttr()

    def with_factory(self, make: Callable[[str, Mapping[str, object]], Resource]) -> "AnsweringTemplate":
        """The template, with the function that creates its resources."""
        self._make = make
        return self

    async def create_resource(self, uri: str, params: dict[str, Any]) -> Resource:
        """The resource under one URI."""
        return self._make(uri, params)


def plain(entry: ListedResource, spelling: Spelling, answer: AnswerFunction) -> Resource:
    """The resource of a declaration without parameters."""
    return _resource(entry, spelling, answer, entry.uri, {})


def template(entry: ListedResource, spelling: Spelling, answer: AnswerFunction) -> ResourceTemplate:
    """The resource template of a declaration with parameters."""
    component = AnsweringTemplate(
        uri_template=entry.uri,
        name=spelling.name(entry.ref),
        title=spelling.title(entry.ref, entry.title),
        description=f"{spelling.text(entry.description)} {_forms(entry)}".strip(),
        mime_type=entry.mime_type,
        parameters=entry.input_schema,
    )
    return component.with_factory(functools.partial(_resource, entry, spelling, answer))


def _resource(
    entry: ListedResource, spelling: Spelling, answer: AnswerFunction, uri: str, arguments: Mapping[str, object]
) -> Resource:
    component = AnsweringResource(
        uri=AnyUrl(uri),
        name=spelling.name(entry.ref),
        title=spelling.title(entry.ref, entry.title),
        description=spelling.text(entry.description),
        mime_type=entry.mime_type,
    )
    return component.with_answer(functools.partial(answer, arguments), spelling)


def _forms(entry: ListedResource) -> str:
    """The form of each parameter, in words: MCP lists a template without the schema of its arguments."""
    forms = {name: schema.get("description") for name, schema in entry.parameters.items()}
    return " ".join(f"{{{name}}} is {form}." for name, form in forms.items() if form)


class JourneyPrompt(Prompt):
    """The prompt of a journey."""

    _journey: Journey = PrivateAttr()
    _spelling: Spelling = PrivateAttr()

    def with_journey(self, journey: Journey, spelling: Spelling) -> "JourneyPrompt":
        """The prompt, with its journey."""
        self._journey = journey
        self._spelling = spelling
        return self

    def to_mcp_prompt(self, **overrides: Any) -> ListedPrompt:
        """The entry of the list, without the empty tags that FastMCP adds."""
        return super().to_mcp_prompt(**{"_meta": None, **overrides})

    async def render(self, arguments: dict[str, Any] | None = None) -> str:
        """The text.

        Raises:
            RequestFailed: an argument is unknown, missing or too long.
        """
        try:
            values = self._journey.check(arguments or {})
        except AmbiguousQuery as error:
            raise RequestFailed.of(failure_answer(error, self._spelling), prompt=self.name) from error
        return fill(self._spelling.text(self._journey.whole_text), values)


def prompt(journey: Journey, spelling: Spelling) -> Prompt:
    """The prompt of a journey."""
    component = JourneyPrompt(
        name=journey.name,
        title=journey.title,
        description=journey.description,
        arguments=[
            PromptArgument(name=argument.name, description=argument.description, required=argument.default is None)
            for argument in journey.arguments
        ],
    )
    return component.with_journey(journey, spelling)
