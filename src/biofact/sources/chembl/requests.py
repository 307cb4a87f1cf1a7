"""Questions to ChEMBL, UniChem and PDBe. JSON everywhere; ChEMBL's own default is XML.

ChEMBL ignores a field that it does not know and answers with the whole table (UPSTREAMS 4.1, read 2026-11-20): every
filter is written in this file, none comes from a caller.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Literal

from biofact.sources.chembl.service import CHEMBL, PDBE, UNICHEM
from biofact.transport.service import Request

JSON = "application/json"
MOST_ROWS = 1000
"""Of one answer; ChEMBL cuts what asks for more."""
MOST_FOUND = 10_000
"""Hits of a search that can be reached."""

_NAMES = {"synonym": "molecule_synonyms__molecule_synonym", "preferred": "pref_name"}
_FOUND = "molecule_chembl_id,pref_name,molecule_type,max_phase,molecule_hierarchy,molecule_properties,molecule_synonyms"
"""What a search reads of a hit."""
_STRUCTURED = f"{_FOUND},molecule_structures"

_TARGET_NAMES = {
    "synonym": "target_components__target_component_synonyms__component_synonym",
    "preferred": "pref_name",
}
_LIGHTEST = ("molecule_properties__full_mwt", "molecule_chembl_id")

NameComparison = Literal["iexact", "istartswith", "iendswith"]
Of = Literal["synonym", "preferred"]
"""Which of a molecule's names: the preferred one is not always among its synonyms."""
Where = tuple[tuple[str, str], ...]
"""Further filters, by field."""


@dataclass(frozen=True, slots=True)
class AskedStructure:
    """The structure that others are compared with."""

    notation: Literal["chembl_id", "smiles"]
    text: str


def molecules(ids: Sequence[str]) -> Request:
    """Molecules by ID, such as ``CHEMBL25``; those that do not exist are listed apart."""
    return _get(f"/molecule/set/{';'.join(ids)}.json")


def search(words: str, offset: int, limit: int) -> Request:
    """Molecules whose names, synonyms or IDs hold these words; three characters at least."""
    asked = _get("/molecule/search.json", q=words, limit=limit, offset=offset, only=_FOUND)
    return replace(asked, part="search")  # it fails while the tables stand (UPSTREAMS 4.2)


def named(
    name: str, comparison: NameComparison, offset: int, limit: int, *, of: Of = "synonym", where: Where = ()
) -> Request:
    """Molecules with a name of this kind that is, begins or ends like this."""
    return _molecules(offset, limit, **{f"{_NAMES[of]}__{comparison}": name, **dict(where)})


def called(spellings: Sequence[str], of: Of) -> Request:
    """Molecules with a name of this kind that is written in one of these ways, letter case included.

    One value is a list with commas between. Of a filter that is given several times each value is one, so that it may
    hold commas (the service's code as it was published, core/resource.py, read 2026-11-23).
    """
    name = f"{_NAMES[of]}__in"
    if not any("," in one for one in spellings):
        return _molecules(0, MOST_ROWS, **{name: ",".join(spellings)})
    repeated = spellings if len(spellings) > 1 else [*spellings, *spellings]
    request = _molecules(0, MOST_ROWS)
    return replace(request, params=(*request.params, *((name, one) for one in repeated)))


def with_inchi_keys(inchi_keys: Sequence[str]) -> Request:
    """Molecules of these structures."""
    return _molecules(0, MOST_ROWS, _STRUCTURED, molecule_structures__standard_inchi_key__in=",".join(inchi_keys))


def with_inchi_key(inchi_key: str) -> Request:
    """Molecules of this structure."""
    return _molecules(0, MOST_ROWS, _STRUCTURED, molecule_structures__standard_inchi_key=inchi_key)


def with_inchi(inchi: str) -> Request:
    """Molecules of this structure."""
    return _molecules(0, MOST_ROWS, _STRUCTURED, molecule_structures__standard_inchi=inchi)


def with_smiles(smiles: str) -> Request:
    """Molecules of this structure, however ChEMBL spells it."""
    return _molecules(0, MOST_ROWS, _STRUCTURED, molecule_structures__canonical_smiles__flexmatch=smiles)


