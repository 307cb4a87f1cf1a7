"""The declaration of a tool, and the checks of its arguments."""

import asyncio
from typing import Annotated

import pytest
from pydantic import Field

from biofact.core import call
from biofact.core.errors import AmbiguousQuery, CallTool, ToolRef, UnresolvedEntity
from biofact.core.identifiers import IdKind
from biofact.core.records import Notice, Provenance, Record
from biofact.core.tool import PageSize, Query, spec_of, specs_of, tool

pytestmark = pytest.mark.quick

SEARCH = ToolRef("rocks", "search_rocks")
ROCK = IdKind("rock ID", r"ROCK:\d+", "ROCK:7", SEARCH, repair=lambda text: f"ROCK:{text}" if text.isdigit() else None)
LIVE = Provenance(source="quarry", url="https://quarry.example/7", retrieved_at="2026-11-20T10:00:00Z", origin="live")
OLD = Provenance(source="quarry", url="https://quarry.example/8", retrieved_at="2026-11-19T10:00:00Z", origin="stale")


class Rock(Record):
    id: str
    asked: dict[str, object] = Field(default_factory=dict)


class Rocks:
    source_name = "rocks"

    @tool
    async def search_rocks(self, query: Query, page_size: PageSize = 50, is_shiny: bool = False) -> Rock:
        """Find rocks
        by name.

        The rest is for the docs page.
        """
        return Rock(id="ROCK:1", asked={"query": query, "page_size": page_size, "is_shiny": is_shiny})

    @tool
    async def get_rock(self, rock_id: Annotated[str, ROCK]) -> Rock:
        """Describe a rock."""
        call.current().answers += [LIVE, OLD]
        call.current().notices.append(Notice(code="STALE", message="An old stone."))
        return Rock(id=rock_id)

    @tool
    async def get_rocks(self, rock_ids: Annotated[list[str], ROCK], slim: bool = True) -> Rock:
        """Describe rocks."""
        return Rock(id="ROCK:0", asked={"rock_ids": rock_ids, "slim": slim})


def ask(name, **arguments):
    return asyncio.run(spec_of(Rocks, name).call(Rocks(), arguments))


def refusal(name, **arguments):
    with pytest.raises((AmbiguousQuery, UnresolvedEntity)) as error:
        ask(name, **arguments)
    return error.value


def test_tools_are_read_in_the_order_of_their_definition():
    assert [spec.ref.method for spec in specs_of(Rocks)] == ["search_rocks", "get_rock", "get_rocks"]


def test_the_first_paragraph_is_what_an_agent_reads():
    assert spec_of(Rocks, "search_rocks").summary == "Find rocks by name."


def test_a_query_is_trimmed_and_single_spaced():
    assert ask("search_rocks", query="  blue\t granite\n").asked["query"] == "blue granite"


def test_numbers_as_text_are_understood():
    assert ask("search_rocks", query="granite", page_size="7").asked["page_size"] == 7


def test_a_query_of_another_length_or_type_is_refused_with_the_input(subtests):
    for query in ["", " ", "x", " x ", "y" * 301, "\x00\x01", 7, None, ["granite"]]:
        with subtests.test(query=query):
            error = refusal("search_rocks", query=query)

            assert (error.code, error.invalid_input, error.recovery) == ("AMBIGUOUS_QUERY", query, None)
            assert error.hint == "Give query as text of 2 to 300 characters."


def test_recovery_from_one_bad_argument_is_the_call_without_it(subtests):
    for size in [0, 101, -1, "many", 1.5]:
        with subtests.test(size=size):
            error = refusal("search_rocks", query="granite", page_size=size, is_shiny=True)

            assert error.invalid_input == size
            assert error.recovery == CallTool(SEARCH, {"query": "granite", "is_shiny": True})
            assert error.hint == "Give page_size as a whole number from 1 to 100."


def test_an_unknown_argument_is_refused_not_dropped():
    error = refusal("search_rocks", query="granite", colour="blue")

    assert error.invalid_input == {"colour": "blue"}
    assert error.hint == "Its arguments are query, page_size, is_shiny."
    assert error.recovery is None, "it would answer another question"


