"""The traces of a hosted gateway: no secret in any of them, and the words of callers in the audit log alone.

The rule for words of callers: they are in no log, metric, span, state, refusal or ledger. In the cache and in Redis a
cached answer has the address that it was read from, as provenance shows it, with the words of the search; no name or
hash of a caller is beside them, and keys are hashes. The audit log records who asked what; it holds no word of refused
requests.
"""

import asyncio
import json
import re

import httpx2
import pytest

from biofact.sandbox import Fault
from tests.extras import needs
from tests.extras.hosted_scene import (
    BAD_KEY,
    CLIENT,
    EMAIL,
    KEY,
    MODEL_KEY,
    NAME,
    OLD_PASSWORD,
    OWN_KEY,
    PASSWORD,
    SUB,
    TRACES_KEY,
    WORD,
    hosted,
    spellings,
)
from tests.interfaces.http.protected import handshake, modern

pytestmark = pytest.mark.extras

needs.opentelemetry()

HOUR = {"retry-after": "3600"}
LONGEST_SECONDS = 120.0


def echo(key):
    """A service's echo of a request, with all of its parts."""
    words = f"API key {key} of {EMAIL} may not ask for {WORD}"
    return json.dumps({"error": words, "message": words, "api-key": key, "email": EMAIL, "count": "4"}).encode()


def faults(key):
    """Services that fail in every way, and quote requests with a key."""
    body = echo(key)
    return (
        Fault("status", service="ncbi", status=500, body=body),
        Fault("status", service="ncbi", path="esearch", status=400, body=body, times=None),
        Fault("body", service="ncbi", body=body, times=None),
        Fault("body", service="ensembl", body=body),
        Fault("status", service="ensembl", status=400, body=body, times=None),
        Fault("status", service="chembl", status=429, headers=HOUR, body=body, times=None),
        Fault("close", service="igvf"),
        Fault("status", service="ebisearch", status=429, headers=HOUR, body=body, times=None),
    )


GOAL = {"research_goal": f"does {WORD} change depression in adults"}
SCHEMA = {"extraction_schema": {WORD: "string"}, "articles": ["PMID:11832527"]}
CALLS = (
    ("entrez_search_genes", {"query": WORD}),
    ("entrez_search_genes", {"query": "BRCA1"}),
    ("entrez_get_gene", {"entrez_id": "NCBIGene:672"}),
    ("entrez_get_gene", {"entrez_id": WORD}),
    ("ensembl_search_genes", {"query": WORD}),
    ("chembl_search_compounds", {"query": WORD}),
    ("igvf_get_entity", {"id": WORD}),
    ("pubmed_search", {"query": WORD}),
    ("pubmed_search", {"query": "BRCA1"}),
    ("pubmed_generate_query", GOAL),
    ("pubmed_extract_features", SCHEMA),
    ("resolve", {"names": [WORD]}),
    (WORD, {"x": WORD}),
    ("entrez_get_gene", {WORD: WORD}),
)
AFTER_LOSS = (CALLS[0], CALLS[2], ("chembl_search_compounds", {"query": f"{WORD}e"}))


