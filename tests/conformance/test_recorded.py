"""Every recorded record is read by the tool for it, with only recordings to answer."""

import functools
import random
import re

import pytest
from benchmarks.tokens import MOST_RECORD, as_json, tokens, without_free_text

from biofact.core.records import estimated_tokens
from biofact.core.tool import specs_of
from biofact.interfaces import every_source
from biofact.sandbox import services
from biofact.sandbox.recordings import Recordings, ReplayingStandIn
from tests import virtual_time
from tests.conformance.cases import Case, outcome
from tests.conformance.claims import holds
from tests.conformance.test_damage import failures
from tests.recordings import FOLDER, needs_recordings
from tests.sandboxed import sandboxed

pytestmark = [pytest.mark.quick, needs_recordings]


class RecordedOnly:
    """A stand-in that replays recordings, and has no facts of its own."""

    def __init__(self, honest):
        self.service = honest.service
        self.replay = honest.replay

    def reply(self, ask):
        """No answer."""


TOOLS = {
    "chembl": {r"/molecule/CHEMBL(?P<id>\d+)\.json": ("get_compound", "chembl_id", "CHEMBL:{}")},
    "ensembl": {
        r"/lookup/id/(?P<id>ENSG\d+)(\.json)?": ("get_gene", "ensembl_id", "{}"),
        r"/lookup/id/(?P<id>ENST\d+)(\.json)?": ("get_transcript", "transcript_id", "{}"),
    },
    "entrez": {r"/efetch\.fcgi\?db=gene&id=(?P<id>\d+)": ("get_gene", "entrez_id", "NCBIGene:{}")},
    "pubmed": {r"/efetch\.fcgi\?db=pubmed&id=(?P<id>[\d,]+)": ("pubmed_get_articles", "pmids", "PMID:{}")},
}
"""The tool that requests a recorded record, its argument, and the form of its ID, by the record's address."""
BUDGETS = {"chembl": 300, "ensembl": 800}
"""The highest cost of a recorded record by default, if it is not ``MOST_RECORD``: a transcript lists 40 exons."""
HARDLY_AGAIN = virtual_time.timing(
    deadline_seconds=3600.0, side_leg_seconds=3600.0, backoff_seconds=600.0, backoff_cap_seconds=600.0
)
"""For answers that are whole as far as they are recorded: unrecorded parts are not requested hundreds of times."""
UNREAD_REASONS = {
    "entrez/efetch_gene_9606_SECONDARY_replaced_by_8666_single_Entrezgene_root.xml": "leads to a gene not recorded",
    "pubmed/metapub_pmid_37909814.xml": "is an empty set",
}

some_or_all = pytest.mark.parametrize("most", [30, pytest.param(None, marks=pytest.mark.sweep)], ids=["some", "all"])


def recorded_calls(source):
    """The calls that read recorded records, by recording."""
    by_name = {spec.ref.method: spec for spec in specs_of(every_source.client_class(source))}
    calls_by_name = {}
    for recording in Recordings(FOLDER).for_service(every_source.client_class(source).services[0]):
        address = f"{recording.path}?db={recording.params.get('db')}&id={recording.params.get('id')}"
        for pattern, (tool, argument, form) in TOOLS.get(source, {}).items():
            match = re.match(pattern, address if "db=" in pattern else recording.path)
            if match and recording.content_type.startswith(("text/xml", "application/json")):
                ids = [form.format(row_id) for row_id in match["id"].split(",")]
                arguments = {argument: ids if argument == "pmids" else ids[0]}
                calls_by_name[recording.name] = Case(by_name[tool], arguments)
    return calls_by_name


@functools.cache
def recorded_answers(source, limit):
    """The outcomes of calls for at most ``limit`` recorded records, or for all, by recording."""
    calls = recorded_calls(source)
    selected = calls if limit is None else random.Random(len(calls)).sample(sorted(calls), min(limit, len(calls)))
    return virtual_time.run(read_alone(source, {name: calls[name] for name in selected}))


async def read_alone(source, calls):
    """The outcome of each call, whole and short, on the recordings alone."""
    stand_ins = [RecordedOnly(stand_in) for stand_in in services.stand_ins() if isinstance(stand_in, ReplayingStandIn)]
    async with sandboxed(source, timing=HARDLY_AGAIN, recordings=FOLDER, stand_ins=stand_ins) as (client, _):
        return {
            name: [await outcome(client, case.with_arguments(slim=slim)) for slim in (False, True)]
            for name, case in calls.items()
        }


@holds("parses_every_recording")
@some_or_all
@pytest.mark.parametrize("source", TOOLS)
def test_every_recorded_record_is_read(source, most):
    answers = recorded_answers(source, most)

    unread_names = {name for name, forms in answers.items() if not any(is_read(code, answer) for code, answer in forms)}
    new = sorted(unread_names - UNREAD_REASONS.keys())
    assert new == [], f"No tool reads {', '.join(new)}: have the parser read it, or say in UNREAD why it is no record."
    assert unread_names == UNREAD_REASONS.keys() & answers.keys()
    assert answers.keys() - unread_names


def whole_records(source, limit):
    """Recorded records as returned by default, without the text that they quote."""
    answers = [answer for (code, answer), _ in recorded_answers(source, limit).values() if code == "found"]
    return [without_free_text(row) for answer in answers for row in answer.get("items", [answer])]


@some_or_all
@pytest.mark.parametrize("source", TOOLS)
def test_every_recorded_record_keeps_to_its_budget_of_tokens_and_the_estimate_is_near_it(source, most):
    records = whole_records(source, most)
    costs = [tokens(record) for record in records]
    ratios = [estimated_tokens(as_json(record)) / tokens(record) for record in records]

    assert costs
    assert max(costs) <= BUDGETS.get(source, MOST_RECORD)
    assert min(ratios) >= 0.93
    assert max(ratios) <= 1.25


def is_read(code, answer):
    """Whether a record was found without notices about its values."""
    return code == "found" and not failures(code, answer) and answer.get("items") != []