def test_a_missing_argument_is_named():
    assert "'query'" in refusal("search_rocks").message


def test_a_value_that_is_no_id_is_refused_with_a_search_if_it_could_be_a_query(subtests):
    cases = [
        ("granite", CallTool(SEARCH, {"query": "granite"})),
        (" granite ", CallTool(SEARCH, {"query": "granite"})),
        (70, CallTool(SEARCH, {"query": "ROCK:70"})),
        ("x", None),
        ("y" * 301, None),
        (None, None),
        (True, None),
        (["ROCK:7"], None),
    ]
    for arguments, recovery in cases:
        with subtests.test(given=arguments):
            error = refusal("get_rock", rock_id=arguments)

            assert (error.code, error.invalid_input, error.recovery) == ("UNRESOLVED_ENTITY", arguments, recovery)


def test_the_hint_shows_the_fix():
    assert "write it that way" in refusal("get_rock", rock_id="7").hint
    assert "ROCK:7" in refusal("get_rock", rock_id="7").hint


def test_exactly_one_written_form_is_accepted(subtests):
    for form in ["ROCK:7\n", " ROCK:7", "rock:7", "ROCK:\u0667"]:
        with subtests.test(form=form):
            assert refusal("get_rock", rock_id=form).code == "UNRESOLVED_ENTITY"


def test_a_malformed_id_is_reported_before_other_faults():
    assert refusal("get_rock", rock_id="granite", colour="blue").code == "UNRESOLVED_ENTITY"


def test_a_batch_takes_malformed_ids_in_their_place():
    assert ask("get_rocks", rock_ids=["ROCK:1", "granite", 3]).asked["rock_ids"] == ["ROCK:1", "granite", 3]


@pytest.mark.parametrize("rock_ids", [[], {"a": 1}, 7])
def test_a_batch_of_another_size_or_type_is_refused(rock_ids):
    error = refusal("get_rocks", rock_ids=rock_ids)

    assert (error.code, error.invalid_input) == ("AMBIGUOUS_QUERY", rock_ids)


def test_a_batch_of_too_many_is_refused_without_repeating_it():
    error = refusal("get_rocks", rock_ids=["ROCK:1"] * 201)

    assert error.code == "AMBIGUOUS_QUERY"
    assert "1 to 200 IDs in a list, not 201" in error.message
    assert set(error.invalid_input) == {"ROCK:1"}
    assert 50 < len(error.invalid_input) < 150


def test_one_id_in_place_of_a_list_recovers_as_a_list_of_one():
    assert refusal("get_rocks", rock_ids="ROCK:1").recovery == CallTool(
        ToolRef("rocks", "get_rocks"), {"rock_ids": ["ROCK:1"]}
    )


def test_words_in_place_of_a_list_recover_as_a_search():
    assert refusal("get_rocks", rock_ids="granite").recovery == CallTool(SEARCH, {"query": "granite"})


def test_a_result_is_signed_with_the_oldest_answer_and_the_notices_of_its_call():
    rock = ask("get_rock", rock_id="ROCK:7")

    assert rock.provenance == LIVE.model_copy(
        update={"origin": "stale", "retrieved_at": OLD.retrieved_at, "others": (OLD,)}
    )
    assert rock.model_dump() == {
        "id": "ROCK:7",
        "asked": {},
        "notices": [{"code": "STALE", "message": "An old stone."}],
    }


def test_a_program_calls_a_tool_like_any_method():
    rock = asyncio.run(Rocks().get_rock("ROCK:7"))

    assert rock.id == "ROCK:7"
    with pytest.raises(TypeError):
        asyncio.run(Rocks().get_rock(colour="blue"))
    with pytest.raises(UnresolvedEntity):
        asyncio.run(Rocks().get_rock("granite"))


def test_calls_do_not_see_each_other():
    async def call_both():
        return await asyncio.gather(Rocks().get_rock("ROCK:1"), Rocks().search_rocks("granite"))

    first, second = asyncio.run(call_both())

    assert first.notices
    assert not second.notices
    assert second.provenance is None
