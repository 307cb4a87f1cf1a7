"""Words to stable IDs, symbols, and terms of EBI Search."""

import re
from fnmatch import fnmatchcase
from urllib.parse import quote_plus

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from biofact.core.words import is_one_letter_off
from biofact.sources.ensembl.search import notices
from biofact.sources.ensembl.search.queries import (
    GeneListKind,
    is_symbol,
    plan,
)
from biofact.sources.ensembl.search.species import HUMAN, Reach
from tests.each_of import each_of

pytestmark = pytest.mark.quick

MOUSE = Reach("mus_musculus", 10090)
LONGEST_QUERY, LONGEST_NEAR = 300, 1500  # characters of a query, and of a term in an address


@each_of(
    "word",
    [
        *("TP53", "tp53", "p53", "BRAF", "INSULIN", "Shh", "shh", "HLA-DRB1", "NKX2-5", "NKX2.5", "c-myc", "Trp53"),
        *("C9orf72", "5-HT2A", "MT-CO1", "RP11-34P13.7", "her2", "ABC1_2", "w", "T"),
    ],
)
def test_a_word_with_a_digit_or_sign_in_capitals_or_short_is_a_symbol(word):
    assert is_symbol(word)


@each_of(
    "word",
    [
        *("insulin", "Insulin", "hedgehog", "tumor protein", "TP53 BRCA1", "-TP53", "", "7", "-", "\u03b2-catenin"),
        *("X" * 31, "TP53\n", "TP53;"),
    ],
)
def test_other_words_are_no_symbols(word):
    assert not is_symbol(word)


@each_of(
    ("query", "symbol", "other_values"),
    [
        ("TP53", "TP53", ["TP-53"]),
        ("tp53 gene", "tp53", []),
        ("NKX2-5", "NKX2-5", ["NKX25"]),
        ("HER2/neu", "HER2/neu", []),
        ("l(2)gl gene", "l(2)gl", []),
        ("zgc:171673", "zgc:171673", []),
        ("si:dkey-204f11.64", "si:dkey-204f11.64", []),
        ("su(w[a])", "su(w[a])", []),
        ("T(5;8)3Rk", "T(5;8)3Rk", []),
        ("TNF\u03b1", "TNF-alpha", ["TNFA", "TNFalpha"]),
        ('"TP53"', "TP53", []),
    ],
)
def test_a_query_of_one_name_is_looked_up_as_a_symbol_in_its_spellings(query, symbol, other_values):
    query_plan = plan(query, HUMAN)

    assert (query_plan.symbol, query_plan.symbols[0]) == (symbol, symbol)
    assert set(other_values) <= set(query_plan.symbols)
    assert len(set(query_plan.symbols)) == len(query_plan.symbols) <= 8


@each_of(
    ("query", "fragments"),
    [("HER2/neu", {"HER2", "neu"}), ("ERBB2 (HER2)", {"ERBB2", "HER2"}), ("l(2)gl", {"gl"}), ("mod(mdg4)", {"mdg4"})],
)
def test_a_fragment_is_not_looked_up_besides_the_whole(query, fragments):
    query_plan = plan(query, HUMAN)

    assert fragments <= set(query_plan.symbols_in_part)
    assert not fragments & {*query_plan.symbols, *query_plan.names}


@each_of("query", ["zgc:171673", "TP53", "T(5;8)", "TP53 gene"])
def test_a_name_without_parts_in_brackets_has_no_fragments(query):
    assert plan(query, HUMAN).symbols_in_part == []


@each_of("query", ["tumor protein p53", "insulin receptor", "sonic hedgehog", "insulin", "7", "ERBB2 (HER2)"])
def test_words_of_a_name_are_not_looked_up_as_a_symbol(query):
    query_plan = plan(query, None)

    assert (query_plan.symbol, query_plan.symbols) == (None, [])


@each_of("query", ["HGNC:11998", "hgnc:11998", "HGNC: 11998"])
def test_the_id_of_the_authority_is_looked_up_like_a_symbol(query):
    query_plan = plan(query, None)

    assert (query_plan.symbol, query_plan.database, query_plan.has_words) == ("HGNC:11998", "HGNC", False)
    assert plan("TP53", None).database is None