class Story:
    """The course of events: answers to callers, refusals of others, and the gateway's own pages meanwhile."""

    def __init__(self, host):
        self.host = host
        self.answers, self.refusals, self.shown = [], [], []
        self.tokens = {
            "whole": host.command("token", "add", NAME).stdout.strip(),
            "narrow": host.command("token", "add", "ben", "--scope", "chembl").stdout.strip(),
            "revoked": host.command("token", "add", "eve").stdout.strip(),
            "issued": host.issuer.token(sub=SUB, client_id=CLIENT, scope="entrez ensembl chembl igvf pubmed"),
            "foreign": host.issuer.token(sub=SUB, aud=f"https://{WORD}.example.org"),
        }
        host.command("token", "revoke", "eve")

    async def call(self, client, calls, **headers):
        """Calls of both callers, in both protocols, at once."""
        requests = [
            request("tools/call", self.tokens[token], [*headers.items()], name=name, arguments=arguments)(client)
            for name, arguments in calls
            for token, request in (("whole", modern), ("issued", handshake))
        ]
        self.answers += [answer.text for answer in await asyncio.gather(*requests)]

    async def look(self, client):
        """All pages that the gateway shows of itself."""
        bearer = {"authorization": f"Bearer {self.tokens['whole']}"}
        for path in ("/healthz", "/readyz", "/metrics", "/state", "/catalog", "/"):
            answer = await client.get(path, headers=bearer)
            self.shown.append((path, answer.status_code, f"{answer.headers}{answer.text}"))

    async def refuse(self, client):
        """Requests of every kind that is refused."""
        whole = {"authorization": f"Bearer {self.tokens['whole']}", "content-type": "application/json"}
        names = {"name": WORD, "arguments": {WORD: WORD}}
        requests = [
            modern("tools/call", None, **names),
            *(modern("tools/call", token, **names) for token in self.not_tokens()),
            modern("tools/call", self.tokens["narrow"], name="entrez_search_genes", arguments={"query": WORD}),
            handshake("tools/call", self.tokens["narrow"], name="entrez_search_genes", arguments={"query": WORD}),
            lambda client: client.get(f"/{WORD}?{WORD}={KEY}", headers=whole),
            lambda client: client.get(
                "/metrics", headers={"authorization": f"Basic {WORD}", "x-ncbi-api-key": OWN_KEY}
            ),
            lambda client: client.get("/mcp", headers=whole),
            lambda client: client.post("/mcp", headers=whole | {"host": f"{WORD}.example.org"}),
            lambda client: client.post("/mcp", headers=whole | {"origin": f"https://{WORD}.example.org"}),
            lambda client: client.post("/mcp", headers=whole, content=f'{{"{WORD}": "{OWN_KEY}'.encode()),
            lambda client: client.get("/mcp", headers=whole | {"x-long": f"{WORD}{OWN_KEY}" * 3000}),
            lambda client: client.request(WORD.upper(), "/mcp"),
        ]
        for request in requests:
            answer = await request(client)
            self.refusals.append((answer.status_code, f"{answer.headers}{answer.text}"))
        self.refusals.append((413, await self._send_oversized()))

    async def _send_oversized(self):
        """The answer to the first bytes of a body that would be too long."""
        reader, writer = await asyncio.open_connection(*self.host.address.split(":"))
        lines = ("POST /mcp HTTP/1.1", f"Host: {self.host.address}", f"Authorization: Bearer {self.tokens['whole']}")
        head = "\r\n".join((*lines, f"Content-Length: {5 * 2**20}", "Content-Type: application/json", "", ""))
        writer.write(f"{head}{WORD} {OWN_KEY}".encode())
        answer = (await reader.read()).decode()
        writer.close()
        await writer.wait_closed()
        return answer

    def not_tokens(self):
        """Tokens that are not valid."""
        wrong = self.tokens["whole"][:-1] + ("A" if self.tokens["whole"][-1] != "A" else "B")
        return (self.tokens["revoked"], self.tokens["foreign"], wrong, f"{WORD}.{WORD}.{WORD}", WORD)

    @property
    def secrets(self):
        """All texts that must not be found."""
        all_secrets = (KEY, OWN_KEY, EMAIL, BAD_KEY, MODEL_KEY, TRACES_KEY, PASSWORD, OLD_PASSWORD)
        return (*all_secrets, *self.tokens.values(), *self.not_tokens()[:3])


def other_words(ending, symbol):
    """The same calls with words whose answers are not cached."""
    altered_calls = json.dumps(CALLS).replace(WORD, f"{WORD}{ending}").replace("BRCA1", symbol)
    return json.loads(altered_calls.replace("NCBIGene:672", "NCBIGene:7157" if ending == "s" else "NCBIGene:1956"))


async def until(claim):
    """Return when a claim holds; a busy machine may take long for that."""
    async with asyncio.timeout(LONGEST_SECONDS):
        while not await claim():  # noqa: ASYNC110  # a claim is no event
            await asyncio.sleep(0.05)


async def is_ready(client, token):
    """Whether the gateway is ready: not for a moment, if Redis was slow to answer."""
    answer = await client.get("/readyz", headers={"authorization": f"Bearer {token}"})
    return answer.status_code == 200


async def has_kept_answers(host):
    """Whether answers to words of callers are in Redis: it is written behind the answers."""
    values = await asyncio.to_thread(host.redis_values, PASSWORD)
    return any(key.startswith(b"biofact:answer:") and WORD.encode() in value for key, value in values.items())


async def run_story(story):
    """All traces of the running gateway."""
    host = story.host
    async with httpx2.AsyncClient(base_url=f"http://{host.address}", timeout=120.0, trust_env=False) as client:
        await story.call(client, CALLS)
        await story.call(client, CALLS[1:3], **{"x-ncbi-api-key": OWN_KEY})
        await story.call(client, CALLS[1:2], **{"x-ncbi-api-key": BAD_KEY})
        await story.refuse(client)
        await until(lambda: is_ready(client, story.tokens["whole"]))
        await story.look(client)
        await until(lambda: has_kept_answers(host))
        values = host.redis_values(PASSWORD)
        host.sandbox.set_faults(*faults(OWN_KEY))
        await story.call(client, other_words("s", "TP53"), **{"x-ncbi-api-key": OWN_KEY})
        host.sandbox.clear_faults()
        host.sandbox.set_faults(*faults(KEY))
        await story.call(client, other_words("t", "EGFR"))
        host.set_password(OLD_PASSWORD, PASSWORD)
        await story.call(client, AFTER_LOSS)
        await story.look(client)
        host.redis.stop()
        await story.call(client, AFTER_LOSS)
        await story.look(client)
    return values


