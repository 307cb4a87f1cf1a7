"""How ChEMBL's IDs are written: ``CHEMBL:25`` by us, ``CHEMBL25`` by ChEMBL. Compounds, targets, assays and documents
share one series of numbers. Pure.
"""

import re

FORM = r"CHEMBL:[0-9]{1,12}"
NATIVE = r"CHEMBL[1-9][0-9]{0,11}"

_WRITTEN = re.compile(
    r"(?:(?:chembl(?:[. _-]?compound)?\s*[:=]\s*)?chembl\s*[:_-]?\s*)0*([1-9]\d{0,11})", re.IGNORECASE
)
_AROUND = " ()[]<>\"'.,;?!#"


def is_native(text: str | None) -> bool:
    """Whether ``text`` is an ID as ChEMBL writes it."""
    return text is not None and re.fullmatch(NATIVE, text, re.ASCII) is not None


def curie(native: str) -> str:
    """``CHEMBL:25`` for ``CHEMBL25``."""
    return f"CHEMBL:{native.removeprefix('CHEMBL')}"


def native(chembl_id: str) -> str:
    """``CHEMBL25`` for ``CHEMBL:25``."""
    return chembl_id.replace(":", "", 1)


def recognised(text: str) -> str | None:
    """The ChEMBL ID that ``text`` is in some spelling, in ours; None when it is something else."""
    found = _WRITTEN.fullmatch(text.strip(_AROUND))
    return f"CHEMBL:{found[1]}" if found else None


def number(native_id: str) -> int:
    """What IDs are ordered by."""
    return int(native_id.removeprefix("CHEMBL"))
