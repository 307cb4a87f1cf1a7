"""NCBI Datasets alone fails, breaks off or lies, for every tool that asks it: the answer is as ever, or the XML's.

Faults of all services at once are in ``test_faults`` and in the conformance suite. Here the others are well, so that no
answer may be missing, wrong, or late.
"""

import dataclasses
import functools
import json

import pytest

from biofact.core.tool import spec_of
from biofact.interfaces import every_source
from biofact.sandbox import Fault
from tests import virtual_time
from tests.conformance.cases import Case, cases, is_service_asked, outcome, outcome_and_requests, sandboxed_client
from tests.conformance.items import with_kinds
from tests.conformance.services import body_of, changed
from tests.conformance.test_damage import DAMAGES, without_times
from tests.conformance.test_oddities import ODDITIES, rewritten, with_renamed_fields
from tests.each_of import check_each, each_of
from tests.sandboxed import LIFE
from tests.test_faults import FAULTS, with_retry_date

pytestmark = pytest.mark.quick

DATASETS = "ncbi-datasets"
GENES = ["NCBIGene:672", "NCBIGene:7157", "NCBIGene:22059", "NCBIGene:9606"]
"""Two of them on one chromosome, one of another organism, and one that was replaced."""


def call(source, tool, **arguments):
    return Case(spec_of(every_source.client_class(source), tool), arguments)


CASES = [
    call("entrez", "get_genes_batch", entrez_ids=GENES, slim=False),
    call("entrez", "get_genes_batch", entrez_ids=GENES, include=["cross_references", "go_terms"]),
    call("entrez", "get_gene", entrez_id="NCBIGene:9606"),
]
CHECKED = call("identity", "check_identity", id="NCBIGene:672")


def of_reports(change):
    """A page with other reports."""

    def damage(reply):
        page = json.loads(body_of(reply))
        page["reports"] = change(page["reports"]) if "reports" in page else []
        return dataclasses.replace(reply, body=json.dumps(page).encode())

    return damage


def member_of(report):
    """The gene, or its products."""
    return next((report[name] for name in ("gene", "product") if name in report), {})


def shifted(*names, member=""):
    """Reports with the values of the next one under these names, in the report or in its gene; only reports of a
    ``member``, if it is given.
    """

    def change(reports):
        if member and not any(member in report for report in reports):
            return reports
        reports = [report for report in reports if member_of(report)]
        values = json.loads(json.dumps(reports))
        for report, other in zip(reports, values[1:] + values[:1], strict=True):
            for holder, source in ((report, other), (member_of(report), member_of(other))):
                holder.update({name: source[name] for name in names if name in source})
        return reports

    return of_reports(change)


def with_text_for_lists(reply):
    """Every list in a report is a text."""
    lists = {"reports", "query"}
    return rewritten(
        reply,
        lambda parts: {
            name: "text" if isinstance(part, list) and name not in lists else part for name, part in parts.items()
        },
    )


LIES = {
    "half of the reports": of_reports(lambda reports: reports[: len(reports) // 2]),
    "none of the reports": of_reports(lambda reports: []),
    "another order": of_reports(lambda reports: reports[::-1]),
    "each report twice": of_reports(lambda reports: reports + reports),
    "answers to another ID": shifted("query"),
    "the ID of another gene": shifted("query", "gene_id"),
    "the ID and taxon of another gene": shifted("query", "gene_id", "tax_id"),
    "the products of another gene": shifted("query", "gene_id", member="product"),
    "no list of reports": of_reports(lambda reports: "text"),
    "texts for reports": of_reports(lambda reports: ["text"] * len(reports)),
    "texts for lists": with_text_for_lists,
    "renamed fields": with_renamed_fields,
}


OF_OTHER_GENES = [lie for lie in LIES if "another" in lie]


async def answered(case, fault=None, **options):
    async with sandboxed_client(case, **{"timing": LIFE, **options}) as (client, sandbox):
        if fault is not None:
            sandbox.faults.set(with_retry_date(fault, 20))
        return await outcome(client, case)


@functools.cache
def permitted_answers(case):
    """The answers by reports, and by the XML."""
    unreachable = Fault("status", DATASETS, status=403, times=None)
    return virtual_time.run(answered(case)), virtual_time.run(answered(case, unreachable))


def records(answer):
    """The records of an answer, which stand for themselves."""
    return [without_times(record) for record in answer.get("items", [answer])]


def check(case, code, answer):
    (_, by_reports), (_, by_xml) = permitted_answers(case)

    assert code == "found"
    for record, *expected in zip(records(answer), records(by_reports), records(by_xml), strict=True):
        assert record in expected, record


JSON_FAULTS = {
    name: case.fault for name, case in FAULTS.items() if not (case.is_below_sources or case.is_large or case.reads_xml)
}


def check_fault(case, fault):
    for times in (1, None):
        failing = dataclasses.replace(fault, service=DATASETS, times=times)
        check(case, *virtual_time.run(answered(case, failing)))


def check_damage(case, damage):
    stand_ins = changed(damage=damage, only=DATASETS)
    check(case, *virtual_time.run(answered(case, stand_ins=stand_ins)))


@with_kinds(CASES, JSON_FAULTS, minimum=1, rest=pytest.mark.sweep)
def test_a_fault_of_datasets_alone_is_not_noticed(case, fault):
    check_fault(case, fault)


DAMAGES_AND_LIES = {**DAMAGES, **ODDITIES, **LIES}


@with_kinds(CASES, DAMAGES_AND_LIES, minimum=1, rest=pytest.mark.sweep, fixed_kinds=OF_OTHER_GENES)
def test_damage_and_lies_of_datasets_alone_are_not_noticed(case, damage):
    check_damage(case, damage)


@each_of("lie", ["the ID and taxon of another gene", "the products of another gene"])
def test_a_lie_of_datasets_is_not_noticed_by_checks_of_identity(lie):
    check_damage(CHECKED, LIES[lie])


@pytest.mark.sweep
def test_nothing_of_datasets_alone_is_noticed_by_checks_of_identity():
    check_each(JSON_FAULTS, lambda name: check_fault(CHECKED, JSON_FAULTS[name]))
    check_each(DAMAGES_AND_LIES, lambda name: check_damage(CHECKED, DAMAGES_AND_LIES[name]))


@pytest.mark.sweep
def test_every_tool_that_asks_datasets_is_tried():
    tools = {
        str(case.spec.ref)
        for case in cases(is_service_asked)
        if any(request.service == DATASETS for request in virtual_time.run(outcome_and_requests(case))[1])
    }

    assert tools == {str(case.spec.ref) for case in (*CASES, CHECKED)}
