"""Which record an ID is of, read from its strict form; and why others are refused. Pure."""

import re
from dataclasses import dataclass

from biofact.core import identifiers
from biofact.core.entity_kinds import EntityKind
from biofact.core.identifiers import IdKind
from biofact.core.xrefs import ENSEMBL_GENE, ENSEMBL_TRANSCRIPT, REGISTRY
from biofact.identity import RESOLVE

_UNIPROT = REGISTRY["uniprot"]
_VERSION = r"(?:\.\d{1,3})?"


@dataclass(frozen=True, slots=True)
class StrictForm:
    """How the IDs of one kind of record are written."""

    database: str
    kind: EntityKind
    pattern: str


FORMS = (
    StrictForm("entrez", "gene", r"NCBIGene:[1-9]\d{0,11}"),
    StrictForm("ensembl", "gene", rf"(?:{ENSEMBL_GENE}){_VERSION}"),
    StrictForm("ensembl", "transcript", rf"(?:{ENSEMBL_TRANSCRIPT}){_VERSION}"),
    StrictForm("chembl", "compound", r"CHEMBL:[1-9]\d{0,11}"),
    StrictForm("pubmed", "article", r"PMID:[1-9]\d{0,8}"),
    StrictForm("uniprot", "protein", _UNIPROT.form),
    StrictForm("rsid", "variant", r"rs[1-9]\d*"),
    StrictForm("igvf", "variant", r"NC_\d{6}\.\d+:\d+:[ACGT]*:[ACGT]*"),
    StrictForm("hgvs", "variant", r"NC_\d{6}\.\d+:g\.\S+"),
)
_NEARLY = (
    (r"(?:ncbi ?gene|gene ?id|entrez(?: ?gene)?)[\s:_#-]*([1-9]\d*)", "NCBIGene:{}"),
    (r"chembl[\s:_-]*0*([1-9]\d*)", "CHEMBL:{}"),
    (r"(?:pmid|pubmed)[\s:_#-]*([1-9]\d*)", "PMID:{}"),
    (r"rs[\s:_-]*([1-9]\d*)", "rs{}"),
)


def form_of(checked_id: str) -> StrictForm:
    """The form of an ID that ``CHECKED_ID`` lets pass."""
    return next(form for form in FORMS if re.fullmatch(form.pattern, checked_id, re.ASCII))


def _repaired(text: str) -> str | None:
    for pattern, written in _NEARLY:
        if found := re.fullmatch(pattern, text.strip(), re.IGNORECASE | re.ASCII):
            return written.format(found[1])
    capitals = text.strip().upper()
    if re.fullmatch(ENSEMBL_GENE, capitals, re.ASCII):
        return capitals
    return _UNIPROT.normalise(capitals)


CHECKED_ID = identifiers.declare(
    IdKind(
        "ID of one of the databases",
        "|".join(form.pattern for form in FORMS),
        "NCBIGene:7157",
        RESOLVE,
        repair=_repaired,
        parameter="names",
        is_listed=True,
    )
)
