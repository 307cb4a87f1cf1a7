"""Ensembl REST as a service, and what its answers mean by status and words."""

import re
from collections.abc import Sequence
from http import HTTPStatus

from biofact.core.settings import Setting, declare
from biofact.dialects import ebi_search, json_values
from biofact.dialects.ebi_search import EBI_SEARCH
from biofact.sources.ensembl.identifiers import EnsemblRegion, Kind
from biofact.transport.service import HOUR, Answer, Request, Service, Verdict

_ABSENT = re.compile(r"not found|No valid lookup found|No object found|No archive found", re.IGNORECASE)
_SPECIES = re.compile(r"internal name for species|anything about the species", re.IGNORECASE)
_PLACE = re.compile(r"\b(?:slice|region|location|coordinate|coord_?system|assembly)\b", re.IGNORECASE)
_FAILED = re.compile(r"something bad has happened|backend|try again|timed? ?out", re.IGNORECASE)


def error_words(body: bytes) -> str | None:
    """The error message of an answer, the text of ``{"error": ...}``; None if it has none."""
    return json_values.error_words(body, "error")


def is_about_species(words: str) -> bool:
    """Whether Ensembl says that it does not have a species."""
    return _SPECIES.search(words) is not None


def is_about_place(words: str) -> bool:
    """Whether Ensembl says that it does not have a chromosome, a part of it, or an assembly."""
    return _PLACE.search(words) is not None and _SPECIES.search(words) is None


def says_absent(words: str) -> bool:
    """Whether Ensembl says that it has no such thing."""
    return _ABSENT.search(words) is not None and _FAILED.search(words) is None


def judge(answer: Answer) -> Verdict:
    """The verdict on an answer: Ensembl sends 400 for records that do not exist, and for its own failures as well.

    An answer that a record does not exist is good; its parser checks that it names the requested ID.
    """
    words = error_words(answer.body)
    if verdict := json_values.verdict(answer, words, _FAILED):
        return verdict
    # Kept and shared like any answer; as a refusal the same miss would be asked again (decision 0013).
    return "good" if says_absent(words or "") and answer.status == HTTPStatus.BAD_REQUEST else "refused"


ENSEMBL = Service(
    name="ensembl",
    title="Ensembl REST",
    base_url=declare(
        Setting(
            "BIOFACT_ENSEMBL_URL",
            "Where Ensembl's REST service is; https://grch37.rest.ensembl.org has human genes on GRCh37.",
            default="https://rest.ensembl.org",
        )
    ),
    per_second=15.0,
    longest_pause_seconds=HOUR,  # its quota renews by the clock hour
    judge=judge,
    licence="Ensembl data are free of restrictions on use (https://www.ensembl.org/info/about/legal/disclaimer.html).",
    probe_path="/info/ping",
)
"""55,000 requests an hour for a client, 15 a second on average (Ensembl REST wiki, Rate Limits, 2025-09-15)."""


JSON = "application/json"
MOST_IDS = 1000
"""IDs in a POST; Ensembl refuses more."""
_FIELDS = ("id", "name", "description", "gene_name", "gene_synonym", "transcript_count", "species")


def _of_kind(kind: Kind) -> tuple[str, str]:
    """The parameter that chooses between records with one ID: a yeast gene and its protein share theirs."""
    return "object_type", kind  # as its tables write it, for its answer may repeat it (Lookup.pm, read 2026-11-29)


def lookup(ids: Sequence[str], kind: Kind, *, expanded: bool = False) -> Request:
    """Genes, transcripts or translations by stable ID; ``expanded`` with what they are made of."""
    parts = (("expand", "1"), ("mane", "1")) if expanded else ()
    return Request(ENSEMBL, "/lookup/id", (_of_kind(kind), *parts), "POST", json={"ids": list(ids)}, accept=JSON)


def lookup_symbols(species: str, symbols: Sequence[str]) -> Request:
    """The gene of one species that displays each symbol; one at most for each."""
    return Request(ENSEMBL, ("lookup", "symbol", species), (), "POST", json={"symbols": list(symbols)}, accept=JSON)


def xrefs_of_symbol(species: str, symbol: str, database: str | None = None, *, kind: str = "gene") -> Request:
    """Genes of one species, or transcripts, that carry a symbol, synonym or external name; of one database alone where
    it is given.
    """
    params = (("object_type", kind), *((("external_db", database),) if database else ()))
    return Request(ENSEMBL, ("xrefs", "symbol", species, symbol), params, accept=JSON)


