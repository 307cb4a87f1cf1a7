"""The records of ChEMBL."""

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from biofact.core.identifiers import of_record
from biofact.core.records import Frozen, Number, Part, Record, SlimRecord, absent, absent_list
from biofact.core.xrefs import CrossReferences
from biofact.sources.chembl.identifiers import FORM
from biofact.tables import TableHints

MatchKind = Literal["id", "name", "trade_name", "synonym", "structure", "text", "near"]
"""The field of a compound that the query matches."""


CompoundId = Annotated[str, of_record("ChEMBL compound ID", FORM, "CHEMBL:25")]


class SaltForm(Frozen):
    """A salt, hydrate or other form that counts as its parent."""

    id: str
    name: str


class SlimCompoundSearchCandidate(SlimRecord):
    """One hit of a compound search in short. A formula that ChEMBL does not have is absent."""

    id: CompoundId
    """Such as CHEMBL:25."""
    name: str
    """Preferred name, else a synonym, else ChEMBL's bare ID."""
    molecular_formula: str | None = absent("Of the whole molecule, salts included.")
    score: Number
    """0-1; never increases along a list, later pages included."""
    match: MatchKind

    def slim(self) -> "SlimCompoundSearchCandidate":
        """The short form."""
        return self.shortened(SlimCompoundSearchCandidate)


class CompoundSearchCandidate(SlimCompoundSearchCandidate):
    """One hit of a compound search. Fields without a value are absent."""

    molecular_weight: Number | None = absent("Da, of the whole molecule.")
    molecule_type: str | None = absent("ChEMBL's word: Small molecule, Antibody, Protein, ...")
    max_phase: Number | None = absent("4 approved, 1-3 clinical, 0.5 early phase 1, -1 unknown; absent: preclinical.")
    similarity: Number | None = absent("To the structure asked for, in percent.")
    parent: str | None = absent("ID of the compound without its salt, where that is another.")
    salt_forms: list[SaltForm] = absent_list("Forms that matched as well, and are not listed apart.")


TargetMatchKind = Literal["id", "name", "symbol", "synonym", "text"]
"""The field of a target that the query matches."""


class SlimTargetSearchCandidate(SlimRecord):
    """One hit of a target search in short. A target of no organism is without one."""

    id: str
    """Such as CHEMBL:203."""
    name: str
    """Preferred name, else ChEMBL's bare ID."""
    organism: str | None = absent()
    score: Number
    """0-1; never increases along a list, later pages included."""
    match: TargetMatchKind

    def slim(self) -> "SlimTargetSearchCandidate":
        """The short form."""
        return self.shortened(SlimTargetSearchCandidate)


class TargetSearchCandidate(SlimTargetSearchCandidate):
    """One hit of a target search. Fields without a value are absent."""

    target_type: str | None = absent("Such as SINGLE PROTEIN, PROTEIN FAMILY, CELL-LINE.")
    uniprot: list[str] = absent_list("Of its components, five at most; all for a query that is the target's ID.")
    component_count: int | None = absent("Where more proteins belong to it than are listed.")


class Mechanism(Frozen):
    """A mechanism of action of a drug. Fields without a value are absent."""

    mechanism: str
    """In words, such as Cyclooxygenase inhibitor."""
    action: str | None = absent("Such as INHIBITOR.")
    target: str | None = absent("ID, such as CHEMBL:203.")
    target_name: str | None = absent()
    target_type: str | None = absent("Such as SINGLE PROTEIN.")
    organism: str | None = absent()
    uniprot: tuple[str, ...] = Field(
        default=(), exclude_if=lambda value: not value, description="Of the target's components."
    )


class Indication(Frozen):
    """An indication for which a drug is used or was tried. Fields without a value are absent."""

    disease: str
    max_phase: Number | None = absent("Reached for this disease; as in the record.")
    efo: str | None = absent("Ontology ID, such as EFO:0000616; other ontologies' too.")
    mesh: str | None = absent("Such as D009369.")


_CHEMISTRY = ("inchi_key", "first_approval", "withdrawn", "black_box_warning", "alogp", "hba", "hbd", "ro5_violations")
_CUT_XREFS = ("uniprot", "pdb", "pubchem_substance")


def _parts(*too_long: str, synonyms: int, xrefs: int) -> dict[str, Part]:
    """The parts to include, with texts left out otherwise; by default at most these synonyms and cross-references."""
    return {
        "synonyms": Part(limits={"synonyms": synonyms}),
        "cross_references": Part(limits={f"cross_references.{key}": xrefs for key in _CUT_XREFS}),
        "mechanisms": Part(fields=("mechanisms",)),
        "indications": Part(fields=("indications",)),
        "chemistry": Part(fields=_CHEMISTRY, limits=dict.fromkeys(too_long, 0)),
    }


