"""ChEMBL's side of the wire, with UniChem's and PDBe's: what the sandbox answers."""

import functools
from pathlib import Path

from biofact.sources.chembl.standin.corpus import recorded_molecules
from biofact.sources.chembl.standin.pdbe import PdbeStandIn
from biofact.sources.chembl.standin.standin import ChemblStandIn
from biofact.sources.chembl.standin.starters import STARTER_DATE, STARTER_RELEASE, starter_facts
from biofact.sources.chembl.standin.unichem import UniChemStandIn
from biofact.transport.standin import StandIn

__all__ = ["ChemblStandIn", "PdbeStandIn", "UniChemStandIn", "stand_ins"]


def stand_ins(recordings: Path | None = None) -> list[StandIn]:
    """ChEMBL, UniChem and PDBe over the starter facts; with recordings, ChEMBL has some 190 molecules more."""
    return [_chembl(recordings), UniChemStandIn(starter_facts()), PdbeStandIn(starter_facts())]


@functools.cache
def _chembl(recordings: Path | None) -> ChemblStandIn:
    """Read once in a process; it keeps nothing of what it is asked."""
    recorded = recorded_molecules(recordings) if recordings else ()
    return ChemblStandIn(starter_facts(), recorded, release=STARTER_RELEASE, released=STARTER_DATE)
