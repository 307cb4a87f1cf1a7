"""ChEMBL's, UniChem's and PDBe's payloads to records. Pure: no network, no clock."""

from biofact.sources.chembl.parse.activities import Measured, measured
from biofact.sources.chembl.parse.compounds import Legs, compound, inchi_key, parent_of, slim_compound
from biofact.sources.chembl.parse.documents import Listed, listed
from biofact.sources.chembl.parse.drugs import MechanismRow, indications, mechanism_rows, mechanisms
from biofact.sources.chembl.parse.elsewhere import NOWHERE, Elsewhere, elsewhere, entries
from biofact.sources.chembl.parse.found import Found, Hits, hits, looked_up
from biofact.sources.chembl.parse.kinds import LOOKUPS, Known, known, known_row, release
from biofact.sources.chembl.parse.split import kept, molecules, rows
from biofact.sources.chembl.parse.targets import Target, TargetHits, target, target_hits, targets_with

__all__ = [
    "LOOKUPS",
    "NOWHERE",
    "Elsewhere",
    "Found",
    "Hits",
    "Known",
    "Legs",
    "Listed",
    "Measured",
    "MechanismRow",
    "Target",
    "TargetHits",
    "compound",
    "elsewhere",
    "entries",
    "hits",
    "inchi_key",
    "indications",
    "kept",
    "known",
    "known_row",
    "listed",
    "looked_up",
    "measured",
    "mechanism_rows",
    "mechanisms",
    "molecules",
    "parent_of",
    "release",
    "rows",
    "slim_compound",
    "target",
    "target_hits",
    "targets_with",
]
