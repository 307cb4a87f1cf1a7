"""A few compounds, small enough to know by heart, and what the stand-ins tell of them."""

import functools
import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote

from biofact.sandbox.services.chembl.facts import (
    ActivityFacts,
    ChemblFacts,
    IdFacts,
    IndicationFacts,
    MechanismFacts,
    MoleculeFacts,
    Properties,
    StructureFacts,
    StructureXrefs,
    Synonym,
    TargetFacts,
)
from biofact.sandbox.services.chembl.standin import ChemblStandIn
from biofact.sandbox.standin import Ask, Reply, StandIn
from biofact.transport.service import Request

AAA_KEY = "AAAAAAAAAAAAAA-UHFFFAOYSA-N"
SALT_KEY = "BBBBBBBBBBBBBB-UHFFFAOYSA-N"

AAA = MoleculeFacts(
    id="CHEMBL1",
    name="AAAMAB FREE",
    max_phase=4,
    first_approval=1999,
    is_withdrawn=True,
    has_black_box_warning=True,
    structure=StructureFacts("CCO", "InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3", AAA_KEY),
    properties=Properties("C2H6O", "46.07", alogp="-0.00", hba=1, hbd=1, psa="20.23", rtb=0, ro5_violations=0),
    synonyms=(
        Synonym("Aaanol", "INN"),
        Synonym("Alphadrine", "TRADE_NAME"),
        Synonym("AX-100", "RESEARCH_CODE"),
    ),
    substance_ids=("101", "102"),
    also_smiles=("OCC",),
)
SALT = MoleculeFacts(
    id="CHEMBL2",
    name="AAANOL MESYLATE",
    parent="CHEMBL1",
    max_phase=4,
    structure=StructureFacts("CCO.CS(=O)(=O)O", "InChI=1S/C2H6O.CH4O3S", SALT_KEY),
    synonyms=(Synonym("Aaanol mesylate", "USAN"), Synonym("Alphadrine", "OTHER")),
)
ANTIBODY = MoleculeFacts(
    id="CHEMBL3",
    name="BETAMAB",
    type="Antibody",
    max_phase=0.5,
    synonyms=(Synonym("Betamab", "INN"),),
    biotherapeutic="A made antibody",
)
PRODRUG = MoleculeFacts(id="CHEMBL10", name="PRO-AAANOL", max_phase=-1, is_prodrug=True, active="CHEMBL1")
UNNAMED = MoleculeFacts(id="CHEMBL5", structure=StructureFacts("CC", "InChI=1S/C2H6/c1-2/h1-2H3", "C" * 14 + "-X-N"))

KINASE = TargetFacts("CHEMBL100", "First kinase", "SINGLE PROTEIN", "Homo sapiens", 9606, ("P00001",))
FAMILY = TargetFacts("CHEMBL101", "All kinases", "PROTEIN FAMILY", "Homo sapiens", 9606, ("P00001", "P00002"))
CELLS = TargetFacts("CHEMBL102", "HELA", "CELL-LINE")


def measured(number: int, **more: Any) -> ActivityFacts:
    known: dict[str, Any] = {
        "molecule": "CHEMBL1",
        "target": "CHEMBL100",
        "assay": "CHEMBL200",
        "document": "CHEMBL300",
        "assay_type": "B",
        "standard_type": "IC50",
        "relation": "=",
        "units": "nM",
    }
    return ActivityFacts(id=number, **{**known, **more})


ACTIVITIES = (
    measured(1, value="1000", pchembl="6.00", year=2001),
    measured(2, value="10", pchembl="8.00", molecule="CHEMBL2"),
    measured(3, value="50000", relation=">"),
    measured(4, value="1", pchembl="9.00", standard_type="Ki", is_duplicate=True, description="Made assay"),
    measured(5, value="35.5", units="%", standard_type="Inhibition", target="CHEMBL102", validity="Outside range"),
)

FACTS = ChemblFacts(
    molecules=(AAA, SALT, ANTIBODY, PRODRUG, UNNAMED),
    targets=(KINASE, FAMILY, CELLS),
    mechanisms=(
        MechanismFacts(11, "CHEMBL2", "CHEMBL100", "First kinase inhibitor", "INHIBITOR", 4),
        MechanismFacts(12, "CHEMBL3", "", "Binds something"),
    ),
    indications=(
        IndicationFacts(21, "CHEMBL2", "D000001", "First disease", "EFO:0000001", "first disease", 4),
        IndicationFacts(22, "CHEMBL1", "D000002", "Second disease", "", "", 0.5),
    ),
    activities=ACTIVITIES,
    ids=(IdFacts("CHEMBL900", "COMPOUND", "INACTIVE"), IdFacts("CHEMBL901", "CELL")),
    elsewhere=(
        StructureXrefs(AAA_KEY, ((22, "702"), (2, "DB00001"), (3, "AAX"))),
        StructureXrefs("D" * 14 + "-X-N", ()),
    ),
    ligands={"AAX": ("1abc", "2xyz")},
)


def chembl(facts: ChemblFacts = FACTS, recorded: Iterable[dict[str, Any]] = ()) -> ChemblStandIn:
    return ChemblStandIn(facts, recorded, release="ChEMBL_37", released="2026-05-01")


@functools.cache
def usual() -> ChemblStandIn:
    return chembl()


def sent(standin: StandIn, request: Request) -> Reply:
    """What the stand-in says to a request of the client."""
    params = tuple((name, str(value)) for name, value in request.params)
    body = json.dumps(request.json).encode() if request.json is not None else b""
    reply = standin.reply(Ask(request.method, unquote(request.quoted_path), params, body))
    assert reply is not None
    return reply


def document(reply: Reply | None, status: int = 200) -> Any:
    assert reply is not None
    assert isinstance(reply.body, bytes)
    assert reply.content_type == "application/json"
    assert reply.status == status, reply.body
    return json.loads(reply.body)


def ask(path: str, *repeated: tuple[str, str], method: str = "GET", body: bytes = b"", **params: object) -> Ask:
    return Ask(method, path, (*repeated, *((name, str(value)) for name, value in params.items())), body)


def told(path: str, *repeated: tuple[str, str], standin: StandIn | None = None, **params: object) -> Any:
    """The document of a good answer."""
    return document((standin or usual()).reply(ask(path, *repeated, **params)))


def refusal(path: str, *repeated: tuple[str, str], status: int = 400, **params: object) -> str:
    """The words of a refusal."""
    found = document(usual().reply(ask(path, *repeated, **params)), status)
    assert list(found) == ["error_message"]
    return str(found["error_message"])


def ids(path: str, *repeated: tuple[str, str], key: str = "molecule_chembl_id", **params: object) -> list[Any]:
    """The IDs on the first page of a list."""
    found = told(path, *repeated, **params)
    [rows] = [rows for name, rows in found.items() if name != "page_meta"]
    return [row[key] for row in rows]
