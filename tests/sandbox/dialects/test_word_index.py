"""Words as the stand-ins' indexes split and find them."""

import re

import pytest

from biofact.sandbox.word_index import Holders, WordIndex, folded, words

pytestmark = pytest.mark.quick


def index_of(**texts: str) -> WordIndex:
    """An index of these texts by name."""
    index = WordIndex()
    for name, text in texts.items():
        index.add(name, text)
    return index


def test_a_hyphen_and_an_underscore_end_a_word() -> None:
    assert words("TNF-alpha_2 (β)") == ["tnf", "alpha", "2", "β"]
    assert folded("  Nuclear factor-κB ") == "nuclear factor κb"


def test_a_key_of_one_record_and_of_several_is_a_list_in_the_order_added() -> None:
    holders = Holders()
    for uid, keys in (("1", ["a", "b"]), ("2", ["a"]), ("3", ["a"])):
        holders.add(uid, keys)

    assert (holders.uids("a"), holders.uids("b"), holders.uids("c")) == (["1", "2", "3"], ["1"], [])


def test_a_word_is_found_whole_and_by_its_beginning() -> None:
    index = index_of(one="kinase inhibitor", two="kinases", three="akin")

    assert index.holders("kinase") == ["one"]
    assert index.holders_of_prefix("kinas") == ["one", "two"]
    assert index.holders_of_pattern("kinas", re.compile("kinase.")) == ["two"]


def test_a_word_added_after_a_search_by_prefix_is_found() -> None:
    index = index_of(one="kinase")
    assert index.holders_of_prefix("kin") == ["one"]

    index.add("two", "kinesin")

    assert index.holders_of_prefix("kin") == ["one", "two"]
