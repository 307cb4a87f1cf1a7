"""The release of Ensembl: in the provenance of answers, and the notice when no newer one came out for a year."""

import asyncio
import calendar
import contextlib
import json
from dataclasses import replace

import pytest

from biofact.core.errors import BiofactError, EntityNotFound, UpstreamError
from biofact.core.records import Provenance
from biofact.interfaces.cli import doctor
from biofact.protocol.releases import CurrentRelease, ReleaseTable
from biofact.sandbox import Fault
from biofact.sandbox.services.ensembl.corpus import RELEASE, rows_of_starter
from biofact.sources.ensembl import parse
from biofact.sources.ensembl.client import EnsemblClient
from biofact.sources.ensembl.questions import RELEASES
from biofact.transport.service import DAY, HOUR, Transient
from tests import virtual_time
from tests.each_of import each_of
from tests.notices import codes
from tests.sandboxed import on_sandbox, sandboxed

pytestmark = pytest.mark.quick

TP53 = "ENSG00000141510"
DATA = "/info/data"
OF_SANDBOX = (str(RELEASE), RELEASES.months[str(RELEASE)])
MANY = [gene["id"] for gene in rows_of_starter()["gene"] if gene["id"].startswith("ENSG")][:60]
"""More than take two seconds of Ensembl's rate."""
WHOLE = {
    "get_gene": lambda ensembl: ensembl.get_gene(TP53),
    "get_genes_batch": lambda ensembl: ensembl.get_genes_batch([TP53], slim=False),
    "get_genes_batch of many": lambda ensembl: ensembl.get_genes_batch(MANY, slim=False),
    "get_transcript": lambda ensembl: ensembl.get_transcript("ENST00000269305"),
    "get_sequence": lambda ensembl: ensembl.get_sequence("ENSP00000269305"),
    "get_sequence of a region": lambda ensembl: ensembl.get_sequence("17:7661779-7661800"),
    "map_region": lambda ensembl: ensembl.map_region("17:7661779-7661800", "GRCh38", "GRCh37"),
    "get_homologues": lambda ensembl: ensembl.get_homologues(TP53),
}
SHORT = {
    "search_genes": lambda ensembl: ensembl.search_genes("TP53"),
    "get_gene": lambda ensembl: ensembl.get_gene(TP53, slim=True),
    "get_genes_batch": lambda ensembl: ensembl.get_genes_batch([TP53]),
    "get_transcript": lambda ensembl: ensembl.get_transcript("ENST00000269305", slim=True),
}


def releases_of(result):
    """Release and month of every answer of Ensembl behind a result."""
    provenance = result.provenance
    answers = [answer for answer in (provenance, *provenance.others) if answer.source == "ensembl"]
    return {(answer.release, answer.release_date) for answer in answers}


def paths(sandbox):
    return [request.path for request in sandbox.requests]


@each_of("name", WHOLE)
def test_the_provenance_of_an_answer_names_the_release_and_its_month(name):
    async def ask(ensembl, sandbox):
        return await WHOLE[name](ensembl), paths(sandbox)

    result, requests = on_sandbox("ensembl", ask)

    assert releases_of(result) == {OF_SANDBOX}
    assert requests.count(DATA) == 1
    assert not any(DATA in answer.url for answer in (result.provenance, *result.provenance.others))
    assert all(answer.release is None for answer in result.provenance.others if answer.source != "ensembl")


@each_of("name", SHORT)
def test_a_short_answer_asks_for_no_release_but_names_a_known_one(name):
    async def ask(ensembl, sandbox):
        first = await SHORT[name](ensembl)
        requests = paths(sandbox)
        await ensembl.get_gene("ENSG00000012048")
        return first, requests, await SHORT[name](ensembl)

    first, requests, later = on_sandbox("ensembl", ask)

    assert (releases_of(first), DATA in requests) == ({(None, None)}, False)
    assert releases_of(later) == {OF_SANDBOX}


