"""What the stand-ins know: molecules, targets, mechanisms, indications, activities; structures elsewhere.

Empty text and None mean not known. IDs are ChEMBL's own spelling, ``CHEMBL25``.
"""

from dataclasses import dataclass, field
from typing import Literal

EntityType = Literal["COMPOUND", "TARGET", "ASSAY", "DOCUMENT", "CELL", "TISSUE"]


@dataclass(frozen=True, slots=True)
class Synonym:
    """One name of a molecule, as one authority has it."""

    name: str
    kind: str
    """ChEMBL's ``syn_type``: INN, USAN, FDA, TRADE_NAME, RESEARCH_CODE, OTHER ..."""


@dataclass(frozen=True, slots=True)
class StructureFacts:
    """A defined structure."""

    smiles: str
    inchi: str
    inchi_key: str


@dataclass(frozen=True, slots=True)
class Properties:
    """What is calculated from a structure; texts as ChEMBL writes them."""

    formula: str
    weight: str
    """Of the full molecule, Da."""
    alogp: str = ""
    hba: int | None = None
    hbd: int | None = None
    psa: str = ""
    rtb: int | None = None
    ro5_violations: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MoleculeFacts:
    """One molecule."""

    id: str
    name: str = ""
    """Preferred name."""
    type: str = "Small molecule"
    """ChEMBL's ``molecule_type``."""
    parent: str = ""
    """ID of the molecule without its salt; empty for one that is its own parent."""
    active: str = ""
    """ID of what a prodrug turns into; empty for one that is active itself."""
    max_phase: float | None = None
    """4 approved, 0.5 early phase 1, -1 unknown; None for preclinical."""
    first_approval: int | None = None
    is_withdrawn: bool = False
    has_black_box_warning: bool = False
    is_prodrug: bool = False
    structure: StructureFacts | None = None
    properties: Properties | None = None
    synonyms: tuple[Synonym, ...] = ()
    substance_ids: tuple[str, ...] = ()
    """PubChem SIDs."""
    biotherapeutic: str = ""
    """Its description, for one that is made of a sequence."""
    also_smiles: tuple[str, ...] = ()
    """Other spellings of the same structure, for searches by structure."""


@dataclass(frozen=True, slots=True)
class TargetFacts:
    """One target."""

    id: str
    name: str
    type: str
    """SINGLE PROTEIN, PROTEIN COMPLEX, PROTEIN FAMILY ..."""
    organism: str = ""
    tax_id: int | None = None
    accessions: tuple[str, ...] = ()
    """UniProt, of its components."""


@dataclass(frozen=True, slots=True)
class MechanismFacts:
    """How a drug works."""

    id: int
    molecule: str
    """On which it is filed, often a salt."""
    target: str
    """Empty where no target is known."""
    mechanism: str
    """In words, such as ``Cyclooxygenase inhibitor``."""
    action: str = ""
    max_phase: int | None = None


@dataclass(frozen=True, slots=True)
class IndicationFacts:
    """What a drug is, or was tried, for."""

    id: int
    molecule: str
    mesh_id: str
    mesh_heading: str
    efo_id: str
    efo_term: str
    max_phase: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityFacts:
    """One measurement."""

    id: int
    molecule: str
    target: str
    assay: str
    document: str
    assay_type: str
    """B binding, F functional, A ADME, T toxicity, P physicochemical, U unclassified."""
    standard_type: str
    """IC50, Ki, Kd, EC50, Potency, Inhibition ..."""
    relation: str = ""
    """``=``, or censored: ``>``, ``<``, ``>=``, ``<=``, ``~``."""
    value: str = ""
    units: str = ""
    pchembl: str = ""
    validity: str = ""
    """``data_validity_comment``."""
    is_duplicate: bool = False
    description: str = ""
    """Of the assay."""
    year: int | None = None


@dataclass(frozen=True, slots=True)
class IdFacts:
    """What an ID stands for, where no other facts tell it."""

    id: str
    type: EntityType
    status: Literal["ACTIVE", "INACTIVE", "OBS"] = "ACTIVE"


@dataclass(frozen=True, slots=True)
class StructureXrefs:
    """Where else a structure is known: UniChem's view."""

    inchi_key: str
    ids: tuple[tuple[int, str], ...]
    """UniChem's number of the source and the ID there: (22, "2244"), (2, "DB00945"), (3, "AIN") ..."""


@dataclass(frozen=True, slots=True)
class ChemblFacts:
    """All of them."""

    molecules: tuple[MoleculeFacts, ...] = ()
    targets: tuple[TargetFacts, ...] = ()
    mechanisms: tuple[MechanismFacts, ...] = ()
    indications: tuple[IndicationFacts, ...] = ()
    activities: tuple[ActivityFacts, ...] = ()
    ids: tuple[IdFacts, ...] = ()
    elsewhere: tuple[StructureXrefs, ...] = ()
    ligands: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """PDB ligand code and the entries that contain it, in lower case."""
