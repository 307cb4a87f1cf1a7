"""Where the study is registered, and where its data and code are available."""

import re

from biofact.literature.extraction.findings import Finding, Value
from biofact.literature.extraction.rules.text import Document, Sentence
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
"""As in: GSE12345."""
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
FREELY = re.compile(
    r"(?i)\b(?:freely|publicly|openly|open[- ]source|free of charge|upon request|on request"
    r"|under the [\w. -]{2,20} licen[sc]e|free|downloadable)\b"
)
"""As in: available upon request."""


HINTS = (
    "availab",
    "accession",
    "accessible",
    "deposited",
    "download",
    "submitted to",
    "archived",
    "released",
    "distributed",
    "hosted",
    "can be ",
)
HOSTS = ("github", "gitlab", "bitbucket", "sourceforge", "cran", "bioconductor", "pypi", "anaconda", "ocean")
FOUR_DIGITS = re.compile(r"\d{4}")
"""As in: NCT01234567."""


def registration(document: Document) -> Finding | None:
    """All register numbers of trial or review, those of the record first."""
    numbers: dict[str, Evidence] = {}
    for bank in document.article.data_banks:
        if REGISTERS.search(bank.name):
            for accession in bank.accessions:
                numbers.setdefault(accession, Evidence(where="data_banks", quote=accession))
    for sentence in document.all_sentences:
        if not FOUR_DIGITS.search(sentence.text) and "RBR-" not in sentence.text:
            continue
        for match in REGISTRATION.finditer(sentence.text):
            written = match.group()
            if written[0].isdigit() and not ALWAYS_EUDRACT.search(sentence.text):
                continue
            number = re.sub(r"\s|^EudraCT\D*", "", written, flags=re.IGNORECASE)
            numbers.setdefault(number, sentence.evidence_of(match))
    if not numbers:
        return None
    return Finding(list(numbers), tuple(numbers.values()))


def data_availability(document: Document) -> Finding | None:
    """Accessions that the record names, else where the text says that data are available."""
    banks = [bank for bank in document.article.data_banks if not REGISTERS.search(bank.name)]
    if banks:
        accessions: list[Value] = [accession for bank in banks for accession in bank.accessions]
        named: dict[str, Value] = {"repository": ", ".join(bank.name for bank in banks), "accessions": accessions}
        quotes = [accession for bank in banks for accession in (bank.accessions or [bank.name])]
        return Finding(named, tuple(Evidence(where="data_banks", quote=quote) for quote in quotes))
    if not any(hint in document.lower for hint in HINTS):
        return None
    for sentence in document.sentences:
        if is_data(sentence) and (finding := availability_finding(sentence)):
            return finding
    return None


def is_data(sentence: Sentence) -> bool:
    """Whether the sentence says that data are available."""
    text = sentence.text
    if OWN_ACCESSION.search(text) and (REPOSITORY.search(text) or ACCESSION.search(text)):
        return True
    is_where = LINK.search(text) or REPOSITORY.search(text) or re.search(r"\b(?:up)?on (?:reasonable )?request\b", text)
    return bool(AVAILABLE.search(text) and DATA.search(text) and is_where and not CODE_HOST.search(text))


def code_availability(document: Document) -> Finding | None:
    """Where the text says that the software of the study is available."""
    if not any(hint in document.lower for hint in (*HINTS, *HOSTS)):
        return None
    for sentence in document.sentences:
        text = sentence.text
        is_hosted = CODE_HOST.search(text) and (AVAILABLE.search(text) or LINK.search(text) or CODE.search(text))
        is_free = (CODE.search(text) and FREELY.search(text)) or (
            (CODE.search(text) or TOOL.search(text)) and LINK.search(text)
        )
        is_offered = AVAILABLE.search(text) and is_free
        if (is_hosted or is_offered) and sentence.role != "background":
            return availability_finding(sentence)
    return None


def availability_finding(sentence: Sentence) -> Finding:
    """The sentence as the value, with the accessions and links in it."""
    text = " ".join(sentence.text.split())
    named: dict[str, Value] = {"text": text}
    if accessions := [match.group() for match in ACCESSION.finditer(sentence.text)]:
        named["accessions"] = list(dict.fromkeys(accessions))
    if repository := REPOSITORY.search(sentence.text) or CODE_HOST.search(sentence.text):
        named["repository"] = repository.group()
    if link := LINK.search(sentence.text):
        named["url"] = link.group().rstrip(".")
    return Finding(named, (sentence.evidence(sentence.start, sentence.end),))
