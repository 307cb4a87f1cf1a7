"""The written forms of Ensembl's stable IDs, and where an ID of another kind belongs."""

import re

from biofact.core import identifiers
from biofact.core.identifiers import Elsewhere, IdKind
from biofact.sources.ensembl.absence import GET_GENE, GET_TRANSCRIPT
from biofact.sources.ensembl.search import SEARCH, stable_id

_VERSION = r"(?:\.\d{1,3})?"
_YEAST = r"Y[A-P][LR]\d{3}[CW](?:-[A-Z])?"
GENE_FORM = rf"(?:ENS[A-Z]*G\d{{11}}|MGP_[A-Za-z0-9]+_G\d{{7}}){_VERSION}|FBgn\d{{7}}|WBGene\d{{8}}|{_YEAST}|LRG_\d+"
TRANSCRIPT_FORM = (
    rf"(?:ENS[A-Z]*T\d{{11}}|MGP_[A-Za-z0-9]+_T\d{{7}}){_VERSION}|FBtr\d{{7}}"
    rf"|[A-Z][A-Z0-9]+\.\d+[a-z]?\.\d+|{_YEAST}_mRNA|LRG_\d+t\d+"
)
"""Worms' transcripts are named by clone, gene, isoform and number; yeast's after their gene."""


def _of_form(text: str, form: str) -> str | None:
    """The stable ID that ``text`` is in some other spelling, if it has this form."""
    found = stable_id(text)
    return found[0] if found and re.fullmatch(form, found[0], re.ASCII) else None


def _as_query(text: str) -> str:
    found = stable_id(text)
    return found[0] if found else text.strip()


GENE_ID = identifiers.declare(
    IdKind(
        "Ensembl gene ID",
        GENE_FORM,
        "ENSG00000141510",
        SEARCH,
        repair=lambda text: _of_form(text, GENE_FORM),
        query=_as_query,
        elsewhere=(Elsewhere(TRANSCRIPT_FORM, "Ensembl transcript ID", GET_TRANSCRIPT, "transcript_id"),),
    )
)
TRANSCRIPT_ID = identifiers.declare(
    IdKind(
        "Ensembl transcript ID",
        TRANSCRIPT_FORM,
        "ENST00000269305",
        SEARCH,
        repair=lambda text: _of_form(text, TRANSCRIPT_FORM),
        query=_as_query,
        elsewhere=(Elsewhere(GENE_FORM, "Ensembl gene ID", GET_GENE, "ensembl_id"),),
    )
)