def xrefs(stable_id: str, kind: Kind) -> Request:
    """The cross-references of a gene or transcript, and of what is below it."""
    return Request(ENSEMBL, ("xrefs", "id", stable_id), (_of_kind(kind), ("all_levels", "1")), accept=JSON)


def archive(stable_id: str) -> Request:
    """The archive's record of a stable ID."""
    return Request(ENSEMBL, ("archive", "id", stable_id), accept=JSON)


def data_release() -> Request:
    """The release of the data."""
    return Request(ENSEMBL, "/info/data", accept=JSON)


def species() -> Request:
    """The vertebrates, and fly, worm and yeast beside them."""
    return Request(ENSEMBL, "/info/species", (("division", "EnsemblVertebrates"),), accept=JSON)


def gene_search(term: str, start: int, size: int) -> Request:
    """Genes that match a term of EBI Search."""
    return ebi_search.search("ensembl_gene", term, start, size, _FIELDS)


def synonyms(gene_ids: Sequence[str]) -> Request:
    """The synonyms of genes, 100 at most, as they are written."""
    return ebi_search.fetch("ensembl_gene", gene_ids, ("id", "gene_synonym"))


def sequence(stable_id: str, sequence_type: str) -> Request:
    """The cdna or cds of a transcript, or the protein with this ID."""
    kind: Kind = "Translation" if sequence_type == "protein" else "Transcript"
    return Request(ENSEMBL, ("sequence", "id", stable_id), (_of_kind(kind), ("type", sequence_type)), accept=JSON)


def region_sequence(species: str, region: EnsemblRegion) -> Request:
    """The sequence of a region, along its strand."""
    return Request(ENSEMBL, ("sequence", "region", species, region.path), accept=JSON)


def assembly_map(species: str, assembly: str, region: EnsemblRegion, other_assembly: str) -> Request:
    """The mapping of a region from one assembly to another."""
    return Request(ENSEMBL, ("map", species, assembly, region.path, other_assembly), accept=JSON)


def homologies(species: str, gene_id: str, kind: str, target_species: str | None = None) -> Request:
    """The homologues of a gene, ``orthologues``, ``paralogues`` or ``all``, without their sequences."""
    # Without the alignments, which no parser reads.
    params = (("type", kind), ("sequence", "none"), ("aligned", "0"), ("cigar_line", "0"))
    target = (("target_species", target_species),) if target_species else ()
    return Request(ENSEMBL, ("homology", "id", species, gene_id), (*params, *target), accept=JSON)


_TP53_END = EnsemblRegion("17", 7661779, 7661800)
PROBES = (
    ("a gene with all levels of cross-references", xrefs("ENSG00000141510", "Gene")),
    ("whether POST lookup takes expand and mane", lookup(("ENSG00000141510",), "Gene", expanded=True)),
    ("whether POST lookup tells a yeast gene from its protein", lookup(("YFL039C",), "Translation")),
    ("whether POST lookup tells a worm protein from its transcript", lookup(("R107.8.1",), "Translation")),
    ("the canonical transcript of a gene without versions", lookup(("FBgn0004647",), "Gene")),
    ("genes that carry a synonym", xrefs_of_symbol("homo_sapiens", "p53")),
    ("genes of a symbol with brackets", xrefs_of_symbol("drosophila_melanogaster", "l(2)gl")),
    ("genes of a symbol with a slash", xrefs_of_symbol("danio_rerio", "il17a/f1")),
    ("a symbol with brackets in quotes", gene_search('"l(2)gl" AND TAXONOMY:7227', 0, 3)),
    ("a symbol with a colon in quotes", gene_search('"si:dkey-204f11.64" OR "zgc:171673"', 0, 3)),
    ("what the archive says of an unknown ID", archive("ENSG99999999999")),
    ("the fields of the gene index", Request(EBI_SEARCH, "/ensembl_gene", (("format", "json"),))),
    ("a filter by taxon", gene_search("tumor AND protein AND TAXONOMY:9606", 0, 3)),
    ("the sequence of a region", region_sequence("homo_sapiens", _TP53_END)),
    ("the cds of a transcript", sequence("ENST00000269305", "cds")),
    ("a region on another assembly", assembly_map("homo_sapiens", "GRCh38", _TP53_END, "GRCh37")),
    ("the homologues of a gene", homologies("homo_sapiens", "ENSG00000141510", "all", "mus_musculus")),
    ("synonyms of entries", synonyms(("ENSG00000141510",))),
    ("wildcards", gene_search("(br?a1 OR brc?1) AND TAXONOMY:9606", 0, 3)),
)