def test_the_release_is_asked_for_once_a_day_behind_the_first_request_and_for_all_clients_of_a_cache():
    async def ask(ensembl, sandbox):
        other = EnsemblClient(ensembl.transport)
        await asyncio.gather(*(client.get_gene(TP53) for client in (ensembl, other) for _ in range(5)))
        first_day = paths(sandbox)
        await asyncio.sleep(DAY - 1)
        await ensembl.get_gene(TP53)
        same_day = paths(sandbox)
        await asyncio.sleep(HOUR)  # as long as a client does not look into the cache again
        result = await ensembl.get_gene(TP53)
        return first_day, same_day, paths(sandbox), result

    first_day, same_day, next_day, result = on_sandbox("ensembl", ask)

    assert sorted(first_day) == [DATA, "/lookup/id", f"/xrefs/id/{TP53}"]
    assert first_day[-1] == DATA
    assert (same_day, next_day.count(DATA)) == (first_day, 2)
    assert releases_of(result) == {OF_SANDBOX}


@each_of(
    "fault",
    [
        Fault("status", path=DATA, status=503, times=None),
        Fault("status", path=DATA, status=400, times=None, body=b'{"error":"page not found"}'),
        Fault("delay", path=DATA, seconds=60.0, times=None),
        *(Fault("body", path=DATA, body=body, times=None) for body in (b"{}", b'{"releases":[]}', b"<html>")),
    ],
)
def test_an_answer_without_a_release_is_as_good_and_waits_two_seconds_at_most(fault):
    async def ask(ensembl, _):
        began = asyncio.get_running_loop().time()
        gene = await ensembl.get_gene(TP53)
        seconds = asyncio.get_running_loop().time() - began
        again = await ensembl.get_gene(TP53)
        return gene, seconds, asyncio.get_running_loop().time() - began - seconds, again

    gene, seconds, seconds_again, again = on_sandbox("ensembl", ask, fault)

    assert (gene.symbol, codes(gene), releases_of(gene)) == ("TP53", codes(again), {(None, None)})
    assert "LEG_FAILED" not in codes(gene)
    assert seconds < 2.5
    assert seconds_again < 0.1  # it is not asked for again at once


@each_of(
    ("stable_id", "faults", "error"),
    [
        ("ENSG99999999999", [], EntityNotFound),
        (TP53, [Fault("status", path="lookup/id", status=403, times=None)], UpstreamError),
        (TP53, [Fault("status", path="", service="ensembl", status=503, times=None)], UpstreamError),
    ],
)
def test_a_failure_is_the_same_without_the_release(stable_id, faults, error):
    with pytest.raises(error) as with_release:
        on_sandbox("ensembl", lambda ensembl, _: ensembl.get_gene(stable_id), *faults)
    with pytest.raises(error) as without_release:
        on_sandbox("ensembl", lambda ensembl, _: ensembl.get_gene(stable_id, slim=True), *faults)

    assert with_release.value.message == without_release.value.message


@each_of(
    ("origin", "retrieved_at", "release", "expected"),
    [
        ("live", "2026-11-29T07:00:00Z", "116", ("116", "2026-06")),
        ("cache", "2026-06-30T07:00:00Z", "116", ("116", "2026-06")),
        ("stale", "2026-05-31T07:00:00Z", "116", (None, None)),  # before that release came out
        ("live", "2027-11-29T07:00:00Z", "117", ("117", None)),  # newer than the table
        ("stale", "2027-11-29T07:00:00Z", "117", (None, None)),
    ],
)
def test_an_answer_that_may_be_of_an_earlier_release_names_none(origin, retrieved_at, release, expected):
    answer = Provenance(source="ensembl", url="u", retrieved_at=retrieved_at, origin=origin)

    dated = RELEASES.dated(answer, release)

    assert (dated.release, dated.release_date) == expected


@each_of("body", [b"", b"{}", b"[]", b'{"releases":[]}', b'{"releases":[115,116]}', b'{"releases":["x"]}', b"null"])
def test_a_body_without_one_release_is_asked_for_again(body):
    with pytest.raises(Transient):
        parse.data_release(body)


