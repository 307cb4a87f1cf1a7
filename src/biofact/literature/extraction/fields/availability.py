"""Registration of the study, and availability of its data and code."""

import re
from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType

from biofact.literature.extraction.fields.field import OBJECT, YES_NO, Column, Field
from biofact.literature.extraction.findings import Finding, Value
from biofact.literature.extraction.text.document import Document, Sentence
from biofact.literature.records import Evidence

REGISTRATION = re.compile(
    r"(?i)\b(?:NCT\s?0\d{7}|ISRCTN\s?\d{6,8}|ACTRN\s?126\d{11}|(?:EudraCT(?: (?:number|no\.?))?[:\s]*)?"
    r"(?:19|20)\d{2}-\d{6}-\d{2}|ChiCTR[-\w]{5,20}|CRD\s?4?2?\d{9,11}|UMIN\d{9}|UMIN-CTR ?\d+|DRKS\d{8}"
    r"|NTR\s?\d{3,5}|IRCT\w{8,20}|CTRI/\d{4}/\d{2,3}/\d{4,8}|jRCTs?\w?\d{8,10}|JPRN-\w+|KCT\d{7}|PACTR\d{12,16}"
    r"|RBR-\w{5,9}|TCTR\d{11}|SLCTR/\d{4}/\d+|LBCTR\d+|RPCEC\d{8}|INPLASY\d{9,12}|JapicCTI-?\d{6}"
    r"|NL\d{4,5}\.\d{3}\.\d{2}|PHRR\d{6}-\d{6}|EUCTR\d{4}-\d{6}-\d{2}(?:-\w+)?)\b"
)
"""As in: registered as NCT01234567."""
ALWAYS_EUDRACT = re.compile(r"(?i)eudract|clinical trial|regist")
"""As in: the trial was registered."""
REGISTERS = re.compile(
    r"(?i)clinicaltrials|isrctn|actrn|anzctr|eudract|chictr|ctri|umin|drks|ntr|irct|prospero|jprn|kct|cris|pactr"
    r"|rebec|tctr|rpcec|slctr|trial"
)
"""As in: ClinicalTrials.gov."""

AVAILABLE = re.compile(
    r"(?i)\b(?:available|accessible|deposited|downloaded|can be (?:found|obtained|accessed)|submitted to|archived"
    r"|released|distributed|hosted)\b"
)
"""As in: data are available at."""
DATA = re.compile(
    r"(?i)\b(?:data(?:sets?|bases?)?|sequences?|accession|structures?|spectra|coordinates|atlas|resource|raw reads"
    r"|supplementary (?:data|information))\b"
)
"""As in: the raw reads."""
ACCESSION = re.compile(
    r"\b(?:GSE\d{2,7}|PRJ(?:NA|EB|DB)\d{3,8}|[SED]R[APRXS]\d{5,8}|E-[A-Z]{4}-\d{1,6}|PXD\d{6}|EGA[SD]\d{11}"
    r"|phs\d{6}(?:\.v\d+\.p\d+)?|MTBLS\d{1,5}|MSV\d{9}|EMD-\d{4,5}|10\.\d{4,9}/"
    r"(?:zenodo|dryad|m9\.figshare|osf)[\w./]*|S-BSST\d+|syn\d{6,9}|[A-Z]{1,2}\d{5,8}"
    r"(?:[-\u2013][A-Z]{0,2}\d{3,8})?)\b"
)
"""As in: accession GSE12345."""
OWN_ACCESSION = re.compile(r"(?i)\baccession (?:numbers?|nos?\.?|codes?|ids?)\b|\bdeposited (?:in|at|to|into|with)\b")
"""As in: deposited in GenBank."""
REPOSITORY = re.compile(
    r"\b(?:GEO|Gene Expression Omnibus|GenBank|EMBL|DDBJ|ArrayExpress|Sequence Read Archive|SRA|PRIDE"
    r"|ProteomeXchange|Zenodo|Dryad|Figshare|OSF|Open Science Framework|Mendeley Data|dbGaP|EGA|Protein Data Bank"
    r"|PDB|MetaboLights|European Nucleotide Archive|ENA|BioProject|Synapse|PhysioNet|OpenNeuro)\b"
)
"""As in: the Gene Expression Omnibus."""
LINK = re.compile(
    r"(?i)\b(?:https?://|www\.|ftp://|doi\.org/)[^\s)\]>,;]{3,200}|\b"
    r"(?:github|gitlab|bitbucket|sourceforge|zenodo|figshare|osf)\.(?:com|org|net|io)[^\s)\]>,;]{0,200}"
)
"""As in: https://osf.io/abc12."""
CODE = re.compile(
    r"(?i)\b(?:source[- ]code|code|software|(?:r|python|bioconductor|open-source|software) packages?|scripts?|toolbox"
    r"|plug-?in|web ?-?servers?)\b"
)
"""As in: the source code."""
TOOL = re.compile(
    r"(?i)\b(?:tools?|programs?|pipelines?|packages?|implementation|library|app|web(?:-based)? "
    r"(?:application|interface|portal))\b"
)
"""As in: an analysis pipeline."""
CODE_HOST = re.compile(r"(?i)\b(?:github|gitlab|bitbucket|sourceforge|CRAN|bioconductor|PyPI|code ?ocean|anaconda)\b")
"""As in: on GitHub."""
FREE_ACCESS = re.compile(
    r"(?i)\b(?:freely|publicly|openly|open[- ]source|free of charge|upon request|on request"
    r"|under the [\w. -]{2,20} licen[sc]e|free|downloadable)\b"
)
"""As in: available upon request."""

