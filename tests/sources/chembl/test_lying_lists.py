"""Lists of measurements that contradict their counts or repeat themselves for ever, and answers of other shapes."""

import functools

import pytest
from pydantic import BaseModel

from biofact.core.envelopes import Cursor
from biofact.core.errors import AmbiguousQuery, BiofactError, UpstreamError
from biofact.sandbox import Fault, Sandbox
from biofact.sandbox.services.chembl.requests import as_get, is_json
from biofact.sandbox.standin import Reply, ServiceRequest, json_reply
from biofact.sources.chembl.identifiers import ON_TARGET
from tests import virtual_time
from tests.sources.chembl.lying import activity, bioactivities, of_target, run_tool
from tests.sources.chembl.made_client import all_pages, client_of, fixed_answer, list_answer, run
from tests.sources.chembl.made_compounds import FACTS

pytestmark = pytest.mark.quick


class AnyModel(BaseModel, extra="allow"):
    """A model without checks."""


@functools.cache
def undisturbed_answer(tool):
    return tool().model_dump()


COUNTS = [(3, 300), (50, 3), (0, 5), (3, 0)]


@pytest.mark.parametrize(
    ("tool", "count", "total"),
    [
        *((bioactivities, *pair) for pair in COUNTS),
        (of_target, *COUNTS[0]),
        *(pytest.param(of_target, *pair, marks=pytest.mark.sweep) for pair in COUNTS[1:]),
    ],
)
def test_a_page_that_contradicts_its_count_is_asked_for_again(tool, count, total):
    rows = [activity(number) for number in range(1, count + 1)]
    lie = fixed_answer(list_answer("activities", rows, total=total), "/activity.json", times=1)

    assert tool(lie).model_dump() == undisturbed_answer(tool)
    with pytest.raises(UpstreamError):
        tool(fixed_answer(list_answer("activities", rows, total=total), "/activity.json"))


@pytest.mark.parametrize("tool", ["get_bioactivities", "find_compounds_for_target"])
def test_an_offset_that_is_answered_with_page_one_is_refused(tool):
    async def ask(chembl):
        page = await getattr(chembl, tool)({"get_bioactivities": "CHEMBL:1"}.get(tool, "CHEMBL:100"), page_size=1)
        return page.pagination.cursor

    async def scenario():
        async with client_of(FACTS) as (chembl, sandbox):
            cursor = await ask(chembl)
            rows = [activity(number) for number in range(1, 51)]
            sandbox.faults.set(fixed_answer(list_answer("activities", rows[:1], total=50, offset=3), "/activity.json"))
            name = {"get_bioactivities": "CHEMBL:1"}.get(tool, "CHEMBL:100")
            return await getattr(chembl, tool)(name, page_size=1, cursor=cursor)

    with pytest.raises(UpstreamError):
        virtual_time.run(scenario())


class RepeatingStandIn:
    """A stand-in for ChEMBL that has one page of measurements for every offset, without end."""

    def __init__(self, standin, rows, total):
        self.service = standin.service
        self._standin, self._rows, self._total = standin, rows, total

    def reply(self, request: ServiceRequest) -> Reply:
        if request.path != "/activity.json" or not is_json(request):
            return self._standin.reply(request)
        if request.value("parent_molecule_chembl_id__in") or request.value("pchembl_value__isnull") == "true":
            return self._standin.reply(request)
        get = as_get(request)
        limit, offset = int(get.value("limit")), int(get.value("offset"))
        return json_reply(list_answer("activities", self._rows[:limit], total=self._total, offset=offset))


@pytest.mark.parametrize(
    ("tool", "page_size"),
    [
        *(("get_bioactivities", 10), ("find_compounds_for_target", 100)),
        pytest.param("get_bioactivities", 100, marks=pytest.mark.sweep),
        pytest.param("find_compounds_for_target", 10, marks=pytest.mark.sweep),
    ],
)
def test_a_list_that_repeats_itself_for_ever_ends(tool, page_size, monkeypatch):
    rows = [activity(number, parent_molecule_chembl_id=f"CHEMBL{number}") for number in range(1, 1001)]
    name = {"get_bioactivities": "CHEMBL:1"}.get(tool, "CHEMBL:100")
    real = Sandbox.__init__

    def start_repeating(self, *, stand_ins, **options):
        real(self, stand_ins=[RepeatingStandIn(stand_ins[0], rows, 10**9), *stand_ins[1:]], **options)

    monkeypatch.setattr(Sandbox, "__init__", start_repeating)

    async def ask(chembl):
        async def get_page(**options):
            return await getattr(chembl, tool)(name, **options)

        return await all_pages(get_page, page_size, limit=5)

    with pytest.raises(UpstreamError, match="measurements again"):
        run(ask, facts=FACTS)


def test_a_forged_cursor_is_refused(subtests):
    for change in [{"offset": -1}, {"offset": 10**12}, {"drugs": -1}, {"drugs": "x"}, {"last": []}]:
        with subtests.test(change=change):
            place = {"drugs": 0, "offset": 0, "last": 0}
            write = Cursor(ON_TARGET, {"target_id": "CHEMBL:100"}).write(AnyModel(**{**place, **change}))

            with pytest.raises(AmbiguousQuery, match="damaged or belongs to another query"):
                of_target(cursor=write)


@pytest.mark.parametrize("offset", [5, 10**8])
def test_a_place_behind_the_end_is_an_end(offset):
    write = Cursor(ON_TARGET, {"target_id": "CHEMBL:100"}).write(AnyModel(drugs=9, offset=offset, last=0))
    page = of_target(cursor=write)

    assert (page.items, page.pagination.cursor) == ([], None)


# Any answer at all


SHAPES = [b"{}", b"[]", b"", b'{"page_meta":{}}']


@pytest.mark.parametrize(
    ("tool", "argument", "bodies"),
    [
        ("get_compound", "CHEMBL:1", SHAPES),
        ("get_bioactivities", "CHEMBL:1", SHAPES[:1]),
        ("find_compounds_for_target", "CHEMBL:100", SHAPES[:1]),
        pytest.param("get_bioactivities", "CHEMBL:1", SHAPES[1:], marks=pytest.mark.sweep),
        pytest.param("find_compounds_for_target", "CHEMBL:100", SHAPES[1:], marks=pytest.mark.sweep),
    ],
)
def test_an_answer_of_another_shape_to_everything_is_a_failure_of_the_service(tool, argument, bodies, subtests):
    for body in bodies:
        with subtests.test(body=body):
            with pytest.raises(BiofactError) as failed:
                run_tool(tool, argument, faults=[Fault("body", body=body, times=None)])

            assert failed.value.code == "UPSTREAM_ERROR"
