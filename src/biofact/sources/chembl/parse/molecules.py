"""The fields of molecules: names, phase, parent. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from biofact.core.records import Notice
from biofact.core.xrefs import XrefCollector
from biofact.dialects.json_values import decimal, document, flag, nested_object, number, objects, text
from biofact.dialects.readable_rows import ReadableRows
from biofact.sources.chembl.identifiers import curie, native_number
from biofact.sources.chembl.parse.lists import (
    NO_STRUCTURE_IDS,
    Hits,
    StructureIds,
    Target,
    list_part,
    optional_id,
    required_id,
    required_text,
)
from biofact.sources.chembl.records import (
    Compound,
    CompoundSearchCandidate,
    Indication,
    MatchKind,
    Mechanism,
    SaltForm,
    SlimCompound,
)

OFFICIAL = ("INN", "USAN", "BAN", "FDA", "JAN", "USP", "ATC", "BNF", "NATIONAL_FORMULARY", "MERCK_INDEX")
"""Kinds of names that authorities give."""
_ORDER = {**dict.fromkeys(OFFICIAL, 0), "TRADE_NAME": 1, "RESEARCH_CODE": 3}
_OTHER = 2

Synonym = tuple[str, str]
"""A name and the kind of name that it is."""


def synonyms(values: dict[str, Any]) -> list[Synonym]:
    """Each name once, with its best kind: official ones first, then trade names, others, research codes.

    ChEMBL repeats a name for each authority, in several letter cases; the one not all in capitals is kept.
    """
    rows = [
        (text(row, "molecule_synonym") or text(row, "synonyms"), text(row, "syn_type") or "OTHER")
        for row in objects(values, "molecule_synonyms")
    ]
    named_rows = sorted(((name, kind) for name, kind in rows if name), key=_rank)
    best: dict[str, Synonym] = {}
    for name, kind in named_rows:
        earlier = best.get(name.casefold())
        if earlier is None:
            best[name.casefold()] = (name, kind)
        # The kind stays that of the first, which is the best of them.
        elif earlier[0].isupper() and not name.isupper():
            best[name.casefold()] = (name, earlier[1])
    return list(best.values())


def spellings(values: dict[str, Any]) -> frozenset[str]:
    """Each name in every letter case that it is written in."""
    all_names = (
        text(values, "pref_name"),
        *(text(row, "molecule_synonym") for row in objects(values, "molecule_synonyms")),
    )
    return frozenset(filter(None, all_names))


def _rank(synonym: tuple[str, str]) -> int:
    return _ORDER.get(synonym[1], _OTHER)


def phase(values: dict[str, Any], name: str = "max_phase") -> float | None:
    """The phase reached: text or number; older answers have 0 for preclinical molecules, current ones null."""
    return decimal(values, name) or None


def parent(values: dict[str, Any]) -> str | None:
    """The molecule without its salt; None for one that is its own parent, or has no hierarchy."""
    parent_id = optional_id(nested_object(values, "molecule_hierarchy"), "parent_chembl_id")
    return parent_id if parent_id != text(values, "molecule_chembl_id") else None


@dataclass(frozen=True, slots=True)
class MoleculeHit:
    """A molecule with what ranks it."""

    id: str
    """As ChEMBL writes it."""
    preferred_name: str | None
    synonyms: tuple[Synonym, ...]
    parent: str | None
    """The molecule without its salt; None for one that is its own."""
    formula: str | None
    """The formula of the whole molecule; biotherapeutics have none."""
    weight: float | None
    """The weight of the whole molecule, in Da."""
    type: str | None
    max_phase: float | None
    similarity: float | None = None
    """The similarity to the query structure, in percent."""
    smiles: str | None = None
    inchi: str | None = None
    inchi_key: str | None = None
    place: int = 0
    """In the service's own list."""
    spellings: frozenset[str] = frozenset()
    """All its names, in each letter case that ChEMBL has."""

    @property
    def name(self) -> str:
        """Preferred, else a synonym, else the ID."""
        return self.preferred_name or next((name for name, _ in self.synonyms), self.id)

    @property
    def number(self) -> int:
        """The number of the ID."""
        return native_number(self.id)

    def candidate(
        self, *, match: MatchKind, score: float, salt_forms: Sequence["MoleculeHit"] = ()
    ) -> CompoundSearchCandidate:
        """The row of an answer."""
        return CompoundSearchCandidate(
            id=curie(self.id),
            name=self.name,
            molecular_formula=self.formula,
            molecular_weight=self.weight,
            score=score,
            match=match,
            molecule_type=self.type,
            max_phase=self.max_phase,
            similarity=None if self.similarity is None else round(self.similarity, 2),
            parent=curie(self.parent) if self.parent else None,
            salt_forms=[SaltForm(id=curie(form.id), name=form.name) for form in salt_forms],
        )


