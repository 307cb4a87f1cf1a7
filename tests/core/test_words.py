"""The written forms of names, and their comparison."""

import itertools
import random
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.core.words import (
    bare_name,
    compact,
    folded,
    forms,
    fragments,
    in_latin,
    is_one_digit_off,
    is_one_letter_off,
    latin_readings,
    plain,
    spellings,
    without_generic,
    without_origin,
    without_size,
    words,
)

pytestmark = pytest.mark.quick

symbols = st.from_regex(r"[A-Z][A-Z0-9]{1,7}", fullmatch=True)
texts = st.text(max_size=60)


def test_a_greek_letter_of_either_case_becomes_its_latin_name(subtests):
    cases = [
        ("\u03b1", "alpha"),
        ("\u0391", "alpha"),
        ("\u03b3", "gamma"),
        ("\u0393", "gamma"),
        ("\u03bb", "lambda"),
        ("\u039b", "lambda"),
        ("\u03c2", "sigma"),  # at the end of a word
        ("\u03a9", "omega"),
    ]
    for letter, name in cases:
        with subtests.test(name=name):
            assert in_latin(letter) == name


def test_a_greek_letter_or_its_name_may_be_a_latin_one_in_a_symbol_but_is_no_form_of_the_name(subtests):
    cases = [
        ("TNF\u03b1", "TNFA"),
        ("TGF\u03b21", "TGFB1"),
        ("TGF-\u03b2-1", "TGFB1"),
        ("TGF beta 1", "TGFB1"),
        ("IFN\u03b3", "IFNG"),
        ("IFN\u0393", "IFNG"),
        ("PGC1\u0391", "PGC1A"),
        ("TNFalpha", "TNFA"),
        ("IL1-BETA", "IL1B"),
        ("\u03b22M", "B2M"),
        ("PKC\u03b7", "PKCH"),  # PRKCH, as HGNC has it
        ("PRKC\u03b8", "PRKCQ"),
        ("GST-pi", "GSTP"),
    ]
    for text, symbol in cases:
        with subtests.test(text=text, symbol=symbol):
            assert symbol in latin_readings(tuple(forms(text)))
            assert symbol not in forms(text)


def test_the_name_of_a_greek_letter_within_another_word_or_a_longer_name_is_none(subtests):
    for text in ["PI3K", "MUC1", "ETAA1", "RHO", "TAU", "alphabet", "betaine", "insulin", "estrogen receptor alpha"]:
        with subtests.test(text=text):
            assert latin_readings((text,)) == ()


def test_a_greek_letter_that_touches_a_symbol_is_set_off_too():
    assert {"TNF-alpha", "TNFalpha"} <= set(forms("TNF\u03b1"))
    assert "PGC1-alpha" in forms("PGC1\u03b1")


def test_the_first_form_is_the_text_as_it_was_written():
    assert forms("HER2/neu")[0] == "HER2/neu"
    assert forms("TP53 gene")[0] == "TP53 gene"
    assert forms("TNF-\u03b1")[0] == "TNF-alpha"


SIGNED = [
    *("l(2)gl", "Su(H)", "E(z)", "mod(mdg4)", "su(w[a])", "zgc:171673", "si:dkey-204f11.64", "Gt(ROSA)26Sor"),
    *("T(5;8)3Rk", "Del(7)Tyr<c-25H>", "O<hv>", "HBB-3'HS1", "HOXA@", "MCS+9.7", "il17a/f1", "Dmel\\CG12559"),
]


FRAMES = ["{}", " {} ", "({})", '"{}"', "\u201c{}\u201d?", "[{}].", "{} gene", "'{}' protein"]


def test_a_symbol_with_signs_stays_whole_between_any_others():
    symbols = {frame.format(symbol): symbol for symbol in SIGNED for frame in FRAMES}

    assert [text for text, symbol in symbols.items() if symbol not in forms(text)[:2]] == []
    assert [text for text, symbol in symbols.items() if set(fragments(symbol)) & set(forms(text))] == []


