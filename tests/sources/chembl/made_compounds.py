"""A few compounds, small enough to know by heart, and the rows of the stand-ins about them."""

import functools
import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote

from biofact.sandbox.services import chembl as package
from biofact.sandbox.services.chembl.corpus import rows_of_starter
from biofact.sandbox.services.chembl.standin import ChemblStandIn
from biofact.sandbox.standin import Reply, ServiceRequest, StandIn
from biofact.sandbox.tables import Row, Rows, merged, usual_row
from biofact.transport.service import Request

AAA_KEY = "AAAAAAAAAAAAAA-UHFFFAOYSA-N"
SALT_KEY = "BBBBBBBBBBBBBB-UHFFFAOYSA-N"


def made_row(table: str, **fields: Any) -> Row:
    """A made row; missing fields have usual values."""
    return merged(usual_row(package.__name__, f"{table}.jsonl"), fields)


def molecule(uid: str, name: str | None = None, **fields: Any) -> Row:
    """A molecule, without a structure unless one is given."""
    bare = {"molecule_structures": None, "molecule_properties": None, "structure_type": "NONE"}
    return made_row("molecule", molecule_chembl_id=uid, pref_name=name, **{**bare, **fields})


def structure(smiles: str, inchi: str, inchi_key: str) -> Row:
    return {"canonical_smiles": smiles, "standard_inchi": inchi, "standard_inchi_key": inchi_key}


def target(uid: str, name: str, kind: str, *accessions: str, **fields: Any) -> Row:
    relationship = "SINGLE PROTEIN" if kind == "SINGLE PROTEIN" else "GROUP MEMBER"
    components = [{"accession": accession, "relationship": relationship} for accession in accessions]
    return made_row(
        "target", target_chembl_id=uid, pref_name=name, target_type=kind, target_components=components, **fields
    )


def mechanism(number: int, molecule_id: str, target_id: str | None, words: str, **fields: Any) -> Row:
    return made_row(
        "mechanism",
        mec_id=number,
        molecule_chembl_id=molecule_id,
        target_chembl_id=target_id,
        mechanism_of_action=words,
        **fields,
    )


def indication(number: int, molecule_id: str, mesh_id: str, heading: str, **fields: Any) -> Row:
    return made_row(
        "drug_indication",
        drugind_id=number,
        molecule_chembl_id=molecule_id,
        mesh_id=mesh_id,
        mesh_heading=heading,
        **{"efo_id": None, "efo_term": None, **fields},
    )


def activity(number: int, **fields: Any) -> Row:
    """A measurement with the fields of its assay."""
    assay = made_row(
        "assay",
        assay_chembl_id="CHEMBL200",
        document_chembl_id="CHEMBL300",
        target_chembl_id="CHEMBL100",
        assay_description=None,
    )
    of_molecule = {"molecule_chembl_id": "CHEMBL1", "standard_value": None}
    return {**assay, **made_row("activity", activity_id=number, **{**of_molecule, **fields})}


def source_ids(inchi_key: str, *ids: tuple[int, str]) -> Row:
    return {"standardInchiKey": inchi_key, "sources": [{"id": source, "compoundId": uid} for source, uid in ids]}


def ligands(**entries: list[str]) -> list[Row]:
    return [{"code": code, "entries": entry} for code, entry in entries.items()]


AAA = molecule(
    "CHEMBL1",
    "AAAMAB FREE",
    max_phase="4.0",
    first_approval=1999,
    withdrawn_flag=True,
    black_box_warning=1,
    molecule_structures=structure("CCO", "InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3", AAA_KEY),
    molecule_properties={
        "full_molformula": "C2H6O",
        "full_mwt": "46.07",
        "alogp": "-0.00",
        "hba": 1,
        "hbd": 1,
        "psa": "20.23",
        "rtb": 0,
        "num_ro5_violations": 0,
    },
    structure_type="MOL",
    molecule_synonyms={"INN": ["Aaanol"], "TRADE_NAME": ["Alphadrine"], "RESEARCH_CODE": ["AX-100"]},
    cross_references=[{"xref_id": sid, "xref_name": f"SID: {sid}", "xref_src": "PubChem"} for sid in ("101", "102")],
    also_smiles=["OCC"],
)
SALT = molecule(
    "CHEMBL2",
    "AAANOL MESYLATE",
    molecule_hierarchy={"parent_chembl_id": "CHEMBL1"},
    max_phase="4.0",
    molecule_structures=structure("CCO.CS(=O)(=O)O", "InChI=1S/C2H6O.CH4O3S", SALT_KEY),
    structure_type="MOL",
    molecule_synonyms={"USAN": ["Aaanol mesylate"], "OTHER": ["Alphadrine"]},
)
ANTIBODY = molecule(
    "CHEMBL3",
    "BETAMAB",
    molecule_type="Antibody",
    max_phase="0.5",
    molecule_synonyms={"INN": ["Betamab"]},
    structure_type="SEQ",
    biotherapeutic={
        "biocomponents": [],
        "description": "A made antibody",
        "helm_notation": None,
        "molecule_chembl_id": "CHEMBL3",
    },
)
PRODRUG = molecule(
    "CHEMBL10",
    "PRO-AAANOL",
    max_phase="-1.0",
    prodrug=1,
    molecule_hierarchy={"active_chembl_id": "CHEMBL1"},
)
MOLECULE = molecule(
    "CHEMBL5",
    molecule_structures=structure("CC", "InChI=1S/C2H6/c1-2/h1-2H3", "C" * 14 + "-X-N"),
    structure_type="MOL",
)

