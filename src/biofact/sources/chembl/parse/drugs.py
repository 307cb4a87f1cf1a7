"""How drugs work and what they are for. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from biofact.dialects.json_values import text
from biofact.sources.chembl.identifiers import curie
from biofact.sources.chembl.parse.molecules import phase
from biofact.sources.chembl.parse.targets import Target
from biofact.sources.chembl.records import Indication, Mechanism


@dataclass(frozen=True, slots=True)
class MechanismRow:
    """One mechanism, as it is filed."""

    molecule: str
    """Often a salt."""
    parent: str
    words: str
    action: str | None
    target: str | None
    max_phase: float | None


def mechanism_rows(rows: Iterable[dict[str, Any]]) -> list[MechanismRow]:
    """What rows of mechanisms tell; those without molecule or words tell nothing."""
    kept = []
    for row in rows:
        molecule, words = text(row, "molecule_chembl_id"), text(row, "mechanism_of_action")
        if molecule and words:
            parent = text(row, "parent_molecule_chembl_id") or molecule
            action, target = text(row, "action_type"), text(row, "target_chembl_id")
            kept.append(MechanismRow(molecule, parent, words, action, target, phase(row)))
    return kept


def mechanisms(rows: Iterable[MechanismRow], targets: Mapping[str, Target]) -> list[Mechanism]:
    """Each mechanism once, with what is known of its target."""
    return list(dict.fromkeys(_mechanism(row, targets.get(row.target or "")) for row in rows))


def _mechanism(row: MechanismRow, target: Target | None) -> Mechanism:
    about = Mechanism(mechanism=row.words, action=row.action, target=curie(row.target) if row.target else None)
    if target is None:
        return about
    return about.model_copy(
        update={
            "target_name": target.name,
            "target_type": target.type,
            "organism": target.organism,
            "uniprot": tuple(f"UniProtKB:{accession}" for accession in target.accessions),
        }
    )


def indications(rows: Iterable[dict[str, Any]], own: str | None = None) -> list[Indication]:
    """What a drug is for, highest phase first, each disease once. ``own`` leaves out what is filed on other forms."""
    kept = [row for row in rows if own is None or text(row, "molecule_chembl_id") == own]
    best: dict[tuple[str | None, str | None, str], Indication] = {}
    for one in sorted(filter(None, map(_indication, kept)), key=lambda one: -(one.max_phase or 0)):
        best.setdefault((one.efo, one.mesh, one.disease), one)
    return list(best.values())


def _indication(row: dict[str, Any]) -> Indication | None:
    """None for a row that names no disease."""
    disease = text(row, "efo_term") or text(row, "mesh_heading")
    efo, mesh = text(row, "efo_id"), text(row, "mesh_id")
    if disease is None and efo is None:
        return None
    return Indication(disease=disease or str(efo), max_phase=phase(row, "max_phase_for_ind"), efo=efo, mesh=mesh)
