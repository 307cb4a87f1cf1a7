"""The declaration of a resource, and the checks of its arguments."""

import asyncio
from typing import Annotated

import pytest

from biofact.core import call
from biofact.core.errors import AmbiguousQuery, EntityNotFound, ToolRef, UnresolvedEntity
from biofact.core.identifiers import IdKind
from biofact.core.records import Notice, Provenance, Record
from biofact.core.tool import ResourceContent, resource, resource_of, resources_of, specs_of, tool

pytestmark = pytest.mark.quick

ROCK = IdKind("rock ID", r"ROCK:\d+", "ROCK:7", ToolRef("rocks", "search_rocks"))
LIVE = Provenance(source="quarry", url="https://quarry.example/7", retrieved_at="2026-11-20T10:00:00Z", origin="live")
CUT = Notice(code="LIST_CUT", message="Two of nine edges.")


class Rock(Record):
    id: str


class Rocks:
    source_name = "rocks"

    @resource("rocks://rock/{rock_id}/outline.svg", "image/svg+xml")
    async def outline(self, rock_id: Annotated[str, ROCK]) -> str:
        """Draw
        a rock.

        The rest is for the docs page.
        """
        call.current().answers.append(LIVE)
        call.current().notices.append(CUT)
        return f"<svg>{rock_id}</svg>"

    @tool
    async def get_rock(self, rock_id: Annotated[str, ROCK]) -> Rock:
        """Describe a rock."""
        call.current().answers.append(LIVE)
        return Rock(id=rock_id)

    @resource("rocks://rock/{rock_id}/layers/{depth}", "application/octet-stream")
    async def layer(self, depth: int, rock_id: Annotated[str, ROCK]) -> bytes:
        """Cut a rock open."""
        return (await self.get_rock(rock_id)).id.encode() + bytes(depth)

    @resource("rocks://hardness", "text/markdown")
    async def hardness(self) -> str:
        """List how hard rocks are."""
        raise EntityNotFound("Nobody has tried.", hint="Try.")


def read(name, **arguments):
    return asyncio.run(resource_of(Rocks, name).call(Rocks(), arguments))


def test_resources_are_read_in_the_order_of_their_definition_and_are_no_tools():
    assert [spec.ref.method for spec in resources_of(Rocks)] == ["outline", "layer", "hardness"]
    assert [spec.ref.method for spec in specs_of(Rocks)] == ["get_rock"]


def test_a_declaration_holds_its_uri_its_type_and_its_parameters():
    spec = resource_of(Rocks, "outline")

    assert (spec.uri, spec.mime_type) == ("rocks://rock/{rock_id}/outline.svg", "image/svg+xml")
    assert spec.summary == "Draw a rock."
    assert [(p.name, p.id_kind, p.is_required) for p in spec.parameters] == [("rock_id", ROCK, True)]


def test_a_uri_without_parameters_is_one_resource():
    assert resource_of(Rocks, "hardness").parameters == ()


def test_the_content_comes_with_its_source_and_notices():
    content = read("outline", rock_id="ROCK:7")

    assert content.content == "<svg>ROCK:7</svg>"
    assert content.provenance == LIVE
    assert content.notices == [CUT]


def test_the_content_is_no_part_of_its_notices():
    assert ResourceContent(content=b"\xff", notices=[CUT]).model_dump() == {"notices": [CUT.model_dump()]}


def test_bytes_stay_bytes_and_arguments_are_converted():
    content = read("layer", rock_id="ROCK:7", depth="2")

    assert content.content == b"ROCK:7\x00\x00"


def test_a_tool_called_by_a_resource_reports_the_origin_of_its_answer():
    assert read("layer", rock_id="ROCK:7", depth=0).provenance == LIVE


def test_a_malformed_id_is_refused_as_a_tool_refuses_it():
    with pytest.raises(UnresolvedEntity) as refusal:
        read("outline", rock_id="granite")

    assert refusal.value.invalid_input == "granite"
    assert refusal.value.hint == "Call rocks.search_rocks to resolve the name first."


def test_an_argument_of_another_type_is_refused_with_what_was_expected():
    with pytest.raises(AmbiguousQuery) as refusal:
        read("layer", rock_id="ROCK:7", depth="deep")

    assert refusal.value.message == "Argument 'depth' of rocks.layer cannot be 'deep'."
    assert refusal.value.hint == "Give depth as a whole number."


def test_a_program_gets_the_content_alone():
    assert asyncio.run(Rocks().outline("ROCK:7")) == "<svg>ROCK:7</svg>"
    with pytest.raises(UnresolvedEntity):
        asyncio.run(Rocks().outline("granite"))
    with pytest.raises(EntityNotFound):
        asyncio.run(Rocks().hardness())
    with pytest.raises(TypeError):
        asyncio.run(Rocks().outline())


def test_a_uri_that_does_not_fit_is_refused_when_it_is_declared(subtests):
    cases = [
        ("rocks://rock", "has to hold each parameter"),
        ("rocks://rock/{rock}", "has to hold each parameter"),
        ("rocks://rock/{rock_id}/{rock_id}", "has to hold each parameter"),
        ("rocks://rock/{rock_id}/{depth}", "has to hold each parameter"),
        ("rock/{rock_id}", "is no URI"),
        ("rocks://", "is no URI"),
        ("rocks://a rock/{rock_id}", "is no URI"),
        ("rocks://rock/{rock_id*}", "is no URI"),
        ("rocks://rock{?rock_id}", "is no URI"),
        ("Rocks://rock/{rock_id}", "is no URI"),
    ]
    for uri, problem in cases:
        with subtests.test(uri=uri), pytest.raises(ValueError, match=problem):

            @resource(uri, "text/plain")
            async def outline(self, rock_id: str) -> str:
                return ""


def test_an_optional_parameter_is_refused_when_it_is_declared():
    with pytest.raises(ValueError, match="optional parameter"):

        @resource("rocks://rock/{rock_id}", "text/plain")
        async def outline(self, rock_id: str = "ROCK:7") -> str:
            return ""