KINASE = target("CHEMBL100", "First kinase", "SINGLE PROTEIN", "P00001")
FAMILY = target("CHEMBL101", "All kinases", "PROTEIN FAMILY", "P00001", "P00002")
CELLS = target("CHEMBL102", "HELA", "CELL-LINE", organism=None, tax_id=None)

ACTIVITIES = (
    activity(1, standard_value="1000", pchembl_value="6.00", document_year=2001),
    activity(2, standard_value="10", pchembl_value="8.00", molecule_chembl_id="CHEMBL2"),
    activity(3, standard_value="50000", standard_relation=">"),
    activity(
        4,
        standard_value="1",
        pchembl_value="9.00",
        standard_type="Ki",
        bao_endpoint=None,
        potential_duplicate=1,
        assay_description="Made assay",
    ),
    activity(
        5,
        standard_value="35.5",
        standard_units="%",
        uo_units="UO_0000187",
        qudt_units=None,
        standard_type="Inhibition",
        bao_endpoint=None,
        target_chembl_id="CHEMBL102",
        data_validity_comment="Outside range",
    ),
)

FACTS: Rows = {
    "molecule": [AAA, SALT, ANTIBODY, PRODRUG, MOLECULE],
    "target": [KINASE, FAMILY, CELLS],
    "mechanism": [
        mechanism(11, "CHEMBL2", "CHEMBL100", "First kinase inhibitor"),
        mechanism(12, "CHEMBL3", None, "Binds something", action_type=None, max_phase=None),
    ],
    "drug_indication": [
        indication(21, "CHEMBL2", "D000001", "First disease", efo_id="EFO:0000001", efo_term="first disease"),
        indication(22, "CHEMBL1", "D000002", "Second disease", max_phase_for_ind="0.5"),
    ],
    "activity": ACTIVITIES,
    "chembl_id_lookup": [
        made_row(
            "chembl_id_lookup",
            chembl_id="CHEMBL900",
            entity_type="COMPOUND",
            status="INACTIVE",
            last_active=None,
            resource_url="/chembl/api/data/molecule/CHEMBL900",
        ),
        made_row(
            "chembl_id_lookup",
            chembl_id="CHEMBL901",
            entity_type="CELL",
            resource_url="/chembl/api/data/cell_line/CHEMBL901",
        ),
    ],
    "unichem_source": rows_of_starter()["unichem_source"],
    "unichem_compound": [
        source_ids(AAA_KEY, (22, "702"), (2, "DB00001"), (3, "AAX")),
        source_ids("D" * 14 + "-X-N"),
    ],
    "pdb_ligand": ligands(AAX=["1abc", "2xyz"]),
}


def chembl(facts: Rows = FACTS, rows: Iterable[Row] = ()) -> ChemblStandIn:
    return ChemblStandIn(facts, rows)


@functools.cache
def usual() -> ChemblStandIn:
    return chembl()


def reply_to(standin: StandIn, request: Request) -> Reply:
    """The stand-in's reply to a request of the client."""
    params = tuple((name, str(value)) for name, value in request.params)
    body = json.dumps(request.json).encode() if request.json is not None else b""
    reply = standin.reply(ServiceRequest(request.method, unquote(request.quoted_path), params, body))
    assert reply is not None
    return reply


def document(reply: Reply | None, status: int = 200) -> Any:
    assert reply is not None
    assert isinstance(reply.body, bytes)
    assert reply.content_type == "application/json"
    assert reply.status == status, reply.body
    return json.loads(reply.body)


def ask(path: str, *pairs: tuple[str, str], method: str = "GET", body: bytes = b"", **params: object) -> ServiceRequest:
    return ServiceRequest(method, path, (*pairs, *((name, str(value)) for name, value in params.items())), body)


def document_of(path: str, *pairs: tuple[str, str], standin: StandIn | None = None, **params: object) -> Any:
    """The document of a good answer."""
    return document((standin or usual()).reply(ask(path, *pairs, **params)))


def refusal(path: str, *pairs: tuple[str, str], status: int = 400, **params: object) -> str:
    """The words of a refusal."""
    result = document(usual().reply(ask(path, *pairs, **params)), status)
    assert list(result) == ["error_message"]
    return str(result["error_message"])


def ids(path: str, *pairs: tuple[str, str], key: str = "molecule_chembl_id", **params: object) -> list[Any]:
    """The IDs on the first page of a list."""
    result = document_of(path, *pairs, **params)
    [rows] = [rows for name, rows in result.items() if name != "page_meta"]
    return [row[key] for row in rows]
