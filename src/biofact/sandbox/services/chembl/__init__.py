"""ChEMBL's side of the wire, with UniChem's and PDBe's: what the sandbox answers."""

import functools
from pathlib import Path

from biofact.sandbox.services.chembl.corpus import recorded_molecules
from biofact.sandbox.services.chembl.pdbe import PdbeStandIn
from biofact.sandbox.services.chembl.rows import rows_of_starter
from biofact.sandbox.services.chembl.standin import ChemblStandIn
from biofact.sandbox.services.chembl.unichem import UniChemStandIn
from biofact.sandbox.standin import StandIn

__all__ = ["ChemblStandIn", "PdbeStandIn", "UniChemStandIn", "stand_ins"]


def stand_ins(recordings: Path | None = None) -> list[StandIn]:
    """ChEMBL, UniChem and PDBe over the starter rows; with recordings, ChEMBL has some 190 molecules more."""
    return [_chembl(recordings), *_elsewhere()]


@functools.cache
def _chembl(recordings: Path | None) -> ChemblStandIn:
    """Read once in a process; it keeps nothing of what it is asked."""
    recorded = recorded_molecules(recordings) if recordings else ()
    return ChemblStandIn(rows_of_starter(), recorded)


@functools.cache
def _elsewhere() -> tuple[StandIn, ...]:
    """Read once in a process, as well; recordings bring nothing to them."""
    return UniChemStandIn(rows_of_starter()), PdbeStandIn(rows_of_starter())
