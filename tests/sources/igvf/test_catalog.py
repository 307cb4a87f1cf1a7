"""Each declared endpoint compared with the service's contract."""

import pytest

from biofact.sources.igvf.catalog import RELATIONSHIPS, coordinates, edges, endpoints, sources
from biofact.sources.igvf.identifiers.forms import term_id
from biofact.sources.igvf.regions import WINDOW
from tests.each_of import each_of
from tests.marks import requirement
from tests.recordings import needs_recordings
from tests.sources.igvf import contract

pytestmark = [pytest.mark.quick, needs_recordings]

PATHS = sorted(endpoints())
PARAMS = [path for path in PATHS if endpoints()[path].relationship]
EDGE_PATHS = [path for path in PATHS if endpoints()[path].edge]
RANGES = {
    "neg_log10_pvalue",
    "neg_log10_pvalue_adj",
    "effect_size",
    "posterior_inclusion_probability",
    "log2FC",
    "r2",
    "d_prime",
    "z_score",
}
"""The parameters that take gt:, gte:, lt:, lte: and a number."""
PARAMETER_NAMES = {
    "/genes/variants": {"region": None},
    "/variants/genes": {"files_filesets": "files_fileset"},
    "/variants/predictions": {"rsid": None, "files_filesets": None},
    "/variants/predictions-count": {"rsid": None, "files_filesets": None},
    "/variants/phenotypes/score-summary": {"coding_variant_name": "coding_variant_id"},
    "/coding-variants/phenotypes/score-summary": {"coding_variant_name": "coding_variant_id"},
}
"""Parameters by their names in descriptions; None for one that is unused, or refused when it is alone."""
COORDINATES = {"pos", "start", "end", "stop", "site", "distance"}
NO_COORDINATES = {"refcodon"}
"""Names that contain such a word and are no coordinates."""
SIGNS = {
    "p_value": ("p_value", "neg_log10_pvalue"),
    "effect": ("beta", "effect_size", "log2FC"),
    "score": ("score", "variant_effect_score"),
    "z_score": ("z_score",),
    "r2": ("r2",),
    "d_prime": ("d_prime",),
    "tissue": ("biological_context", "biosample_term", "cell_type", "biosample"),
}
"""The fields of its rows for which an edge has a filter."""
NESTED = {
    ("gene_coding_variant", "score"): "variants.scores.score",
    ("related", "p_value"): "related.sources.neg_log10_pvalue",
}
"""Filters whose field is nested in the row."""
FIELDS = {
    ("predicted_element_gene", "element"): ("id", "element_chr", "element_start", "element_end"),
    ("regulator_gene", "regulator_gene"): ("genomic_element.regulator_gene",),
    ("variant_phenotype", "phenotype"): ("phenotype_id", "phenotype_term"),
    ("product_function", "gene_product"): ("gene_product_id", "gene_product_symbol"),
    ("product_function", "go"): ("go_id", "go_term_name"),
    ("gene_coding_variant", "variant"): ("variants.variant._id", "variants.scores", "protein_change.hgvsp"),
    ("gene_coding_variant", "gene"): (),
    ("variant_coding_variant", "sequence_variant"): (),
    ("variant_coding_variant", "coding_variant"): ("_id", "name", "hgvsp"),
    ("coding_variant_variant", "variant"): ("_id", "rsid"),
    ("coding_variant_variant", "coding_variant"): (),
    ("variant_variant", "variant_1"): ("variant_1_spdi", "variant_1_rsid"),
    ("variant_variant", "variant_2"): ("variant_2_spdi", "variant_2_rsid"),
    ("summarised_variant_gene", "sequence_variant"): (),
    ("predicted_variant_gene", "sequence_variant"): (),
    ("scored_variant_transcript", "transcript"): ("transcript_id", "gene_name", "dataType"),
    ("related", "second"): ("related",),
    ("place_gene", "place"): (),
    ("place_gene", "gene"): ("_id", "chr", "start", "end"),
}
"""The fields from which an end is composed if no field of a row holds it; none for the end in the query."""
ALTERNATIVES = {("related", "first"): ("sequence_variant", "protein", "gene")}
"""The fields one of which a row has."""
FIELDS_OF_SIGN = {"summarised_variant_gene": "qtl_type", "related": "related.sources.name"}
"""The field by which relations are distinguished, where it is not the edge's own."""
UNTYPED_PATHS = {"/variants/predictions-count"}
"""Endpoints whose rows are not described in the contract."""


