"""A molecule's payload and its legs to its record. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from biofact.core.records import Notice
from biofact.core.xrefs import XrefCollector
from biofact.dialects.json_values import decimal, document, flag, number, objects, text, within
from biofact.sources.chembl.identifiers import curie
from biofact.sources.chembl.parse.documents import needed
from biofact.sources.chembl.parse.elsewhere import NOWHERE, Elsewhere
from biofact.sources.chembl.parse.molecules import called, formula, parent, phase, synonyms, weight
from biofact.sources.chembl.records import Compound, Indication, Mechanism, SlimCompound

_CATEGORIES = {
    "Small molecule": "biolink:SmallMolecule",
    "Protein": "biolink:Protein",
    "Antibody": "biolink:Protein",
    "Enzyme": "biolink:Protein",
}


@dataclass(frozen=True, slots=True)
class Legs:
    """What other answers tell of a compound."""

    mechanisms: Sequence[Mechanism] = ()
    indications: Sequence[Indication] = ()
    elsewhere: Elsewhere = NOWHERE
    entries: Sequence[str] = ()
    """PDB entries that hold it."""
    release: str | None = None
    notices: list[Notice] = field(default_factory=list)
    """Of legs that failed."""


def compound(payload: bytes, legs: Legs) -> Compound:
    """The compound that a molecule and its legs describe.

    Raises:
        UpstreamError: it has no ID.
    """
    values = document(payload)
    native_id = needed(values, "molecule_chembl_id", "a molecule")
    known = synonyms(values)
    name = called(values, native_id, known)
    names = [one for one, _ in known if one.casefold() != name.casefold()]
    xrefs = _collector(values, native_id, legs)
    collected = xrefs.collected()
    is_form_of = parent(values)
    return Compound(
        id=curie(native_id),
        name=name,
        canonical_name=text(values, "pref_name"),
        synonyms=names,
        **_chemistry(values),
        **_development(values),
        parent=curie(is_form_of) if is_form_of else None,
        mechanisms=list(legs.mechanisms),
        indications=list(legs.indications),
        cross_references=collected,
        category=_CATEGORIES.get(text(values, "molecule_type") or "", "biolink:ChemicalEntity"),
        release=legs.release,
        notices=[*_form(native_id, is_form_of), *xrefs.notices, *legs.notices],
    )


def slim_compound(payload: bytes) -> SlimCompound:
    """The short form of the compound: fifty of them are asked for at once.

    Raises:
        UpstreamError: it has no ID.
    """
    values = document(payload)
    native_id = needed(values, "molecule_chembl_id", "a molecule")
    name = called(values, native_id, synonyms(values))
    return SlimCompound(id=curie(native_id), name=name, molecular_formula=formula(values))


def inchi_key(payload: bytes) -> str | None:
    """Of the molecule's structure; None for one that has none."""
    return text(within(document(payload), "molecule_structures"), "standard_inchi_key")


def parent_of(payload: bytes) -> str | None:
    """The molecule without its salt; None for one that is its own."""
    return parent(document(payload))


def _chemistry(values: dict[str, Any]) -> dict[str, Any]:
    properties, structures = within(values, "molecule_properties"), within(values, "molecule_structures")
    return {
        "molecular_formula": formula(values),
        "molecular_weight": weight(values),
        "smiles": text(structures, "canonical_smiles"),
        "inchi": text(structures, "standard_inchi"),
        "inchi_key": text(structures, "standard_inchi_key"),
        "alogp": decimal(properties, "alogp"),
        "hba": number(properties, "hba"),
        "hbd": number(properties, "hbd"),
        "ro5_violations": number(properties, "num_ro5_violations"),
    }


def _development(values: dict[str, Any]) -> dict[str, Any]:
    return {
        "molecule_type": text(values, "molecule_type"),
        "max_phase": phase(values),
        "first_approval": number(values, "first_approval"),
        "withdrawn": flag(values, "withdrawn_flag"),
        "black_box_warning": flag(values, "black_box_warning"),
    }


def _collector(values: dict[str, Any], native_id: str, legs: Legs) -> XrefCollector:
    """The cross-references, not yet judged. ChEMBL's own rows hold PubChem substances (SID), never compounds (CID)."""
    found = XrefCollector()
    found.add("chembl", native_id)
    for row in objects(values, "cross_references"):
        if text(row, "xref_src") == "PubChem" and (text(row, "xref_name") or "").upper().startswith("SID"):
            found.add("pubchem_substance", text(row, "xref_id"))
    for mechanism in legs.mechanisms:
        for accession in mechanism.uniprot:
            found.add("uniprot", accession)
    for key, value in legs.elsewhere.ids:
        found.add(key, value)
    for entry in legs.entries:
        found.add("pdb", entry)
    return found


def _form(native_id: str, is_form_of: str | None) -> list[Notice]:
    if is_form_of is None:
        return []
    own, other = curie(native_id), curie(is_form_of)
    message = f"{own} is a form of {other}: mechanisms, indications and identifiers of that one are listed there only."
    return [Notice(code="FORM_OF", message=message)]
