"""What ``xrefs/id`` tells of a gene, its transcripts and translations, by the name of the database. Pure.

``Uniprot_gn`` stands on the gene but names an arbitrary, often unreviewed entry: it is not read. ``MIM_MORBID`` is a
disease, not the gene.
"""

from collections.abc import Sequence

from biofact.core.errors import EntityNotFound
from biofact.core.xrefs import XrefCollector
from biofact.dialects.json_values import text
from biofact.sources.ensembl.parse.documents import absence, rows
from biofact.transport.service import Transient

HUMAN = "homo_sapiens"

_KEYS = {
    "EntrezGene": "entrez",
    "MIM_GENE": "omim",
    "Uniprot/SWISSPROT": "uniprot",
    "BioGRID": "biogrid",
}
_OF_TRANSCRIPT = {"Uniprot/SWISSPROT": "uniprot", "PDB": "pdb", "UCSC": "ucsc"}
_ALLIANCE = {
    "MGI": "MGI",
    "RGD": "RGD",
    "ZFIN_ID": "ZFIN",
    "flybase_gene_id": "FB",
    "wormbase_gene": "WB",
    "SGD_GENE": "SGD",
}
"""How the Alliance of Genome Resources prefixes the IDs of a species' own database."""
_REFSEQS = (("RefSeq_mRNA", "RefSeq_ncRNA"), ("RefSeq_mRNA_predicted", "RefSeq_ncRNA_predicted"))
"""Curated transcripts, and what stands in where there are none."""


Row = tuple[str, str]
"""Name of the database and the identifier there."""


def xref_rows(gene_id: str, body: bytes) -> list[Row]:
    """What ``xrefs/id`` tells, each row once, however many transcripts repeat it. Projected rows are left out: they
    are taken over from another species' gene, and say nothing of this one.

    Raises:
        Transient: the body is damaged.
        UpstreamError: it speaks of another ID.
        EntityNotFound: it says that there is no such ID.
    """
    if absence(body, gene_id):  # said of a gene that may exist all the same: not kept, for it may be known tomorrow
        raise EntityNotFound(f"Ensembl knows no cross-references of {gene_id}.", hint="Call again later.")
    own = [row for row in rows(body) if "PROJECTION" not in str(row.get("info_type") or "")]
    names = [(text(row, "dbname"), text(row, "primary_id")) for row in own]
    if names and not any(dbname and value for dbname, value in names):
        raise Transient("sent cross-references without database or ID")
    return list(dict.fromkeys((dbname, value) for dbname, value in names if dbname and value))


def collector(rows: Sequence[Row], *, species: str) -> XrefCollector:
    """The cross-references, not yet judged."""
    found = XrefCollector()
    for dbname, value in rows:
        if dbname in _KEYS:
            found.add(_KEYS[dbname], value)
        elif dbname == "HGNC" and species == HUMAN:
            found.add("hgnc", value)
        elif dbname in _ALLIANCE and species != HUMAN:
            prefix = _ALLIANCE[dbname]
            found.add("alliance", f"{prefix}:{value.removeprefix(f'{prefix}:')}")
    for accession in _refseqs(rows):
        found.add("refseq", accession)
    return found


def transcript_collector(rows: Sequence[Row]) -> XrefCollector:
    """The cross-references of a transcript and its protein, not yet judged; those of its gene are the gene's."""
    found = XrefCollector()
    for dbname, value in rows:
        if dbname in _OF_TRANSCRIPT:
            found.add(_OF_TRANSCRIPT[dbname], value)
    for accession in _refseqs(rows):
        found.add("refseq", accession)
    return found


def _refseqs(rows: Sequence[Row]) -> list[str]:
    for databases in _REFSEQS:
        accessions = [value for dbname, value in rows if dbname in databases]
        if accessions:
            return accessions
    return []
