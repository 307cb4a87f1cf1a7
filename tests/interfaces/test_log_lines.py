"""Lines of the log as JSON, and those of a hosted server, which hide callers' words unless a setting shows them."""

import json
import logging
from datetime import datetime

import pytest
from fastmcp import Client

from biofact.core import events
from biofact.core.call import Caller, on_behalf_of
from biofact.core.settings import Settings
from biofact.core.usage import WrongUsage
from biofact.interfaces import log_output
from biofact.interfaces.mcp.server import gateway
from tests import virtual_time
from tests.interfaces.toy import TOYS
from tests.served import replies

pytestmark = pytest.mark.quick

GENE = ("entrez_get_gene", {"entrez_id": "NCBIGene:672"})


def objects(text):
    return [json.loads(line) for line in text.splitlines()]


def of_calls(capsys, *calls, **settings):
    """The JSON lines of the log after calls of the gateway."""

    with log_output.on_stderr(Settings({"BIOFACT_LOG_FORMAT": "json", **settings})):
        replies(*calls)
    return objects(capsys.readouterr().err)


def test_each_line_is_an_object_with_time_level_logger_and_message(capsys):
    lines_found = of_calls(capsys, GENE, BIOFACT_LOG="debug")

    assert {line["logger"] for line in lines_found} == {logger.name for logger in events.LOGGERS} - {
        "biofact.redis"
    }  # none is set
    for line in lines_found:
        assert {"time", "level", "logger", "message"} <= set(line)
        assert datetime.fromisoformat(line["time"]).tzinfo is not None
        assert line["level"] in log_output.LEVELS


def test_the_lines_of_a_call_bear_its_number(capsys):
    lines_found = of_calls(capsys, GENE, ("entrez_get_gene", {"entrez_id": "NCBIGene:7157"}), BIOFACT_LOG="debug")

    numbers = [
        line["call"] for line in lines_found if line["logger"] == "biofact.calls" and line["method"] == "tools/call"
    ]
    of_requests = [line["call"] for line in lines_found if line["message"].startswith("GET ncbi")]
    assert len(set(numbers)) == 2
    assert of_requests == numbers


def test_a_call_is_a_line_at_info_without_what_was_asked(capsys):
    (line,) = of_calls(capsys, ("entrez_get_gene", {"entrez_id": "BRCA1"}), BIOFACT_LOG="info")

    assert line["message"] == "entrez_get_gene: UNRESOLVED_ENTITY in 0.00 s"
    assert (line["tool"], line["outcome"], line["seconds"]) == ("entrez_get_gene", "UNRESOLVED_ENTITY", 0.0)
    assert "BRCA1" not in str(line)


def test_queries_are_logged_if_the_host_requests_it(capsys):
    settings = {"BIOFACT_LOG": "info", "BIOFACT_LOG_QUERIES": "1", "NCBI_API_KEY": "s3cret"}
    (line,) = of_calls(capsys, ("entrez_search_genes", {"query": "with s3cret inside"}), **settings)

    assert line["arguments"] == {"query": "with [hidden] inside"}
    assert '{"query": "with [hidden] inside"}' in line["message"]


def test_the_subject_of_a_call_is_in_its_lines(capsys):
    with (
        log_output.on_stderr(Settings({"BIOFACT_LOG_FORMAT": "json"})),
        on_behalf_of(Caller(subject="0123456789abcdef")),
    ):
        events.WAITS.warning("a line")

    assert objects(capsys.readouterr().err)[0]["subject"] == "0123456789abcdef"


def test_letters_that_a_terminal_would_obey_are_escaped(capsys):
    with log_output.on_stderr(Settings({"BIOFACT_LOG_FORMAT": "json"})):
        events.ROOT.error("one\x1b[2J\ntwo \u202e")

    (line,) = capsys.readouterr().err.splitlines()
    assert line.isascii()
    assert line.isprintable()
    assert json.loads(line)["message"] == "one\x1b[2J\ntwo \u202e"


def test_a_form_that_there_is_not_is_refused():
    with pytest.raises(WrongUsage, match="BIOFACT_LOG_FORMAT is 'xml', no format"):
        log_output.on_stderr(Settings({"BIOFACT_LOG_FORMAT": "xml"})).__enter__()


def hosted(capsys, act, **settings):
    """The log of a hosted server during an action."""
    settings = Settings({"NCBI_API_KEY": "s3cret", **settings})
    with log_output.on_stderr(settings), log_output.of_a_server(settings):
        act()
    return capsys.readouterr().err


def libraries():
    logging.getLogger("uvicorn.error").error("Exception in ASGI application")
    logging.getLogger("fastmcp.server.server").warning("Invalid arguments for tool %r: it isn't s3cret", "my query")
    try:
        int("my query")
    except ValueError:
        logging.getLogger("mcp.server").exception("handler for %r raised", "tools/call")
    logging.getLogger("mcp.server").info("Created new transport with session ID: 12345")


def test_libraries_write_in_the_same_form_and_without_callers_words(capsys):
    lines_found = objects(hosted(capsys, libraries, BIOFACT_LOG_FORMAT="json"))

    assert [(line["logger"], line["message"]) for line in lines_found] == [
        ("uvicorn.error", "Exception in ASGI application"),
        ("fastmcp.server.server", "Invalid arguments for tool [hidden]: it isn't [hidden]"),
        ("mcp.server", "handler for [hidden] raised"),
    ]
    assert lines_found[2]["exception"].endswith("ValueError")
    assert "in libraries" in lines_found[2]["exception"]


def test_a_host_who_asks_for_queries_gets_the_words_but_no_secret(capsys):
    text = hosted(capsys, libraries, BIOFACT_LOG_QUERIES="1")

    assert "Invalid arguments for tool 'my query': it isn't [hidden]" in text
    assert "base 10: 'my query'" in text
    assert "s3cret" not in text


def test_each_line_is_written_once_and_what_was_there_before_comes_back(capsys):
    before = {name: logging.getLogger(name).handlers[:] for name in ("", "biofact", "fastmcp", "uvicorn")}

    text = hosted(capsys, lambda: events.WAITS.warning("a line"))

    assert text == "a line\n"
    assert {name: logging.getLogger(name).handlers[:] for name in before} == before


@pytest.mark.parametrize(("queries", "count"), [("", 0), ("1", 1)])
def test_a_defect_of_a_hosted_call_is_logged_without_its_message(capsys, queries, count):
    async def scenario():
        async with Client(gateway(catalog=TOYS)) as client:
            await client.call_tool_mcp("toy_break_toy", {"how": "defect"})

    text = hosted(capsys, lambda: virtual_time.run(scenario()), BIOFACT_LOG_QUERIES=queries)

    assert text.count("Answering toy.break_toy hit a defect of biofact.") == 1
    assert "KeyError" in text
    assert text.count("KeyError: 'spring '") == count
