"""Answers recorded in 2023 and 2024: facts that are true today, under former names."""

import json
import math
import re
from collections import Counter

import pytest

from biofact.core.errors import UpstreamError
from biofact.dialects.genomic.genomes import chromosome_of
from biofact.sources.igvf import parse
from biofact.sources.igvf.catalog import coordinates, endpoints
from biofact.sources.igvf.parse import StartEntity
from biofact.sources.igvf.term_ids import curie, native
from tests.each_of import each_of
from tests.recordings import FOLDER, needs_recordings, recording
from tests.sources.igvf import contract

pytestmark = [pytest.mark.quick, needs_recordings]

FILES = sorted(path.name for path in FOLDER.glob("igvf/acceptance_*.json"))
TODAY = {
    "/biosamples/regulatory_regions": "/biosamples/genomic-elements",
    "/coding_variants": "/coding-variants",
    "/regulatory_regions": "/genomic-elements",
    "/regulatory_regions/biosamples": "/genomic-elements/biosamples",
    "/regulatory_regions/genes": "/genomic-elements/genes",
    "/variants/variant_ld": "/variants/variant-ld",
}
"""Paths that have another name today."""
RENAMED_FIELDS = {
    "/biosamples/regulatory_regions": {"regulatory region": "genomic_element", "activity_score": None},
    "/coding_variants": {"id": "_id", "hgvs": "hgvsp", "Mcap_score": None, "EVE_score": None},
    "/diseases/genes": {"ontology term": "disease", "pmid": "pmids"},
    "/genes/genes": {"gene": "gene_2", "logit_score": "z_score"},
    # The former field beta came with the size of a p-value and with a slope: it was no effect.
    "/genes/variants": {
        "sequence variant": "sequence_variant",
        "log10pvalue": "neg_log10_pvalue",
        "slope": "effect_size",
        "beta": None,
    },
    "/phenotypes/variants": {
        "sequence variant": "variant",
        "study_id": "study",
        "p_val": "p_value",
        "p_val_mantissa": None,
        "p_val_exponent": None,
    },
    "/proteins/proteins": {
        "protein 1": "protein_1",
        "protein 2": "protein_2",
        "confidence_values": "confidence_value_biogrid",
    },
    "/regulatory_regions": {"biochemical_activity": "source_annotation", "biochemical_activity_description": None},
    "/regulatory_regions/biosamples": {"ontology term": "biosample", "activity_score": None},
    "/regulatory_regions/genes": {"term_name": "biological_context"},
    "/variants": {"filter": None},
    "/variants/drugs": {"sequence variant": "_from"},
    "/variants/freq": {"filter": None},
    "/variants/genes": {
        "sequence variant": "sequence_variant",
        "log10pvalue": "neg_log10_pvalue",
        "slope": "effect_size",
        "beta": None,
    },
    "/variants/nearest-genes": {"id": "_id", "alias": "synonyms"},
    "/variants/phenotypes": {
        "ontology term": "phenotype_id",
        "study_id": "study",
        "p_val": "p_value",
        "p_val_mantissa": None,
        "p_val_exponent": None,
    },
    "/variants/variant_ld": {"sequence variant": "sequence_variant"},
}
"""Fields that rows had, and their names today; None for those that no longer exist."""
UNJOINED_PATHS = {"/genes/proteins", "/proteins/genes"}
"""Paths whose rows were entities; they join two today."""
TERM = re.compile(r"ontology_terms/([A-Za-z]+)_(\w+)")
SUBSTITUTION = re.compile(r"([^:]+):g\.(\d+)([ACGT])>([ACGT])")


def answers():
    """Path and rows of every recorded answer."""
    for name in FILES:
        for path, calls in json.loads(recording(f"igvf/{name}")).items():
            for call in calls:
                rows = call["response"]
                yield path, rows if isinstance(rows, list) else [rows]


def rows(path):
    return [row for answers, result in answers() if answers == path for row in result if isinstance(row, dict)]


def objects(value):
    """Every JSON object in ``value``, at any depth."""
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(part)


def every_row():
    return [item for _, result in answers() for item in objects(result)]


def variants():
    return [item for item in every_row() if {"pos", "spdi", "hgvs", "chr"} <= item.keys()]


