"""The counts of /metrics equal the calls made and the requests that the sandbox got."""

import asyncio
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from fastmcp.server.auth.middleware import RequireAuthMiddleware
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.applications import Starlette
from starlette.routing import Route

from biofact.core import events
from biofact.core.events import CallAnswered, CallBegan, WaitBegan, WaitEnded
from biofact.gateway.event_metrics import MOST_CALLERS
from biofact.gateway.metrics import Metrics
from biofact.sandbox.faults import Fault
from biofact.sandbox.scripted_model import ScriptedModel
from tests import virtual_time
from tests.in_process import MODEL_PORT
from tests.interfaces.http.pages import fetch, samples, sum_by
from tests.sandboxed import LIFE
from tests.served import served

pytestmark = pytest.mark.quick

GENE = ("entrez_get_gene", {"entrez_id": "NCBIGene:672"})
OTHER_GENE = ("entrez_get_gene", {"entrez_id": "NCBIGene:7157"})
ROOT = Path(__file__).parents[2]


def count_events(metrics):
    text, _ = metrics.page()
    return samples(text.decode())


def run_observed(scenario, **options):
    """The metrics after a scenario with the gateway on a sandbox, and the scenario's result."""
    metrics = Metrics()

    async def run():
        async with served(**options) as gateway:
            return await scenario(gateway)

    with events.subscription(metrics.listener):
        result = virtual_time.run(run())
    return count_events(metrics), result


async def all_of(gateway, *calls):
    return [(await gateway.call(tool, arguments)).code for tool, arguments in calls]


def test_calls_and_requests_are_those_that_were_made():
    calls = [
        GENE,
        GENE,
        ("entrez_get_gene", {"entrez_id": "BRCA1"}),
        ("entrez_get_gene", {"entrez_id": "NCBIGene:999999999"}),
        ("ensembl_search_genes", {"query": "BRCA1", "species": "human"}),
        ("chembl_get_compound", {"chembl_id": "CHEMBL:25"}),
    ]

    async def scenario(gateway):
        codes = await all_of(gateway, *calls)
        return codes, Counter((request.service, f"{request.status // 100}xx") for request in gateway.sandbox.requests)

    metrics_by_name, (codes, requests) = run_observed(scenario)

    expected = Counter((tool, "OK" if code == "found" else code) for (tool, _), code in zip(calls, codes, strict=True))
    of_tools = {
        key: count
        for key, count in sum_by(metrics_by_name["biofact_calls_total"], "tool", "outcome").items()
        if "_" in key[0]
    }
    assert of_tools == expected
    assert {outcome for _, outcome in of_tools} == {"OK", "UNRESOLVED_ENTITY", "ENTITY_NOT_FOUND"}
    assert sum_by(metrics_by_name["biofact_call_duration_seconds_count"], "tool", "outcome").items() >= of_tools.items()
    assert sum_by(metrics_by_name["biofact_upstream_requests_total"], "service", "status") == requests
    assert sum_by(metrics_by_name["biofact_upstream_request_duration_seconds_count"], "service") == by_service(requests)
    assert sum_by(metrics_by_name["biofact_budget_wait_seconds_count"], "service") == by_service(requests)
    assert set(metrics_by_name["biofact_upstream_requests_in_progress"].values()) == {0.0}
    assert set(metrics_by_name["biofact_budget_waiting_requests"].values()) == {0.0}
    assert metrics_by_name["biofact_calls_in_progress"] == {(): 0.0}


def by_service(requests):
    return dict(
        Counter({service: 0 for service, _ in requests}) + Counter(service for service, _ in requests.elements())
    )


def test_hits_misses_and_stale_answers_are_counted_apart():
    async def scenario(gateway):
        await all_of(gateway, GENE, GENE, GENE)
        await asyncio.sleep(2 * 86_400)  # a day is how long a record is fresh
        gateway.sandbox.faults.set(Fault("status", "ncbi", status=500, times=None))
        return await all_of(gateway, GENE)

    metrics_by_name, codes = run_observed(scenario)

    assert codes == ["found"]
    assert sum_by(metrics_by_name["biofact_cache_lookups_total"], "service", "result") == {
        ("ncbi", "miss"): 1, ("ncbi", "hit"): 2, ("ncbi", "stale"): 1,
        ("ncbi-datasets", "miss"): 1, ("ncbi-datasets", "hit"): 2, ("ncbi-datasets", "stale"): 1,
    }  # fmt: skip
    assert sum_by(metrics_by_name["biofact_stale_answers_total"], "service") == {"ncbi": 1}


def test_failures_retries_and_429s_are_those_of_the_sandbox():
    async def scenario(gateway):
        gateway.sandbox.faults.set(
            Fault("status", "ncbi", status=503), Fault("close", "ncbi"), Fault("status", "ncbi", status=429)
        )
        codes = await all_of(gateway, GENE)
        return codes, [request.status for request in gateway.sandbox.requests if request.service == "ncbi"]

    metrics_by_name, (codes, statuses) = run_observed(scenario)

    assert (codes, statuses) == (["found"], [503, 0, 429, 200])
    assert sum_by(metrics_by_name["biofact_upstream_requests_total"], "status") == {
        "5xx": 1,
        "none": 1,
        "4xx": 1,
        "2xx": 2,  # one of them of NCBI Datasets
    }
    assert sum_by(metrics_by_name["biofact_upstream_rate_limits_total"], "service") == {"ncbi": 1}
    assert sum_by(metrics_by_name["biofact_upstream_retries_total"], "service") == {"ncbi": 3}


