"""Resources: listed and read over MCP, and described on the page of tools."""

import base64
import itertools
import logging
import os
import sys
from pathlib import Path

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from mcp import MCPError
from tools import tools_page

from biofact.core.errors import ToolRef
from biofact.core.tool import resources_of
from biofact.interfaces.mcp.server import gateway, source_server
from biofact.interfaces.spelling import Spelling, prefixed
from tests import virtual_time
from tests.interfaces.ask import ERAS, MODERN
from tests.interfaces.toy import TOYS, ToyClient

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
DRAWING_SVG = "<svg>\u2022 ball</svg>"
PHOTO = b"\x89PNG ball"
SERVERS = {"gateway": lambda: gateway(catalog=TOYS), "alone": lambda: source_server("toy", catalog=TOYS)}

every_era = pytest.mark.parametrize("era", ERAS)


def ask_server(server, question, era=MODERN):
    """The answer to one question of a client of the server."""

    async def ask():
        async with Client(server, mode=era) as client:
            return await question(client)

    return virtual_time.run(ask())


def read(server, uri, era=MODERN):
    return ask_server(server, lambda client: client.read_resource_mcp(uri), era)


def refusals(server, uris, era=MODERN):
    """The server's refusals of these URIs, over one connection."""

    async def read_error(client):
        errors = []
        for uri in uris:
            with pytest.raises(MCPError) as error_info:
                await client.read_resource_mcp(uri)
            errors.append(error_info.value.error)
        return errors

    return ask_server(server, read_error, era)


def refusal(server, uri, era=MODERN):
    return refusals(server, [uri], era)[0]


@every_era
def test_resources_have_the_same_uris_on_every_server(era, subtests):
    async def list_resources(client):
        return await client.list_resource_templates(), await client.list_resources()

    for name, server in SERVERS.items():
        with subtests.test(name):
            templates, plain = ask_server(server(), list_resources, era)
            assert [(template.uri_template, template.mime_type) for template in templates] == [
                ("toy://toys/{toy_id}/drawing.svg", "image/svg+xml"),
                ("toy://toys/{toy_id}/photo", "image/png"),
                ("toy://wrecks/{how}", "text/plain"),
            ]
            assert [(str(resource.uri), resource.mime_type) for resource in plain] == [("toy://rules", "text/markdown")]


def test_names_and_descriptions_are_translated_as_those_of_tools():
    on_gateway, *_ = ask_server(SERVERS["gateway"](), lambda client: client.list_resource_templates())
    on_own_server, *_ = ask_server(SERVERS["alone"](), lambda client: client.list_resource_templates())
    (rules,) = ask_server(SERVERS["alone"](), lambda client: client.list_resources())

    assert (on_gateway.name, on_own_server.name, rules.name) == ("toy_draw", "draw", "rules")
    assert on_gateway.description.startswith("Draw one toy; toy_get_toy describes it.")
    assert on_own_server.description.startswith("Draw one toy; get_toy describes it.")
    assert on_own_server.description.endswith(" {toy_id} is like TOY:7.")
    assert "Raises" not in on_own_server.description
    assert rules.description == "Describe how toys are played with; search_toys finds one."


@every_era
def test_a_text_is_read_under_the_uri_of_its_id(era, subtests):
    for name, server in SERVERS.items():
        with subtests.test(name):
            (content,) = read(server(), "toy://toys/TOY:7/drawing.svg", era).contents
            assert (content.text, content.mime_type) == (DRAWING_SVG, "image/svg+xml")
            assert str(content.uri) == "toy://toys/TOY:7/drawing.svg"


def test_an_id_may_be_written_with_escapes():
    (content,) = read(SERVERS["alone"](), "toy://toys/TOY%3A7/drawing.svg").contents

    assert content.text == DRAWING_SVG


@every_era
def test_bytes_are_read_as_a_blob_and_a_resource_without_parameters_as_text(era):
    (photo,) = read(SERVERS["gateway"](), "toy://toys/TOY:7/photo", era).contents
    (rules,) = read(SERVERS["gateway"](), "toy://rules", era).contents

    assert (base64.b64decode(photo.blob), photo.mime_type) == (PHOTO, "image/png")
    assert (rules.text, rules.mime_type) == ("# Be kind", "text/markdown")


@every_era
def test_a_resource_has_its_provenance_and_notices_in_meta(era):
    meta = read(SERVERS["gateway"](), "toy://toys/TOY:7/drawing.svg", era).meta
    bare = read(SERVERS["gateway"](), "toy://rules", era).meta or {}

    assert meta["biofact/provenance"]["url"] == "toy://box"
    assert meta["biofact/notices"] == [{"code": "STALE", "message": "An old drawing; toy_get_toy knows more."}]
    assert not any(name.startswith("biofact/") for name in bare)


REFUSED_URIS = [
    (
        "toy://toys/ball/drawing.svg",
        -32602,
        "UNRESOLVED_ENTITY",
        "'ball' is not a toy ID; expected a form like 'TOY:7'. Call toy_search_toys to resolve the name first.",
    ),
    (
        "toy://toys/TOY:9/photo",
        -32602,
        "ENTITY_NOT_FOUND",
        "There is no TOY:9. Call toy_search_toys with its name.",
    ),
    ("toy://wrecks/down", -32603, "UPSTREAM_ERROR", "The box is shut. Call toy_get_toy later."),
    ("toy://wrecks/busy", -32603, "RATE_LIMITED", "The box is busy. Wait 7 seconds."),
    (
        "toy://wrecks/robot",
        -32602,
        "AMBIGUOUS_QUERY",
        "Argument 'how' of toy_wreck cannot be 'robot'. Give how as one of 'busy', 'down', 'defect', 'elsewhere'.",
    ),
]