def test_the_release_of_the_data_is_read():
    assert parse.data_release(b'{"releases":[116]}') == "116"


def test_the_table_has_months_in_order_and_its_day_is_after_them():
    months = list(RELEASES.months.values())

    assert months == sorted(set(months))
    assert [int(name) for name in RELEASES.months] == list(range(105, 117))
    assert (RELEASES.newest, months[-1]) == ("116", "2026-06")
    assert RELEASES.read_on > months[-1]


def clock(day):
    """The time on the clock at the beginning of a day."""
    return float(calendar.timegm((*map(int, day.split("-")), 0, 0, 0)))


@each_of(
    ("day", "is_overdue"),
    [("2026-06-15", False), ("2026-11-29", False), ("2027-06-30", False), ("2027-07-01", True), ("2028-01-01", True)],
)
def test_a_release_is_overdue_after_a_year(day, is_overdue):
    notice = RELEASES.overdue(clock(day))

    assert (notice is not None) == is_overdue
    if notice:
        assert notice.code == "OLD_RELEASE"
        assert "116, is of 2026-06" in notice.message
        assert "2026-11-29" in notice.message


def on_day(day, scenario):
    """The result of a scenario with a client whose wall clock begins on a day."""
    shift = clock(day) - virtual_time.EPOCH
    timing = virtual_time.timing()
    shifted = replace(timing, wall_clock=lambda: timing.wall_clock() + shift)

    async def run():
        async with sandboxed("ensembl", timing=shifted) as (ensembl, _):
            return await scenario(ensembl)

    return virtual_time.run(run())


@pytest.fixture
def _without_notices(monkeypatch):
    """A process that has given no notice of releases yet."""
    monkeypatch.setattr(CurrentRelease, "noted_titles", set())


async def ask_twice(ensembl):
    first = await ensembl.get_gene(TP53, slim=True)
    second = await EnsemblClient(ensembl.transport).get_gene(TP53)
    return "OLD_RELEASE" in codes(first), "OLD_RELEASE" in codes(second)


@pytest.mark.usefixtures("_without_notices")
def test_the_first_answer_of_a_process_says_that_a_release_is_overdue():
    assert on_day("2027-07-01", ask_twice) == (True, False)
    assert on_day("2027-07-01", ask_twice) == (False, False)


@pytest.mark.usefixtures("_without_notices")
def test_before_that_no_answer_says_so():
    assert on_day("2027-06-30", ask_twice) == (False, False)


@pytest.mark.usefixtures("_without_notices")
def test_a_failed_call_does_not_use_up_the_notice():
    async def fail_first(ensembl):
        with contextlib.suppress(BiofactError):
            await ensembl.get_gene("ENSG99999999999", slim=True)
        return codes(await ensembl.get_gene(TP53, slim=True))

    assert on_day("2027-07-01", fail_first) == ["OLD_RELEASE"]


def test_the_doctor_names_the_newest_release_and_that_it_is_overdue():
    known = {"source": "ensembl", "newest_known": "116", "month": "2026-06", "list_of": "2026-11-29"}

    assert doctor.release_rows(clock("2026-11-29")) == [known]
    (row,) = doctor.release_rows(clock("2027-07-01"))
    assert row == {**known, "overdue": RELEASES.overdue(clock("2027-07-01")).message}


def test_the_doctor_s_tables_end_with_the_overdue_release(capsys):
    report = {"settings": [], "unknown_variables": [], "releases": doctor.release_rows(clock("2028-01-01"))}

    doctor.write_tables(report)

    assert "over a year ago" in capsys.readouterr().err


def test_a_table_of_another_database_reads_alike():
    table = ReleaseTable("Toys", {"1": "2024-02"}, read_on="2024-03-01")

    assert table.overdue(clock("2025-02-28")) is None
    assert json.loads(table.overdue(clock("2025-03-01")).model_dump_json())["message"].startswith("The newest release")