def test_quotes_brackets_and_marks_around_the_whole_are_no_part_of_a_name(subtests):
    cases = [
        ("Su(H", "Su(H"),  # the bracket is not closed, and what is meant is not known
        ("TP53)", "TP53"),
        ("(TP53", "TP53"),
        ("(a)b(c)", "(a)b(c)"),
        ("((a)b)", "(a)b"),
        ("<TP53>", "TP53"),
        ("#TP53!", "TP53"),
        ("([{", ""),
        ("", ""),
    ]
    for text, name in cases:
        with subtests.test(text=text, name=name):
            assert bare_name(text) == name


@given(texts)
@settings(deadline=None, derandomize=True)
def test_a_name_is_written_as_it_is(text):
    assert bare_name(bare_name(text)) == bare_name(text)
    assert bare_name(text) in text


def test_parts_between_brackets_and_slashes_are_fragments(subtests):
    cases = [
        ("HER2/neu", ["HER2", "neu"]),
        ("ERBB2 (HER2)", ["ERBB2", "HER2"]),
        ("ERBB2 (HER2) gene", ["ERBB2", "HER2"]),
        ("CD274 [PD-L1]", ["CD274", "PD-L1"]),
        ("TP53 gene/protein", ["TP53"]),
        ("l(2)gl", ["gl"]),
        ("T(5;8)3Rk", ["3Rk"]),
        ("A/B", []),  # a single letter is no name
        ("Dp(1;9)", ["Dp"]),  # nor is a number
        ("zgc:171673", []),
        ("(TP53)", []),
        ("TP53", []),
        ("5'-nucleotidase", []),
    ]
    for text, parts in cases:
        with subtests.test(text=text):
            assert fragments(text) == parts


def test_a_fragment_is_no_form_of_the_whole(subtests):
    for text in ["HER2/neu", "ERBB2 (HER2)", "l(2)gl", "TP53 gene/protein"]:
        with subtests.test(text=text):
            assert not set(fragments(text)) & set(forms(text))


def test_generic_words_at_the_end_are_removed(subtests):
    for generic in ["gene", "genes", "Gene", "protein", "mRNA", "mutation", "gene expression", "gene mutations"]:
        with subtests.test(generic=generic):
            assert without_generic(f"TP53 {generic}") == "TP53"
            assert "TP53" in forms(f"TP53 {generic}")


def test_a_generic_word_counts_when_there_is_no_other_or_when_it_comes_first():
    assert without_generic("protein") == "protein"
    assert without_generic("protein kinase C") == "protein kinase C"
    assert without_generic("indigene") == "indigene"


quoted = given(
    symbol=symbols,
    frame=st.sampled_from(
        ['"{}"', "'{}'", "`{}`", "({})", "[{}]", "<{}>", "\u201c{}\u201d", "\u2018{}\u2019", "\u00ab{}\u00bb"]
    ),
    mark=st.sampled_from(["", ".", ",", "?", "!", ";", ":", "*", "..."]),
)


def has_the_forms_of_the_symbol(symbol, frame, mark):
    assert forms(frame.format(symbol) + mark) == forms(symbol) == [symbol]
    assert forms(frame.format(symbol) + " gene") == forms(f"{symbol} gene") == [f"{symbol} gene", symbol]


@quoted
@settings(max_examples=30, deadline=None, derandomize=True)
def test_quotes_brackets_and_marks_around_a_symbol_change_nothing(symbol, frame, mark):
    has_the_forms_of_the_symbol(symbol, frame, mark)


@pytest.mark.sweep
@quoted
@settings(deadline=None, derandomize=True)
def test_quotes_brackets_and_marks_around_many_symbols_change_nothing(symbol, frame, mark):
    has_the_forms_of_the_symbol(symbol, frame, mark)


@given(texts)
@settings(deadline=None, derandomize=True)
def test_plain_text_is_plain_already_and_holds_no_syntax(text):
    plain_once = plain(text)

    assert plain(plain_once) == plain_once
    assert not set('[]"():*') & set(plain_once)
    assert not {"AND", "OR", "NOT"} & set(plain_once.split())
    assert plain_once == "" or any(letter == "_" or letter.isalnum() for letter in plain_once)


