"""Questions that only the live service can settle."""

from biofact.sources.chembl import requests
from biofact.sources.chembl.requests import AskedStructure
from biofact.sources.chembl.service import UNICHEM
from biofact.transport.service import Request

_MEASURED = {"target_chembl_id__in": "CHEMBL203", "pchembl_value__isnull": "false"}
_ASPIRIN = AskedStructure("smiles", "CC(=O)Oc1ccccc1C(=O)O")

PROBES = (
    ("the release", requests.status()),
    ("whether only= keeps a search short", requests.search("imatinib", 0, 3)),
    ("whether the search finds beginnings", requests.search("imat", 0, 3)),
    ("synonyms that begin so", requests.named("imat", "istartswith", 0, 3, where=(("max_phase", "4"),))),
    ("several molecules, one of which is none", requests.molecules(("CHEMBL25", "CHEMBL999999999"))),
    ("what does not exist", requests.id_lookup("CHEMBL999999999")),
    ("mechanisms of several", requests.mechanisms_of(("CHEMBL941", "CHEMBL25"))),
    ("a structure by its SMILES", requests.with_smiles("CC(=O)Oc1ccccc1C(=O)O")),
    ("a structure elsewhere", requests.elsewhere("BSYNRYMUTXBXSQ-UHFFFAOYSA-N")),
    ("UniChem's databases", Request(UNICHEM, "/sources")),
    ("targets by ID", requests.targets(("CHEMBL203", "CHEMBL2363049"))),
    ("targets of a UniProt entry", requests.targets_with("P00533")),
    ("measurements in order", requests.activities("-pchembl_value,activity_id", 0, 3, **_MEASURED)),
    ("names that end so", requests.named("tinib", "iendswith", 0, 3)),
    ("several names", requests.called(("IMATINIB", "CARBIDOPA"), "preferred")),
    ("several names, one of them with a comma", requests.called(("Water, purified", "Glivec"), "synonym")),
    ("several IDs of other kinds", requests.ids_lookup(("CHEMBL203", "CHEMBL25", "CHEMBL999999999"))),
    ("several InChIKeys", requests.with_inchi_keys(("BSYNRYMUTXBXSQ-UHFFFAOYSA-N", "KTUFNOKKBVMGRW-UHFFFAOYSA-N"))),
    ("a preferred name", requests.named("carbidopa", "iexact", 0, 3, of="preferred")),
    ("a structure by its InChIKey", requests.with_inchi_key("BSYNRYMUTXBXSQ-UHFFFAOYSA-N")),
    ("PDB entries of a ligand", requests.entries_with("AIN")),
    ("targets by words", requests.target_search("EGFR", 0, 3)),
    ("targets by words, of one organism", requests.target_search("EGFR", 0, 3, (("tax_id__in", "9606"),))),
    ("targets by a gene symbol", requests.targets_called("EGFR", "synonym")),
    ("compounds like a SMILES", requests.similar(_ASPIRIN, 70, 0, 3)),
    ("the least threshold", requests.similar(_ASPIRIN, 40, 0, 3)),
    ("compounds like a compound", requests.similar(AskedStructure("chembl_id", "CHEMBL25"), 70, 0, 3)),
    ("compounds that hold a structure", requests.holding(_ASPIRIN, 0, 3)),
    ("whether a substructure may be short", requests.holding(AskedStructure("smiles", "CCO"), 0, 3)),
)