@requirement("003 D2")
def test_every_path_but_the_language_model_s_is_declared_and_no_other():
    paths = {path for path, method in contract.operations() if method == "get"}

    assert set(endpoints()) == paths
    assert set(contract.operations()) - {(path, "get") for path in paths} == {("/llm-query", "post")}
    assert len(paths) == 83


@requirement("003 D2")
@each_of("path", PATHS)
def test_parameters_have_the_names_of_the_contract(path):
    endpoint, parameters = endpoints()[path], contract.parameters(path)

    assert endpoint.path == path
    assert endpoint.operation == contract.operations()[path, "get"]["operationId"]
    assert list(endpoint.parameters) == list(parameters)
    assert list(endpoint.required) == [name for name, value in parameters.items() if value["required"]]


@each_of("path", PATHS)
def test_parameters_have_the_types_and_values_of_the_contract(path):
    assert dict(endpoints()[path].parameters) == {
        name: declared_type(name, parameter["schema"]) for name, parameter in contract.parameters(path).items()
    }


def declared_type(name, schema):
    if "enum" in schema:
        return "flag" if sorted(schema["enum"]) == ["false", "true"] else tuple(schema["enum"])
    kind = schema.get("type") or next(item["type"] for item in schema["anyOf"] if "type" in item)
    if kind != "string":
        return kind
    return "range" if name in RANGES else "region" if name == "region" else "text"


@each_of("path", PATHS)
def test_pages_and_needs_are_those_of_the_description(path):
    endpoint, names = endpoints()[path], PARAMETER_NAMES.get(path, {})
    required_names = {names.get(name, name) for name in contract.needs(path)} - {None}

    assert endpoint.max_rows == contract.page_limit(path)
    assert required_names <= set(endpoint.parameters)
    if required_names:
        assert set(endpoint.needs) == required_names
    assert names.keys() <= contract.needs(path)


def test_many_descriptions_say_what_is_needed_and_how_long_a_page_is():
    assert sum(bool(contract.needs(path)) for path in PATHS) >= 30
    assert sum(contract.page_limit(path) is not None for path in PATHS) >= 65


@each_of("path", PATHS)
def test_organisms_are_those_of_the_parameter_else_human(path):
    enum = contract.parameters(path).get("organism", {"schema": {"enum": ["Homo sapiens"]}})["schema"]["enum"]

    assert endpoints()[path].organisms == tuple(
        name for name, species in (("human", "Homo sapiens"), ("mouse", "Mus musculus")) if species in enum
    )


def test_each_coordinate_of_any_answer_has_its_base():
    names = set().union(*(contract.every_name(contract.answer(path)) for path in PATHS))
    result = {name for name in names if any(is_coordinate(name, word) for word in COORDINATES)} - NO_COORDINATES

    assert result == set(coordinates())
    assert set(coordinates().values()) <= {"0-based", "1-based", "end", "residue", "length", "unknown"}


def is_coordinate(name, word):
    return word in name.split("_") or name.endswith("pos")


@each_of("path", [path for path in EDGE_PATHS if path not in UNTYPED_PATHS])
def test_rows_have_the_fields_that_an_edge_reads_its_ends_from(path):
    edge, rows = edges()[endpoints()[path].edge], contract.answer(path)

    for end in (edge.subject, edge.object):
        keys = [(edge.name, name) for name in end.fields]
        fields = [field for key in keys for field in FIELDS.get(key, ())]
        assert [field for field in fields if not contract.value_at(rows, field)] == []
        own_fields = [field for key in keys if key not in FIELDS for field in ALTERNATIVES.get(key, key[1:])]
        assert not own_fields or any(contract.value_at(rows, field) for field in own_fields), own_fields


@each_of("name", [name for name, edge in sorted(edges().items()) if edge.relation_field])
def test_relations_are_distinguished_by_a_field_that_rows_have(name):
    edge = edges()[name]
    rows = [contract.answer(path) for path in EDGE_PATHS if endpoints()[path].edge == name]

    assert any(contract.value_at(row, FIELDS_OF_SIGN.get(name, edge.relation_field)) for row in rows)
    assert edge.predicates or edge.aspects


