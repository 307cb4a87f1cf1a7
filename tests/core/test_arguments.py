"""Arguments as hosts and programs write them, and the errors for those that are refused."""

import asyncio
import json
from typing import Annotated, Any, Literal

import pytest
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from biofact.core.errors import AmbiguousQuery, CallTool, EntityNotFound, RateLimited, ToolRef, UnresolvedEntity
from biofact.core.identifiers import IdKind
from biofact.core.parameters import InvalidPart, InvalidValues
from biofact.core.records import Record
from biofact.core.tool import AS_WRITTEN, NARROWS, PageSize, Query, spec_of, tool
from tests.marks import requirement
from tests.work import calls_made

pytestmark = pytest.mark.quick

SEARCH, LIST, GET = (ToolRef("rocks", name) for name in ("search_rocks", "list_rocks", "get_rock"))
ROCK = IdKind("rock ID", r"ROCK:\d+", "ROCK:7", SEARCH)
LAYER_ID = IdKind("layer ID", r"\d+", "7", SEARCH)


class Span(BaseModel):
    model_config = ConfigDict(extra="forbid")

    oldest: Annotated[int, Field(ge=1, le=4600)] | None = None
    newest: int | None = None
    kinds: list[Literal["igneous", "sedimentary"]] = Field(default_factory=list)


def _check_hardness(value: dict[str, Any]) -> dict[str, Any]:
    wrong = [
        InvalidPart((name,), value, expected="a number from 1 to 10")
        for name, value in value.items()
        if not isinstance(value, int | float)
    ]
    if wrong:
        raise InvalidValues(wrong)
    return value


class Rock(Record):
    id: str
    asked: dict[str, Any] = Field(default_factory=dict)


class Rocks:
    source_name = "rocks"

    @tool
    async def search_rocks(
        self,
        query: Query,
        organism: Annotated[str | None, Field(min_length=2), NARROWS] = None,
        page_size: PageSize = 50,
    ) -> Rock:
        """Find rocks."""
        if query == "busy":
            raise RateLimited("The quarry is busy.", hint="Wait.")
        if query == "misspelt":
            raise EntityNotFound("No rock.", hint="Ask for granite.", recovery=CallTool(SEARCH, {"query": "granite"}))
        if query == "culprit":
            recovery = CallTool(SEARCH, {"query": "granite"})
            raise AmbiguousQuery("Of nobody.", hint="Say whose.", invalid_input=organism, recovery=recovery)
        return Rock(id="ROCK:1", asked={"query": query, "organism": organism, "page_size": page_size})

    @tool
    async def list_rocks(  # noqa: PLR0913  # an argument of each kind
        self,
        span: Annotated[Span | None, NARROWS] = None,
        hardness: Annotated[dict[str, Any], AfterValidator(_check_hardness)] | None = None,
        kinds: list[Literal["igneous", "sedimentary"]] | None = None,
        rocks: Annotated[list[Any], AS_WRITTEN] | None = None,
        *,
        weights: dict[str, float] | None = None,
        limit: PageSize = 10,
        deepest: Annotated[int, Field(ge=0)] = 9,
        is_shiny: bool = False,
    ) -> Rock:
        """List rocks."""
        query = {"span": span and span.model_dump(exclude_none=True), "hardness": hardness, "kinds": kinds}
        return Rock(id="ROCK:1", asked={**query, "rocks": rocks, "weights": weights, "limit": limit})

    @tool
    async def get_rock(self, rock_id: Annotated[str, ROCK], is_shiny: bool = False) -> Rock:
        """Describe a rock."""
        return Rock(id=rock_id)

    @tool
    async def get_layers(self, layer_ids: Annotated[list[str], LAYER_ID], is_shiny: bool = False) -> Rock:
        """Describe layers."""
        return Rock(id="ROCK:1", asked={"ids": [LAYER_ID.check(layer_id) for layer_id in layer_ids]})


def query_of(name, **arguments):
    return asyncio.run(spec_of(Rocks, name).call(Rocks(), arguments)).asked


def refusal(name, **arguments):
    with pytest.raises((AmbiguousQuery, UnresolvedEntity, EntityNotFound, RateLimited)) as error:
        asyncio.run(spec_of(Rocks, name).call(Rocks(), arguments))
    return error.value


# Accepted forms


