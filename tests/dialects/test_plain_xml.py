"""XML that is read without a guard, because it is plain."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.dialects import xml

pytestmark = pytest.mark.quick

PIECES = st.sampled_from(
    [b"</Entrezgene>", b"<!", b"<?", b"z", b"!", b"<", b"</Entrezgen", b" " * 250, b"a" * 7, b"z" * 3]
)
MARKS = [(b"</Entrezgene>", b"z"), (b"<!", b"!"), (b"<?", b"?")]


searches = given(
    st.lists(PIECES, max_size=30).map(b"".join), st.sampled_from(MARKS), st.integers(0, 900), st.integers(0, 9000)
)


@searches
@settings(max_examples=100, deadline=None, derandomize=True)
def test_searching_by_a_rare_byte_finds_what_a_plain_search_finds(text, mark, start, end):
    assert xml.find_by(text, *mark, start, end) == text.find(mark[0], start, end)


@pytest.mark.sweep
@searches
@settings(max_examples=500, deadline=None, derandomize=True)
def test_searching_anywhere_by_a_rare_byte_finds_what_a_plain_search_finds(text, mark, start, end):
    assert xml.find_by(text, *mark, start, end) == text.find(mark[0], start, end)


@pytest.mark.parametrize("text", [b"<a><!-- b --></a>", b"<a><![CDATA[b]]></a>", b"<a><?b?></a>", b"<!DOCTYPE a><a/>"])
def test_only_plain_xml_is_read_without_a_guard(text):
    with pytest.raises(xml.DamagedRecord, match="plain"):
        xml.plain_tree(text)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
def test_only_utf8_is_read_without_a_guard(encoding):
    with pytest.raises(xml.DamagedRecord):
        xml.plain_tree("<a>b</a>".encode(encoding))


def test_an_undeclared_entity_is_an_error():
    with pytest.raises(xml.DamagedRecord, match="undefined entity"):
        xml.plain_tree(b"<a>&b;</a>")


def test_markup_that_hides_tags_is_taken_out_and_what_it_holds_is_text():
    odd = b"<a>b<!-- </a> <? --><?x <!-- ?>c<![CDATA[</a> & <!-- d]]>\xc3\xa9</a>"

    assert xml.as_plain(odd) == b"<a>bc&lt;/a&gt; &amp; &lt;!-- d\xc3\xa9</a>"
    assert xml.plain_tree(xml.as_plain(odd)).text == "bc</a> & <!-- d\xe9"