def test_a_service_that_is_down_shows_until_it_is_up():
    metrics = Metrics()
    readings = []

    async def scenario():
        async with served(timing=LIFE) as gateway:
            fault = Fault("status", "ncbi", status=500, times=None)
            gateway.sandbox.faults.set(fault)
            names = [f"name {number}" for number in range(7)]
            await asyncio.gather(*(gateway.call("entrez_search_genes", {"query": name}) for name in names))
            readings.append(sum_by(count_events(metrics)["biofact_breaker_open"], "service"))
            gateway.sandbox.faults.clear()
            await asyncio.sleep(60)
            await gateway.call(*GENE)
            readings.append(sum_by(count_events(metrics)["biofact_breaker_open"], "service"))

    with events.subscription(metrics.listener):
        virtual_time.run(scenario())

    assert readings == [{"ncbi": 1}, {"ncbi": 0}]
    assert sum_by(count_events(metrics)["biofact_breaker_trips_total"], "service") == {"ncbi": 1}


def test_no_service_is_down_after_the_last_call():
    async def scenario(gateway):
        gateway.sandbox.faults.set(Fault("status", "ncbi", status=500, times=None))
        await asyncio.gather(*(gateway.call("entrez_search_genes", {"query": f"name {n}"}) for n in range(7)))

    metrics_by_name, _ = run_observed(scenario)

    assert sum_by(metrics_by_name["biofact_breaker_trips_total"], "service") == {"ncbi": 1}
    assert sum_by(metrics_by_name["biofact_breaker_open"], "service") == {"ncbi": 0}


def test_questions_to_a_model_and_their_tokens_are_those_that_it_counted():
    model = ScriptedModel({"articles": []}, Fault("status", status=500), {"articles": []}, port=MODEL_PORT)
    arguments = {"articles": ["PMID:11832527"], "extraction_schema": {"sample_size": "number"}}

    async def scenario(gateway):
        await all_of(gateway, ("pubmed_extract_features", arguments))
        return len(model.chats), model.tokens

    metrics_by_name, (chats, tokens) = run_observed(scenario, model=model)

    assert chats > 0
    assert tokens > 0
    assert sum(metrics_by_name["biofact_model_questions_total"].values()) == chats
    assert sum_by(metrics_by_name["biofact_model_tokens_total"], "model") == {"scripted": tokens}


def test_waiting_calls_are_counted_while_they_wait():
    metrics = Metrics()

    async def scenario():
        async with served() as gateway:
            names = [f"BRCA{number}" for number in range(20)]
            calls = [
                asyncio.create_task(gateway.call("ensembl_search_genes", {"query": name, "species": "human"}))
                for name in names
            ]
            await asyncio.sleep(0.2)
            under_way = sum(not call.done() for call in calls)
            while_waiting = count_events(metrics)
            await asyncio.gather(*calls)
            return while_waiting, under_way

    with events.subscription(metrics.listener):
        while_waiting, under_way = virtual_time.run(scenario())

    assert while_waiting["biofact_calls_in_progress"] == {(): under_way}
    assert sum(while_waiting["biofact_budget_waiting_requests"].values()) >= 15
    assert sum_by(while_waiting["biofact_budget_requests_per_second"], "service")["ensembl"] == 15
    assert sum(count_events(metrics)["biofact_budget_waiting_requests"].values()) == 0
    assert sum(count_events(metrics)["biofact_budget_wait_seconds_sum"].values()) > 1


def test_a_wait_in_vain_is_no_turn():
    metrics = Metrics()

    for event in (WaitBegan("ncbi", "bulk"), WaitEnded("ncbi", "bulk", 3.0, is_turn=False, per_second=3.0)):
        metrics.listener(event)

    metrics_by_name = count_events(metrics)
    assert sum_by(metrics_by_name["biofact_budget_turnless_requests_total"], "service", "lane") == {("ncbi", "bulk"): 1}
    assert "biofact_budget_wait_seconds_count" not in metrics_by_name


def test_names_that_callers_make_up_make_no_series():
    async def scenario(gateway):
        for number in range(30):
            await gateway.client.call_tool_mcp(f"entrez_made_up_{number}", {})

    metrics_by_name, _ = run_observed(scenario)

    assert sum_by(metrics_by_name["biofact_calls_total"], "tool", "outcome")["unknown", "AMBIGUOUS_QUERY"] == 30
    assert "made_up" not in str(metrics_by_name)


