"""Which of several findings a field's own name asks for: ``odds_ratio`` is never answered with a hazard ratio. Pure."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from biofact.literature.extraction.findings import Finding

_MEASURES: tuple[tuple[str, frozenset[str]], ...] = (
    (r"hazard|^a?hr(?:_|$)", frozenset(("HR",))),
    (r"odds|^a?or(?:_|$)", frozenset(("OR",))),
    (r"risk_ratio|relative_risk|^a?rr(?:_|$)", frozenset(("RR",))),
    (r"rate_ratio|^irr(?:_|$)", frozenset(("IRR", "rate ratio"))),
    (r"mean_diff", frozenset(("MD", "WMD", "SMD"))),
    (r"risk_diff", frozenset(("RD",))),
    (r"^auc(?:_|$)", frozenset(("AUC",))),
    (r"sensitivity", frozenset(("sensitivity",))),
    (r"correlation", frozenset(("r", "ICC"))),
)
_REGISTERS: tuple[tuple[str, str], ...] = (
    (r"nct|clinical_?trials", "NCT"),
    (r"isrctn", "ISRCTN"),
    (r"prospero", "CRD"),
    (r"eudract", "20"),
)
_PEOPLE = re.compile(r"participant|patient|subject|enrol|cohort|people|population")
_STUDIES = re.compile(r"stud(?:y|ies)_(?:included|count)|included_studies|(?:number_of|n|num)_studies")
_COUNTS_STUDIES = re.compile(r"(?i)\b(?:stud(?:y|ies)|trials?|articles?|reports?|publications?|papers?|RCTs?)\b")
_PARTS = ((r"url|link|github", "url"), (r"accession", "accessions"), (r"repositor", "repository"))


def plain_name(name: str) -> str:
    """A name in small letters with underscores between its words."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return re.sub(r"[^a-z0-9]+", "_", parted.lower()).strip("_")


def matching_findings(name: str, canonical: str, finding: Finding) -> list[Finding]:
    """The finding and its alternatives that fit the field's name; the best stays first."""
    plain = plain_name(name)
    return [narrowed for each in (finding, *finding.others) for narrowed in _narrow(plain, canonical, each)]


def fits_measure(plain: str, value: Any) -> bool:
    """Whether an effect is what the name of a part asks for: ``hazard_ratio`` takes no odds ratio."""
    wanted = next((measures for pattern, measures in _MEASURES if re.search(pattern, plain)), None)
    measure = value.get("measure") if isinstance(value, dict) else None
    return wanted is None or measure is None or measure in wanted


def _narrow(plain: str, canonical: str, finding: Finding) -> Iterator[Finding]:
    match canonical:
        case "effect_size":
            if fits_measure(plain, finding.value):
                yield finding
        case "sample_size" | "dataset_size":
            is_of_studies = any(_COUNTS_STUDIES.search(evidence.quote) for evidence in finding.evidence)
            if not (_PEOPLE.search(plain) and is_of_studies) and (is_of_studies or not _STUDIES.search(plain)):
                yield finding
        case "registration":
            yield from _of_register(plain, finding)
        case "data_availability" | "code_availability":
            yield from _part(plain, finding)
        case _:
            yield finding


def _of_register(plain: str, finding: Finding) -> Iterator[Finding]:
    """The numbers of the register that the name mentions."""
    prefix = next((prefix for pattern, prefix in _REGISTERS if re.search(pattern, plain)), None)
    if prefix is None or not isinstance(finding.value, list):
        yield finding
        return
    pairs = zip(finding.value, finding.evidence, strict=False)
    kept = [(number, evidence) for number, evidence in pairs if str(number).upper().startswith(prefix)]
    if kept:
        yield replace(finding, value=[number for number, _ in kept], evidence=tuple(evidence for _, evidence in kept))


def _part(plain: str, finding: Finding) -> Iterator[Finding]:
    """The address, accession or repository, where the name asks for one."""
    part = next((part for pattern, part in _PARTS if re.search(pattern, plain)), None)
    if part is None or not isinstance(finding.value, dict):
        yield finding
    elif value := finding.value.get(part):
        yield replace(finding, value=value)
