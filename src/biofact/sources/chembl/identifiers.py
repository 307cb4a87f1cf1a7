"""The ID kinds that the strict tools take."""

import re

from biofact.core import curies, identifiers
from biofact.core.errors import ToolRef
from biofact.core.identifiers import ForeignId, IdKind
from biofact.core.xrefs import REGISTRY

FORM = r"CHEMBL:[0-9]{1,12}"
NATIVE = r"CHEMBL[1-9][0-9]{0,11}"

_SPELLINGS = re.compile(
    r"(?:(?:chembl(?:[. _-]?compound)?\s*[:=]\s*)?chembl\s*[:_-]?\s*)0*([1-9]\d{0,11})", re.IGNORECASE
)
_PUNCTUATION = " ()[]<>\"'.,;?!#"


def is_native(text: str | None) -> bool:
    """Whether ``text`` is an ID as ChEMBL writes it."""
    return text is not None and re.fullmatch(NATIVE, text, re.ASCII) is not None


def curie(native: str) -> str:
    """``CHEMBL:25`` for ``CHEMBL25``."""
    return f"CHEMBL:{native.removeprefix('CHEMBL')}"


def native(chembl_id: str) -> str:
    """``CHEMBL25`` for ``CHEMBL:25``."""
    return chembl_id.replace(":", "", 1)


def parse_id(text: str) -> str | None:
    """The ChEMBL ID that ``text`` is in some spelling, in ours; None when it is something else."""
    match = _SPELLINGS.fullmatch(text.strip(_PUNCTUATION))
    return f"CHEMBL:{match[1]}" if match else None


def native_number(native_id: str) -> int:
    """The number of an ID, which gives the order."""
    return int(native_id.removeprefix("CHEMBL"))


UNICHEM_SOURCES = {
    "DrugBank": 2,
    "GTOPDB": 4,
    "KEGG": 6,
    "CHEBI": 7,
    "UNII": 14,
    "HMDB": 18,
    "PUBCHEM.COMPOUND": 22,
    "DRUGCENTRAL": 34,
}
"""UniChem's numbers of databases, by the prefix of their IDs (UPSTREAMS 5, read 2026-11-20)."""
_NOT_IN_UNICHEM = ("CAS", "DTXSID")
_CAS_CHECK = 10


def elsewhere_id(text: str) -> tuple[str, str] | None:
    """The prefix and the ID of a compound in a database other than ChEMBL that ``text`` is; None for anything else."""
    written_id = curies.read_id(text) or ""
    prefix, colon, compound_id = written_id.partition(":")
    if not colon and written_id.startswith("DTXSID"):
        return "DTXSID", written_id
    return (prefix, compound_id) if prefix in {*UNICHEM_SOURCES, *_NOT_IN_UNICHEM} else None


def is_own_name(text: str) -> bool:
    """Whether ``text`` may be a name or an ID of ChEMBL."""
    return elsewhere_id(text) is None


def cas_check_digit(number: str) -> int:
    """The last digit that a CAS number has to have: the sum of the others, each times its place from the right."""
    digits = [int(digit) for digit in reversed(number.rpartition("-")[0].replace("-", ""))]
    return sum(place * digit for place, digit in enumerate(digits, 1)) % _CAS_CHECK


SEARCH = ToolRef("chembl", "search_compounds")
TARGETS = ToolRef("chembl", "search_targets")
STRUCTURES = ToolRef("chembl", "search_structures")
ON_TARGET = ToolRef("chembl", "find_compounds_for_target")
GET_COMPOUND = ToolRef("chembl", "get_compound")
BATCH = ToolRef("chembl", "get_compounds_batch")
_UNIPROT = REGISTRY["uniprot"]


def _target(text: str) -> str | None:
    chembl_id = parse_id(text)
    accession = _UNIPROT.normalise(text.strip().upper().removeprefix("UNIPROTKB:").removeprefix("UNIPROT:"))
    return chembl_id or accession


def _as_query(text: str) -> str:
    return parse_id(text) or re.sub(r"\s+", " ", text).strip()


COMPOUND_ID = identifiers.declare(
    IdKind(
        "ChEMBL compound ID",
        FORM,
        "CHEMBL:25",
        SEARCH,
        repair=parse_id,
        local=native,
        query=_as_query,
        foreign_ids=(ForeignId(_UNIPROT.form, "UniProt entry", ON_TARGET, "target_id"),),
    )
)
TARGET_ID = identifiers.declare(
    IdKind("target ID", rf"{FORM}|{_UNIPROT.form}", "UniProtKB:P00533", TARGETS, repair=_target, query=_as_query)
)
