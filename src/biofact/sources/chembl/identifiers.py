"""The ID kinds that the strict tools take."""

import re

from biofact.core import identifiers
from biofact.core.identifiers import ForeignId, IdKind
from biofact.core.xrefs import REGISTRY
from biofact.sources.chembl.chembl_ids import FORM, native, recognised
from biofact.sources.chembl.search import ON_TARGET, SEARCH, TARGETS

_UNIPROT = REGISTRY["uniprot"]


def _target(text: str) -> str | None:
    found = recognised(text)
    accession = _UNIPROT.normalise(text.strip().upper().removeprefix("UNIPROTKB:").removeprefix("UNIPROT:"))
    return found or accession


def _as_query(text: str) -> str:
    return recognised(text) or re.sub(r"\s+", " ", text).strip()


COMPOUND_ID = identifiers.declare(
    IdKind(
        "ChEMBL compound ID",
        FORM,
        "CHEMBL:25",
        SEARCH,
        repair=recognised,
        local=native,
        query=_as_query,
        elsewhere=(ForeignId(_UNIPROT.form, "UniProt entry", ON_TARGET, "target_id"),),
    )
)
TARGET_ID = identifiers.declare(
    IdKind(
        "target ID",
        rf"{FORM}|{_UNIPROT.form}",
        "UniProtKB:P00533",
        TARGETS,
        repair=_target,
        query=_as_query,
    )
)
