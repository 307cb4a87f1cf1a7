"""Texts name tools by their names on the current server."""

import asyncio
import re

import pytest
from fastmcp import Client
from rs_bpe.bpe import openai

from biofact.core.errors import ToolRef
from biofact.core.tool import specs_of
from biofact.interfaces import every_source
from biofact.interfaces.mcp.server import gateway, source_server
from biofact.interfaces.spelling import Spelling, bare, command, prefixed
from tests.interfaces.ask import call, list_tools
from tests.interfaces.toy import TOYS
from tests.marks import requirement

pytestmark = pytest.mark.quick

GATEWAY = Spelling(TOYS, prefixed)
OWN_SERVER = Spelling(TOYS, bare, reaches=lambda ref: ref.source == "toy")
TYPED = Spelling(TOYS, command)


def test_a_reference_in_a_text_is_translated(subtests):
    for spelling, expected in [
        (GATEWAY, "Call toy_get_toy, then doll_rank."),
        (OWN_SERVER, "Call get_toy, then doll_rank of biofact's doll server."),
        (TYPED, "Call biofact toy get-toy, then biofact doll rank."),
    ]:
        with subtests.test(expected):
            assert spelling.text("Call toy.get_toy, then doll.doll_rank.") == expected


def test_a_text_that_is_no_reference_stays():
    texts = [
        "toy.get_toys is no tool",
        "robot.get_toy is no source",
        "toy.get_toy.name is an attribute",
        "my.toy.get_toy is something else",
        "'toy.get_toy' is not a toy ID",
        "'call toy.get_toy now' is not a toy ID",
        '"it\'s toy.get_toy now" is not a toy ID',
        r"'\"it\'s toy.get_toy\" now' is not a toy ID",
        "'a long word that is cut before toy.get_toy e is not a toy ID",
        "['ask toy.get_toy', {'by': 'toy.get_toy alone'}] is not a toy ID",
        "toy.get_toy_now",
    ]

    assert [GATEWAY.text(text) for text in texts] == texts


def test_a_reference_beside_quotes_and_apostrophes_is_translated(subtests):
    for text, expected in [
        ("'a toy.get_toy b' is no ID; call toy.get_toy.", "'a toy.get_toy b' is no ID; call toy_get_toy."),
        (
            "Call toy.get_toy with the toy's name, or the toys' names.",
            "Call toy_get_toy with the toy's name, or the toys' names.",
        ),
        ("The toy's name: toy.get_toy. Biofact's own.", "The toy's name: toy_get_toy. Biofact's own."),
    ]:
        with subtests.test(text):
            assert GATEWAY.text(text) == expected


def test_a_method_that_names_its_source_is_not_named_twice():
    assert prefixed(ToolRef("pubmed", "pubmed_search")) == "pubmed_search"
    assert command(ToolRef("pubmed", "pubmed_search")) == "biofact pubmed search"


def test_a_tool_of_all_sources_has_no_prefix(subtests):
    for spelling, expected in [
        (Spelling(every_source, prefixed), "Call resolve, then entrez_get_gene."),
        (
            Spelling(every_source, bare, reaches=lambda ref: ref.source == "entrez"),
            "Call resolve of biofact's server of all sources, then get_gene.",
        ),
        (Spelling(every_source, command), "Call biofact resolve, then biofact entrez get-gene."),
    ]:
        with subtests.test(expected):
            assert spelling.text("Call identity.resolve, then entrez.get_gene.") == expected


def test_a_server_for_one_source_has_nothing_that_asks_all(subtests):
    assert "resolve" in list_tools(gateway())

    for source in every_source.names():
        with subtests.test(source):
            tools = list_tools(source_server(source))
            assert "resolve" not in tools
            assert not any("`resolve`" in tool["description"] for tool in tools.values())


def test_instructions_are_short_and_name_only_what_the_server_has():
    on_gateway, on_own_server = (server.instructions for server in (gateway(), source_server("entrez")))

    assert openai.o200k_base().count(on_gateway) <= 200
    assert "`resolve` takes 200" in on_gateway
    assert "`resolve`" not in on_own_server
    assert on_gateway.splitlines()[1:] == on_own_server.splitlines()[1:]


def test_the_two_tools_that_list_ids_name_each_other():
    tools = list_tools(gateway())

    assert "igvf_resolve_id" in tools["resolve"]["description"]
    assert "resolve; check_identity" in tools["igvf_resolve_id"]["description"]
    assert "igvf_resolve_id" in tools["check_identity"]["description"]