CASES = [
    ({"kinds": '["igneous"]'}, {"kinds": ["igneous"]}),
    ({"span": '{"oldest": "5", "kinds": "[\\"igneous\\"]"}'}, {"span": {"oldest": 5, "kinds": ["igneous"]}}),
    ({"span": {"oldest": "", "newest": None, "kinds": [""]}}, {"span": None}),
    ({"span": {"oldest": 5, "newest": ""}}, {"span": {"oldest": 5, "kinds": []}}),
    ({"span": ""}, {"span": None}),
    ({"span": "null"}, {"span": None}),
    ({"kinds": ["", "igneous", None]}, {"kinds": ["igneous"]}),
    ({"hardness": {"least": 2, "most": ""}}, {"hardness": {"least": 2}}),
    ({"hardness": {"most": ""}}, {"hardness": None}),
    ({"weights": '{"a": "0.5"}'}, {"weights": {"a": 0.5}}),
    ({"limit": ""}, {"limit": 10}),
    ({"limit": "None"}, {"limit": 10}),
    ({"limit": "7.0"}, {"limit": 7}),
    ({"page_size": 7}, {"limit": 7}),
    ({"maxResults": 7}, {"limit": 7}),
    ({"page_size": 7, "limit": "7"}, {"limit": 7}),
    ({"page_size": "", "limit": 7}, {"limit": 7}),
    ({"rocks": '[{"id": "", "x": null}, ""]'}, {"rocks": [{"id": "", "x": None}, ""]}),
    ({"rocks": [Rock(id="ROCK:7")]}, {"rocks": [{"id": "ROCK:7", "asked": {}}]}),
    ({"span": Span(oldest=3)}, {"span": {"oldest": 3, "kinds": []}}),
    ({"rocks": ["\ud83d\ude00", "\ud83d"]}, {"rocks": ["\U0001f600", "\ufffd"]}),
]


def test_arguments_are_read_as_they_are_meant(subtests):
    for arguments, expected in CASES:
        with subtests.test(written=arguments):
            query = query_of("list_rocks", **arguments)

            assert {name: query[name] for name in expected} == expected


@pytest.mark.parametrize("name", ["organism", "species", "Organism"])
def test_another_name_of_the_idea_is_taken(name):
    assert query_of("search_rocks", query="granite", **{name: "human"})["organism"] == "human"


def test_an_id_of_digits_may_come_as_a_number():
    assert query_of("get_layers", layer_ids=[7, "8"])["ids"] == ["7", "8"]
    assert refusal("get_rock", rock_id=7).code == "UNRESOLVED_ENTITY"


def test_a_list_of_ids_may_be_text():
    assert query_of("get_layers", layer_ids='["7"]')["ids"] == ["7"]


def test_a_program_may_use_another_name_too():
    async def ask():
        return [
            (await Rocks().search_rocks("granite", species="human")).asked["organism"],
            (await Rocks().search_rocks(search_query="granite")).asked["query"],
            (await Rocks().search_rocks("granite", limit=3)).asked["page_size"],
        ]

    assert asyncio.run(ask()) == ["human", "granite", 3]
    with pytest.raises(AmbiguousQuery, match="mean the same"):
        asyncio.run(Rocks().search_rocks("granite", species="human", organism="mouse"))
    with pytest.raises(TypeError, match="missing"):
        asyncio.run(Rocks().search_rocks(species="human"))


# Refused forms, and their errors


@requirement("001 FR-016", "004 EH-3")
def test_every_fault_is_reported_with_its_path_and_the_allowed_values():
    error = refusal(
        "list_rocks",
        span={"oldest": 5000, "kinds": ["igneous", "metamorphic"], "color": 1},
        hardness={"least": "soft", "most": 3},
        weights={"a": "much"},
        limit=0,
        deepest=-1,
        is_shiny="perhaps",
    )

    for sentence in (
        "Argument 'span.oldest' of rocks.list_rocks cannot be 5000.",
        "Argument 'span.kinds[1]' of rocks.list_rocks cannot be 'metamorphic'.",
        "Argument 'span' of rocks.list_rocks has no 'color'.",
        "Argument 'hardness.least' of rocks.list_rocks cannot be 'soft'.",
        "Argument 'weights.a' of rocks.list_rocks cannot be 'much'.",
        "Argument 'limit' of rocks.list_rocks cannot be 0.",
        "Argument 'deepest' of rocks.list_rocks cannot be -1.",
        "Argument 'is_shiny' of rocks.list_rocks cannot be 'perhaps'.",
    ):
        assert sentence in error.message
    for sentence in (
        "Give span.oldest as a whole number from 1 to 4600.",
        "Give span.kinds[1] as one of 'igneous', 'sedimentary'.",
        "span takes oldest, newest, kinds.",
        "Give hardness.least as a number from 1 to 10.",
        "Give weights.a as a number.",
        "Give deepest as a whole number, 0 or more.",
    ):
        assert sentence in error.hint
    assert set(error.invalid_input) == {"span", "hardness", "weights", "limit", "deepest", "is_shiny"}
    assert error.recovery is None


