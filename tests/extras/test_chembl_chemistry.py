"""Pictures and checks of ChEMBL's structures, by RDKit."""

import asyncio
import re

import pytest
from defusedxml import ElementTree

from biofact.core.errors import UpstreamError
from biofact.core.xrefs import CrossReferences
from biofact.interfaces.cli import app as cli
from biofact.sandbox.services.chembl.corpus import rows_of_starter
from biofact.sources.chembl import compounds
from biofact.sources.chembl.records import Compound
from tests.extras import needs
from tests.notices import message
from tests.sources.chembl.made_client import run
from tests.sources.chembl.made_compounds import molecule, structure

pytestmark = pytest.mark.extras

needs.rdkit()

DRAWN_SMILES = [
    f"CHEMBL:{row['molecule_chembl_id'][6:]}" for row in rows_of_starter()["molecule"] if row["molecule_structures"]
]
SVG = "{http://www.w3.org/2000/svg}"
ALWAYS_THERE = {"cross_references": CrossReferences(), "category": "biolink:SmallMolecule"}
ASPIRIN = Compound(
    id="CHEMBL:25",
    name="ASPIRIN",
    molecular_formula="C9H8O4",
    smiles="CC(=O)Oc1ccccc1C(=O)O",
    inchi_key="BSYNRYMUTXBXSQ-UHFFFAOYSA-N",
    **ALWAYS_THERE,
)


def with_structure(smiles, inchi_key="A" * 14 + "-UHFFFAOYSA-N"):
    """Facts of one compound with this structure."""
    drawn_structure = structure(smiles, "InChI=1S/x", inchi_key)
    return {"molecule": [molecule("CHEMBL1", "MADE", molecule_structures=drawn_structure, structure_type="MOL")]}


@pytest.fixture(scope="module")
def pictures():
    async def ask(chembl):
        return dict(zip(DRAWN_SMILES, await asyncio.gather(*map(chembl.draw, DRAWN_SMILES)), strict=True))

    return run(ask).answer


@pytest.fixture(scope="module")
def starter_compounds():
    async def ask(chembl):
        compounds = await asyncio.gather(
            *(chembl.get_compound(smiles, include=["chemistry"]) for smiles in DRAWN_SMILES)
        )
        return dict(zip(DRAWN_SMILES, compounds, strict=True))

    return run(ask).answer


@pytest.mark.parametrize("chembl_id", DRAWN_SMILES)
def test_the_picture_of_a_structure_is_an_svg_with_bonds(pictures, chembl_id):
    root = ElementTree.fromstring(pictures[chembl_id])

    assert root.tag == f"{SVG}svg"
    assert (root.get("width"), root.get("height")) == ("400px", "300px")
    assert len(list(root.iter(f"{SVG}path"))) > 0
    assert pictures[chembl_id].isascii()  # so that the encoding that RDKit names does not matter
    assert not re.search(r"<script|<foreignObject|href=|<!ENTITY", pictures[chembl_id])


def test_pictures_differ_from_each_other(pictures):
    assert len(set(pictures.values())) == len(pictures)


@pytest.mark.parametrize("chembl_id", DRAWN_SMILES)
def test_no_starter_compound_contradicts_itself(starter_compounds, chembl_id):
    assert compounds.contradictions(starter_compounds[chembl_id]) == []
    assert "MISMATCH" not in [notice.code for notice in starter_compounds[chembl_id].notices]


@pytest.mark.parametrize(
    ("smiles", "formula"),
    [("C[N+](C)(C)CCO", "C5H14NO+"), ("C[N+](C)(C)CCO", "C5H14NO"), ("[Li+]", "Li+"), ("[2H]C([2H])([2H])O", "CHD3O")],
)
def test_charges_and_isotopes_in_a_formula_contradict_nothing(smiles, formula):
    compound = Compound(id="CHEMBL:1", name="X", molecular_formula=formula, smiles=smiles, **ALWAYS_THERE)

    assert compounds.contradictions(compound) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"molecular_formula": "C9H8O5"}, "The SMILES tells the formula C9H8O4, the record C9H8O5."),
        (
            {"inchi_key": "BSYNRYMUTXBXSX-UHFFFAOYSA-N"},
            "The SMILES tells the InChIKey BSYNRYMUTXBXSQ-UHFFFAOYSA-N, the record BSYNRYMUTXBXSX-UHFFFAOYSA-N.",
        ),
        ({"smiles": "CC(=O)Oc1ccccc1C(=O"}, "The SMILES 'CC(=O)Oc1ccccc1C(=O' cannot be read."),
        ({"smiles": "c1cccc1"}, "The SMILES 'c1cccc1' cannot be read."),
    ],
)
def test_a_contradiction_with_the_structure_is_reported(change, words):
    wrong = compounds.contradictions(ASPIRIN.model_copy(update=change))

    assert [(notice.code, notice.message) for notice in wrong] == [("MISMATCH", words)]


def test_another_structure_contradicts_formula_and_key():
    assert len(compounds.contradictions(ASPIRIN.model_copy(update={"smiles": "CCO"}))) == 2


@pytest.mark.parametrize("field", ["molecular_formula", "inchi_key"])
def test_a_field_without_a_value_cannot_contradict(field):
    assert compounds.contradictions(ASPIRIN.model_copy(update={field: None})) == []


@pytest.mark.parametrize(
    ("smiles", "formula"), [("[Na+].[Cl-]", "ClNa"), ("C[N+](C)(C)C", "C4H12N"), ("[13NH3]", "H3N")]
)
def test_charges_and_isotopes_are_no_part_of_a_formula(smiles, formula):
    record = Compound(id="CHEMBL:1", name="MADE", smiles=smiles, molecular_formula=formula, **ALWAYS_THERE)

    assert compounds.contradictions(record) == []


def test_a_record_that_contradicts_itself_is_kept_with_a_notice():
    record = run(lambda chembl: chembl.get_compound("CHEMBL:1"), facts=with_structure("CCO")).answer

    assert (record.id, record.smiles) == ("CHEMBL:1", "CCO")
    assert message(record, "MISMATCH").startswith("The SMILES tells the InChIKey LFQSCWFLJHTTHZ-UHFFFAOYSA-N")


def test_a_structure_that_cannot_be_read_has_no_picture_and_its_record_is_kept(capfd):
    facts = with_structure("c1cccc1")

    with pytest.raises(UpstreamError, match="structure of CHEMBL:1 cannot be read"):
        run(lambda chembl: chembl.draw("CHEMBL:1"), facts=facts)
    assert "cannot be read" in message(run(lambda c: c.get_compound("CHEMBL:1"), facts=facts).answer, "MISMATCH")
    assert capfd.readouterr().err == ""  # RDKit's own words stay away from stderr


def test_a_name_with_marks_stays_text_in_the_picture():
    record = ASPIRIN.model_copy(update={"name": "<b>A & B</b>"})

    ElementTree.fromstring(compounds.draw_svg(record))


def test_the_command_writes_the_picture_to_a_file(tmp_path, capsys):
    file = tmp_path / "aspirin.svg"

    code = cli.run(["chembl", "draw", "CHEMBL:25", "-o", str(file), "--sandbox"])

    assert (code, capsys.readouterr().out) == (0, "")
    assert ElementTree.fromstring(file.read_text("utf-8")).tag == f"{SVG}svg"
