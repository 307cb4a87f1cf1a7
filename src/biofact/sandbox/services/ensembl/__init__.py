"""Ensembl's side of the wire: what the sandbox answers, from facts written for the purpose or recorded ones."""

import functools
from pathlib import Path

from biofact.sandbox.services.ensembl.corpus import ensembl_rows
from biofact.sandbox.services.ensembl.ebi_search import EbiSearchStandIn
from biofact.sandbox.services.ensembl.genes import Genes
from biofact.sandbox.services.ensembl.rows import rows_of_starter
from biofact.sandbox.services.ensembl.species import ServedSpecies, recorded_species
from biofact.sandbox.services.ensembl.standin import EnsemblStandIn
from biofact.sandbox.standin import StandIn

__all__ = ["EbiSearchStandIn", "EnsemblStandIn", "Genes", "ServedSpecies", "stand_ins"]


def stand_ins(recordings: Path | None = None) -> list[StandIn]:
    """Ensembl REST and EBI Search over the starter genes; with recordings, over some 90,000 genes more."""
    genes = _genes(recordings)
    return [EnsemblStandIn(genes), EbiSearchStandIn(genes)]


@functools.cache
def _genes(recordings: Path | None) -> Genes:
    """Read once in a process: 90,000 genes take seconds."""
    rows = rows_of_starter()
    recorded = recorded_species(recordings) if recordings else []
    return Genes(rows, ServedSpecies(recorded or rows["species"]), ensembl_rows(recordings) if recordings else ())
