"""Names after sequenced clones, which only older releases have: a notice explains them, and suggests a query."""

import pytest

from tests.each_of import each_of
from tests.sources.ensembl.test_client import codes, search

pytestmark = pytest.mark.quick

CLONES = ("RP11-34P13.7", "CTD-2192J16.17", "AC007325.4", "RP1-28O10.1", "CTB-50L17.10", "AL627309.1", "Z83844.1")
CLONES += ("KB-1460A1.5", "XXbac-BPG252P9.10", "LA16c-380H5.5", "rp11-34p13.7", "GS1-124K5.11")


@each_of("name", CLONES)
def test_a_miss_says_what_the_name_is(name):
    assert_notice(name)


@each_of("name", CLONES[:2])
def test_a_miss_in_a_species_says_what_the_name_is(name):
    assert_notice(name, species="human")


def assert_notice(name, **options):
    page, _ = search(name, **options)

    assert (page.items, codes(page)) == ([], ["UNMATCHED"])
    assert "name after a sequenced clone" in page.notices[0].message
    assert "GRCh37" in page.notices[0].message


@each_of("name", ["HLA-DRB99", "RP2.1", "CTCF2", "AC0073", "LOC100130417", "NM_000999.9", "RP11"])
def test_other_names_are_no_clones(name):
    page, _ = search(name)

    assert all("sequenced clone" not in notice.message for notice in page.notices)
