"""A caller's input in a path stays in its own segment."""

from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biofact.core.errors import UpstreamError
from biofact.transport.service import Request
from tests.transport.scene import TOY

pytestmark = pytest.mark.quick


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), min_size=1, max_size=4))
def test_segments_come_back_as_they_went_in(segments):
    if {".", ".."} & set(segments):
        return
    path = Request(TOY, tuple(segments)).quoted_path
    address = urlsplit(f"https://toy.example{path}")

    assert [unquote(part) for part in address.path.split("/")[1:]] == segments
    assert (address.query, address.fragment) == ("", "")


@pytest.mark.parametrize("segments", [("search", "symbol", "..", "info"), ("lookup", ".")])
def test_no_segment_leads_to_another_path(segments):
    with pytest.raises(UpstreamError, match="cannot be asked for"):
        _ = Request(TOY, segments).quoted_path


def test_a_path_of_ours_is_sent_unchanged():
    assert Request(TOY, "/molecule/search.json").quoted_path == "/molecule/search.json"