def hits(body: bytes, offset: int = 0) -> Hits[MoleculeHit]:
    """The page of molecules that ``body`` is.

    Raises:
        Transient: the body is damaged.
        MissingField: no molecule has an ID.
    """
    return Hits.of(list_part(body, "molecules", offset), _molecule_hit)


def molecule_hit(payload: bytes) -> MoleculeHit:
    """The molecule of a look-up.

    Raises:
        Transient: the payload is damaged.
        UpstreamError: it has no ID.
    """
    return _molecule_hit(document(payload))


def _molecule_hit(values: dict[str, Any], place: int = 0) -> MoleculeHit:
    structures, properties = nested_object(values, "molecule_structures"), nested_object(values, "molecule_properties")
    return MoleculeHit(
        id=required_id(values, "molecule_chembl_id", "a molecule"),
        preferred_name=text(values, "pref_name"),
        synonyms=tuple(synonyms(values)),
        parent=parent(values),
        formula=text(properties, "full_molformula"),
        weight=decimal(properties, "full_mwt"),
        type=text(values, "molecule_type"),
        max_phase=phase(values),
        similarity=decimal(values, "similarity"),
        smiles=text(structures, "canonical_smiles"),
        inchi=text(structures, "standard_inchi"),
        inchi_key=text(structures, "standard_inchi_key"),
        place=place,
        spellings=spellings(values),
    )


_CATEGORIES = {
    "Small molecule": "biolink:SmallMolecule",
    "Protein": "biolink:Protein",
    "Antibody": "biolink:Protein",
    "Enzyme": "biolink:Protein",
}


@dataclass(frozen=True, slots=True)
class SideFacts:
    """The facts of a compound from side requests."""

    mechanisms: Sequence[Mechanism] = ()
    indications: Sequence[Indication] = ()
    structure_ids: StructureIds = NO_STRUCTURE_IDS
    entries: Sequence[str] = ()
    """PDB entries that hold it."""
    release: str | None = None
    notices: list[Notice] = field(default_factory=list)
    """The notices of failed side requests."""


def compound(payload: bytes, side_facts: SideFacts) -> Compound:
    """The compound that a molecule and its side facts describe.

    Raises:
        UpstreamError: it has no ID.
    """
    values = document(payload)
    hit = _molecule_hit(values)
    properties = nested_object(values, "molecule_properties")
    xrefs = _collector(values, hit.id, side_facts)
    cross_references = xrefs.collected()  # which adds to the notices of the collector
    return Compound(
        id=curie(hit.id),
        name=hit.name,
        canonical_name=hit.preferred_name,
        synonyms=[synonym for synonym, _ in hit.synonyms if synonym.casefold() != hit.name.casefold()],
        molecular_formula=hit.formula,
        molecular_weight=hit.weight,
        smiles=hit.smiles,
        inchi=hit.inchi,
        inchi_key=hit.inchi_key,
        alogp=decimal(properties, "alogp"),
        hba=number(properties, "hba"),
        hbd=number(properties, "hbd"),
        ro5_violations=number(properties, "num_ro5_violations"),
        molecule_type=hit.type,
        max_phase=hit.max_phase,
        first_approval=number(values, "first_approval"),
        withdrawn=flag(values, "withdrawn_flag"),
        black_box_warning=flag(values, "black_box_warning"),
        parent=curie(hit.parent) if hit.parent else None,
        mechanisms=list(side_facts.mechanisms),
        indications=list(side_facts.indications),
        cross_references=cross_references,
        category=_CATEGORIES.get(hit.type or "", "biolink:ChemicalEntity"),
        release=side_facts.release,
        notices=[*_form(hit.id, hit.parent), *xrefs.notices, *side_facts.notices],
    )