_NOT_OFFERED = (
    r"(?:(?:is|are|was|were|be|been|will be|can|could|may|has|have) not "
    r"(?:(?:yet|been|be|made|currently|publicly|freely|openly|readily) ){0,3}"
    r"(?:available|shared|released|accessible|provided|public|disclosed|deposited|open[- ]source)\b"
    r"|cannot be (?:(?:made|publicly|freely|openly) ){0,2}(?:available|shared|released|provided|disclosed)\b"
    r"|(?:is|are|was|were) unavailable\b)"
)
NO_CODE = re.compile(
    rf"(?i)(?<!genetic )(?<!bar )(?<!zip )\b(?:code|software|scripts?)\b(?: (?:for|of|used|and"
    rf"|or) [\w -]{{1,60}}?)? {_NOT_OFFERED}"
    r"|\bno (?:source[- ]?)?(?:code|software|scripts?) (?:is|are|was|were|has been|have been) (?:made )?"
    r"(?:publicly |freely )?(?:available|shared|released|provided)\b"
)
"""As in: The code is not available."""
NO_DATA = re.compile(
    r"(?i)\b(?:data(?:sets?)?|raw reads|sequences)\b(?: (?:for|of|used|and|or|from|supporting) [\w -]{1,60}?)? "
    rf"{_NOT_OFFERED}"
    r"|\bno data (?:is|are|was|were|has been|have been) (?:made )?(?:publicly )?(?:available|shared|deposited)\b"
)
"""As in: The data are not publicly available."""
OFFERED_YET = re.compile(
    r"(?i)\b(?:but|however|although|except|until)\b|\b(?:up)?on (?:\w+ )?request\b|\bfrom the (?:corresponding )?author"
)
"""Words that take a denial back. As in: but available on request."""
OTHER_STUDIES = re.compile(
    r"(?i)\b(?:stud(?:y|ies)|articles|papers|publications|trials|authors|reviews|journals|models) (?:\w+ ){0,3}"
    r"(?:whose|report|provid|had|did|made|shar)|\bin (?:most|many|some|all|\d+) |\d ?%|\b(?:whether|when(?:ever)?)\b"
    r"|\bif\b"
)
"""Denials about other studies. As in: studies did not share."""
NO_DATA_ON = re.compile(
    r"(?i)\bdata (?:on|about|regarding|concerning|for|from|of|in)\b|\b(?:outcome|follow-?up|survival|clinical|efficacy"
    r"|safety|complete|sufficient|reliable|comparable|such|these) data\b"
)
"""Data that were not measured, rather than not shared. As in: data on mortality."""
SHARING_WORDS = re.compile(
    r"(?i)\b(?:publicly|openly|freely|shared|released|deposited|disclosed|privacy|confidential|proprietary|public)\b"
    r"|\bdata availability\b"
)
"""Signs that sharing is meant. As in: due to privacy."""

