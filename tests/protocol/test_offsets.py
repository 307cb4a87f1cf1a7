"""Lists that a service ranks and pages by offset: every row once, scores that never rise, an end."""

import pytest
from pydantic import ValidationError

from biofact.protocol.offsets import Candidate, OffsetPages, OffsetPosition
from tests import virtual_time

pytestmark = pytest.mark.quick

SCORES = (0.9, 0.3, 1.0, 0.2)


def listed(scores, total=None):
    """A service's list with these scores."""
    rows = [Candidate(id=str(place), score=score, match="text") for place, score in enumerate(scores)]

    async def fetch(offset, size):
        return rows[offset : offset + size], len(rows) if total is None else total

    return OffsetPages(fetch)


def walked(pages, size):
    async def walk():
        found = [await pages.first(size)]
        while found[-1].position:
            found.append(await pages.after(found[-1].position, size))
        return found

    return virtual_time.run(walk())


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_pages_of_any_size_are_the_same_rows_with_scores_that_never_rise(size):
    pages = walked(listed(SCORES), size)

    rows = [row for page in pages for row in page.rows]
    assert [(row.id, row.score) for row in rows] == [("0", 0.9), ("1", 0.3), ("2", 0.3), ("3", 0.2)]
    assert {page.total for page in pages} == {4}


def test_a_list_that_is_shorter_than_counted_ends():
    assert [len(page.rows) for page in walked(listed(SCORES, total=9), 2)] == [2, 2, 0]


def test_an_empty_list_has_no_second_page():
    (page,) = walked(listed(()), 5)

    assert (page.rows, page.total, page.position) == ([], 0, None)


def test_a_row_that_a_page_holds_twice_comes_once_and_the_next_page_begins_behind_both():
    rows = [Candidate(id=entry, score=1.0, match="text") for entry in ("a", "a", "b", "c")]

    async def fetch(offset, size):
        return rows[offset : offset + size], len(rows)

    pages = walked(OffsetPages(fetch), 2)

    assert [[row.id for row in page.rows] for page in pages] == [["a"], ["b", "c"]]


@pytest.mark.parametrize("values", [{"offset": -1}, {"offset": 10**7}, {"score": 1.5}])
def test_a_position_that_no_list_has_is_refused(values):
    with pytest.raises(ValidationError):
        OffsetPosition(**values)
