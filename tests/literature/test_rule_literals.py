"""Words without which a pattern cannot match: derived from the pattern, and never more than it needs."""

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
    ("pattern", "words"),
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
def test_every_match_has_one_of_these(pattern, words):
    assert literals(re.compile(pattern)) == words


def test_a_text_without_the_required_words_is_not_searched():
    assert not may_match(re.compile(r"\b(?:mice|rats)\b"), "people")
    assert may_match(re.compile(r"\b(?:mice|rats)\b"), "comicestrips")
    assert may_match(re.compile(r"\d"), "")


@pytest.mark.parametrize(
    ("pattern", "source"),
    [
        (r"(?i)^\W*To\b[A-Z]", r"^\W*to\b[a-z]"),
        (r"(?i)(?P<x>N)\S\D", r"(?P<x>n)\S\D"),
        (r"(?i)a(?-i:N)", None),
        (r"N", None),
    ],
)
def test_a_pattern_without_regard_to_case_has_one_for_lower_case(pattern, source):
    lower_pattern = in_lower_case(re.compile(pattern))

    assert (lower_pattern and lower_pattern.pattern) == source


def test_capitals_are_found_where_lower_case_has_other_lengths():
    text = "İ: We RANDOMISED 12"

    assert search(re.compile(r"(?i)randomised"), text, text.lower()).group() == "RANDOMISED"


def test_a_quick_search_finds_what_the_pattern_finds():
    sentences = [
        sentence for article in (TRIAL, COHORT, REVIEW, HOSTILE, BARE) for sentence in Document(article).all_sentences
    ]
    texts = [ODD, *(sentence.text for sentence in sentences), *(sentence.text.upper() for sentence in sentences)]
    submodules = pkgutil.walk_packages(extraction.__path__, f"{extraction.__name__}.")
    modules = [module.name for module in submodules if ".fields." in module.name or ".text." in module.name]
    names = {pattern: name for name in modules for pattern in patterns(importlib.import_module(name))}
    differences = []
    for (pattern, name), text in itertools.product(names.items(), texts):
        quick, plain = search(pattern, text, text.lower()), pattern.search(text)
        if (quick and (quick.span(), quick.groupdict())) != (plain and (plain.span(), plain.groupdict())):
            differences.append((name, pattern.pattern, text))

    assert differences == []
    assert len(names) > 200


def patterns(module):
    """The patterns of a module, alone and in tuples, each with texts that it matches, from its example."""
    values = [value for entry in vars(module).values() for value in (entry if isinstance(entry, tuple) else (entry,))]
    flat = [value for entry in values for value in (entry if isinstance(entry, tuple) else (entry,))]
    return [value for value in flat if isinstance(value, re.Pattern)]
