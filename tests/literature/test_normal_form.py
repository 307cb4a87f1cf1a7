"""The normal form of texts, and the way back to the place of each quote."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biofact.literature.extraction.text.normal_form import NormalText
from biofact.literature.records import Evidence

pytestmark = pytest.mark.quick

CASES = [
    ("P  =  0.04", "P = 0.04"),
    ("P\u00a0<\u2009\u00b7001 (0\u00b772)", "P < .001 (0.72)"),
    ("\ufb01brosis and e\ufb00ects", "fibrosis and effects"),
    ("ran\u00addom\u00adised", "randomised"),
    ("P \u226a 0.0001", "P < 0.0001"),
    ("two\u2010arm\n  trial", "two-arm\n trial"),
    ("mg\u00b7kg", "mg\u00b7kg"),
    ("plain text", "plain text"),
    ("P =\u2009\u200b\u2009 0.04", "P = 0.04"),
]
NOISY = st.text(st.sampled_from("ab 1.(\n\u00a0\u2009\u00b7\ufb01\u00ad\u2010\u226a"), max_size=40)


@pytest.mark.parametrize(("text", "normal"), CASES)
def test_a_text_in_normal_form(text, normal):
    assert NormalText.of(text).text == normal


@given(NOISY, st.data())
def test_a_quote_is_found_where_it_stands_in_the_original(text, data):
    normal = NormalText.of(text)
    start = data.draw(st.integers(0, len(normal.text)))
    end = data.draw(st.integers(start, len(normal.text)))
    quote = Evidence(where="abstract", quote=normal.text[start:end], start=start, end=end)

    found = normal.located(quote)

    assert text[found.start : found.end] == found.quote
    written = NormalText.of(found.quote).text
    assert normal.text[start:end] in written or "\u00b7" in found.quote
