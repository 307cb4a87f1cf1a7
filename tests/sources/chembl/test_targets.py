"""Targets: every recorded document field by field, and compared with the mapping that ChEMBL's curators publish."""

import json

import pytest

from biofact.core.errors import UpstreamError
from biofact.sources.chembl import parse
from biofact.transport.service import Transient
from tests.marks import requirement
from tests.recordings import recording

pytestmark = pytest.mark.quick

MAPPING = "bulk/chembl_32_uniprot_mapping.txt"
MINIMUM_SHARE = 0.95
"""Share of cross-references that must agree with curation (SC-006)."""


def documents():
    return [json.loads(line) for line in recording("chembl/es_target_100.jsonl.gz").splitlines()]


def test_every_recorded_target_is_read_field_by_field():
    answer = [*documents(), json.loads(recording("chembl/es_CHEMBL2363965-ES-Response.json"))["_source"]]

    targets = [parse.target(row) for row in answer]

    assert [(item.id, item.name, item.type, item.organism) for item in targets] == [
        (row["target_chembl_id"], row["pref_name"], row["target_type"], row.get("organism")) for row in answer
    ]
    assert [set(item.accessions) for item in targets] == [
        {part["accession"] for part in row["target_components"] if part["component_type"] == "PROTEIN"}
        for row in answer
    ]
    assert [item.is_protein for item in targets] == [row["target_type"] == "SINGLE PROTEIN" for row in answer]
    assert len(targets) == 101


def test_a_recorded_target_of_rna_has_no_protein():
    (mrna,) = (row for row in documents() if row["target_chembl_id"] == "CHEMBL4296641")

    assert [part["accession"] for part in mrna["target_components"]] == ["ENSG00000197386"]
    assert parse.target(mrna) == parse.Target("CHEMBL4296641", "Huntingtin mRNA", "NUCLEIC-ACID", None, ())


def test_a_recorded_complex_of_proteins_and_rna_has_its_proteins():
    ribosome = json.loads(recording("chembl/es_CHEMBL2363965-ES-Response.json"))["_source"]

    target = parse.target(ribosome)

    assert (target.name, target.organism) == ("70S ribosome", "Mycobacterium tuberculosis")
    assert {"P9WHE1", "P9WH43", "P9WH67"} <= set(target.accessions)


def curated():
    """Accession and target, of proteins and their complexes and families."""
    lines = recording(MAPPING).decode().splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return {(accession, target) for accession, target, _, kind in rows if kind != "NUCLEIC-ACID"}


@requirement("002 FR-031")
def test_the_proteins_of_recorded_targets_are_those_of_the_curated_mapping():
    mapping, targets = curated(), [parse.target(row) for row in documents()]
    common = {target for _, target in mapping} & {item.id for item in targets}

    pairs = {(accession, item.id) for item in targets if item.id in common for accession in item.accessions}
    mapped_pairs = {(accession, target) for accession, target in mapping if target in common}

    share = len(pairs & mapped_pairs) / len(pairs | mapped_pairs)
    print(f"{len(common)} targets, {share:.1%} of {len(pairs | mapped_pairs)} cross-references agree")  # noqa: T201
    assert len(common) >= 40
    assert share >= MINIMUM_SHARE


def target_body(**fields) -> bytes:
    return json.dumps(fields).encode()


def row(number, kind, *accessions, **fields):
    components = [{"accession": accession} for accession in accessions]
    return {"target_chembl_id": f"CHEMBL{number}", "target_type": kind, "target_components": components} | fields


def test_targets_with_a_protein_are_listed_single_proteins_first_without_others():
    rows = [
        *(row(1, "PROTEIN COMPLEX", "P1A111", "P04637"), row(2, "SINGLE PROTEIN", "P04637")),
        *(row(3, "SINGLE PROTEIN", "P15056"), row(4, "PROTEIN FAMILY", "P04637", "P04637"), row(5, "CELL-LINE")),
    ]

    targets_with = parse.targets_with("P04637", target_body(targets=rows)).items

    assert [(item.id, item.is_protein) for item in targets_with] == [
        ("CHEMBL2", True),
        ("CHEMBL1", False),
        ("CHEMBL4", False),
    ]
    assert targets_with[2].accessions == ("P04637",)


def test_no_target_is_an_answer_and_no_list_is_none():
    assert parse.targets_with("P04637", target_body(targets=[])).items == []
    with pytest.raises(Transient):
        parse.targets_with("P04637", target_body(targets=None))


def test_a_target_without_an_id_is_nonsense_that_names_the_field(subtests):
    for fields in [{}, {"target_chembl_id": None}, {"target_chembl_id": ""}, {"target_chembl_id": 203}]:
        with subtests.test(fields=fields), pytest.raises(UpstreamError, match="'target_chembl_id'"):
            parse.target(fields)


def test_a_target_without_components_has_no_protein(subtests):
    for components in [None, [], {}, "P04637", [None], ["P04637"], [{}], [{"accession": 4}]]:
        with subtests.test(components=components):
            target = parse.target({"target_chembl_id": "CHEMBL1", "target_components": components, "organism": " "})

            assert target == parse.Target("CHEMBL1", None, None, None, ())