HINTS = (
    "availab", "accession", "accessible", "deposited", "download", "submitted to", "archived", "released",
    "distributed", "hosted", "shared", "disclosed", "not public", "not open", "code", "can be ",
)  # fmt: skip
"""Words of which every sentence on availability has one; a quick check before the patterns."""
HOSTS = ("github", "gitlab", "bitbucket", "sourceforge", "cran", "bioconductor", "pypi", "anaconda", "ocean")
"""Hosts of code, which mark a sentence as well: code is on GitHub."""
FOUR_DIGITS = re.compile(r"\d{4}")
"""As in: a number like NCT01234567."""


def registration(document: Document) -> Finding | None:
    """All register numbers of trial or review, the ones of the record first."""
    numbers: dict[str, Evidence] = {}
    for bank in document.article.data_banks:
        if REGISTERS.search(bank.name):
            for accession in bank.accessions:
                numbers.setdefault(accession, Evidence(where="data_banks", quote=accession))
    for sentence in document.all_sentences:
        if not FOUR_DIGITS.search(sentence.text) and "RBR-" not in sentence.text:
            continue
        for match in REGISTRATION.finditer(sentence.text):
            number_text = match.group()
            # digits alone may be any number
            if number_text[0].isdigit() and not ALWAYS_EUDRACT.search(sentence.text):
                continue
            number = re.sub(r"\s|^EudraCT\D*", "", number_text, flags=re.IGNORECASE)
            numbers.setdefault(number, sentence.evidence_of(match))
    if not numbers:
        return None
    return Finding(list(numbers), tuple(numbers.values()))


def data_availability(document: Document) -> Finding | None:
    """Accessions that the record names, else the sentence that says whether the data are available."""
    banks = [bank for bank in document.article.data_banks if not REGISTERS.search(bank.name)]
    if banks:
        accessions: list[Value] = [accession for bank in banks for accession in bank.accessions]
        value: dict[str, Value] = {"repository": ", ".join(bank.name for bank in banks), "accessions": accessions}
        quotes = [accession for bank in banks for accession in (bank.accessions or [bank.name])]
        return Finding(value, tuple(Evidence(where="data_banks", quote=quote) for quote in quotes))
    if not any(hint in document.lower for hint in HINTS):
        return None
    for sentence in document.sentences:
        if denies_data(sentence):
            return availability_finding(sentence, is_available=False)
        if is_data(sentence):
            return availability_finding(sentence)
    return None


def denies_data(sentence: Sentence) -> bool:
    """Whether the sentence says that the study's data are kept back, and not that there are none."""
    match = NO_DATA.search(sentence.text)
    is_kept = bool(match and SHARING_WORDS.search(sentence.text) and not NO_DATA_ON.search(match.group()))
    return is_kept and is_own_denial(sentence.text)


def denies_code(sentence: Sentence) -> bool:
    """Whether the sentence says that the study's code is kept back."""
    return bool(NO_CODE.search(sentence.text)) and sentence.role != "background" and is_own_denial(sentence.text)


def is_own_denial(text: str) -> bool:
    """Whether a denial is of this study, and not taken back."""
    return not OFFERED_YET.search(text) and not OTHER_STUDIES.search(text)


def is_data(sentence: Sentence) -> bool:
    """Whether the sentence says that data are available."""
    text = sentence.text
    if OWN_ACCESSION.search(text) and (REPOSITORY.search(text) or ACCESSION.search(text)):
        return True
    is_where = LINK.search(text) or REPOSITORY.search(text) or re.search(r"\b(?:up)?on (?:reasonable )?request\b", text)
    return bool(AVAILABLE.search(text) and DATA.search(text) and is_where and not CODE_HOST.search(text))


