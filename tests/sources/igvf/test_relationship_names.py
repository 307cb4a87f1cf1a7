"""The meaning of a relationship's name depends on the entity of the query: checked for every kind that starts one."""

import re

import pytest

from biofact.core.errors import AmbiguousQuery
from biofact.dialects.genomic.regions import Region
from biofact.sources.igvf.associations.queries import (
    Node,
    effective_relationship,
    endpoints_of_node,
    reachable_endpoints,
)
from biofact.sources.igvf.catalog import edges, endpoints, names_of_relationships
from biofact.sources.igvf.relationships import relationship_named
from tests.each_of import each_of
from tests.notices import codes, message
from tests.sources.igvf.catalog_rows import term
from tests.sources.igvf.made_graph import GENE_ID, OTHER_ID, associations_run, edge, ends, facts, spdi, variant

pytestmark = pytest.mark.quick


def node(kind):
    """An entity of a kind; terms are named by their ontology."""
    if kind.isupper():
        return Node("term", f"{kind}_1", frozenset({f"{kind}:1"}))
    if kind == "region":
        return Node("element", "1:1-500", frozenset(), region=Region("1", 1, 500))
    return Node(kind, "X", frozenset({"X"}))


splitlines = """
gene           transcript  structure        gene_transcript
gene           protein     structure        gene_protein
gene           disease     genetic          gene_disease
gene           pathway     functional       gene_pathway
gene           go          functional       product_function
gene           element     regulatory       element_gene
gene           tissue      regulatory       element_gene variant_gene
gene           complex     physical         complex_protein
gene           motif       physical         protein_motif
gene           eqtl        regulatory       variant_gene
gene           ppi         physical         protein_protein
gene           gene        REFUSED          regulator_gene gene_gene
gene           variant     REFUSED          variant_gene gene_coding_variant
transcript     gene        structure        gene_transcript
transcript     protein     structure        transcript_protein
protein        gene        structure        gene_protein
protein        transcript  structure        transcript_protein
protein        protein     physical         protein_protein
protein        variant     physical         variant_protein
protein        complex     physical         complex_protein
protein        motif       physical         protein_motif
protein        go          functional       product_function
variant        gene        regulatory       variant_gene element_gene predicted_element_gene
variant        element     regulatory       variant_element element_gene predicted_element_gene
variant        tissue      regulatory       variant_biosample
variant        disease     genetic          variant_disease variant_phenotype
variant        phenotype   genetic          variant_phenotype
variant        protein     physical         variant_protein
variant        drug        pharmacological  variant_drug
variant        variant     ld               variant_variant
variant        eqtl        regulatory       variant_gene
coding_variant variant     coding           coding_variant_variant
coding_variant phenotype   coding           coding_variant_phenotype
drug           variant     pharmacological  variant_drug
drug           gene        pharmacological  variant_drug
complex        protein     physical         complex_protein
pathway        gene        functional       gene_pathway
pathway        pathway     functional       pathway_pathway
motif          protein     physical         protein_motif
element        gene        regulatory       element_gene
element        variant     regulatory       variant_element
element        tissue      regulatory       element_biosample
element        phenotype   genetic          element_phenotype
region         gene        regulatory       element_gene variant_gene
region         disease     genetic          variant_disease variant_phenotype
region         drug        pharmacological  variant_drug
region         protein     physical         variant_protein
region         variant     REFUSED          variant_gene variant_element variant_biosample variant_phenotype \
variant_disease variant_protein variant_drug
MONDO          gene        genetic          gene_disease
MONDO          variant     genetic          variant_disease variant_phenotype
MONDO          element     genetic          element_phenotype
MONDO          disease     genetic          gene_disease variant_disease variant_phenotype
MONDO          eqtl        regulatory       variant_gene
HP             gene        genetic          gene_disease
HP             variant     genetic          variant_disease variant_phenotype
UBERON         gene        regulatory       variant_gene element_gene
UBERON         variant     regulatory       variant_gene variant_biosample
UBERON         element     regulatory       element_gene element_biosample
EFO            gene        REFUSED          gene_disease variant_gene element_gene
GO             gene        functional       product_function
GO             protein     functional       product_function
GO             variant     genetic          variant_phenotype
""".strip().splitlines()  # fmt: skip


PLURALS = {"complex": "complexes", "go": "go terms"}


def sense(kind, name):
    """The relationship that a name means for an entity of a kind, or the list with which it is refused."""
    try:
        return effective_relationship(relationship_named(name), [node(kind)]), ""
    except AmbiguousQuery as error:
        return None, error.hint


@each_of("line", splitlines)
@each_of("is_plural", [False, True])
def test_a_name_means_what_joins_this_kind_of_entity_with_that(line, is_plural):
    kind, name, relationship, *of_it = line.split()
    expected, refusal = sense(kind, PLURALS.get(name, f"{name}s") if is_plural else name)

    if relationship == "REFUSED":
        assert set(of_it) == set(re.findall(r"\w+_\w+", refusal))
    else:
        assert expected.relationships == (relationship,)
        assert expected.edges == set(of_it)


