"""The cross-references of every starter compound: each has its form and a fact behind it, and none is missing.

Expected values are looked up in the facts by code of these tests' own.
"""

import asyncio
import re

import pytest

from biofact.core.xrefs import REGISTRY
from biofact.sandbox.services.chembl.corpus import rows_of_starter
from tests import virtual_time
from tests.marks import requirement
from tests.sandboxed import WHOLE
from tests.sources.chembl.made_client import client_of

pytestmark = pytest.mark.quick

ROWS = rows_of_starter()
MOLECULES = {row["molecule_chembl_id"]: row for row in ROWS["molecule"]}
TARGETS = {row["target_chembl_id"]: row for row in ROWS["target"]}
ENTRIES = {row["code"]: row["entries"] for row in ROWS["pdb_ligand"]}
SINGLE = {2: "drugbank", 6: "kegg", 22: "pubchem_compound"}
LIGAND = 3
LIMIT = 5


def parent(molecule_id):
    return MOLECULES[molecule_id]["molecule_hierarchy"].get("parent_chembl_id", molecule_id)


def accessions(molecule):
    """Accessions of the targets of mechanisms that are filed on the molecule, and for a parent on its salts."""
    uid = molecule["molecule_chembl_id"]
    mechanism = [
        row for row in ROWS["mechanism"] if uid in {row["molecule_chembl_id"], parent(row["molecule_chembl_id"])}
    ]
    targets = [TARGETS[row["target_chembl_id"]] for row in mechanism if row["target_chembl_id"] in TARGETS]
    accessions = [component["accession"] for target in targets for component in target["target_components"]]
    return [f"UniProtKB:{a}" for a in dict.fromkeys(accessions) if not a.startswith("ENS")]


def ids_elsewhere(molecule):
    key = (molecule["molecule_structures"] or {}).get("standard_inchi_key")
    return [
        (source["id"], source["compoundId"])
        for row in ROWS["unichem_compound"]
        if row["standardInchiKey"] == key
        for source in row["sources"]
    ]


def expected(molecule):
    """The cross-references by key, all as lists, before any is cut."""
    result = {
        "chembl": [molecule["molecule_chembl_id"]],
        "pubchem_substance": [reference["xref_id"] for reference in molecule["cross_references"]],
        "uniprot": accessions(molecule),
    }
    fromkeys = dict.fromkeys(ids_elsewhere(molecule))
    for number, key in SINGLE.items():
        result[key] = sorted((value for source, value in fromkeys if source == number), key=lambda v: (len(v), v))
    ligands = [value for source, value in fromkeys if source == LIGAND]
    entries = [entry.upper() for code in ligands for entry in ENTRIES.get(code, ())]
    result["pdb"] = list(dict.fromkeys(entries))
    return {key: values for key, values in result.items() if values}


def shown_values(values, key):
    return values if REGISTRY[key].is_many else values[0]


@pytest.fixture(
    scope="module", params=[pytest.param(4, id="a fourth"), pytest.param(1, id="all", marks=pytest.mark.sweep)]
)
def compounds(request):
    """The records of every n-th starter compound, by ChEMBL's own ID."""
    molecules = [*MOLECULES][:: request.param]

    async def ask():
        async with client_of(timing=WHOLE) as (chembl, _):
            ids = [f"CHEMBL:{molecule[6:]}" for molecule in molecules]
            compounds = await asyncio.gather(*(chembl.get_compound(item, include=["cross_references"]) for item in ids))
            return dict(zip(molecules, compounds, strict=True))

    return virtual_time.run(ask())


@requirement("002 SC-006")
def test_cross_references_are_exactly_those_of_the_facts(compounds, subtests):
    for name, record in compounds.items():
        with subtests.test(case=name):
            molecule = MOLECULES[name]
            emitted_xrefs = record.cross_references.model_dump(exclude_none=True)

            assert emitted_xrefs == {key: shown_values(values, key) for key, values in expected(molecule).items()}
            assert "LEG_FAILED" not in [notice.code for notice in record.notices]


def test_values_that_are_not_shown_are_counted_or_named(compounds, subtests):
    for name, record in compounds.items():
        with subtests.test(case=name):
            molecule = MOLECULES[name]
            text = " ".join(notice.message for notice in record.notices)
            default = record.selected()
            cut = " ".join(notice.message for notice in default.notices)

            result = expected(molecule)
            long = {key: values for key, values in result.items() if REGISTRY[key].is_many and len(values) > LIMIT}
            listed_values = {key: len(getattr(default.cross_references, key)) for key in long}
            assert {key: count for key, count in listed_values.items() if not 1 <= count <= LIMIT} == {}
            assert [key for key in long if f"{key} {listed_values[key]} of {len(long[key])}" not in cut] == []
            values = [value for key, values in result.items() if not REGISTRY[key].is_many for value in values[1:]]
            assert [value for value in values if value not in text] == []


@requirement("002 FR-031")
def test_every_value_has_the_form_of_its_key(compounds):
    pairs = [
        (key, value)
        for record in compounds.values()
        for key, values in record.cross_references.model_dump(exclude_none=True).items()
        for value in (values if isinstance(values, list) else [values])
    ]

    assert [pair for pair in pairs if not re.fullmatch(REGISTRY[pair[0]].form, pair[1], re.ASCII)] == []
    assert len(pairs) > 3 * len(compounds) > 100
    assert {key for key, _ in pairs} == {*SINGLE.values(), "chembl", "pubchem_substance", "uniprot", "pdb"}


@requirement("002 FR-015", "002 FR-016")
def test_keys_hold_texts_or_lists_as_the_registry_has_it_and_are_never_empty(compounds):
    for record in compounds.values():
        for key, values in record.cross_references.model_dump(exclude_none=True).items():
            assert isinstance(values, list) == REGISTRY[key].is_many
            assert values


def test_a_salt_has_no_target_of_its_parent_that_is_not_its_own(compounds):
    salts = [uid for uid in compounds if parent(uid) != uid]
    molecule_chembl_ids = {row["molecule_chembl_id"] for row in ROWS["mechanism"]}

    assert len(salts) > len(compounds) / 15
    assert all(compounds[uid].cross_references.uniprot is None for uid in salts if uid not in molecule_chembl_ids)
