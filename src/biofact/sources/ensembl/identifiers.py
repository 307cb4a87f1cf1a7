"""The ID kinds that the strict tools take, and where an ID of another kind belongs."""

import re

from biofact.core import identifiers
from biofact.core.identifiers import Elsewhere, IdKind
from biofact.sources.ensembl.absence import GET_GENE, GET_TRANSCRIPT
from biofact.sources.ensembl.search import SEARCH
from biofact.sources.ensembl.stable_ids import GENE_FORM, TRANSCRIPT_FORM, recognised


def _of_form(text: str, form: str) -> str | None:
    """The stable ID that ``text`` is in some other spelling, if it has this form."""
    found = recognised(text)
    return found[0] if found and re.fullmatch(form, found[0], re.ASCII) else None


def _as_query(text: str) -> str:
    found = recognised(text)
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