@pytest.mark.parametrize("span", [[1], 7, "soon", "[1]", "{oldest: 1}"])
def test_a_value_that_is_no_object_is_refused_with_the_fields_of_one(span):
    error = refusal("list_rocks", span=span)

    assert error.hint == "Give span as an object with oldest, newest, kinds."
    assert error.invalid_input == span


def test_two_names_of_one_idea_with_two_values_are_refused():
    error = refusal("search_rocks", query="granite", organism="human", species="mouse")

    assert (
        error.message
        == "Arguments 'organism' and 'species' of rocks.search_rocks mean the same but differ: 'human' and 'mouse'."
    )
    assert (error.code, error.recovery) == ("AMBIGUOUS_QUERY", None)


@pytest.mark.parametrize("count", [5000, pytest.param(100_000, marks=pytest.mark.sweep)])
def test_an_error_is_short_however_long_the_value_is(count):
    for value in ("x" * 100_000, ["x"] * count, {"x" * 1000: "y"}, 10**5000, [[[[]]]] * 1000):
        for name in ("span", "hardness", "kinds", "limit"):
            error = refusal("list_rocks", **{name: value})

            assert len(error.message) + len(error.hint) < 1000
        assert len(refusal("get_rock", rock_id=value).message) < 300
    count = refusal("list_rocks", weights={str(place): "much" for place in range(1000)})
    assert len(count.message) + len(count.hint) < 2000
    assert count.message.endswith("These are the first 8; more follow.")


def test_a_value_that_is_nested_too_deeply_is_refused():
    deep: Any = "x"
    for _ in range(5000):
        deep = [deep]

    assert "more than 64 levels" in refusal("list_rocks", rocks=deep).message


