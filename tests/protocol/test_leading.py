"""Hits that lead, and the service's own list after them without them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.protocol.leading import PagePosition, rest

pytestmark = pytest.mark.quick

LISTED = list("abcdefgh")


def test_the_next_hits_are_those_that_do_not_lead(subtests):
    cases = [
        ([], 0, 3, "abc", 3),
        (["b"], 0, 3, "acd", 4),
        (["a", "b"], 0, 2, "cd", 4),
        (["d", "e"], 0, 3, "abc", 5),  # those that lead and come next are skipped at once
        (["h"], 0, 7, "abcdefg", 8),
        (["x"], 0, 2, "ab", 2),
        (LISTED, 0, 3, "", 8),
        ([], 0, 0, "", 0),
        (["a"], 0, 0, "", 1),
        ([], 5, 10, "fgh", 8),
    ]
    for lead, start, wanted, taken, onward in cases:
        with subtests.test(lead=lead):
            assert rest(LISTED[start:], len(LISTED), lead, start, wanted) == (list(taken), onward)


def test_a_part_of_the_list_leads_on_behind_it():
    assert rest(["c", "d"], 8, [], 2, 5) == (["c", "d"], 4)


def test_a_list_that_ends_before_its_count_has_ended():
    assert rest([], 8, [], 4, 5) == ([], 8)


pages = given(
    listed=st.lists(st.integers(0, 30), unique=True, max_size=25).map(lambda found: [str(one) for one in found]),
    lead=st.lists(st.integers(0, 30).map(str), unique=True, max_size=8),
    size=st.integers(1, 7),
    chunk=st.integers(1, 12),
)


@pages
@settings(max_examples=60, deadline=None, derandomize=True)
def test_page_by_page_every_other_hit_is_shown_once_and_in_order(listed, lead, size, chunk):
    check_pages(listed, lead, size, chunk)


@pytest.mark.sweep
@pages
@settings(max_examples=300, deadline=None, derandomize=True)
def test_of_many_lists_every_other_hit_is_shown_once_and_in_order(listed, lead, size, chunk):
    check_pages(listed, lead, size, chunk)


def check_pages(listed, lead, size, chunk):
    shown, offset = [], 0
    while offset < len(listed):
        before = offset
        taken, offset = rest(listed[offset : offset + chunk], len(listed), lead, offset, size)
        assert len(taken) <= size
        assert offset > before
        shown += taken

    assert shown == [one for one in listed if one not in lead]
    assert offset == len(listed)


def place(**fields):
    return PagePosition(**{"lead": ["a", "b"], "shown": 2, "offset": 5, "total": 5, "score": 0.5} | fields)


def test_a_list_is_at_its_end_when_both_parts_are_shown():
    assert place().is_end
    assert place(shown=9).is_end
    assert not place(shown=1).is_end
    assert not place(offset=4).is_end
    assert not place(total=None).is_end