class SlimCompound(SlimRecord):
    """One compound of ChEMBL in short. A formula that ChEMBL does not have is absent."""

    id: CompoundId
    """Such as CHEMBL:25."""
    name: str
    """Preferred name, else a synonym, else ChEMBL's bare ID."""
    molecular_formula: str | None = absent("Of the whole molecule, salts included.")

    def slim(self) -> "SlimCompound":
        """The short form."""
        return self.shortened(SlimCompound)


class Compound(SlimCompound):
    """One compound as ChEMBL describes it. Fields without a value are absent."""

    record_parts: ClassVar[Mapping[str, Part]] = _parts(synonyms=10, xrefs=5)
    tighter_parts: ClassVar[Sequence[Mapping[str, Part]]] = (
        _parts(synonyms=5, xrefs=5),
        _parts(synonyms=3, xrefs=3),
        _parts("inchi", synonyms=10, xrefs=5),
        _parts("inchi", synonyms=5, xrefs=5),
        _parts("inchi", synonyms=3, xrefs=3),
        _parts("inchi", "smiles", synonyms=5, xrefs=3),
        _parts("inchi", "smiles", synonyms=1, xrefs=1),
        _parts("inchi", "smiles", "canonical_name", synonyms=0, xrefs=1),
    )
    token_budget: ClassVar[int] = 300

    molecular_weight: Number | None = absent("Da, of the whole molecule.")
    smiles: str | None = absent("Canonical.")
    inchi: str | None = absent("Standard.")
    inchi_key: str | None = absent("Standard.")
    canonical_name: str | None = absent("ChEMBL's preferred name.")
    synonyms: list[str] = absent_list("Official names first.")
    molecule_type: str | None = absent("ChEMBL's word: Small molecule, Antibody, Protein, ...")
    max_phase: Number | None = absent("4 approved, 1-3 clinical, 0.5 early phase 1, -1 unknown; absent: preclinical.")
    first_approval: int | None = absent("Year.")
    withdrawn: bool | None = absent()
    black_box_warning: bool | None = absent()
    parent: str | None = absent("ID of the compound without its salt, where that is another.")
    alogp: Number | None = absent("Calculated.")
    hba: int | None = absent("Hydrogen bond acceptors.")
    hbd: int | None = absent("Hydrogen bond donors.")
    ro5_violations: int | None = absent("Of Lipinski's rule of five.")
    mechanisms: list[Mechanism] = absent_list()
    indications: list[Indication] = absent_list("Highest phase first.")
    cross_references: CrossReferences
    """Keys without a value are absent."""
    category: str
    """Biolink class."""
    release: str | None = absent("Such as ChEMBL_37.")


AssayType = Literal["binding", "functional", "ADME", "toxicity", "physicochemical", "unclassified"]
"""ChEMBL's kinds of assays."""


class Bioactivity(Record):
    """One measurement. Fields without a value are absent."""

    slim_fields: ClassVar[tuple[str, ...]] = (
        *("activity_id", "target", "target_name", "standard_type", "relation", "value", "units", "pchembl"),
    )
    table_hints: ClassVar[TableHints] = TableHints(
        first=("target_name", "standard_type", "relation", "value", "units", "pchembl", "target")
    )

    activity_id: int
    molecule: str
    """ID of what was measured."""
    target: str | None = absent("ID, such as CHEMBL:203.")
    target_name: str | None = absent()
    organism: str | None = absent("Of the target.")
    assay_type: AssayType | None = absent()
    standard_type: str | None = absent("Such as IC50.")
    relation: str | None = absent("= or, where the value is a bound, < > <= >= ~.")
    value: Number | None = absent()
    units: str | None = absent("Such as nM.")
    pchembl: Number | None = absent("-log10 of the molar value; only where that can be compared.")
    activity_comment: str | None = absent("ChEMBL's or the authors', such as Not Active.")
    validity_comment: str | None = absent("ChEMBL's doubt about the value.")
    possible_duplicate: bool | None = absent("True where it seems to be cited from another paper.")
    assay: str | None = absent("ID.")
    document: str | None = absent("ID.")


class TargetCompound(Record):
    """One compound that works on a target, or was measured to. Fields without a value are absent."""

    slim_fields: ClassVar[tuple[str, ...]] = ("id", "name", "evidence", "max_phase", "action", "pchembl")

    id: CompoundId
    """Such as CHEMBL:939."""
    name: str
    """Preferred name, else ChEMBL's bare ID."""
    evidence: Literal["mechanism", "activity"]
    """A mechanism of action, or measurements only."""
    target: str
    """ID; a complex or family may stand for the protein."""
    max_phase: Number | None = absent("4 approved, 1-3 clinical, 0.5 early phase 1, -1 unknown.")
    mechanism: str | None = absent("In words.")
    action: str | None = absent("Such as INHIBITOR.")
    pchembl: Number | None = absent("The best one measured.")
    standard_type: str | None = absent("Of that measurement, such as IC50.")
    activity_id: int | None = absent("Of that measurement.")