def code_availability(document: Document) -> Finding | None:
    """The sentence that says whether the software of the study is available."""
    if not any(hint in document.lower for hint in (*HINTS, *HOSTS)):
        return None
    for sentence in document.sentences:
        text = sentence.text
        if denies_code(sentence):
            return availability_finding(sentence, is_available=False)
        code, link, available = (pattern.search(text) for pattern in (CODE, LINK, AVAILABLE))
        is_hosted = CODE_HOST.search(text) and (available or link or code)
        is_free = (code and FREE_ACCESS.search(text)) or (link and (code or TOOL.search(text)))
        is_offered = available and is_free
        if (is_hosted or is_offered) and sentence.role != "background":
            return availability_finding(sentence)
    return None


def availability_finding(sentence: Sentence, *, is_available: bool = True) -> Finding:
    """The sentence as the value, with its accessions and links, or marked as not available."""
    value: dict[str, Value] = {"text": " ".join(sentence.text.split())}
    if not is_available:
        return Finding({**value, "is_available": False}, (sentence.evidence(sentence.start, sentence.end),))
    if accessions := [match.group() for match in ACCESSION.finditer(sentence.text)]:
        value["accessions"] = list(dict.fromkeys(accessions))
    if repository := REPOSITORY.search(sentence.text) or CODE_HOST.search(sentence.text):
        value["repository"] = repository.group()
    if link := LINK.search(sentence.text):
        value["url"] = link.group().rstrip(".")
    return Finding(value, (sentence.evidence(sentence.start, sentence.end),))


_REGISTERS = ((r"nct|clinical_?trials", "NCT"), (r"isrctn", "ISRCTN"), (r"prospero", "CRD"), (r"eudract", "20"))
_PARTS = ((r"url|link|github", "url"), (r"accession", "accessions"), (r"repositor", "repository"))


def _numbers_of_register(name: str, finding: Finding) -> Iterator[Finding]:
    """The numbers of the register that a schema's name mentions."""
    prefix = next((prefix for pattern, prefix in _REGISTERS if re.search(pattern, name)), None)
    if prefix is None or not isinstance(finding.value, list):
        yield finding
        return
    pairs = zip(finding.value, finding.evidence, strict=False)
    matches = [(number, evidence) for number, evidence in pairs if str(number).upper().startswith(prefix)]
    if matches:
        numbers, evidence = zip(*matches, strict=True)
        yield replace(finding, value=[*numbers], evidence=evidence)


def _availability_part(name: str, finding: Finding) -> Iterator[Finding]:
    """The address, accession or repository, where a schema's name asks for one."""
    part = next((part for pattern, part in _PARTS if re.search(pattern, name)), None)
    if part is None or not isinstance(finding.value, dict):
        yield finding
    elif value := finding.value.get(part):
        yield replace(finding, value=value)


REGISTRATION_FIELD = Field(
    name="registration",
    find=registration,
    names=(
        "trial_registration registration_number trial_registration_number nct nct_id nct_number "
        "clinical_trial_id clinicaltrials_id trial_id registry_number registry_id clinical_trials_id "
        "trial_registry prospero_id protocol_registration isrctn eudract trial_number registered"
    ),
    kinds=YES_NO,
    narrow=_numbers_of_register,
    is_presence=True,
    column=Column(10, weight=0.075),
)


DATA_AVAILABILITY = Field(
    name="data_availability",
    find=data_availability,
    names=(
        "data_available dataset_availability data_access data_sharing accession accessions "
        "accession_number accession_numbers open_data data_repository available_data datasets_available "
        "data_deposited"
    ),
    kinds=YES_NO | OBJECT,
    parts=MappingProxyType({"repository": "", "accessions": "", "url": "link"}),
    narrow=_availability_part,
    is_presence=True,
)


CODE_AVAILABILITY = Field(
    name="code_availability",
    find=code_availability,
    names=(
        "code_available source_code code software_availability software_available open_source code_url "
        "github github_url code_repository repository_url is_code_available available_code code_access"
    ),
    kinds=YES_NO | OBJECT,
    parts=MappingProxyType({"repository": "", "url": "link"}),
    narrow=_availability_part,
    is_presence=True,
)
