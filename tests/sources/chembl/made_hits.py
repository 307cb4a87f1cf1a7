"""Molecules as hits of searches, made by hand."""

from biofact.sources.chembl.parse import MoleculeHit


def made_hit(number, preferred_name=None, *synonyms, parent=None, phase=None, place=0):
    """A molecule; ``synonyms`` are names with their kinds."""
    return MoleculeHit(
        id=f"CHEMBL{number}",
        preferred_name=preferred_name,
        synonyms=synonyms,
        parent=f"CHEMBL{parent}" if parent else None,
        formula=None,
        weight=None,
        type=None,
        max_phase=phase,
        place=place,
    )
