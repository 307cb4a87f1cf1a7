"""The gateway's page in a real browser: usable by keyboard and on a telephone, and immune to markup in answers."""

import asyncio
import functools
import socket
import threading
from contextlib import contextmanager

import pytest
import uvicorn

from biofact.core.settings import Settings
from biofact.interfaces.clients import open_clients
from biofact.interfaces.mcp.server import gateway
from tests.extras import needs
from tests.extras.test_report_page import FAINT
from tests.extras.test_report_sizes import VIOLATIONS
from tests.interfaces.http.page_app import TOKEN, page_app
from tests.interfaces.http.traps import LINK, PICTURE, SCRIPT, TRAPS

pytestmark = pytest.mark.extras

AXE = needs.axe_core()
WIDTHS = (1280, 400)
READY = "document.querySelector('#tool form') && !document.querySelector('#figures').hidden"
LOCKED = "document.querySelector('#key')?.hidden === false"
STATUS_IS_SHOWN = "document.querySelector('#status .badge')"
MOST_TABS = 60
STORED_VALUES = """(async () => [Object.entries(localStorage), Object.entries(sessionStorage), document.cookie,
  await indexedDB.databases(), await caches.keys(), location.href, document.querySelector("#key-field").value,
  history.state, window.name])()"""


@contextmanager
def serve(app):
    """The address of an app while it is served."""
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none", timeout_graceful_shutdown=1))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        finally:
            server.should_exit = True
            thread.join(20)


def on_the_sandbox():
    """A gateway with stand-ins for the databases."""
    return gateway(functools.partial(open_clients, sandbox=True))


@pytest.fixture(scope="module")
def genes():
    with serve(page_app(on_the_sandbox())) as url:
        yield url


@pytest.fixture(scope="module")
def traps():
    with serve(page_app(gateway(catalog=TRAPS))) as url:
        yield url


@pytest.fixture(scope="module")
def unreachable(tmp_path_factory):
    offline = Settings({"BIOFACT_OFFLINE": "1", "BIOFACT_CACHE_DIR": str(tmp_path_factory.mktemp("cache"))})
    with serve(page_app(gateway(functools.partial(open_clients, offline)))) as url:
        yield url


@pytest.fixture(scope="module")
def guarded_page():
    with serve(page_app(on_the_sandbox(), needs_token=True)) as url:
        yield url


def load(browser, url, *, width=1280, scheme="light"):
    browser.show("about:blank", width=width, scheme=scheme)  # another fragment alone would not reload it
    browser.show(url, width=width, scheme=scheme)


def show(browser, url, tool="", *, width=1280, scheme="light"):
    """Reload the page with a chosen tool."""
    load(browser, f"{url}#{tool}", width=width, scheme=scheme)
    browser.wait(READY)


def submit(browser):
    browser.value("document.querySelector('#tool form').requestSubmit()")
    browser.wait(STATUS_IS_SHOWN)


def tab_to(browser, condition):
    """Press Tab until the focused element fulfils a condition."""
    for _ in range(MOST_TABS):
        browser.press("Tab")
        if browser.value(f"((element) => {condition})(document.activeElement)"):
            return
    pytest.fail(f"Tab does not lead to {condition}")


def requests(browser):
    return [event["params"]["request"]["url"] for event in browser.events_of("Network.requestWillBeSent")]