@pytest.fixture(scope="module")
def story(tmp_path_factory):
    with hosted(tmp_path_factory.mktemp("host")) as host:
        story = Story(host)
        host.set_password(PASSWORD)
        with host.run():
            story.redis = asyncio.run(run_story(story))
        host.redis.start()
        host.set_password(OLD_PASSWORD)
        wrong = [host.command(*words) for words in (("serve", "--http", "127.0.0.1:0"), ("doctor",))]
        story.commands = "".join(run.stdout + run.stderr for run in wrong)
        story.codes = [run.returncode for run in wrong]
        story.log = (host.folder / "stderr").read_text()
        story.stdout = (host.folder / "stdout").read_text()
        story.audit = (host.folder / "audit.jsonl").read_text()
        story.files = host.files()
        yield story


def places(story):
    """All written or sent texts, by place."""
    yield "log", story.log
    yield "stdout", story.stdout
    yield "audit log", story.audit
    yield "commands", story.commands
    yield "traces", b"".join(story.host.traces.received).decode("latin-1")
    yield from ((f"answer {number}", text) for number, text in enumerate(story.answers))
    yield from ((f"refusal {status}", text) for status, text in story.refusals)
    yield from ((path, text) for path, _, text in story.shown)
    yield from ((file, value.decode("latin-1")) for file, value in story.files.items())
    yield from ((f"Redis {key}", f"{key} {value.decode('latin-1')}") for key, value in story.redis.items())


def test_no_secret_stands_anywhere(story):
    leaks = [
        (secret, place)
        for place, text in places(story)
        for secret in story.secrets
        if any(spelling in text for spelling in spellings(secret))
    ]

    assert leaks == []


def test_texts_of_callers_are_in_nothing_that_is_shown_or_logged(story):
    private = ("log", "stdout", "commands", "traces", "refusal", "/", "budgets", "rows of budgets", "Redis b'biofact:b")
    places_of_nobody = [(place, text) for place, text in places(story) if place.startswith(private)]

    assert len(places_of_nobody) > 20
    assert [place for place, text in places_of_nobody if re.search(WORD, text, re.IGNORECASE)] == []


def test_names_of_callers_are_in_the_audit_log_alone(story):
    assert NAME in story.audit
    assert SUB in story.audit
    leaks = [
        (name, place) for place, text in places(story) for name in (NAME, SUB, CLIENT)
        if name in text and place != "audit log"
    ]  # fmt: skip

    assert leaks == []


def test_no_kept_answer_says_who_asked(story):
    hashes = {json.loads(line)["subject"] for line in story.audit.splitlines()} - {""}
    answer_texts = [
        (place, text) for place, text in places(story)
        if "answers" in place or (place.startswith("Redis") and "budget" not in place and "replicas" not in place)
    ]  # fmt: skip

    assert len(hashes) >= 3
    assert any(WORD in text for _, text in answer_texts)  # as the address of a search has it: see above
    assert [(caller_hash, place) for place, text in answer_texts for caller_hash in hashes if caller_hash in text] == []
    assert [place for place, _ in answer_texts if WORD in place] == []


def test_of_what_was_refused_the_audit_log_holds_nothing_that_its_sender_wrote(story):
    refusal_lines = [line for line in story.audit.splitlines() if "reason" in json.loads(line)]

    assert {json.loads(line)["reason"] for line in refusal_lines} == {
        "no_token", "invalid_token", "insufficient_scope", "foreign_host", "foreign_origin",
    }  # fmt: skip
    assert [line for line in refusal_lines if WORD in line.lower()] == []


def test_all_of_it_happened(story):
    """Without these events the search for secrets would prove nothing."""
    text = "".join(story.answers)
    statuses = [status for status, _ in story.refusals]
    outcomes = {(path, status) for path, status, _ in story.shown}

    assert statuses == [401] * 6 + [403, 403, 404, 401, 405, 421, 403, 400, 400, 401, 413]
    assert story.refusals[-1][1].startswith("HTTP/1.1 413")
    assert WORD in text
    assert "BRCA1" in text
    for code in ("UPSTREAM_ERROR", "RATE_LIMITED", "UNRESOLVED_ENTITY", "AMBIGUOUS_QUERY", "X-NCBI-API-Key"):
        assert code in text, code
    assert "Redis is lost" in story.log
    assert "it refuses the user, the password" in story.log
    assert {("/metrics", 200), ("/state", 200), ("/readyz", 200), ("/", 200)} <= outcomes
    assert "biofact_refused_requests_total" in "".join(text for _, _, text in story.shown)
    assert len(story.host.traces.received) > 0
    assert story.codes[0] == 2
    assert "BIOFACT_REDIS_URL" in story.commands
    assert story.redis
    assert story.files
