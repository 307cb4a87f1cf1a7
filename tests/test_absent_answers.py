"""Every place where a 404 counts as absence: the service's own body shows it, and a 404 of a proxy is a failure."""

import ast
from pathlib import Path

import pytest

from biofact import sources
from biofact.sources import chembl, igvf
from biofact.sources.chembl.service import entries_with, id_lookup, structure_ids
from biofact.sources.igvf.service import judge
from biofact.sources.pubmed.service import citations
from biofact.transport.service import Answer
from tests.each_of import check_each

pytestmark = pytest.mark.quick

FOLDER = Path(sources.__file__).parent
REASON = b'{"error_message": "The object could not be found."}'
PLACES = {
    # Tastypie's own 404 has no body; ChEMBL's has a reason.
    "chembl/service.py:id_lookup": (id_lookup("CHEMBL1").is_absent, (b"", REASON)),
    "chembl/service.py:entries_with": (entries_with("AIN").is_absent, (b"{}",)),
    # The start of an edge; the Catalog's 404 for a path that it does not have is "Not found".
    "igvf/service.py:judge": (
        lambda answer: judge(answer) == "good",
        (b'{"message": "Variant not found.", "code": "NOT_FOUND"}', b'{"message": "Gene not found."}'),
    ),
}
"""By the function that knows, in sources: the predicate, and the bodies that show absence."""
FOREIGN = (
    *(b"<html><body>404 Not Found</body></html>", b"404 page not found", b"null", b"[]", b'{"text": 1}', b"{}", b""),
    *(b'{"detail": "Not Found"}', b'{"message": "Not found"}', b'{"message": "no Route matched with those values"}'),
)
"""Bodies of 404s that proxies and gateways send, or some other service."""


def test_a_404_that_shows_absence_is_believed_and_no_other():
    def check(place):
        is_absent, bodies = PLACES[place]
        foreign = [body for body in FOREIGN if body not in bodies]

        assert [body for body in bodies if not is_absent(answer(404, body))] == []
        assert [body for body in foreign if is_absent(answer(404, body))] == []
        assert [body for body in bodies if is_absent(answer(502, body))] == []

    check_each(PLACES, check)


def test_a_404_of_a_service_that_lists_nothing_for_absence_is_a_failure():
    requests = (structure_ids("BSYNRYMUTXBXSQ-UHFFFAOYSA-N"), citations(("23456789",)))

    for request in requests:
        judged = [request.service.judge(answer(404, body)) for body in (*FOREIGN, REASON)]
        assert "good" not in judged, request.service.name
        assert request.is_absent is None


def answer(status, body):
    return Answer(status, {}, body, "https://example.org")


def test_the_table_has_every_place():
    """A source added later tries its ``is_absent`` in tests of its own, so that this file need not be edited."""
    known = {Path(module.__file__).parent.name for module in (chembl, igvf)}
    uses = {use for source in sources.names() for use in uses_in(FOLDER / source)}
    untried = {use for use in uses if use.partition("/")[0] in known} - PLACES.keys()
    untried |= {use for use in uses if use.partition("/")[0] not in known and not is_tried(use.partition("/")[0])}

    assert not untried, "add a row to PLACES, or a test in tests/sources/<name> that calls is_absent"


def uses_in(folder):
    """The functions that say ``is_absent=``, as ``chembl/service.py:id_lookup``."""
    for path in folder.rglob("*.py"):
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(function, ast.FunctionDef) and any(
                isinstance(node, ast.keyword) and node.arg == "is_absent" for node in ast.walk(function)
            ):
                yield f"{path.relative_to(FOLDER).as_posix()}:{function.name}"


def is_tried(source):
    own_tests = Path(__file__).parent / "sources" / source
    return any("is_absent" in path.read_text("utf-8") for path in own_tests.glob("test_*.py"))