def test_the_name_of_a_homolog_stands_without_the_organism_in_brackets(subtests):
    cases = {
        "lines homolog (Drosophila)": "lines homolog",
        "sal (Drosophila)-like 3": "sal-like 3",
        "suppressor of Ty 16 homolog (S. cerevisiae) pseudogene 1": "suppressor of Ty 16 homolog pseudogene 1",
        "v-fos oncogene homologue (avian)": "v-fos oncogene homologue",
    }
    for name, form in cases.items():
        with subtests.test(name=name):
            assert forms(name)[0] == name
            assert form in forms(name)
    for name in ["tumor protein p53 (mouse)", "ras homolog (RhoA)", "MAF-like (p38)", "Su(H)", "B-lines (Drosophila)"]:
        with subtests.test(name=name):
            assert without_origin(name) == name


def test_a_name_stands_without_the_mass_of_the_protein(subtests):
    for name in [
        "nexin subunit 1, 80kD",
        "nexin subunit 1 80kDa",
        "nexin subunit 1, 80.5 kDa",
        "nexin subunit 1 (80 kDa)",
    ]:
        with subtests.test(name=name):
            assert forms(name)[0] == name
            assert "nexin subunit 1" in forms(name)
    assert forms("80kDa")[0] == "80kDa"
    assert without_size("70 kDa heat shock protein") == "70 kDa heat shock protein"


@given(texts)
@settings(deadline=None, derandomize=True)
def test_forms_are_distinct_and_none_is_blank(text):
    name_forms = forms(text)

    assert len(name_forms) == len(set(name_forms))
    assert all(name.strip() for name in name_forms)
    assert bool(name_forms) == bool(plain(text))


def test_marks_within_a_name_stay(subtests):
    for text, plain_text in [("NKX2.5", "NKX2.5"), ("c-myc", "c-myc"), ("5'-nucleotidase", "5'-nucleotidase")]:
        with subtests.test(text=text):
            assert plain(text) == plain_text


def test_a_symbol_is_also_asked_for_with_and_without_its_hyphen(subtests):
    cases = [
        ("PD-L1", ["PDL1", "PDL-1"]),
        ("PDL1", ["PDL-1"]),
        ("IL8", ["IL-8"]),
        ("IL 8", ["IL8", "IL-8"]),
        ("C9orf72", []),
        ("hemoglobin subunit epsilon 1", []),  # no symbol is as long
    ]
    for name, different in cases:
        with subtests.test(name=name):
            assert spellings(name) == [name, *different]


@pytest.mark.parametrize(("text", "other"), [("TNF-\u03b1", "tnf-ALPHA"), ("Interferon  gamma", "interferon gamma")])
def test_case_blanks_and_greek_letters_do_not_count(text, other):
    assert folded(text) == folded(other)
    assert words(text) == words(other)


def test_hyphens_dots_slashes_and_blanks_hardly_count(subtests):
    for other in ["NKX2.5", "nkx2 5", "NKX2/5", "NKX25"]:
        with subtests.test(other=other):
            assert compact("NKX2-5") == compact(other)
            assert folded("NKX2-5") != folded(other)


def test_every_letter_of_the_greek_alphabet_is_known():
    alphabet = [chr(code) for code in range(0x3B1, 0x3CA)]

    assert len(alphabet) == 25  # final sigma among them
    assert all(in_latin(letter).isascii() and in_latin(letter) == in_latin(letter.upper()) for letter in alphabet)
    assert {in_latin(letter) for letter in alphabet} >= {"alpha", "beta", "gamma", "delta", "epsilon", "kappa", "zeta"}
    assert unicodedata.normalize("NFKC", "\u00b5") in alphabet  # the micro sign of keyboards


def distance(text, other):
    """The number of letters changed, omitted, inserted, or swapped with the next, by brute force; pairs count once."""
    rows = {(i, j): max(i, j) for i in range(len(text) + 1) for j in range(len(other) + 1) if not i or not j}
    for i in range(1, len(text) + 1):
        for j in range(1, len(other) + 1):
            is_other = text[i - 1] != other[j - 1]
            rows[i, j] = min(rows[i - 1, j] + 1, rows[i, j - 1] + 1, rows[i - 1, j - 1] + is_other)
            if i > 1 and j > 1 and text[i - 1] == other[j - 2] and text[i - 2] == other[j - 1]:
                rows[i, j] = min(rows[i, j], rows[i - 2, j - 2] + 1)
    return rows[len(text), len(other)]