@each_of("query", ["", "  ", "()", '"', "*", "?!", "__", "-", "_ _"])
def test_a_query_of_signs_alone_holds_nothing_to_search_for(query):
    assert plan(query, None) is None


@each_of(
    ("query", "term"),
    [
        ("insulin receptor", "(insulin AND receptor)"),
        ("TP53", "(tp53)"),
        ("TP53 gene", "(tp53 AND gene)"),
        ("HLA-DRB1", '("hla drb1")'),
        ("NKX2.5", '("nkx2.5")'),
        ("l(2)gl", '("l(2)gl")'),
        ("beta-catenin complex", '("beta catenin" AND complex)'),
        ("BRCA1*", "(brca1)"),
        ('"insulin receptor"', "(insulin AND receptor)"),
        ("name:BRCA1", '("name:brca1")'),
    ],
)
def test_words_are_asked_for_together_and_a_name_with_signs_as_a_phrase(query, term):
    assert plan(query, None).words.split(" OR ")[0] == term


@each_of(
    ("query", "terms"),
    [
        ("HER2/neu", {'("her2/neu")', '("her2 neu")'}),
        ("si:dkey-204f11.64", {'("si:dkey-204f11.64")', '("si dkey 204f11 64")'}),
        ("name:BRCA1", {'("name:brca1")', '("name brca1")', "(name AND brca1)"}),
        ("TNF\u03b1", {'("tnf alpha")', "(tnfa)"}),
        ("NKX2-5", {'("nkx2 5")', "(nkx25)"}),
    ],
)
def test_a_name_of_several_or_in_several_spellings_is_asked_for_in_each(query, terms):
    assert terms <= set(plan(query, None).words.split(" OR "))


def test_a_query_too_long_for_an_address_is_cut_between_words_with_a_notice():
    query = " ".join(["\u03b1\u03b2"] * 60)
    query_plan = plan(query, None)

    assert query_plan.omitted_words
    assert f"{query_plan.query} {query_plan.omitted_words}" == query
    assert plan("insulin receptor", None).omitted_words == ""
    assert [notice.code for notice in notices.query_notices(query_plan, GeneListKind.WORDS)] == [
        "TERM_IGNORED",
        "ORDER",
    ]


def test_words_are_searched_among_human_genes_and_then_among_others_or_in_one_species():
    assert plan("insulin", None).term(GeneListKind.WORDS) == "((insulin)) AND TAXONOMY:9606"
    assert plan("insulin", None).term(GeneListKind.OTHER_SPECIES) == "(((insulin)) NOT TAXONOMY:9606)"
    assert plan("insulin", MOUSE).term(GeneListKind.WORDS) == "((insulin)) AND TAXONOMY:10090"
    assert plan("insulin", MOUSE).term(GeneListKind.OTHER_SPECIES) is None


def test_names_one_letter_away_are_of_the_species_asked_for_or_of_human():
    neighbour_row = plan("notches", None).near_term

    assert plan("notches", MOUSE).term(GeneListKind.ONE_LETTER_OFF) == f"(({neighbour_row}) AND TAXONOMY:10090)"
    assert (
        plan("notches", None).term(GeneListKind.ONE_LETTER_OFF)
        == f"(((notches)) NOT TAXONOMY:9606) OR (({neighbour_row}) AND TAXONOMY:9606)"
    )
    assert plan("notches", None).term(GeneListKind.AT_ONCE) == f"((notches)) OR (({neighbour_row}) AND TAXONOMY:9606)"
    assert plan("notches", MOUSE).term(GeneListKind.AT_ONCE) == f"((notches) OR {neighbour_row}) AND TAXONOMY:10090"


@each_of(
    ("query", "reach", "lists"),
    [
        ("insulin receptor", None, [GeneListKind.WORDS, GeneListKind.OTHER_SPECIES]),
        ("insulin receptor", MOUSE, [GeneListKind.WORDS]),
        ("TP53", None, [GeneListKind.AT_ONCE]),
        ("TP53", MOUSE, [GeneListKind.AT_ONCE]),
        ("INSULIN", None, [GeneListKind.AT_ONCE]),  # a symbol by its capitals, or a word
        ("INSULIN", MOUSE, [GeneListKind.AT_ONCE]),
    ],
)
def test_lists_follow_one_another_until_the_last(query, reach, lists):
    query_plan = plan(query, reach)
    result, number = [], query_plan.first_list
    while number is not None and len(result) < 9:
        assert query_plan.term(number)
        result.append(number)
        number = query_plan.list_after(number, is_empty=False)

    assert result == lists


