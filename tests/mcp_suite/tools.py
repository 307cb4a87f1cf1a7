"""Tools that answer at once, report while they run, or ask the client while they run."""

import asyncio
from typing import Annotated

from fastmcp.server.context import Context
from fastmcp.tools.base import Tool
from mcp_types import SamplingMessage
from pydantic import Field

from biofact.core import call
from biofact.interfaces.answer import ToolAnswer
from biofact.interfaces.mcp.calls import current_caller
from biofact.interfaces.mcp.offer import AnsweringTool
from tests.mcp_suite import contents

PAUSE_SECONDS = 0.05
OPTION_NAMES = ("option1", "option2", "option3")


async def test_simple_text():
    """A text."""
    return contents.text("This is a simple text response for testing.")


async def test_image_content():
    """A picture."""
    return contents.image()


async def test_audio_content():
    """A sound."""
    return contents.audio()


async def test_embedded_resource():
    """A resource within an answer."""
    return contents.embedded("test://embedded-resource", "This is an embedded resource content.")


async def test_multiple_content_types():
    """A text, a picture and a resource."""
    document = contents.embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json")
    return [contents.text("Multiple content types test:"), contents.image(), document]


async def test_tool_with_logging(context: Context):
    """Three log messages, then a text."""
    await context.info("Tool execution started")
    await asyncio.sleep(PAUSE_SECONDS)
    await context.info("Tool processing data")
    await asyncio.sleep(PAUSE_SECONDS)
    await context.info("Tool execution completed")
    return contents.text("Tool with logging executed successfully")


async def test_logging_tool(context: Context):
    """A log message that reaches only clients that asked for it, then a text."""
    await context.info("This is logged")
    return contents.text("Logged")


async def test_tool_with_progress():
    """Progress as our own tools report it: 0, 50 and 100 of 100."""
    with call.on_behalf_of(current_caller()):
        counter = call.Counter(100, "parts")
        for step in (0, 50, 50):
            await counter.add(step)
            await asyncio.sleep(PAUSE_SECONDS)
    return contents.text("Tool with progress executed successfully")


async def test_sampling(prompt: str, context: Context):
    """The answer of the client's model."""
    messages = [SamplingMessage(role="user", content=contents.text(prompt))]
    message = await context.session.create_message(messages, max_tokens=100, related_request_id=context.request_id)
    return contents.text(f"LLM response: {message.content.text}")


async def test_elicitation(message: str, context: Context):
    """The answer of the client's user."""
    properties = {
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    }
    response = await _elicit(context, message, properties, ["username", "email"])
    return contents.text(f"User response: action={response.action}, content={response.content}")


async def test_elicitation_sep1034_defaults(context: Context):
    """A form with prefilled fields."""
    properties = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    response = await _elicit(context, "Please check these values.", properties)
    return contents.text(f"Elicitation completed: action={response.action}, content={response.content}")


async def test_elicitation_sep1330_enums(context: Context):
    """A form with each kind of choice."""
    values = [{"const": f"value{n}", "title": f"{word} Option"} for n, word in _options()]
    choices = [{"const": f"value{n}", "title": f"{word} Choice"} for n, word in _options()]
    properties = {
        "untitledSingle": {"type": "string", "enum": [*OPTION_NAMES]},
        "titledSingle": {"type": "string", "oneOf": values},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": [*OPTION_NAMES]}},
        "titledMulti": {"type": "array", "items": {"anyOf": choices}},
    }
    response = await _elicit(context, "Please choose.", properties)
    return contents.text(f"Elicitation completed: action={response.action}, content={response.content}")


async def test_reconnection(context: Context):
    """A text, after the stream for it was closed."""
    await context.close_sse_stream()
    await asyncio.sleep(PAUSE_SECONDS)
    return contents.text("Reconnection test completed successfully")


async def test_header_parameter(region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})]):
    """A parameter that is also a header of the request."""
    return contents.text(f"The region is {region}.")


def _options():
    return enumerate(("First", "Second", "Third"), start=1)


async def _elicit(context, message, properties, required=()):
    schema = {"type": "object", "properties": properties, "required": [*required]}
    return await context.session.elicit_form(message, schema, related_request_id=context.request_id)


SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


async def _answer(_):
    return ToolAnswer({"found": True})


async def _failed(_):
    return ToolAnswer({"error": "This tool intentionally returns an error for testing"}, is_failure=True)


def answering_tools():
    """Two tools of our own kind: one with a longer schema than ours have, and one that fails."""
    yield AnsweringTool(
        name="json_schema_2020_12_tool", description="Tool with JSON Schema 2020-12 features", parameters=SCHEMA
    ).with_answer(_answer)
    yield AnsweringTool(
        name="test_error_handling", description="A failure.", parameters={"type": "object"}
    ).with_answer(_failed)


def unknown(name):
    """A stand-in for a tool that does not exist."""
    return AnsweringTool(name=name, parameters={"type": "object"}).with_answer(_failed)


FUNCTIONS = (
    *(test_simple_text, test_image_content, test_audio_content, test_embedded_resource, test_multiple_content_types),
    *(test_tool_with_logging, test_logging_tool, test_tool_with_progress, test_sampling, test_elicitation),
    *(test_elicitation_sep1034_defaults, test_elicitation_sep1330_enums, test_reconnection, test_header_parameter),
)


def tools():
    return [*map(Tool.from_function, FUNCTIONS), *answering_tools()]