STARTS = sorted({start.kind for endpoint in endpoints().values() for start in endpoint.starts} - {"term"})
ONTOLOGIES = sorted(
    {
        prefix
        for endpoint in endpoints().values()
        for start in endpoint.starts
        for prefix in start.prefixes
        if prefix.isupper()
    }
)


def test_the_table_has_every_kind():
    assert {line.split()[0] for line in splitlines} >= set(STARTS)


@each_of("kind", [*STARTS, *ONTOLOGIES])
def test_every_edge_of_a_kind_is_reached_by_the_name_of_its_other_end(kind):
    """Each edge is reached, or the refusal names it."""
    row_count = 0
    for endpoint, start in endpoints_of_node(node(kind), relationship_named("all")):
        edge = edges()[endpoint.edge]
        kinds = [edge.subject.kind, edge.object.kind]
        if start.kind in kinds:
            kinds.remove(start.kind)
        for other in set(kinds) - {"coding_variant", "term"}:
            name = "regulatory element" if other == "element" else other
            expected, refusal = sense(kind, name)
            assert endpoint.edge in (expected.edges if expected else refusal)
            row_count += 1

    assert row_count or kind == "coding_variant"


@each_of("kind", [*STARTS, *ONTOLOGIES])
def test_a_name_means_one_relationship_or_is_refused_with_several(kind):
    for name in names_of_relationships():
        names = relationship_named(name)
        expected, refusal = sense(kind, name)
        if expected is None:
            assert len([relationship for relationship in names.relationships if relationship in refusal]) > 1
        elif reachable_endpoints(node(kind), expected):
            assert len(expected.relationships) == 1
            assert set(expected.relationships) <= set(names.relationships)
            assert expected.edges <= names.edges


def test_the_kind_of_terms_with_one_name_decides_the_relationship():
    """An EFO term may be a trait or a cell line; a disease with the same name decides it."""
    expected = effective_relationship(relationship_named("genes"), [node("EFO"), node("MONDO")])

    assert expected.edges == {"gene_disease"}


def test_terms_of_one_name_that_are_different_things_are_refused():
    with pytest.raises(AmbiguousQuery):
        effective_relationship(relationship_named("genes"), [node("UBERON"), node("MONDO")])


DISEASE = "MONDO_0011450"


def test_the_genes_of_a_disease_are_listed_and_the_answer_says_how_that_was_read():
    graph = facts(
        edge("gene_disease", GENE_ID, DISEASE), edge("gene_disease", OTHER_ID, "MONDO_0000009"), terms=(OTHER,)
    )
    catalog_run = associations_run(graph, "MONDO:0011450", "genes")

    assert ends(catalog_run.answer.items) == [(GENE_ID, "MONDO:0011450")]
    assert message(catalog_run.answer, "QUERY_UNDERSTOOD") == "genes was read as genetic, of it gene_disease."
    assert {request.path for request in catalog_run.requests} == {"/ontology-terms", "/diseases/genes"}


def test_the_same_name_of_a_variant_is_its_regulation():
    graph = facts(edge("variant_gene", spdi(1), GENE_ID, source="EBI"), variants=(variant(1),))
    catalog_run = associations_run(graph, spdi(1), "genes")

    assert ends(catalog_run.answer.items) == [(spdi(1), GENE_ID)]
    assert "genes was read as regulatory" in message(catalog_run.answer, "QUERY_UNDERSTOOD")


def test_a_name_that_may_be_several_is_refused_with_these_before_anything_of_it_is_asked():
    params = []

    def listen(answer, ask):
        params.append(ask.path)
        return answer(ask)

    with pytest.raises(AmbiguousQuery, match="'variants' of a gene may be") as raises:
        associations_run(facts(), GENE_ID, "variants", lies=dict.fromkeys(endpoints(), listen))

    assert set(params) == {"/genes"}
    assert raises.value.hint == "Ask for one of them: regulatory (variant_gene), coding (gene_coding_variant)."


def test_a_name_of_which_nothing_starts_is_refused_with_what_does():
    with pytest.raises(AmbiguousQuery, match="joins nothing drugs with a gene") as raises:
        associations_run(facts(), GENE_ID, "drugs")

    assert "regulatory" in raises.value.hint


OTHER = term(uid="MONDO_0000009", name="another", source="MONDO")


def test_a_cursor_leads_on_from_a_name():
    graph = facts(*(edge("gene_disease", GENE_ID, f"MONDO_{number:07}") for number in range(1, 4)))
    first = associations_run(graph, GENE_ID, "diseases", limit=2).answer
    rest = associations_run(graph, GENE_ID, "diseases", limit=2, cursor=first.pagination.cursor).answer

    assert len({row.object for row in [*first.items, *rest.items]}) == 3
    assert "QUERY_UNDERSTOOD" not in codes(rest)