def mechanisms_of(parents: Sequence[str]) -> Request:
    """How drugs work, those filed on their salts as well."""
    return _get("/mechanism.json", parent_molecule_chembl_id__in=",".join(parents), limit=MOST_ROWS)


def mechanisms_on(targets: Sequence[str]) -> Request:
    """Which drugs work on these targets."""
    return _get("/mechanism.json", target_chembl_id__in=",".join(targets), limit=MOST_ROWS)


def indications_of(parents: Sequence[str]) -> Request:
    """What drugs are, or were tried, for; those filed on their salts as well."""
    return _get("/drug_indication.json", parent_molecule_chembl_id__in=",".join(parents), limit=MOST_ROWS)


def targets(ids: Sequence[str]) -> Request:
    """Targets by ID."""
    return _get("/target.json", target_chembl_id__in=",".join(ids), limit=MOST_ROWS)


def targets_with(accession: str) -> Request:
    """Targets that have this UniProt entry as a component."""
    return _get("/target.json", target_components__accession=accession, limit=MOST_ROWS)


def target_search(words: str, offset: int, limit: int, where: Where = ()) -> Request:
    """Targets whose names, synonyms or accessions hold these words."""
    asked = _get("/target/search.json", q=words, limit=limit, offset=offset, **dict(where))
    return replace(asked, part="search")


def targets_called(name: str, of: Of, where: Where = ()) -> Request:
    """Targets whose preferred name, or a name of a component, is this one."""
    return _get("/target.json", **{f"{_TARGET_NAMES[of]}__iexact": name, **dict(where)}, limit=MOST_ROWS)


def similar(structure: AskedStructure, threshold: int, offset: int, limit: int) -> Request:
    """Molecules at least so similar, in percent, the most similar first."""
    asked: dict[str, str | int] = {structure.notation: structure.text, "similarity": threshold}
    return _get("/similarity.json", **asked, limit=limit, offset=offset, only=f"{_FOUND},similarity")


def holding(structure: AskedStructure, offset: int, limit: int) -> Request:
    """Molecules that hold this structure, the lightest first."""
    request = _get(
        "/substructure.json", **{structure.notation: structure.text}, limit=limit, offset=offset, only=_FOUND
    )
    return replace(request, params=(*request.params, *(("order_by", name) for name in _LIGHTEST)))


def activities(order: str, offset: int, limit: int, **filters: str) -> Request:
    """Measurements; ``order`` is of fields with commas between, each with a hyphen for descending."""
    request = _get("/activity.json", **filters, limit=limit, offset=offset)
    return replace(request, params=(*request.params, *(("order_by", name) for name in order.split(","))))


def id_lookup(chembl_id: str) -> Request:
    """What an ID stands for: a compound, target, assay or document."""
    return replace(_get(("chembl_id_lookup", f"{chembl_id}.json")), absent_status=HTTPStatus.NOT_FOUND)


def ids_lookup(ids: Sequence[str]) -> Request:
    """What these IDs stand for; those that never were any are left out."""
    return _get("/chembl_id_lookup.json", chembl_id__in=",".join(ids), limit=MOST_ROWS)


def status() -> Request:
    """The release."""
    return _get("/status.json")


def elsewhere(inchi_key: str) -> Request:
    """A structure's IDs in other databases."""
    return Request(UNICHEM, "/compounds", method="POST", json={"type": "inchikey", "compound": inchi_key}, accept=JSON)


def entries_with(ligand: str) -> Request:
    """The PDB entries that hold a ligand."""
    path = ("pdb", "compound", "in_pdb", ligand)
    return Request(PDBE, path, accept=JSON, absent_status=HTTPStatus.NOT_FOUND)


def _molecules(offset: int, limit: int, only: str = _FOUND, **filters: str) -> Request:
    return _get("/molecule.json", **filters, limit=limit, offset=offset, only=only)


def _get(path: str | tuple[str, ...], **params: str | int) -> Request:
    return Request(CHEMBL, path, tuple((name, str(value)) for name, value in params.items()), accept=JSON)