@every_era
def test_a_failure_is_an_mcp_error_with_message_hint_and_envelope(era):
    uris = [uri for uri, *_ in REFUSED_URIS]

    errors = refusals(SERVERS["gateway"](), uris, era)

    errors_by_uri = [
        (uri, error.code, error.data["error"]["code"], error.message) for uri, error in zip(uris, errors, strict=True)
    ]
    assert errors_by_uri == REFUSED_URIS
    assert [error.data["uri"] for error in errors] == uris


def test_a_recovery_names_the_tool_as_the_server_does():
    on_gateway = refusal(SERVERS["gateway"](), "toy://toys/ball/photo")
    on_own_server = refusal(SERVERS["alone"](), "toy://toys/ball/photo")

    assert on_gateway.data["error"]["recovery"] == {"tool": "toy_search_toys", "arguments": {"query": "ball"}}
    assert on_own_server.data["error"]["recovery"] == {"tool": "search_toys", "arguments": {"query": "ball"}}
    assert on_own_server.message.endswith("Call search_toys to resolve the name first.")


def test_a_uri_of_no_source_is_not_found():
    uris = ["toy://toys/TOY:7", "toy://toys/TOY:7/8/photo", "robot://rules", "toy://toys/../photo"]

    errors = refusals(SERVERS["gateway"](), uris)

    assert [(uri, error.code, "not found" in error.message) for uri, error in zip(uris, errors, strict=True)] == [
        (uri, -32602, True) for uri in uris
    ]


def test_a_defect_is_logged_and_reported_by_its_kind_alone(caplog):
    with caplog.at_level(logging.ERROR, "biofact"):
        error = refusal(SERVERS["gateway"](), "toy://wrecks/defect")

    assert error.message.startswith("Answering toy_wreck hit a defect of biofact: KeyError.")
    assert "spring" in caplog.text
    assert "spring" not in str(error)


@pytest.mark.processes
def test_a_wrong_id_leaves_no_traceback_on_stderr(tmp_path):
    serve = (
        "import asyncio; from biofact.interfaces.mcp.server import gateway; from tests.interfaces.toy import TOYS; "
        "asyncio.run(gateway(catalog=TOYS).run_stdio_async(show_banner=False, log_level='WARNING'))"
    )
    errors_by_uri = tmp_path / "stderr"
    stdio_transport = StdioTransport(
        sys.executable, ["-c", serve], env=dict(os.environ), cwd=str(ROOT), keep_alive=False, log_file=errors_by_uri
    )

    error = refusal(stdio_transport, "toy://toys/ball/photo")

    assert error.message.startswith("'ball' is not a toy ID")
    assert errors_by_uri.read_text() == ""


def test_a_read_after_a_failure_is_answered_as_ever():
    async def list_and_read(client):
        with pytest.raises(MCPError):
            await client.read_resource("toy://wrecks/defect")
        return await client.read_resource("toy://toys/TOY:7/drawing.svg")

    (content,) = ask_server(SERVERS["gateway"](), list_and_read)

    assert content.text == DRAWING_SVG


class RecordingCatalog:
    """A catalog that records which sources have been imported."""

    def __init__(self):
        self.imported = []

    def names(self):
        return TOYS.names()

    toolsets = names

    def journeys(self):
        return TOYS.journeys()

    def client_class(self, name):
        self.imported.append(name)
        return TOYS.client_class(name)

    def listing(self, name):
        return TOYS.listing(name)


def test_no_source_is_imported_to_list_resources():
    catalog = RecordingCatalog()
    server = gateway(catalog=catalog)

    async def list_resources(client):
        return await client.list_resources(), await client.list_resource_templates()

    resources, templates = ask_server(server, list_resources)

    assert (len(resources), len(templates)) == (1, 3)
    assert catalog.imported == []


def test_a_server_for_one_source_imports_no_other():
    catalog = RecordingCatalog()

    read(source_server("toy", catalog=catalog), "toy://toys/TOY:7/drawing.svg")

    assert set(catalog.imported) == {"toy"}


def test_no_client_is_opened_before_something_is_read():
    def opener():
        raise AssertionError("opened")

    assert len(ask_server(gateway(opener, TOYS), lambda client: client.list_resource_templates())) == 3


def test_a_reference_to_a_resource_is_translated():
    assert Spelling(TOYS, prefixed).text("Read toy.draw, not toy.drawn.") == "Read toy_draw, not toy.drawn."


def test_the_page_of_tools_lists_resources():
    draw, *_, rules = resources_of(ToyClient)
    page = "\n".join(
        itertools.chain.from_iterable(tools_page._resource(s, Spelling(TOYS, prefixed)) for s in (draw, rules))
    )

    assert draw.ref == ToolRef("toy", "draw")
    assert "### `toy://toys/{toy_id}/drawing.svg`\n\nDraw one toy; toy_get_toy describes it." in page
    assert "| `toy_id` | string | required | like TOY:7 |" in page
    assert "`image/svg+xml`" in page
    assert "At the command line: `biofact toy draw`; `--output FILE`" in page
    assert "biofact toy rules" not in page