def test_a_position_is_one_below_that_of_hgvs_as_it_counts_from_0():
    pairs = [(variant, SUBSTITUTION.fullmatch(variant["hgvs"])) for variant in variants()]
    substitutions = [(item, result) for item, result in pairs if result]

    assert coordinates()["pos"] == "0-based"
    assert len(substitutions) >= 130
    for item, (sequence, position, ref, alt) in ((item, result.groups()) for item, result in substitutions):
        assert item["pos"] + 1 == int(position)
        assert item["spdi"] == f"{sequence}:{item['pos']}:{ref}:{alt}"
        assert chromosome_of(sequence) == ("human", item["chr"].removeprefix("chr"))


def test_insertions_and_deletions_are_placed_as_in_a_vcf_a_base_before_their_spdi():
    placed_rows = {
        variant["spdi"]: variant for variant in variants() if len({*map(len, variant["spdi"].split(":")[2:])}) > 1
    }

    assert len(placed_rows) == 9
    for spdi, value in placed_rows.items():
        assert int(spdi.split(":")[1]) == value["pos"] + 1
        assert value["ref"][0] == value["alt"][0]
        record = parse.entity("variant", value)
        assert (record.start, record.end) == (value["pos"] + 1, value["pos"] + len(value["ref"]))
        assert record.notices == []  # the two say the same


def allele_pairs():
    """Rows of studies with their variant, which is the lead variant for all of these."""
    message = [row for row in rows("/phenotypes/variants") if isinstance(row["sequence variant"], list)]
    return [(row, row["sequence variant"][0]) for row in message if row["sequence variant"]]


def test_the_position_of_a_lead_counts_from_1():
    assert coordinates()["lead_pos"] == "1-based"
    assert len(allele_pairs()) >= 20
    for row, variant in allele_pairs():
        assert int(row["lead_pos"]) == variant["pos"] + 1
        assert (f"chr{row['lead_chrom']}", row["lead_ref"], row["lead_alt"]) == (
            variant["chr"],
            variant["ref"],
            variant["alt"],
        )
    first = next(variant for _, variant in allele_pairs() if variant["rsid"] == ["rs704"])
    assert (first["spdi"], first["pos"]) == ("NC_000017.11:28367839:G:A", 28367839)


def today(row, variant):
    """A study's row in today's contract."""
    values = {name: value for name, value in row.items() if not name.startswith("p_val") and " " not in name}
    return {
        **values,
        "variant": {**variant, "_id": variant["spdi"]},
        "study": f"studies/{row['study_id']}",
        "phenotype_id": "EFO_0007937",
        "p_value": row["p_val"],
        "neg_log10_pvalue": -row["p_val_exponent"] - math.log10(row["p_val_mantissa"]),
    }


@each_of("place", range(5))
def test_a_study_s_row_is_read_with_the_lead_in_the_right_place(place):
    row, variant = allele_pairs()[place]
    other = {**row, "lead_pos": str(int(row["lead_pos"]) + 100)}
    [led_by_itself], [led_by_another] = (
        list(parse.associations(endpoints()["/phenotypes/variants"], today(row, variant))) for row in (row, other)
    )
    sequence, position, ref, alt = variant["spdi"].split(":")

    assert (led_by_itself.subject, led_by_itself.object) == (variant["spdi"], "EFO:0007937")
    assert led_by_itself.lead_variant is None
    assert led_by_another.lead_variant == f"{sequence}:{int(position) + 100}:{ref}:{alt}"
    assert led_by_itself.study == row["study_id"]
    assert led_by_itself.p_value == pytest.approx(row["p_val"], rel=1e-3)
    assert led_by_itself.notices == []


def test_an_effect_of_zero_without_a_direction_is_none():
    pairs = {row["study_id"]: (row, variant) for row, variant in allele_pairs()}
    silent = {study: pair for study, pair in pairs.items() if pair[0]["direction"] == ""}

    assert len(silent) >= 5
    for study, pair in pairs.items():
        [result] = parse.associations(endpoints()["/phenotypes/variants"], today(*pair))
        assert result.effect == (None if study in silent else pair[0]["beta"])
        assert result.effect_allele == (None if study in silent else pair[0]["lead_alt"])


def test_a_p_value_too_small_for_a_number_has_its_logarithm_and_no_notice():
    [(row, variant)] = [pair for pair in allele_pairs() if pair[0]["p_val_exponent"] < -323]
    [result] = parse.associations(endpoints()["/phenotypes/variants"], today(row, variant))

    assert (row["p_val"], row["p_val_exponent"]) == (5e-324, -387)  # the least number above 0 there is
    assert result.p_value is None
    assert result.neg_log10_p_value == pytest.approx(386.39794)
    assert result.notices == []