def unexpected(browser, url):
    """Messages logged, thrown or stopped by the policy, and requests that left the origin."""
    console_events = browser.events_of("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
    return [*console_events, *(request for request in requests(browser) if not request.startswith((url, "data:")))]


def is_whole(browser, width):
    """Whether the page scrolls only vertically, with legible text."""
    assert browser.value(FAINT) == []
    return browser.value("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_is_whole_before_and_after_calls(browser, genes, width, scheme):
    show(browser, genes, "entrez_search_genes", width=width, scheme=scheme)
    assert unexpected(browser, genes) == []
    assert is_whole(browser, width)
    browser.events.clear()  # looking at colours has logged something

    submit(browser)
    assert unexpected(browser, genes) == []
    assert is_whole(browser, width)
    assert "NCBIGene:672" in browser.value("document.querySelector('#result').innerText")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("tool", ["entrez_search_genes", "entrez_get_gene", "pubmed_score_articles", "resolve"])
def test_axe_core_finds_nothing_serious(browser, genes, tool, width, scheme):
    show(browser, genes, tool, width=width, scheme=scheme)
    browser.value(f"{AXE};1")
    browser.value("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert browser.value(VIOLATIONS) == []

    submit(browser)
    browser.value("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert browser.value(VIOLATIONS) == []
    assert browser.value("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", WIDTHS)
def test_a_gene_is_found_by_keyboard_alone(browser, genes, width):
    show(browser, genes, width=width)
    tab_to(browser, "element.textContent === 'Skip to the tools'")
    browser.press("Enter")
    tab_to(browser, "element.id === 'filter'")
    browser.write("gene symbol alias")
    tab_to(browser, "element.hash === '#entrez_search_genes'")
    browser.press("Enter")
    browser.wait("document.activeElement.id === 'tool-title'")
    tab_to(browser, "element.id === 'argument-query'")  # which selects what is there
    browser.write("TP53")
    browser.press("Enter")
    browser.wait(STATUS_IS_SHOWN)

    assert browser.value("document.querySelector('#argument-query').value") == "TP53"
    assert "NCBIGene:7157" in browser.value("document.querySelector('#result tbody tr').innerText")
    assert browser.value("document.querySelector('[role=status]#status').innerText").startswith("4 rows")


def test_a_failure_leads_to_the_call_that_helps(browser, genes):
    show(browser, genes, "entrez_get_gene")
    browser.value("document.querySelector('#argument-entrez_id').select()")
    tab_to(browser, "element.id === 'argument-entrez_id'")
    browser.write("TP53")
    browser.press("Enter")
    browser.wait("document.querySelector('.failure button')")
    assert browser.value("document.querySelector('#status .badge').textContent") == "UNRESOLVED_ENTITY"
    tab_to(browser, "element.textContent === 'Call entrez_search_genes'")
    browser.press("Enter")
    browser.wait("document.querySelector('#result tbody')")

    assert browser.value("document.activeElement.textContent") == "Search genes"
    assert "NCBIGene:7157" in browser.value("document.querySelector('#result').innerText")


def test_the_sandbox_answers_where_it_is_chosen(browser, genes):
    show(browser, genes, "entrez_get_gene")
    browser.value("document.querySelector('#place-live').focus()")
    browser.press("ArrowDown")
    submit(browser)

    assert f"{genes}sandbox/mcp" in requests(browser)
    assert f"{genes}mcp" not in requests(browser)
    assert browser.value("document.querySelector('#answers .badge').textContent") == "sandbox"


def test_the_sandbox_is_offered_where_no_database_answers(browser, unreachable):
    show(browser, unreachable, "entrez_get_gene")
    submit(browser)
    assert browser.value("document.querySelector('#status .badge').textContent") == "UPSTREAM_ERROR"
    browser.value("document.querySelector('.failure button').click()")
    browser.wait("document.querySelector('#result')?.innerText.includes('BRCA1')")

    assert browser.value("document.querySelector('#place-sandbox').checked")


def test_json_that_is_none_is_marked_before_it_is_sent(browser, genes):
    show(browser, genes, "pubmed_score_articles")
    browser.value("document.querySelector('#argument-articles_with_features').value = '[{'")
    browser.value("document.querySelector('#tool form').requestSubmit()")
    browser.wait("document.querySelector('.wrong')")

    assert browser.value("document.activeElement.id") == "argument-articles_with_features"
    assert browser.value("document.activeElement.getAttribute('aria-invalid')") == "true"
    assert not any(url.endswith("mcp") for url in requests(browser))


@pytest.mark.parametrize("tool", ["trap_search_traps", "trap_break_trap"])
def test_markup_in_answers_stays_text(browser, traps, tool):
    show(browser, traps, tool)
    browser.value("(document.querySelector('#argument-query') ?? {}).value = 'traps'")
    submit(browser)
    browser.value("document.querySelectorAll('details').forEach((one) => { one.open = true; })")

    text = browser.value("document.querySelector('main').innerText")
    assert PICTURE in text
    assert SCRIPT in text
    assert browser.value("document.querySelectorAll('main script, main img').length") == 0
    links = browser.value("[...document.querySelectorAll('#result a, #answers a')].map((one) => one.href)")
    assert set(links) <= {"https://example.org/a?b=%3Cc%3E"}
    assert browser.value("window.hit ?? null") is None
    assert "\u202e" not in text
    assert unexpected(browser, traps) == []
    assert (LINK in text, len(links)) == ((True, 1) if tool == "trap_search_traps" else (False, 0))


def test_the_next_page_is_asked_for(browser, traps):
    show(browser, traps, "trap_search_traps")
    browser.value("document.querySelector('#argument-query').value = 'traps'")
    submit(browser)
    assert "TRAP:1" in browser.value("document.querySelector('#result').innerText")
    browser.value("document.querySelector('.next button').click()")
    browser.wait("document.querySelector('#result')?.innerText.includes('TRAP:2')")

    assert browser.value("document.querySelector('.next button')") is None


def test_the_policy_stops_what_slips_in(browser, traps):
    show(browser, traps)
    browser.value("document.body.append(Object.assign(new Image(), {src: 'https://biofact.invalid/x.png'}))")
    stopped = browser.value("""(() => { const slipped = document.createElement("p");
      try { slipped.innerHTML = "<b>x</b>"; } catch (error) { return error.name; } })()""")
    fetched = browser.value("fetch('https://biofact.invalid/').then(() => 'sent', (error) => error.name)")

    assert (stopped, fetched) == ("TypeError", "TypeError")
    assert len(browser.events_of("Log.entryAdded")) >= 2


@pytest.mark.parametrize("width", WIDTHS)
def test_a_token_opens_the_page_and_is_kept_nowhere(browser, guarded_page, width):
    load(browser, guarded_page, width=width)
    browser.wait(LOCKED)
    assert is_whole(browser, width)
    assert browser.value("document.querySelector('#tools').hidden && document.querySelector('#sources').hidden")
    tab_to(browser, "element.id === 'key-field'")
    browser.write("wrong")
    browser.press("Enter")
    browser.wait("document.querySelector('#fault').innerText.includes('does not know')")
    assert browser.value("document.activeElement.id") == "key-field"
    browser.write(TOKEN)
    browser.press("Enter")
    browser.wait(READY)
    browser.value("location.hash = '#entrez_get_gene'")
    browser.wait("document.activeElement.id === 'tool-title'")
    submit(browser)

    assert "BRCA1" in browser.value("document.querySelector('#result').innerText")
    assert TOKEN not in str(browser.value(STORED_VALUES))
    assert TOKEN not in browser.value("document.documentElement.outerHTML")
    page_requests = [event["params"]["request"] for event in browser.events_of("Network.requestWillBeSent")]
    assert {request["url"].split("#")[0] for request in page_requests if TOKEN in str(request["headers"])} == {
        f"{guarded_page}{path}" for path in ("state", "catalog", "mcp")
    }
    load(browser, guarded_page)
    browser.wait(LOCKED)


def test_a_token_can_be_forgotten(browser, guarded_page):
    load(browser, guarded_page)
    browser.wait(LOCKED)
    browser.value("document.querySelector('#key-field').focus()")
    browser.write(TOKEN)
    browser.press("Enter")
    browser.wait(READY)
    browser.value("document.querySelector('#forget').click()")

    assert browser.value("document.querySelector('#tools').hidden && !document.querySelector('#key').hidden")
    assert browser.value("fetch('state').then((answer) => answer.status)") == 401