def test_the_gateway_prefixes_tools_with_their_source():
    assert list(list_tools(gateway(catalog=TOYS))) == [
        "toy_search_toys",
        "toy_get_toy",
        "toy_get_toys_batch",
        "toy_break_toy",
        "doll_search_dolls",
        "doll_rank",
    ]


def test_a_server_for_one_source_has_bare_names():
    assert list(list_tools(source_server("doll", catalog=TOYS))) == ["search_dolls", "doll_rank"]


@requirement("all gateway")
def test_descriptions_name_tools_as_the_server_does():
    assert list_tools(gateway(catalog=TOYS))["toy_search_toys"]["description"].startswith(
        "Find toys by name; toy_get_toy"
    )
    assert list_tools(source_server("toy", catalog=TOYS))["search_toys"]["description"].startswith(
        "Find toys by name; get_toy"
    )


@requirement("all gateway")
def test_recovery_names_a_tool_that_the_server_has():
    on_gateway = call(gateway(catalog=TOYS), "toy_get_toy", toy_id="ball")["error"]
    on_own_server = call(source_server("toy", catalog=TOYS), "get_toy", toy_id="ball")["error"]

    assert on_gateway["recovery"] == {"tool": "toy_search_toys", "arguments": {"query": "ball"}}
    assert on_own_server["recovery"] == {"tool": "search_toys", "arguments": {"query": "ball"}}
    assert on_own_server["recovery_hint"] == "Call search_toys to resolve the name first."


def test_recovery_in_another_source_is_words_on_a_server_without_it():
    on_gateway = call(gateway(catalog=TOYS), "toy_break_toy", how="elsewhere")["error"]
    on_own_server = call(source_server("toy", catalog=TOYS), "break_toy", how="elsewhere")["error"]

    assert on_gateway["recovery"] == {"tool": "doll_search_dolls", "arguments": {"query": "doll"}}
    assert on_gateway["recovery_hint"] == "Call doll_search_dolls, not doll.search or toy.nothing."
    assert "recovery" not in on_own_server
    assert on_own_server["recovery_hint"] == (
        "Call search_dolls of biofact's doll server, not doll.search or toy.nothing."
    )


def test_notices_and_entries_of_a_batch_are_translated_too():
    answer = call(gateway(catalog=TOYS), "toy_search_toys", query="ball")
    batch = call(gateway(catalog=TOYS), "toy_get_toys_batch", toy_ids=["ball"])

    assert answer["notices"][0]["message"] == "Understood as 'ball'; toy_get_toy takes the ID."
    assert batch["items"][0]["error"]["recovery"]["tool"] == "toy_search_toys"


def test_the_reason_for_a_name_without_an_entity_is_translated_and_the_name_is_not():
    row = {"name": "toy.get_toy", "entities": [], "reason": "'toy.get_toy' is a tool; call toy.get_toy."}

    (translated,) = GATEWAY.body({"items": [row]})["items"]

    assert translated == row | {"reason": "'toy.get_toy' is a tool; call toy_get_toy."}


def test_facts_and_echoes_are_not_translated():
    error = call(gateway(catalog=TOYS), "toy_get_toy", toy_id="toy.get_toy")["error"]

    assert error["invalid_input"] == "toy.get_toy"
    assert error["recovery"]["arguments"] == {"query": "toy.get_toy"}
    assert error["message"] == "'toy.get_toy' is not a toy ID; expected a form like 'TOY:7'."


@requirement("all gateway")
def test_every_text_of_a_server_names_tools_as_they_are_called_there(subtests):
    """Descriptions of tools and resources, and the texts of resources by URI."""
    refs = [spec.ref for name in every_source.toolsets() for spec in specs_of(every_source.client_class(name))]
    forms = [(ref, re.compile(rf"(?<!\w)(?:{ref.source}[._])?{ref.method}(?!\w)")) for ref in refs]

    for source in (None, *every_source.names()):
        write = prefixed if source is None else bare
        texts = asyncio.run(tool_names(gateway() if source is None else source_server(source)))
        for place, text in texts.items():
            with subtests.test(f"{place} of {source or 'the gateway'}"):
                names_found = {(found_name, write(ref)) for ref, form in forms for found_name in form.findall(text)}
                assert {(found_name, name) for found_name, name in names_found if found_name != name} == set()


async def tool_names(server):
    async with Client(server) as client:
        tools, resources, templates = await client.list_tools(), [], []
        if client.session.server_capabilities.resources:
            resources, templates = await client.list_resources(), await client.list_resource_templates()
        texts = {resource.name: f"{resource.description} {resource.input_schema}" for resource in tools}
        texts |= {resource.name: str(resource.description) for resource in (*resources, *templates)}
        return texts | {str(resource.uri): (await client.read_resource(resource.uri))[0].text for resource in resources}
