"""Tools that need answers of the client, and are called again with them (2026-07-28)."""

from fastmcp.prompts.base import Message
from fastmcp.server.context import Context
from mcp import MCPError
from mcp_types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
    ListRootsRequest,
    SamplingMessage,
)

from tests.mcp_suite import contents


async def test_missing_capability(context: Context):
    """Only for clients that lend a model."""
    if not _has(context, "sampling"):
        required = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, "The client lends no model.", required)
    return contents.text("The client lends a model.")


async def test_streaming_elicitation(context: Context):
    """A question on a stream that belongs to no request of ours."""
    return _answer_for(context, "confirm") or input_request(confirm=_form("Please confirm", "ok", "boolean"))


async def test_input_required_result_elicitation(context: Context):
    """Asks the user for a name."""
    answer = _answer_for(context, "user_name")
    if not isinstance(answer, ElicitResult):
        return input_request(user_name=_form("What is your name?", "name"))
    return contents.text(f"Hello, {(answer.content or {}).get('name', 'whoever you are')}!")


async def test_input_required_result_sampling(context: Context):
    """Asks the client's model."""
    answer = _answer_for(context, "capital_question")
    question = _question("What is the capital of France?", 100)
    return contents.text(answer.content.text) if answer else input_request(capital_question=question)


async def test_input_required_result_list_roots(context: Context):
    """Asks for the client's roots."""
    answer = _answer_for(context, "client_roots")
    if answer is None:
        return input_request(client_roots=ListRootsRequest())
    return contents.text(f"Roots: {', '.join(str(root.uri) for root in answer.roots)}")


async def test_input_required_result_request_state(context: Context):
    """Carries a state from round to round."""
    if not _answer_for(context, "confirm"):
        return input_request("first", confirm=_form("Please confirm", "ok", "boolean"))
    return contents.text("state-ok" if context.request_state == "first" else "The state is another one.")


async def test_input_required_result_tampered_state(context: Context):
    """Carries a state that only the server may write."""
    return await test_input_required_result_request_state(context)


async def test_input_required_result_multiple_inputs(context: Context):
    """Asks three things at once."""
    answers = [_answer_for(context, name) for name in ("user_name", "greeting", "client_roots")]
    if all(answers):
        return contents.text("All answers are here.")
    questions = {"greeting": _question("Generate a greeting", 50), "client_roots": ListRootsRequest()}
    return input_request("first", user_name=_form("What is your name?", "name"), **questions)


async def test_input_required_result_multi_round(context: Context):
    """Asks one thing after the other."""
    match context.request_state:
        case "1" if _answer_for(context, "step1"):
            return input_request("2", step2=_form("Step 2: What is your favorite color?", "color"))
        case "2" if _answer_for(context, "step2"):
            return contents.text("Both steps are done.")
        case _:
            return input_request("1", step1=_form("Step 1: What is your name?", "name"))


async def test_input_required_result_capabilities(context: Context):
    """Asks only for the abilities that the client announces."""
    questions = {
        "sampling": _question("Generate a greeting", 50),
        "elicitation": _form("What is your name?", "name"),
        "roots": ListRootsRequest(),
    }
    possible = {name: question for name, question in questions.items() if _has(context, name)}
    return input_request(**possible) if possible else contents.text("The client can answer nothing.")


async def test_input_required_result_prompt(context: Context):
    """A prompt that needs an answer of the user."""
    answer = _answer_for(context, "user_context")
    if answer is None:
        return input_request(user_context=_form("What context should the prompt use?", "context"))
    return [Message(f"Use this context: {(answer.content or {}).get('context')}")]


TOOLS = (
    *(test_missing_capability, test_streaming_elicitation, test_input_required_result_elicitation),
    *(test_input_required_result_sampling, test_input_required_result_list_roots),
    *(test_input_required_result_request_state, test_input_required_result_tampered_state),
    *(test_input_required_result_multiple_inputs, test_input_required_result_multi_round),
    test_input_required_result_capabilities,
)


def input_request(state=None, **questions):
    return InputRequiredResult(input_requests=questions, request_state=state)


def _answer_for(context, name):
    return (context.input_responses or {}).get(name)


def _has(context, capability):
    return getattr(context.session.client_capabilities, capability, None) is not None


def _form(message, field, kind="string"):
    schema = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def _question(words, most_tokens):
    messages = [SamplingMessage(role="user", content=contents.text(words))]
    return CreateMessageRequest(params=CreateMessageRequestParams(messages=messages, max_tokens=most_tokens))
