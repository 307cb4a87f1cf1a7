"""The articles of a gene, from what elink answers. Pure."""

import re

from biofact.core.errors import UpstreamError
from biofact.dialects import eutils, json_values

GENE_PUBMED = "gene_pubmed"
_RETRACTED = "Retracted Publication"


def pmids(uid: str, body: bytes) -> list[str]:
    """PMIDs of the gene, highest first, each once; empty when NCBI links none.

    Raises:
        Transient: the body is damaged, or an error that may pass.
        UpstreamError: an error that stays, or an answer about another gene.
    """
    answer = eutils.link_answer(body)
    error = answer.error or next((found.error for found in answer.linksets if found.error), None)
    if error:
        raise UpstreamError(f"NCBI could not tell the articles of NCBIGene:{uid}: {error}", hint="Call again later.")
    if [found.source_ids for found in answer.linksets] != [(uid,)]:
        raise UpstreamError(f"NCBI told the articles of another gene than NCBIGene:{uid}.", hint="Call again later.")
    found = answer.linksets[0].links.get(GENE_PUBMED, ())
    return sorted({pmid for pmid in found if re.fullmatch(r"[1-9]\d{0,8}", pmid, re.ASCII)}, key=int, reverse=True)


def is_retracted(payload: bytes) -> bool:
    """Whether the docsum of an article says that it was retracted.

    Raises:
        Transient: the docsum is damaged.
    """
    return _RETRACTED in json_values.texts(json_values.loaded(payload), "pubtype")
