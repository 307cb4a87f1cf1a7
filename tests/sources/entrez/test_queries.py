"""Words to Entrez queries."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.dialects.eutils import syntax_problem
from biofact.sandbox.services.entrez.standin import FIELDS
from biofact.sources.entrez.search.queries import (
    gene_id,
    in_words,
    is_field,
    is_raw,
    plan,
    runnable,
    without_syntax,
)
from tests.each_of import each_of

pytestmark = pytest.mark.quick

symbols = st.from_regex(r"[A-Z][A-Z0-9]{1,7}", fullmatch=True)
queries = st.text("aB1 -'\"()[]*:/", max_size=30) | st.text(max_size=40)


@each_of(
    "query",
    [
        *("TP53[sym]", "TP53 [sym]", '"TP53"[sym]', "TP53[Gene Name]", "TP53*[sym]", "(TP53)[sym]"),
        *("BRCA1 AND BRCA2", "BRCA1 OR BRCA2", "p53 NOT TP53", "1:100[bp]", "human[Organism:noexp]"),
    ],
)
def test_field_tags_and_operators_are_entrez_syntax(query):
    assert is_raw(query)


@each_of(
    "query",
    [
        *("TP53", "[TP53]", "TP53 (p53)", "AND", "NOT BRCA1", "BRCA1 AND", "salt and pepper", "Ki-67"),
        *("superoxide dismutase [Cu-Zn]", "BRCA1[sym", "TP53[1]", "su(w[a])", "NADH dehydrogenase [ubiquinone]"),
        *("l(2)gl", "zgc:171673", "Gt(ROSA)26Sor", "TP53 [fleegle]"),
    ],
)
def test_other_words_are_plain(query):
    assert not is_raw(query)


@each_of("query", ["TP53[sym]", "(a OR (b))[sym]", '"NAD(+"[title]', '"a[b"[sym]', "a[Title:~3]", "no brackets", ""])
def test_closed_brackets_and_quotes_are_balanced_and_the_query_runs_as_it_is(query):
    assert not syntax_problem(query)
    assert runnable(query) == query


@each_of(
    "query",
    [
        *("(TP53[sym]", "TP53[sym])", ")TP53[sym](", "TP53[sym", "TP53[sym] AND BRCA1[sym"),
        *("sym]", '"TP53[sym]', 'TP53[sym]"', 'TP53[sym] AND "BRCA1'),
    ],
)
def test_an_open_bracket_or_quote_is_not_balanced(query):
    assert syntax_problem(query)


def test_a_query_without_syntax_consists_of_its_words():
    assert without_syntax('"TP53"[sym] AND (human[orgn] OR mouse[orgn])') == "TP53 human mouse"
    assert in_words("TP53[sym])") == "TP53"
    assert in_words("a[sym])") == "a sym"  # one letter is too short for a query


RUNNABLE = queries.filter(lambda query: len(query) > 1)


@given(RUNNABLE)
@settings(max_examples=100, deadline=None, derandomize=True)
def test_a_query_made_runnable_has_no_syntax_problem(query):
    assert_runnable(query)


@pytest.mark.sweep
@given(RUNNABLE)
@settings(max_examples=300, deadline=None, derandomize=True)
def test_any_query_made_runnable_has_no_syntax_problem(query):
    assert_runnable(query)


def assert_runnable(query):
    result = runnable(query)

    assert not is_raw(result) or not syntax_problem(result)
    assert result == query or not is_raw(result)
    assert result == query or len(result) > 1


@each_of(
    "query",
    [
        *("7157", " 7157 ", "NCBIGene:7157", "ncbigene:7157", "NCBIGene: 7157", "NCBI Gene 7157", "NCBI Gene: 7157"),
        *("GeneID:7157", "GeneID: 7157", "GeneID 7157", "Gene ID 7157", "gene_id:7157", "geneid=7157"),
        *("NCBI GeneID: 7157", "NCBI Gene ID: 7157", "NCBI-GeneID:7157", "NCBI:7157", "ncbi_gene:7157"),
        *("Entrez Gene 7157", "Entrez Gene ID: 7157", "entrez:7157", "EntrezGene:7157", "Entrez ID 7157"),
        *("LOC7157", "loc7157", '"NCBIGene:7157"', "(GeneID:7157)", "NCBIGene:7157.", "#7157", "LOC7157 gene"),
    ],
)
def test_a_gene_id_is_known_in_any_spelling(query):
    assert gene_id(query) == "7157"


@each_of(
    "query",
    [
        *(
            "12 lipoxygenase",
            "12-lipoxygenase",
            "14-3-3",
            "TP53",
            "gene 32",
            "gene 5 protein",
            "LOC",
            "12 gene",
            "5 protein",
        ),
        *("NCBIGene:0", "07157", "NCBIGene:TP53", "7157 672", "7157,672", "\u0667\u0661", "1234567890123"),
        *("MGI:98834", "HGNC:11998", "PMID:7157", "taxid:9606", "-7157"),
    ],
)
def test_other_numbers_are_no_gene_ids(query):
    assert gene_id(query) is None


def test_every_field_of_the_database_is_known_by_all_its_spellings():
    assert all(map(is_field, FIELDS.by_spelling))
    assert all(map(is_field, ("Organism:noexp", "Title:~3", "ORGN", "gene  name")))
    assert not any(map(is_field, ("a", "ubiquinone", "Cu-Zn", "", "mdg4")))


@each_of(
    ("query", "phrases"),
    [
        ("l(2)gl", ["l(2)gl", "l 2 gl"]),
        ("zgc:171673", ["zgc:171673", "zgc 171673"]),
        ("su(w[a]) gene", ["su(w[a]) gene", "su(w[a])", "su w a"]),
        ("Su(H) (fly)", ["Su(H)", "Su H"]),
        ('l(2)"gl"*', ["l(2) gl", "l 2 gl"]),
        ("Dmel\\CG12559", ["Dmel CG12559"]),
    ],
)
def test_a_name_is_asked_for_in_quotes_as_it_is_written_and_with_blanks_for_its_signs(query, phrases):
    made_rows = plan(query, None)

    quoted_names = re.findall(r'"([^"]*)"\[Gene Name\]', made_rows.lead)
    assert quoted_names[0] == phrases[0]
    assert set(phrases) <= set(quoted_names)
    assert not {"gl", "H", "Su", "w", "zgc"} & set(quoted_names)


@each_of(
    ("query", "whole"),
    [
        ("l(2)gl[sym]", '"l(2)gl"[sym]'),
        ("su(w[a]) [Gene Name] AND fly[orgn]", '"su(w[a])" [Gene Name] AND fly[orgn]'),
        ("(zgc:171673[sym] OR a[sym])", '("zgc:171673"[sym] OR a[sym])'),
        ("l(2)gl AND fly[orgn]", '"l(2)gl" AND fly[orgn]'),
        ("(a[sym] OR Su(H))", '(a[sym] OR "Su(H)")'),
        ('"human NAD(P)H"[title]', '"human NAD(P)H"[title]'),
        ("kinase(human[orgn]) AND a", "kinase(human[orgn]) AND a"),
        ("a(b OR c) AND d", "a(b OR c) AND d"),
        ("2020:2024[mdat] AND TP53[sym]", "2020:2024[mdat] AND TP53[sym]"),
        ("(a OR b)[sym]", "(a OR b)[sym]"),
        ("(TP53)[sym]", "(TP53)[sym]"),
    ],
)
def test_a_symbol_with_signs_before_a_tag_is_put_in_quotes_and_other_syntax_is_not(query, whole):
    made_rows = plan(query, None)

    assert made_rows.whole == whole
    assert not syntax_problem(made_rows.whole)


@given(symbols, st.sampled_from(['"{}"', "({})", "[{}]", "'{}'", "{}?", "{},", "\u201c{}\u201d"]))
@settings(deadline=None, derandomize=True)
def test_marks_around_a_symbol_change_nothing_of_the_plan(symbol, around):
    assert plan(around.format(symbol), None) == plan(symbol, None)


def test_plain_words_ask_for_live_genes_and_lead_with_exact_names():
    made_rows = plan("PD-L1", "human")

    assert made_rows.names == ("PD-L1",)
    assert '"PD-L1"[Gene Name] OR "PDL1"[Gene Name]' in made_rows.lead
    for term in (made_rows.lead, made_rows.whole):
        assert "alive[prop]" in term
        assert "AND txid9606[Organism:noexp]" in term.replace("AND (", "AND ")


def test_without_an_organism_only_the_lead_is_kept_to_model_organisms():
    made_rows = plan("TP53", None)

    assert "txid9606" in made_rows.lead
    assert "txid" not in made_rows.whole


def test_an_organism_in_the_query_is_used_unless_one_is_given():
    names, arguments = plan("TP53 zebrafish", None), plan("TP53 zebrafish", "human")

    assert (names.names, names.organism.taxon_id, names.is_organism_from_query) == (("TP53",), 7955, True)
    assert (arguments.names, arguments.organism.taxon_id, arguments.is_organism_from_query) == (
        ("TP53 zebrafish",),
        9606,
        False,
    )


def test_entrez_syntax_goes_through_as_it_is_and_the_organism_is_added():
    assert plan("TP53[sym]", None).whole == "TP53[sym]"
    assert plan("a[sym] OR b[sym]", "human").whole == "(a[sym] OR b[sym]) AND txid9606[Organism:noexp]"
    assert plan("TP53[sym]", None).lead is None


def test_names_in_entrez_syntax_are_matched_with_rows():
    assert plan('TP53[sym] OR "tumor protein p53"[title] AND human[orgn]', None).names == ("TP53", "tumor protein p53")


@each_of("query", ["!!", "()", "* *", "\u201c\u201d", '""'])
def test_there_is_no_plan_without_words(query):
    assert plan(query, None) is None


@given(queries)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_terms_made_of_plain_words_are_balanced(query):
    made_rows = plan(query, "human")

    if made_rows is not None and made_rows.lead is not None:
        assert not syntax_problem(made_rows.whole)
        assert not syntax_problem(made_rows.lead)
