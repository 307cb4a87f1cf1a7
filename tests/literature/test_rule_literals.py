"""Words without which a pattern cannot match: read from the pattern, and never more than it needs."""

import importlib
import itertools
import pkgutil
import re

import pytest

from biofact.literature import extraction
from biofact.literature.extraction.text.document import Document
from biofact.literature.extraction.text.literals import in_lower_case, literals, may_match, search
from tests.literature.made_articles import BARE, COHORT, HOSTILE, REVIEW, TRIAL

pytestmark = pytest.mark.quick

ODD = "İstanbul KELVİN ﬁ ẞ ΑΣ. Σ (N = 12), p<0.05; HR 0.5\n\tr\xa0= 0.3 [95 % CI 0.1-0.9]"


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (r"(?i)\bRandomi[sz]ed trial\b", ("randomi",)),
        (r"\b(?:mice|rats)\b", ("mice", "rats")),
        (r"placebo|sham(?:-\w+)?", ("sham", "placebo")),
        (r"(?:a )?case(?:s)? of", ("case",)),
        (r"(?:very )*few", ("few",)),
        (r"(?:very )+few", ("very ",)),
        (r"r(?=\s?=)", ("=",)),
        (r"(?!not )able", ("able",)),
        (r"a|\d", ("",)),
        (r"\d+", ("",)),
        ("trial|clinical trial", ("trial",)),
        (r"\bof patients", ("of patients",)),
    ],
)
def test_every_match_has_one_of_these(pattern, found):
    assert literals(re.compile(pattern)) == found


def test_a_text_that_lacks_them_is_not_searched():
    assert not may_match(re.compile(r"\b(?:mice|rats)\b"), "people")
    assert may_match(re.compile(r"\b(?:mice|rats)\b"), "comicestrips")
    assert may_match(re.compile(r"\d"), "")


@pytest.mark.parametrize(
    ("pattern", "same"),
    [
        (r"(?i)^\W*To\b[A-Z]", r"^\W*to\b[a-z]"),
        (r"(?i)(?P<x>N)\S\D", r"(?P<x>n)\S\D"),
        (r"(?i)a(?-i:N)", None),
        (r"N", None),
    ],
)
def test_a_pattern_without_regard_to_case_has_one_for_lower_case(pattern, same):
    found = in_lower_case(re.compile(pattern))

    assert (found and found.pattern) == same


def test_capitals_are_found_where_lower_case_has_other_lengths():
    text = "İ: We RANDOMISED 12"

    assert search(re.compile(r"(?i)randomised"), text, text.lower()).group() == "RANDOMISED"


def test_a_quick_search_finds_what_the_pattern_finds():
    sentences = [sentence for one in (TRIAL, COHORT, REVIEW, HOSTILE, BARE) for sentence in Document(one).all_sentences]
    texts = [ODD, *(sentence.text for sentence in sentences), *(sentence.text.upper() for sentence in sentences)]
    walked = pkgutil.walk_packages(extraction.__path__, f"{extraction.__name__}.")
    modules = [module.name for module in walked if ".fields." in module.name or ".text." in module.name]
    every = {pattern: name for name in modules for pattern in patterns(importlib.import_module(name))}
    others = []
    for (pattern, name), text in itertools.product(every.items(), texts):
        quick, plain = search(pattern, text, text.lower()), pattern.search(text)
        if (quick and (quick.span(), quick.groupdict())) != (plain and (plain.span(), plain.groupdict())):
            others.append((name, pattern.pattern, text))

    assert others == []
    assert len(every) > 200


def patterns(module):
    """The patterns of a module, alone and in tuples, each on texts that it is made for: see its example."""
    values = [value for held in vars(module).values() for value in (held if isinstance(held, tuple) else (held,))]
    flat = [value for held in values for value in (held if isinstance(held, tuple) else (held,))]
    return [value for value in flat if isinstance(value, re.Pattern)]