def test_alleles_of_a_deletion_in_linkage_disequilibrium_do_not_contradict_its_spdi():
    row = next(row for row in rows("/variants/variant_ld") if row["variant_1_base_pair"] == "GA:G")
    message = {**row, "variant_1_spdi": "NC_000011.10:9079066:AAAAAAAAAA:AAAAAAAAA"}
    message |= {"variant_2_rsid": "rs2647530", "variant_2_spdi": "NC_000011.10:9084088:A:G"}
    [result] = parse.associations(endpoints()["/variants/variant-ld"], message)

    assert row["variant_1_rsid"] == "chr11:9079066:GA:G"
    assert result.notices == []


def test_terms_have_an_underscore_in_the_catalog_and_a_colon_in_our_ids():
    text = " ".join(json.dumps(result) for _, result in answers())
    texts = Counter(f"{prefix}_{rest}" for prefix, rest in TERM.findall(text))
    term_ids = Counter(item["term_id"] for item in every_row() if "term_id" in item and "uri" in item)

    assert {"EFO_0004339", "Orphanet_586", "EFO_0001187"} <= texts.keys() | term_ids.keys()
    assert not any(":" in term for term in (*texts, *term_ids))
    for term in (*texts, *term_ids):
        assert curie(term) == term.replace("_", ":")
        assert native(curie(term)) == term


def test_genes_lie_where_other_tables_of_the_assembly_have_them():
    lines = recording("bulk/scout_ensembl_genes_38_reduced.txt").decode().splitlines()[1:]
    splits = {line.split("\t")[3]: tuple(line.split("\t")[:3]) for line in lines}
    genes = {item["_id"]: item for item in every_row() if str(item.get("_id")).startswith("ENSG") and "start" in item}
    records = [parse.entity("gene", gene) for gene_id, gene in genes.items() if gene_id in splits]

    assert {record.name for record in records} == {"EDNRA"}
    assert [(record.chromosome, str(record.start), str(record.end)) for record in records] == [
        splits[record.id] for record in records
    ]


def test_a_gene_recorded_then_and_today_lies_in_the_same_place():
    now = json.loads(recording("igvf/example_nearestGenes.json"))["sample"]
    [former_gene] = [row for row in rows("/variants/nearest-genes") if row["id"] == now["_id"]]

    assert {name for name in former_gene if former_gene[name] == now.get(name)} >= {
        "chr",
        "start",
        "end",
        "name",
        "hgnc",
        "version",
    }
    with pytest.raises(UpstreamError, match="'_id'"):
        parse.entity("gene", former_gene)


@each_of("path", sorted(RENAMED_FIELDS))
def test_renamed_fields_are_known_by_today_s_names_alone(path):
    names = set().union(*(row.keys() for row in rows(path)))
    schema = contract.answer(TODAY.get(path, path))

    assert (
        names - contract.fields(schema).keys()
        == {old for old in RENAMED_FIELDS[path] if not contract.value_at(schema, old)}
        == set(RENAMED_FIELDS[path])
    )
    assert [new for new in RENAMED_FIELDS[path].values() if new and not contract.value_at(schema, new)] == []


def test_every_old_path_is_in_the_table_or_has_lost_no_field():
    for path in {path for path, _ in answers()} - RENAMED_FIELDS.keys() - UNJOINED_PATHS:
        names = set().union(*(row.keys() for row in rows(path)))
        assert names <= contract.fields(contract.answer(TODAY.get(path, path))).keys(), path


def _says_nothing(endpoint, row, params):
    """Whether a row is read as its own gene, or refused because the service has changed."""
    try:
        return [
            association
            for association in parse.associations(endpoint, row, params)
            if association.object != row.get("id")
        ] == []
    except UpstreamError as error:
        return endpoint.path in error.message


@each_of("name", FILES)
def test_old_rows_are_refused_or_read_as_nothing_or_rightly(name):
    """Each row has lost or renamed one of its ends, or both."""
    for path, calls in json.loads(recording(f"igvf/{name}")).items():
        endpoint = endpoints()[TODAY.get(path, path)]
        rows = [row for call in calls for row in call["response"] if isinstance(row, dict)]
        if endpoint.edge:
            start_entity = StartEntity("gene", "ENSG00000170558", "CDH2")
            assert all(_says_nothing(endpoint, row, start_entity) for row in rows)
        known_values = [row for row in rows if endpoint.record and "_id" in row]
        assert [parse.entity(endpoint.record, row).id for row in known_values] == [row["_id"] for row in known_values]