@each_of("name", sorted(edges()))
def test_filters_of_an_edge_are_those_that_its_rows_have_fields_for(name):
    rows = [
        contract.answer(path) for path in EDGE_PATHS if endpoints()[path].edge == name and path not in UNTYPED_PATHS
    ]
    signs = {
        sign
        for sign, signs in SIGNS.items()
        if any(contract.value_at(row, field) for row in rows for field in (*signs, NESTED.get((name, sign), "-")))
    }
    unfiltered_signs = {"tissue"} if name == "summarised_variant_gene" else set()  # no tool asks it

    assert edges()[name].has == signs - unfiltered_signs


def test_every_edge_is_of_an_endpoint():
    assert {endpoints()[path].edge for path in EDGE_PATHS} == set(edges())


@each_of("path", PARAMS)
def test_sources_of_associations_are_described(path):
    message = endpoints()[path].sources

    assert message
    assert set("; ".join(message).split("; ")) <= set(sources())


def test_sources_are_declared_only_where_no_parameter_selects_them():
    message = {path for path in PATHS if endpoints()[path].declared_sources}

    assert {source for path in message for source in endpoints()[path].declared_sources} <= set(sources())
    # The source of /variants/freq is that of a frequency, such as bravo_af.
    assert {path for path in message if "source" in endpoints()[path].parameters} == {"/variants/freq"}


@each_of("path", PARAMS)
def test_an_endpoint_of_associations_starts_from_parameters_that_it_takes(path):
    endpoint = endpoints()[path]

    assert endpoint.relationship in RELATIONSHIPS
    assert endpoint.starts
    for start in endpoint.starts:
        assert start.parameter in endpoint.parameters
        assert start.kind != "term" or start.prefixes
        assert not start.enumerated_parameter or isinstance(endpoint.parameters[start.enumerated_parameter], tuple)
        assert not endpoint.needs or {start.parameter, start.enumerated_parameter} & set(endpoint.needs)
    assert not endpoint.verbose or endpoint.parameters["verbose"] == "flag"


@each_of("path", [path for path in PATHS if not endpoints()[path].relationship])
def test_an_endpoint_that_joins_nothing_is_of_entities_or_says_why_it_is_not_asked(path):
    endpoint = endpoints()[path]

    assert bool(endpoint.record) != bool(endpoint.unused_reason)
    assert not endpoint.starts


@each_of("name", sorted(sources()))
def test_methods_and_labels_of_a_source_are_values_that_an_endpoint_of_its_takes(name):
    own_values = [endpoint for endpoint in endpoints().values() if name in "; ".join(endpoint.sources).split("; ")]
    source = sources()[name]

    for parameter, values in (("method", source.get("methods", ())), ("label", source.get("labels", ()))):
        valid = {value for item in own_values for value in item.parameters.get(parameter, ()) if len(value) > 1}
        assert set(values) <= valid, parameter


@each_of("path", PARAMS)
def test_rows_name_their_source_or_are_of_the_only_one(path):
    endpoint = endpoints()[path]
    edge = edges()[endpoint.edge]
    names = contract.every_name(contract.answer(path))

    assert "source" in names or len(endpoint.sources) == 1 or "source" in edge.lacks
    assert "source" not in edge.lacks or "source" not in names or endpoint.edge == "gene_coding_variant"


@each_of("path", PARAMS)
def test_prefixes_are_those_of_terms(path):
    for start in endpoints()[path].starts:
        for prefix in start.prefixes:
            digits = "C12345" if prefix == "NCIT" else "0030" if prefix in {"CVCL", "VariO"} else "0000123"
            assert term_id(f"{prefix}_{digits}") == f"{prefix}_{digits}"


def test_windows_are_as_wide_as_their_endpoints_take():
    params = ("/variants", "/variants/freq", "/variants/region-summary")

    assert {endpoints()[path].widest for path in params} == {WINDOW}


@each_of("path", [path for path in PATHS if "region" in endpoints()[path].parameters])
def test_the_longest_regions_are_those_of_the_description(path):
    description = contract.operations()[path, "get"]["description"]

    if "Region limit: 1kb" in description:
        assert endpoints()[path].widest == 1_000
    elif "10kb" in description:
        assert endpoints()[path].widest == 10_000