def test_callers_beyond_the_most_are_counted_together():
    metrics = Metrics()

    for number in (*range(300), *range(300)):
        call = CallBegan("tools/call", "entrez_get_gene", f"{number:016x}")
        metrics.listener(call)
        metrics.listener(CallAnswered(call, "OK", 0.1))

    callers = sum_by(count_events(metrics)["biofact_caller_calls_total"], "caller")
    assert len(callers) == MOST_CALLERS + 1
    assert callers.pop("other") == 2 * (300 - MOST_CALLERS)
    assert set(callers.values()) == {2}


def test_names_follow_the_conventions():
    metrics_by_name, _ = run_observed(lambda gateway: all_of(gateway, GENE))
    text, kind = Metrics().page()
    counters = [
        line.split()[2] for line in text.decode().splitlines() if line.startswith("# TYPE") and "counter" in line
    ]

    assert kind.startswith("text/plain")
    assert all(name.endswith("_total") for name in counters)
    assert metrics_by_name["biofact_build_info"].popitem()[1] == 1
    assert {"process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds"} <= set(metrics_by_name)
    assert not any("_created" in name for name in metrics_by_name)


def test_the_page_stands_behind_a_token_where_its_app_is_wrapped():
    metrics = Metrics()
    open_app = Starlette(routes=[Route("/metrics", metrics)])
    protected = Starlette(routes=[Route("/metrics", RequireAuthMiddleware(metrics, []))])

    async def as_someone(scope, receive, send):
        scope["user"] = AuthenticatedUser(AccessToken(token="", client_id="prometheus", scopes=[]))
        await protected(scope, receive, send)

    async def scenario():
        token = {"authorization": "Bearer of somebody"}
        return [
            await fetch(open_app, "/metrics"),
            await fetch(protected, "/metrics"),
            await fetch(as_someone, "/metrics", **token),
        ]

    public_response, refused_response, let_in = asyncio.run(scenario())

    assert (public_response.status_code, refused_response.status_code, let_in.status_code) == (200, 401, 200)
    assert "biofact_build_info" in samples(public_response.text)
    assert "biofact" not in refused_response.text
    assert public_response.headers["cache-control"] == "no-store"


def test_openmetrics_is_answered_to_those_who_prefer_it():
    app = Starlette(routes=[Route("/metrics", Metrics())])

    answer = asyncio.run(fetch(app, "/metrics", accept="application/openmetrics-text; version=1.0.0"))

    assert answer.headers["content-type"].startswith("application/openmetrics-text; version=1.0.0")
    assert answer.text.endswith("# EOF\n")


_WORKER = """
import json, sys
from pathlib import Path
from biofact.core.events import BreakerChanged, CallAnswered, CallBegan, WaitEnded
from biofact.gateway.metrics import Metrics, forget_worker
import os
folder = Path(sys.argv[1])
metrics = Metrics(folder)
for line in sys.stdin:
    what = json.loads(line)
    if what == "calls":
        began = CallBegan("tools/call", "entrez_get_gene", "0123456789abcdef")
        metrics.listener(began)
        metrics.listener(CallAnswered(began, "OK", 0.2))
        metrics.listener(BreakerChanged("ncbi", "", is_open=True))
        metrics.listener(WaitEnded("ncbi", "bulk", 0.5, is_turn=True, per_second=3.0))
    elif what == "page":
        print(json.dumps(metrics.page()[0].decode()), flush=True)
        continue
    else:
        forget_worker(folder, what)
    print(json.dumps(os.getpid()), flush=True)
"""


class Worker:
    """A process that counts."""

    def __init__(self, folder):
        command = [sys.executable, "-c", _WORKER, str(folder)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=None
        )

    def do(self, command):
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def end(self):
        self._process.communicate()


@pytest.fixture
def workers(tmp_path):
    started = [Worker(tmp_path), Worker(tmp_path)]
    yield started
    for worker in started:
        worker.end()


@pytest.mark.processes
def test_any_worker_answers_for_all_of_them(workers):
    worker, other = workers
    pid, _, _ = worker.do("calls"), other.do("calls"), other.do("calls")
    two_workers = samples(other.do("page"))
    worker.end()
    other.do(pid)
    one_worker = samples(other.do("page"))

    for metrics_by_name in (two_workers, one_worker):  # counters of an ended worker stay
        assert sum_by(metrics_by_name["biofact_calls_total"], "tool", "outcome") == {("entrez_get_gene", "OK"): 3}
        assert sum_by(metrics_by_name["biofact_call_duration_seconds_count"], "tool") == {"entrez_get_gene": 3}
        assert sum_by(metrics_by_name["biofact_caller_calls_total"], "caller") == {"0123456789abcdef": 3}
        assert sum_by(metrics_by_name["biofact_budget_requests_per_second"], "service") == {"ncbi": 3}
        assert metrics_by_name["biofact_build_info"].popitem()[1] == 1
    assert sum_by(two_workers["biofact_breaker_open"], "service") == {"ncbi": 3}
    assert sum_by(one_worker["biofact_breaker_open"], "service") == {"ncbi": 2}  # its gauges do not
    memory = [metrics_by_name["process_resident_memory_bytes"][()] for metrics_by_name in (two_workers, one_worker)]
    assert memory[0] > 1.5 * memory[1]
