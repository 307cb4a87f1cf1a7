"""The starter facts of ChEMBL, chosen for this project, in ``starter/``."""

import functools
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from biofact.sandbox.dialects import starter
from biofact.sandbox.dialects.starter import decimal, integer
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

STARTER_RELEASE = "ChEMBL_37"
STARTER_DATE = "2026-05-01"
"""When it was released."""

COMPOUNDS = (
    "medicines.toml",
    "salts.toml",
    "biologics.toml",
    "kinase_inhibitors.toml",
    "recorded.toml",
    "unnamed.toml",
)
"""The files with compounds."""

_FLAGS = {"withdrawn": "is_withdrawn", "black_box": "has_black_box_warning", "prodrug": "is_prodrug"}
_TEXTS = frozenset({"active", "biotherapeutic", "name", "parent", "type"})
_LISTS = {"also_smiles": "also_smiles", "sids": "substance_ids"}
_STRUCTURE = ("smiles", "inchi", "inchi_key")
_CALCULATED = ("formula", "weight", "calculated")
_KNOWN = frozenset({*_TEXTS, *_LISTS, *_STRUCTURE, *_CALCULATED, "approved", "elsewhere", "flags", "phase"})
_COUNTS = {"hba": "hba", "hbd": "hbd", "rtb": "rtb", "ro5": "ro5_violations"}

_KIND = re.compile(r"[A-Z][A-Z_]+")
_CALCULATION = re.compile(r"(?P<key>alogp|psa)=(?P<text>-?\d+\.\d+)|(?P<count>hba|hbd|rtb|ro5)=(?P<number>\d+)")
_ELSEWHERE = re.compile(r"(?P<source>\d+)=(?P<id>\S+)")
_rows = functools.partial(starter.rows, __package__)


@functools.cache
def starter_facts() -> ChemblFacts:
    """All starter facts, in the order of the files.

    Raises:
        ValueError: A file holds what cannot be read; the message says what was expected.
    """
    entries = [item for name in COMPOUNDS for item in tomllib.loads(starter.text(__package__, name)).items()]
    targets = tuple(_target(cells) for cells in _rows("targets.tsv", 6))
    assays = {cells[0]: cells[1:] for cells in _rows("assays.tsv", 6)}
    return ChemblFacts(
        molecules=tuple(_molecule(chembl_id, entry) for chembl_id, entry in entries),
        targets=targets,
        mechanisms=tuple(_mechanism(cells) for cells in _rows("mechanisms.tsv", 6)),
        indications=tuple(_indication(cells) for cells in _rows("indications.tsv", 7)),
        activities=tuple(_activity(cells, assays) for cells in _rows("activities.tsv", 10)),
        ids=tuple(_id(cells) for cells in _rows("ids.tsv", 3)),
        elsewhere=tuple(
            StructureXrefs(entry["inchi_key"], tuple(_elsewhere(chembl_id, entry["elsewhere"])))
            for chembl_id, entry in entries
            if "elsewhere" in entry
        ),
        ligands={code: tuple(listed.split()) for code, listed in _rows("ligands.tsv", 2)},
    )


def _molecule(chembl_id: str, entry: Mapping[str, Any]) -> MoleculeFacts:
    kinds = [key for key in entry if _KIND.fullmatch(key)]
    for key in entry.keys() - _KNOWN - set(kinds):
        known = ", ".join(sorted(_KNOWN))
        raise ValueError(f"{chembl_id} has a field {key!r}; expected one of {known} or a kind of synonym like INN.")
    facts: dict[str, Any] = {key: entry[key] for key in _TEXTS & entry.keys()}
    facts |= {field: tuple(str(value) for value in entry.get(key, ())) for key, field in _LISTS.items()}
    for flag in entry.get("flags", "").split():
        if flag not in _FLAGS:
            raise ValueError(f"{chembl_id} has a flag {flag!r}; expected one of {', '.join(_FLAGS)}.")
        facts[_FLAGS[flag]] = True
    return MoleculeFacts(
        id=chembl_id,
        max_phase=float(entry["phase"]) if "phase" in entry else None,
        first_approval=entry.get("approved"),
        structure=_structure(chembl_id, entry),
        properties=_properties(chembl_id, entry),
        synonyms=tuple(Synonym(name, kind) for kind in kinds for name in entry[kind]),
        **facts,
    )


def _structure(chembl_id: str, entry: Mapping[str, Any]) -> StructureFacts | None:
    present = [key for key in _STRUCTURE if key in entry]
    if not present:
        return None
    if len(present) < len(_STRUCTURE):
        raise ValueError(f"{chembl_id} has only {', '.join(present)}; expected {', '.join(_STRUCTURE)} together.")
    return StructureFacts(*(entry[key] for key in _STRUCTURE))


def _properties(chembl_id: str, entry: Mapping[str, Any]) -> Properties | None:
    if "formula" not in entry or "weight" not in entry:
        if any(key in entry for key in _CALCULATED):
            raise ValueError(f"{chembl_id} has no formula or no weight; expected both where something is calculated.")
        return None
    facts: dict[str, Any] = {}
    for word in entry.get("calculated", "").split():
        match = _CALCULATION.fullmatch(word)
        if not match:
            raise ValueError(f"{chembl_id} has {word!r}; expected forms like 'alogp=1.23' and 'hba=4'.")
        facts |= {match["key"]: match["text"]} if match["key"] else {_COUNTS[match["count"]]: int(match["number"])}
    return Properties(entry["formula"], entry["weight"], **facts)


def _elsewhere(chembl_id: str, written: str) -> Iterator[tuple[int, str]]:
    for word in written.split():
        match = _ELSEWHERE.fullmatch(word)
        if not match:
            raise ValueError(f"{chembl_id} is {word!r} elsewhere; expected a form like '22=2244'.")
        yield int(match["source"]), match["id"]


def _target(cells: list[str]) -> TargetFacts:
    chembl_id, name, kind, organism, tax_id, accessions = cells
    return TargetFacts(chembl_id, name, kind, organism, integer(tax_id) if tax_id else None, tuple(accessions.split()))


def _mechanism(cells: list[str]) -> MechanismFacts:
    number, molecule, target, mechanism, action, phase = cells
    return MechanismFacts(integer(number), molecule, target, mechanism, action, integer(phase) if phase else None)


def _indication(cells: list[str]) -> IndicationFacts:
    number, molecule, phase, mesh_id, mesh_heading, efo_id, efo_term = cells
    terms = (mesh_id, mesh_heading, efo_id, efo_term)
    return IndicationFacts(integer(number), molecule, *terms, decimal(phase) if phase else None)


def _activity(cells: list[str], assays: Mapping[str, list[str]]) -> ActivityFacts:
    number, assay, molecule, standard_type, relation, value, units, pchembl, validity, duplicate = cells
    if assay not in assays:
        raise ValueError(f"Activity {number} names the assay {assay!r}; expected one of assays.tsv.")
    document, target, assay_type, year, description = assays[assay]
    return ActivityFacts(
        id=integer(number),
        molecule=molecule,
        target=target,
        assay=assay,
        document=document,
        assay_type=assay_type,
        standard_type=standard_type,
        relation=relation,
        value=value,
        units=units,
        pchembl=pchembl,
        validity=validity,
        is_duplicate=bool(duplicate),
        description=description,
        year=integer(year) if year else None,
    )


def _id(cells: list[str]) -> IdFacts:
    chembl_id, kind, status = cells
    facts: dict[str, Any] = {"id": chembl_id, "type": kind, "status": status}
    return IdFacts(**facts)