def pairs(alphabet, longest, count):
    """All pairs of texts up to the longest length; and ``count`` times two of six letters with one and two edits."""
    short = ["".join(letters) for size in range(longest + 1) for letters in itertools.product(alphabet, repeat=size)]
    yield from itertools.product(short, repeat=2)
    draw = random.Random(20261123)
    for _ in range(count):
        text = "".join(draw.choices(alphabet, k=6))
        near_text = edit(text, alphabet, draw)
        yield from ((text, near_text), (text, edit(near_text, alphabet, draw)))


def edit(text, alphabet, draw):
    """The text with a letter changed, omitted, inserted, or swapped with the next."""
    place, letter = draw.randrange(len(text)), draw.choice(alphabet)
    before, after = text[:place], text[place:]
    return draw.choice(
        [before + letter + after[1:], before + after[1:], before + letter + after, before + after[1::-1] + after[2:]]
    )


@pytest.mark.parametrize(("longest", "count"), [(3, 300), pytest.param(4, 1000, marks=pytest.mark.sweep)])
def test_one_letter_off_is_a_distance_of_one(longest, count):
    for text, other in pairs("abc", longest, count):
        assert is_one_letter_off(text, other) == (distance(text, other) == 1), (text, other)
        assert is_one_letter_off(text, other) == is_one_letter_off(other, text), (text, other)


def test_one_letter_may_be_wrong_anywhere(subtests):
    for other in ["BRAC1", "BRCXA1", "rbca1", "BRC1", "XBRCA1", "brcb1", "rca1", "Brcaa1", "BRCA1X"]:
        with subtests.test(other=other):
            assert is_one_letter_off("BRCA1", other)


def test_no_letter_or_two_are_not_one(subtests):
    for other in ["BRCA1", "brca1", "BRC", "BRCA123", "BCRA2", "RBCA", "ACRB1", "", "BR CA 1"]:
        with subtests.test(other=other):
            assert not is_one_letter_off("BRCA1", other)


def test_a_greek_letter_is_never_a_slip_of_another():
    greek = [chr(code) for code in range(0x3B1, 0x3CA) if chr(code) != "\u03c2"]
    for letter, other in itertools.permutations(greek, 2):
        for name in ("PKC{}", "PKC-{}", "{}-crystallin"):
            assert not is_one_letter_off(name.format(in_latin(letter)), name.format(in_latin(other))), (letter, other)
    assert is_one_letter_off("PKC-bta", "PKC-beta")
    assert is_one_letter_off("PKD-eta", "PKC-eta")


def test_a_digit_is_never_a_slip(subtests):
    cases = [
        *(("BRCA1", "BRCA2"), ("BRCA1", "BRCA"), ("BRCA1", "BRCA11"), ("TP53", "TP35"), ("ERBB2", "ERBB22")),
        *(("LINC02593", "LINC02599"), ("SMAD4", "SMA4D"), ("BRCA1", "BRCAI"), ("IL2R", "ILR2"), ("H2", "H\u0662")),
    ]
    for name, other in cases:
        with subtests.test(name=name):
            assert not is_one_letter_off(name, other)
            assert not is_one_letter_off(other, name)
            assert is_one_digit_off(name, other)
            assert is_one_digit_off(other, name)


@pytest.mark.parametrize(("longest", "count"), [(2, 300), pytest.param(3, 1000, marks=pytest.mark.sweep)])
def test_two_texts_with_one_edit_differ_in_a_letter_or_in_a_digit(longest, count):
    for text, other in pairs("ab12", longest, count):
        slips = [is_one_letter_off(text, other), is_one_digit_off(text, other)]

        assert sum(slips) == (distance(text, other) == 1), (text, other)
        assert "".join(filter(str.isdigit, text)) == "".join(filter(str.isdigit, other)) or not slips[0], (text, other)


def test_a_greek_letter_is_as_many_letters_as_its_name():
    assert is_one_letter_off("TNF-\u03b1", "TNF-alpa")
    assert not is_one_letter_off("TNF-\u03b1", "TNF-A")