def test_words_that_find_nothing_are_followed_by_names_one_letter_away_where_there_are_any():
    assert plan("notches", None).list_after(GeneListKind.WORDS, is_empty=True) == GeneListKind.ONE_LETTER_OFF
    assert plan("notches", MOUSE).list_after(GeneListKind.WORDS, is_empty=True) == GeneListKind.ONE_LETTER_OFF
    assert plan("of a", MOUSE).list_after(GeneListKind.WORDS, is_empty=True) is None


@each_of("query", ["p53", "ab de", "acetylcholinesterase", "x" * 16])
def test_words_too_short_or_too_long_have_no_neighbours(query):
    assert plan(query, None).near_term is None


def test_of_many_words_one_may_be_wrong():
    assert plan("one two three four", None).near_term == (
        "(two AND three AND four) OR (one AND three AND four) OR (one AND two AND four) OR (one AND two AND three)"
    )


queries = st.text("aBd1 -'\"()[]*:/?_.", max_size=30) | st.text(max_size=40) | st.text("abc dé", max_size=LONGEST_QUERY)
names = st.lists(st.text("abcdE\u00e91-", min_size=1, max_size=16), min_size=1, max_size=4).map(" ".join)


@given(queries)
@settings(max_examples=100, deadline=None, derandomize=True)
def test_terms_hold_no_signs_but_their_own_outside_quotes(query):
    assert_signs(query)


@pytest.mark.sweep
@given(queries)
@settings(max_examples=400, deadline=None, derandomize=True)
def test_terms_of_many_words_hold_no_signs_but_their_own_outside_quotes(query):
    assert_signs(query)


def assert_signs(query):
    query_plan = plan(query, HUMAN)
    assume(query_plan is not None)

    for term in (query_plan.words, query_plan.near_term, query_plan.term(query_plan.first_list)):
        if term is not None:
            assert term.count('"') % 2 == 0
            assert '""' not in term
            assert not any(set(phrase) & set("\\*?~^") for phrase in re.findall(r'"([^"]*)"', term))
            bare = re.sub(r'"[^"]*"', "x", term).replace("TAXONOMY:9606", "")
            assert not re.sub(r"[\w ()?]", "", bare)
            assert is_balanced(bare)
            assert "()" not in bare
    assert "?" not in query_plan.words


def is_balanced(term):
    """Whether brackets are balanced."""
    depth = 0
    for sign in term:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth < 0:
            return False
    return depth == 0


@given(names)
@settings(max_examples=100, deadline=None, derandomize=True)
def test_wildcards_are_documented_ones_within_words_and_the_term_is_short(query):
    assert_wildcards(query)


@pytest.mark.sweep
@given(names)
@settings(max_examples=400, deadline=None, derandomize=True)
def test_wildcards_of_many_names_are_documented_ones_and_the_term_is_short(query):
    assert_wildcards(query)


def assert_wildcards(query):
    query_plan = plan(query, None)
    assume(query_plan and query_plan.near_term)

    assert len(quote_plus(query_plan.near_term)) <= LONGEST_NEAR
    patterns = re.findall(r"[\w?*~]+", query_plan.near_term)
    assert not any(pattern[0] in "?*" or {"*", "~"} & set(pattern) or pattern.count("?") > 1 for pattern in patterns)


symbols = st.from_regex(r"[A-Za-z]{3,9}[A-Za-z0-9]{1,5}", fullmatch=True)
letters = st.sampled_from("abcxyz")


@st.composite
def typos(draw, slips=letters):
    """A symbol, and the symbol with one letter changed, omitted, inserted or swapped: never the first one changed."""
    symbol = draw(symbols)
    kind = draw(st.sampled_from(["changed", "left out", "put in", "swapped"]))
    position = draw(st.integers(0 if kind in {"put in", "swapped"} else 1, len(symbol) - 1 - (kind == "swapped")))
    match kind:
        case "changed":
            typo = symbol[:position] + draw(slips) + symbol[position + 1 :]
        case "left out":
            typo = symbol[:position] + symbol[position + 1 :]
        case "put in":
            position = draw(st.integers(0, len(symbol)))
            typo = symbol[:position] + draw(slips) + symbol[position:]
        case _:
            typo = symbol[:position] + symbol[position + 1] + symbol[position] + symbol[position + 2 :]
    return symbol, typo