def too_many(count):
    """Ways to send many names, or long ones: of arguments, and of keys in each object that takes any."""
    many = {f"name_{place}": 1 for place in range(count)}
    nested = {f"outer_{place}": {f"name_{place}_{i}": 1 for i in range(100)} for place in range(count // 100)}
    yield "arguments", many
    yield "spellings", {f"{'_' * place}limit": place for place in range(count // 20)}
    yield "long", {"x" * count * 10: 1}
    yield "wrapped", {"arguments": many}
    for name in ("span", "hardness", "weights", "kinds", "limit"):
        yield name, {name: many}
        yield f"{name}, nested", {name: nested}
        yield f"{name}, long", {name: {"x" * count * 10: 1}}
    yield "rows", {"rocks": [many]}
    yield "items", {"kinds": list(many)}
    yield "items in an object", {"span": {"kinds": list(many)}}
    yield "text", {"weights": json.dumps(many)}


def test_too_many_names_are_refused_before_any_is_compared(subtests):
    for (way, few), (_, many) in zip(too_many(12_000), too_many(36_000), strict=True):
        with subtests.test(way):
            error = refusal("list_rocks", **many)
            assert error.code == "AMBIGUOUS_QUERY"
            assert len(error.message) + len(error.hint) + len(str(error.invalid_input)) < 4000
            work = [calls_made(lambda sent=sent: refusal("list_rocks", **sent)) for sent in (few, many)]
            assert work[1] < work[0] + 1000, "the work grows with the names"


def test_an_object_has_as_many_names_as_a_schema_or_row_needs():
    names = {f"name_{place}": 1 for place in range(1000)}

    assert query_of("list_rocks", weights=names, rocks=[names])["weights"] == names
    assert "1,000 names" in refusal("list_rocks", weights={**names, "further": 1}).hint
    call = refusal("list_rocks", **dict(list(names.items())[:101]))
    assert ("100 names" in call.message, call.recovery) == (True, None)


def test_rows_of_an_earlier_step_and_ids_have_limits_of_their_own():
    assert len(query_of("list_rocks", rocks=[{"id": place} for place in range(5000)])["rocks"]) == 5000
    assert "1 to 200 IDs" in refusal("get_layers", layer_ids=["7"] * 5000).message


def test_no_form_is_tried_on_a_text_that_is_too_long_for_an_id_or_a_query(subtests):
    places = [("get_rock", "rock_id"), ("get_layers", "layer_ids"), ("search_rocks", "query")]
    for text in ("7", "\u00fc", "7, ", "7.0 ", "'a' ", "ROCK:7 "):
        for name, parameter in places:
            with subtests.test(text, parameter=parameter):
                few, many = ({parameter: text * count} for count in (12_000, 36_000))
                assert len(refusal(name, **many).message) < 300
                work = [calls_made(lambda sent=sent, name=name: refusal(name, **sent)) for sent in (few, many)]
                assert work[1] < work[0] + 100, "the work grows with the text"


def test_a_long_value_under_many_spellings_is_written_out_for_none():
    class Written(list):
        count = 0

        def __str__(self):
            Written.count += 1
            return super().__str__()

    spellings = {f"{'_' * place}kinds": ["igneous"] for place in range(1, 90)}

    assert "mean the same but differ" in refusal("list_rocks", kinds=Written(["igneous"] * 9), **spellings).message
    assert Written.count == 0


def test_a_malformed_id_comes_first_and_the_other_faults_follow_in_the_message():
    error = refusal("get_rock", rock_id="granite", is_shiny="perhaps")

    assert error.code == "UNRESOLVED_ENTITY"
    assert error.message.startswith("'granite' is not a rock ID")
    assert "'is_shiny'" in error.message
    assert error.invalid_input == "granite"


# The way on


@pytest.mark.parametrize("name", ["organism", "species", "pageSize"])
def test_arguments_of_the_search_are_passed_on_with_the_name(name):
    value = 7 if name == "pageSize" else "mouse"
    argument = "page_size" if name == "pageSize" else "organism"

    assert refusal("get_rock", rock_id="granite", **{name: value}).recovery == CallTool(
        SEARCH, {"query": "granite", argument: value}
    )


@pytest.mark.parametrize("unknown", [{"tissue": "liver"}, {"organism": ["mouse"]}, {"query": "basalt"}])
def test_a_recovery_that_would_lose_an_argument_is_absent(unknown):
    assert refusal("get_rock", rock_id="granite", **unknown).recovery is None


def test_a_misspelled_name_is_mapped_where_its_value_fits():
    assert refusal("search_rocks", query="granite", orgnism="mouse").recovery == CallTool(
        SEARCH, {"query": "granite", "organism": "mouse"}
    )
    assert refusal("search_rocks", query="granite", orgnism=["mouse"]).recovery is None
    assert refusal("search_rocks", query="granite", colour="blue").recovery is None


@pytest.mark.parametrize("name", ["arguments", "kwargs", "toolInput"])
def test_arguments_in_a_wrapper_are_unwrapped_by_the_recovery(name):
    for content in ({"query": "granite", "species": "human"}, '{"query": "granite", "organism": "human"}'):
        error = refusal("search_rocks", **{name: content})

        assert error.recovery == CallTool(SEARCH, {"query": "granite", "organism": "human"})


def test_a_wrong_filter_is_never_dropped():
    assert refusal("list_rocks", span={"oldest": 0}, limit=5).recovery is None
    assert refusal("list_rocks", kinds=["x"], limit=5).recovery == CallTool(LIST, {"limit": 5})


@requirement("004 EH-size")
def test_a_recovery_carries_no_list_back():
    for ids in (["7"] * 200, ["7"]):
        assert refusal("get_layers", layer_ids=ids, is_shiny="perhaps").recovery is None
    assert refusal("list_rocks", rocks=[{"id": 1}], limit=0).recovery is None
    assert refusal("list_rocks", hardness={"x" * 20 + str(n): n for n in range(100)}, limit=0).recovery is None
    assert refusal("get_layers", layer_ids=" ".join(["12345678"] * 200)).recovery is None


def test_a_recovery_of_the_tool_itself_keeps_what_narrows():
    assert refusal("search_rocks", query="misspelt", species="mouse").recovery == CallTool(
        SEARCH, {"query": "granite", "organism": "mouse"}
    )
    assert refusal("search_rocks", query="misspelt").recovery == CallTool(SEARCH, {"query": "granite"})
    assert refusal("search_rocks", query="culprit", species="mouse").recovery is None


def test_a_failure_names_what_was_asked():
    assert refusal("search_rocks", query="busy").invalid_input == "busy"
    assert refusal("search_rocks", query=" misspelt ").invalid_input == " misspelt "


def test_a_failure_that_others_share_stays_as_it_is():
    shared = RateLimited("The quarry is busy.", hint="Wait.")
    copy = shared.with_changes(invalid_input="granite")

    assert (shared.invalid_input, copy.invalid_input) == (None, "granite")
    assert (copy.message, copy.hint, str(copy), type(copy)) == (shared.message, "Wait.", str(shared), RateLimited)