def slim_compound(payload: bytes) -> SlimCompound:
    """The short form of the compound; a request returns up to fifty.

    Raises:
        UpstreamError: it has no ID.
    """
    hit = molecule_hit(payload)
    return SlimCompound(id=curie(hit.id), name=hit.name, molecular_formula=hit.formula)


def _collector(values: dict[str, Any], native_id: str, side_facts: SideFacts) -> XrefCollector:
    """The cross-references, not yet judged. ChEMBL's own rows hold PubChem substances (SID), never compounds (CID)."""
    xref_collector = XrefCollector()
    xref_collector.add("chembl", native_id)
    for row in objects(values, "cross_references"):
        if text(row, "xref_src") == "PubChem" and (text(row, "xref_name") or "").upper().startswith("SID"):
            xref_collector.add("pubchem_substance", text(row, "xref_id"))
    for mechanism in side_facts.mechanisms:
        for accession in mechanism.uniprot:
            xref_collector.add("uniprot", accession)
    for key, value in side_facts.structure_ids.ids:
        xref_collector.add(key, value)
    for entry in side_facts.entries:
        xref_collector.add("pdb", entry)
    return xref_collector


def _form(native_id: str, is_form_of: str | None) -> list[Notice]:
    if is_form_of is None:
        return []
    form, base = curie(native_id), curie(is_form_of)
    message = f"{form} is a form of {base}: mechanisms, indications and identifiers of that one are listed there only."
    return [Notice(code="FORM_OF", message=message)]


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


def mechanism_rows(rows: Iterable[dict[str, Any]]) -> ReadableRows[MechanismRow]:
    """The mechanisms of rows, without those that lack a molecule or words.

    Raises:
        MissingField: every row lacks one.
    """
    return ReadableRows.of(rows, _mechanism_row)


def _mechanism_row(row: dict[str, Any]) -> MechanismRow:
    molecule = required_id(row, "molecule_chembl_id", "a mechanism")
    return MechanismRow(
        molecule,
        optional_id(row, "parent_molecule_chembl_id") or molecule,
        required_text(row, "mechanism_of_action", "a mechanism"),
        text(row, "action_type"),
        optional_id(row, "target_chembl_id"),
        phase(row),
    )


def mechanisms(rows: Iterable[MechanismRow], targets: Mapping[str, Target]) -> list[Mechanism]:
    """Each mechanism once, with what is known of its target."""
    return list(dict.fromkeys(_mechanism(row, targets.get(row.target or "")) for row in rows))


def _mechanism(row: MechanismRow, target: Target | None) -> Mechanism:
    mechanism = Mechanism(mechanism=row.words, action=row.action, target=curie(row.target) if row.target else None)
    if target is None:
        return mechanism
    return mechanism.model_copy(
        update={
            "target_name": target.name,
            "target_type": target.type,
            "organism": target.organism,
            "uniprot": tuple(f"UniProtKB:{accession}" for accession in target.accessions),
        }
    )


def indications(rows: Iterable[dict[str, Any]], form_id: str | None = None) -> list[Indication]:
    """The indications of a drug, highest phase first, each disease once; with ``form_id`` only those of that form."""
    kept_rows = [row for row in rows if form_id is None or text(row, "molecule_chembl_id") == form_id]
    best: dict[tuple[str | None, str | None, str], Indication] = {}
    for indication in sorted(filter(None, map(_indication, kept_rows)), key=lambda row: -(row.max_phase or 0)):
        best.setdefault((indication.efo, indication.mesh, indication.disease), indication)
    return list(best.values())


def _indication(row: dict[str, Any]) -> Indication | None:
    """None for a row that names no disease."""
    disease = text(row, "efo_term") or text(row, "mesh_heading")
    efo, mesh = text(row, "efo_id"), text(row, "mesh_id")
    if disease is None and efo is None:
        return None
    return Indication(disease=disease or str(efo), max_phase=phase(row, "max_phase_for_ind"), efo=efo, mesh=mesh)
