"""The tools of our server for the suite, in place of those of the sources."""

from fastmcp.prompts.base import Message, Prompt
from fastmcp.resources.base import Resource
from fastmcp.resources.template import ResourceTemplate
from fastmcp.tools.base import Tool

from tests.mcp_suite import contents, rounds, tools


async def static_text():
    """A text."""
    return "This is the content of the static text resource."


async def static_binary():
    """A picture."""
    return contents.PNG


async def template(id: str):  # noqa: A002  # the suite's name
    """A document for each ID."""
    return f'{{"id":"{id}","templateTest":true,"data":"Data for ID: {id}"}}'


async def test_simple_prompt():
    """A text."""
    return "This is a simple prompt for testing."


async def test_prompt_with_arguments(arg1: str, arg2: str):
    """A text with its arguments."""
    return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"


async def test_prompt_with_embedded_resource(resourceUri: str):  # noqa: N803  # the suite's name
    """A resource, and what to do with it."""
    document = contents.embedded(resourceUri, "Embedded resource content for testing.")
    return [Message(document), Message("Please process the embedded resource above.")]


async def test_prompt_with_image():
    """A picture, and what to do with it."""
    return [Message(contents.image()), Message("Please analyze the image above.")]


PROMPTS = (
    *(test_simple_prompt, test_prompt_with_arguments, test_prompt_with_embedded_resource, test_prompt_with_image),
    rounds.test_input_required_result_prompt,
)


class SuiteOffer:
    """Has the members of ``biofact.interfaces.mcp.offer.Offer``; tools of it send log messages, unlike ours."""

    capabilities = frozenset({"tools", "resources", "prompts", "logging"})

    def __init__(self):
        tool_list = [*tools.tools(), *map(Tool.from_function, rounds.TOOLS)]
        self.tools = {tool.name: tool for tool in tool_list}
        self.resources = (
            Resource.from_function(static_text, uri="test://static-text", mime_type="text/plain"),
            Resource.from_function(static_binary, uri="test://static-binary", mime_type="image/png"),
        )
        self.templates = (
            ResourceTemplate.from_function(
                template, uri_template="test://template/{id}/data", mime_type="application/json"
            ),
        )
        self.prompts = {prompt.name: prompt for prompt in map(Prompt.from_function, PROMPTS)}

    def tool_named(self, name):
        return self.tools.get(name) or tools.unknown(name)

    async def aclose(self):
        """A no-op: there is nothing to open."""
