"""How IDs of ontology terms are written: ``MONDO_0009861`` by the service, ``MONDO:0009861`` by us. Pure."""

import re

_SEVEN_DIGITS = "MONDO|EFO|HP|GO|UBERON|CL|CLO|OBA|OBI|BAO|NTR|PCL"
_FORMS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(form, re.IGNORECASE | re.ASCII), template)
    for form, template in (
        (rf"({_SEVEN_DIGITS})[:_ ]?(\d{{7}})", "{0}_{1}"),
        (r"DOID[:_ ]?(\d{1,7})", "DOID_{0}"),
        (r"CHEBI[:_ ]?(\d{1,7})", "CHEBI_{0}"),
        (r"(?:Orphanet|ORPHA(?:NET)?|ORDO)[:_ ]?(?:Orphanet_|ORPHA)?:?(\d{1,7})", "Orphanet_{0}"),
        (r"NCIT[:_ ]?(C\d{3,7})", "NCIT_{0}"),
        (r"VARIO[:_ ]?(\d{4})", "VariO_{0}"),
        (r"(?:Cellosaurus[:_ ])?CVCL[:_]([A-Z0-9]{4})", "CVCL_{0}"),
        (r"ONCOTREE[:_]([A-Z0-9][A-Z0-9_/]{0,30})", "Oncotree_{0}"),
    )
)
_SHORTENED = re.compile(rf"({_SEVEN_DIGITS})[:_](\d{{1,6}})", re.IGNORECASE | re.ASCII)
_IMPORTED = re.compile(r"([A-Za-z]{2,10})[:_](\d{7})", re.ASCII)


def term_id(text: str) -> str | None:
    """The ID of the ontology term that ``text`` spells, as the service writes it; None when it is something else."""
    for form, template in _FORMS:
        if found := form.fullmatch(text):
            return template.format(*(group.upper() for group in found.groups()))
    return None


def imported_term_id(text: str) -> str | None:
    """Likewise of an ontology that the Catalog's own ones import, such as ``PATO_0000001``: any that is shaped so."""
    found = _IMPORTED.fullmatch(text)
    return f"{found[1].upper()}_{found[2]}" if found else None


def zero_padded(text: str) -> str | None:
    """The ID that ``text`` is without leading zeros, in our spelling: ``MONDO:0009861`` for ``MONDO:9861``."""
    found = _SHORTENED.fullmatch(text)
    return f"{found[1].upper()}:{found[2].zfill(7)}" if found else None
