"""The ID kinds that the strict tools take, and where an ID of another kind belongs."""

import re

from biofact.core import identifiers
from biofact.core.errors import ToolRef
from biofact.core.identifiers import ForeignId, IdKind
from biofact.sources.ensembl import regions
from biofact.sources.ensembl.absence import GET_GENE, GET_TRANSCRIPT
from biofact.sources.ensembl.search import SEARCH
from biofact.sources.ensembl.stable_ids import GENE_FORM, PROTEIN_FORM, TRANSCRIPT_FORM, recognised


def _of_form(text: str, form: str) -> str | None:
    """The stable ID that ``text`` is in some other spelling, if it has this form."""
    found = recognised(text)
    return found[0] if found and re.fullmatch(form, found[0], re.ASCII) else None


def _as_query(text: str) -> str:
    found = recognised(text)
    return found[0] if found else text.strip()


def _declared(name: str, form: str, example: str, elsewhere: ForeignId) -> IdKind:
    return identifiers.declare(
        IdKind(
            name,
            form,
            example,
            SEARCH,
            repair=lambda text: _of_form(text, form),
            query=_as_query,
            elsewhere=(elsewhere,),
        )
    )


_GENE, _TRANSCRIPT = "Ensembl gene ID", "Ensembl transcript ID"


def _repaired(text: str) -> str | None:
    """The stable ID or the region that ``text`` is in some other spelling."""
    return _of_form(text, f"{GENE_FORM}|{TRANSCRIPT_FORM}|{PROTEIN_FORM}") or regions.repaired(text)


SEQUENCE_OF = identifiers.declare(
    IdKind(
        "Ensembl ID or region",
        f"{GENE_FORM}|{TRANSCRIPT_FORM}|{PROTEIN_FORM}|{regions.REGION_FORM}",
        "ENST00000269305",
        SEARCH,
        repair=_repaired,
        query=_as_query,
        strict=(ToolRef("ensembl", "get_sequence"), "id_or_region"),
    )
)
"""What has a sequence."""

GENE_ID = _declared(
    _GENE, GENE_FORM, "ENSG00000141510", ForeignId(TRANSCRIPT_FORM, _TRANSCRIPT, GET_TRANSCRIPT, "transcript_id")
)
TRANSCRIPT_ID = _declared(
    _TRANSCRIPT, TRANSCRIPT_FORM, "ENST00000269305", ForeignId(GENE_FORM, _GENE, GET_GENE, "ensembl_id")
)
