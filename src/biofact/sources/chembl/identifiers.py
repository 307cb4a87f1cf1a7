"""The ID kinds that the strict tools take."""

import re

from biofact.core import identifiers
from biofact.core.errors import ToolRef
from biofact.core.identifiers import ForeignId, IdKind
from biofact.core.words import plain, written
from biofact.core.xrefs import REGISTRY
from biofact.sources.chembl.chembl_ids import FORM, native, recognised
from biofact.sources.chembl.search import ON_TARGET, SEARCH

_UNIPROT = REGISTRY["uniprot"]
_SYNTAX = re.compile(r'["\[\]]|\b(?:AND|OR|NOT)\b')
_GENES = ToolRef("entrez", "search_genes")
"""Names of targets are names of genes; a gene's record holds its UniProt entry."""


def _target(text: str) -> str | None:
    found = recognised(text)
    accession = _UNIPROT.normalise(text.strip().upper().removeprefix("UNIPROTKB:").removeprefix("UNIPROT:"))
    return found or accession


def _as_query(text: str) -> str:
    return recognised(text) or re.sub(r"\s+", " ", text).strip()


def _as_gene(text: str) -> str:
    """A gene's name as it is written; in words alone where a search for genes might read syntax in it."""
    name = written(text)
    return plain(name) if _SYNTAX.search(name) else name


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
        _GENES,
        repair=_target,
        query=_as_gene,
        strict=(ON_TARGET, "target_id"),
    )
)
