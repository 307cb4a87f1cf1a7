"""Strict lookups: the record is the requested one, and a chain of replacements ends."""

import pytest

from biofact.core.errors import RetryAfter, ToolRef, UpstreamError
from biofact.protocol.lookup import ReplacementTrail, missing_record, unknown, verify

pytestmark = pytest.mark.quick


def test_the_record_of_another_entity_is_refused():
    verify("The Toy", "TOY:1", "TOY:1")

    with pytest.raises(UpstreamError, match="The Toy answered TOY:1 with TOY:2") as failure:
        verify("The Toy", "TOY:1", "TOY:2")
    assert failure.value.recovery == RetryAfter(60)


def test_a_listed_id_without_a_record_is_a_failure_and_no_absence():
    failure = missing_record("The Toy", "TOY:1.2", "TOY:1")

    assert failure.message == "The Toy lists TOY:1 but did not send its record."
    assert failure.recovery == RetryAfter(60)
    assert failure.invalid_input == "TOY:1.2"


def test_an_absent_id_is_named_with_the_search_that_leads_on():
    failure = unknown("The Toy", "TOY:1", ToolRef("toy", "search"))

    assert failure.message == "The Toy has no record TOY:1."
    assert failure.hint == "Check the ID, or call toy.search with the name."
    assert failure.invalid_input == "TOY:1"


def test_a_trail_follows_replacements_to_the_current_id():
    trail = ReplacementTrail("a")

    assert not trail.is_replaced
    assert trail.follow("b")
    assert trail.follow("c")
    assert (trail.ids, trail.current_id, trail.is_replaced) == (["a", "b", "c"], "c", True)


@pytest.mark.parametrize("replacement", [None, "a", "b"])
def test_a_trail_ends_where_nothing_replaces_or_a_circle_begins(replacement):
    trail = ReplacementTrail("a")
    trail.follow("b")

    assert not trail.follow(replacement)
    assert trail.ids == ["a", "b"]


def test_a_trail_of_six_replacements_is_the_mistake_of_the_service():
    trail = ReplacementTrail("0")

    assert [trail.follow(str(step)) for step in range(1, 8)] == [True] * 5 + [False] * 2