@given(typos())
@settings(max_examples=100, deadline=None, derandomize=True)
def test_a_typo_but_in_the_first_letter_leads_to_the_symbol(written):
    assert_symbol_is_found(*written)


@pytest.mark.sweep
@given(typos())
@settings(max_examples=500, deadline=None, derandomize=True)
def test_every_typo_but_in_the_first_letter_leads_to_the_symbol(written):
    assert_symbol_is_found(*written)


def assert_symbol_is_found(symbol, typo):
    assume(len(typo) <= 15 and sum(map(str.isalpha, typo)) >= 4)
    assume(is_one_letter_off(symbol, typo))  # else the slip was of a digit, or none

    patterns = plan(typo, None).near_term.strip("()").split(" OR ")

    assert any(fnmatchcase(symbol.lower(), pattern) for pattern in patterns)


@each_of(
    ("typo", "symbols"),
    [
        ("BRCA3", ["brca1", "brca2", "brca"]),
        ("LINC02599", ["linc02593", "linc0259"]),
        ("TP35", ["tp53", "tp3", "p35"]),
        ("ERBB22", ["erbb2"]),
        ("FOXP33", ["foxp3"]),
        ("SMA4D", ["smad4"]),
    ],
)
def test_a_digit_is_never_a_typo(typo, symbols):
    patterns = (plan(typo, None).near_term or "").strip("()").split(" OR ")

    assert not [symbol for symbol in symbols if any(fnmatchcase(symbol, pattern) for pattern in patterns)]


def test_each_word_of_a_name_may_be_mistyped():
    first, second = plan("insulin recpetor", None).near_term.split(" AND ")

    assert any(fnmatchcase("insulin", pattern) for pattern in first.strip("()").split(" OR "))
    assert "receptor" in second.strip("()").split(" OR ")


@each_of(
    ("page_plan", "number", "codes", "words"),
    [
        (plan("insulin", None), GeneListKind.WORDS, ["ORDER"], ["Human genes first"]),
        (plan("insulin", MOUSE), GeneListKind.WORDS, [], []),
        (plan("TP53", MOUSE, is_reach_from_query=True), GeneListKind.WORDS, ["ASSUMED"], ["in mus_musculus alone"]),
        (
            plan("wnts", None),
            GeneListKind.ONE_LETTER_OFF,
            ["QUERY_UNDERSTOOD"],
            ["'wnts'", "other species", "human names one letter away"],
        ),
        (
            plan("wnts", MOUSE),
            GeneListKind.ONE_LETTER_OFF,
            ["QUERY_UNDERSTOOD"],
            ["'wnts'", "mus_musculus names one letter away"],
        ),
        (plan("p53", None), GeneListKind.AT_ONCE, ["QUERY_UNDERSTOOD"], ["'p53'", "species"]),
    ],
)
def test_page_1_says_how_the_query_was_taken(page_plan, number, codes, words):
    answer = notices.query_notices(page_plan, number)

    assert [notice.code for notice in answer] == codes
    assert [word for word in words if word not in "".join(notice.message for notice in answer)] == []


@each_of(("query", "reach"), [("wnts", MOUSE), ("p53", None), ("p53", MOUSE)])
def test_a_notice_claims_no_search_that_was_not_made(query, reach):
    query_plan = plan(query, reach)
    (answer,) = notices.query_notices(query_plan, GeneListKind.AT_ONCE)

    assert ("all species" in answer.message) is (reach is None)
    assert ("one letter away" in answer.message) is (query_plan.near_term is not None)


def test_an_unmatched_query_is_named():
    assert notices.unmatched(plan("abc", MOUSE)).message.startswith("No gene matches 'abc' in mus_musculus.")
    assert len(notices.no_match("x" * 300).message) < 250
    assert "Symbols only" in notices.WITHOUT_TEXT(reason="It is down.").message
