"""The Catalog's rows as a graph: entities by ID, by place and by text, and the edges between them."""

import bisect
import functools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from biofact.dialects.genomic.genomes import chromosome_of
from biofact.sandbox.tables import (
    FieldFilter,
    Row,
    Rows,
    RowTable,
    field_filter,
    identifier,
    reference_filter,
    usual_row,
)
from biofact.sources.igvf.catalog import SPECIES, edges


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a chromosome."""

    organism: str
    """In Latin."""
    chromosome: str
    """With ``chr``."""
    start: int
    end: int


class PlacedRows:
    """Rows of one collection by organism, chromosome and span; a variant spans the base at its position."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows: dict[tuple[str, str], list[Row]] = defaultdict(list)
        for row in rows:
            self._rows[row["organism"], row["chr"]].append(row)
        self._starts: dict[tuple[str, str], list[int]] = {}
        self._longest: dict[tuple[str, str], int] = {}
        for sequence, placed_rows in self._rows.items():
            placed_rows.sort(key=_start)
            self._starts[sequence] = [_start(row) for row in placed_rows]
            self._longest[sequence] = max(_end(row) - _start(row) for row in placed_rows)

    def overlapping(self, region: Region) -> list[Row]:
        """The rows that overlap a region."""
        sequence = (region.organism, region.chromosome)
        starts = self._starts.get(sequence, [])
        # None before it reaches into the region.
        low = bisect.bisect_left(starts, region.start - self._longest.get(sequence, 0))
        high = bisect.bisect_left(starts, region.end)
        return [row for row in self._rows.get(sequence, [])[low:high] if _end(row) > region.start]

    def neighbors(self, region: Region) -> list[Row]:
        """The last row before a region and the first row after it."""
        rows = self._rows.get((region.organism, region.chromosome), [])
        before = [row for row in rows if _end(row) < region.start]
        after = [row for row in rows if _start(row) > region.end]
        return [*sorted(before, key=_end)[-1:], *after[:1]]


def _start(row: Row) -> int:
    return int(row["pos"] if "pos" in row else row["start"])


def _end(row: Row) -> int:
    return int(row["pos"] + 1 if "pos" in row else row["end"])


_TOKEN = re.compile(r"\w+")


def tokens(text: str) -> tuple[str, ...]:
    """The words of ``text`` in lower case; blanks and punctuation part them, underscores do not."""
    return tuple(_TOKEN.findall(text.lower()))


def is_within(text: str, other_text: str, max_distance: int) -> bool:
    """Whether the edit distance (Levenshtein) of two texts is at most ``max_distance``."""
    if abs(len(text) - len(other_text)) > max_distance:
        return False
    row = list(range(len(other_text) + 1))
    for i, letter in enumerate(text, 1):
        diagonal, row[0] = row[0], i
        for j, other_letter in enumerate(other_text, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (letter != other_letter))
        if min(row) > max_distance:  # the distance cannot become smaller again
            return False
    return row[-1] <= max_distance


class TextIndex:
    """Finds IDs by the tokens of their texts."""

    def __init__(self, texts: Iterable[tuple[str, Iterable[str]]]) -> None:
        self._ids: dict[str, set[str]] = defaultdict(set)
        for uid, words in texts:
            for word in words:
                for token in tokens(word):
                    self._ids[token].add(uid)

    def with_all_tokens(self, query: str) -> set[str]:
        """IDs with every token of ``query``, in any case."""
        id_sets = [self._ids.get(token, set()) for token in tokens(query)]
        return set.intersection(*id_sets) if id_sets else set()

    def near(self, query: str, max_distance: int) -> set[str]:
        """IDs with a token close to the first one of ``query``, as the service looks at no other."""
        first = tokens(query)[:1]
        id_sets = [self._ids[token] for token in self._ids if first and is_within(first[0], token, max_distance)]
        return set().union(*id_sets)

    def similar(self, query: str, max_distance: int) -> set[str]:
        """IDs with every token of ``query``, or, without such, with a token close to its first one."""
        return self.with_all_tokens(query) or self.near(query, max_distance)


def similar_texts(query: str, texts: Sequence[str]) -> set[str]:
    """The texts that begin with ``query``; else the texts with all its tokens; else the texts that share a token with
    it or are at most two edits away.
    """
    query_tokens = set(tokens(query))
    by_start = {text for text in texts if text.startswith(query)}
    by_tokens = by_start or {text for text in texts if query_tokens and query_tokens <= set(tokens(text))}
    return by_tokens or {text for text in texts if _is_near(query.lower(), query_tokens, text)}


def _is_near(query: str, query_tokens: set[str], text: str) -> bool:
    return bool(query_tokens & set(tokens(text))) or is_within(query, text.lower(), 2)


_VERSION = re.compile(r"^(ENS\w+)\.\d+$")


@dataclass(frozen=True, slots=True)
class Collection:
    """Entities of one kind."""

    kind: str
    """Name of the kind in the endpoints' declarations."""
    filters: Mapping[str, FieldFilter]
    texts: Mapping[str, tuple[str, ...]]
    """Parameters that fall back to text search, and the fields that it looks at."""
    key: str = "_id"
    order: tuple[str, ...] = ()
    changes: int = 1
    """Characters in which a similar text may differ."""


def _accession(value: str) -> str:
    """Ensembl's IDs without their version."""
    return _VERSION.sub(r"\1", value)


def term_id(value: str) -> str:
    """``MONDO_0009861``, also of ``ontology_terms/MONDO_0009861``."""
    return value.removeprefix("ontology_terms/")


def _cross_references(row: Row) -> list[str]:
    xrefs = row["dbxrefs"] or ()
    return [key for xref in xrefs for key in (xref["id"], f"{xref['name']}:{xref['id']}")]


def _same_name(names: str) -> dict[str, FieldFilter]:
    """Filters by fields of the same names, with blanks between."""
    return {name: field_filter(name) for name in names.split()}


_NAME_OF_CHANGE = field_filter("_id", "name")
_NAME_OF_VARIANT = field_filter("_id", "hgvs", "rsid", "ca_id")

COLLECTIONS: Mapping[str, Collection] = {
    "genes": Collection(
        "gene",
        {
            **_same_name("organism name gene_type"),
            "gene_id": field_filter("_id"),
            "hgnc_id": field_filter("hgnc", canonical=lambda value: f"HGNC:{value.removeprefix('HGNC:')}"),
            "entrez": field_filter("entrez", canonical=lambda value: f"ENTREZ:{value.removeprefix('ENTREZ:')}"),
            "synonym": field_filter("synonyms"),
            "collection": field_filter("collections"),
            "study_set": field_filter("study_sets"),
        },
        {"name": ("name", "synonyms")},
    ),
    "transcripts": Collection(
        "transcript",
        {**_same_name("organism transcript_type"), "transcript_id": field_filter("_id")},
        {},
        order=("chr",),
    ),
    "proteins": Collection(
        "protein",
        {
            **_same_name("organism"),
            "protein_id": field_filter("_id", "uniprot_ids", canonical=_accession),
            "name": field_filter("name", canonical=str.upper),  # proteins are exact in upper case, genes case-sensitive
            "uniprot_name": field_filter("uniprot_names", canonical=str.upper),
            "uniprot_full_name": field_filter("uniprot_full_names"),
            "dbxrefs": FieldFilter(_cross_references),
        },
        {"name": ("name",), "uniprot_name": ("uniprot_names",), "uniprot_full_name": ("uniprot_full_names",)},
        order=("chr",),  # of the gene: nothing orders those of one chromosome
        changes=3,
    ),
    "variants": Collection(
        "variant",
        {
            **_same_name("organism"),
            **dict.fromkeys(("variant_id", "spdi", "hgvs", "rsid", "ca_id"), _NAME_OF_VARIANT),
            "GENCODE_category": FieldFilter(lambda row: (row["annotations"].get("GENCODE_category") or "",)),
            "mouse_strain": field_filter("strain"),
        },
        {},
    ),
    "coding_variants": Collection(
        "coding_variant",
        {
            **_same_name("hgvsp protein_id gene_name transcript_id"),
            "id": field_filter("_id"),
            "name": _NAME_OF_CHANGE,
            "coding_variant_name": _NAME_OF_CHANGE,
            "uniprot_name": field_filter("protein_name"),
            "amino_acid_position": FieldFilter(lambda row: (str(row["aapos"]), f"{row['aapos']}.0")),
            "alt_amino_acid": field_filter("alt"),
        },
        {},
    ),
    "ontology_terms": Collection(
        "term",
        {
            **_same_name("term_id name synonyms source subontology"),
            "files_fileset": reference_filter("files_filesets"),
        },
        {"name": ("name",), "synonyms": ("synonyms",)},
        key="term_id",
    ),
    "drugs": Collection("drug", {"drug_id": field_filter("_id"), "name": field_filter("name")}, {"name": ("name",)}),
    "complexes": Collection(  # names of complexes are searched as text alone
        "complex", {"complex_id": field_filter("_id")}, {"name": ("name", "alias"), "description": ("description",)}
    ),
    "studies": Collection(
        "study",
        {
            "study_id": field_filter("_id"),
            "pmid": field_filter("pmid", canonical=lambda value: f"PMID:{value.removeprefix('PMID:')}"),
            "files_fileset": reference_filter("files_filesets"),
        },
        {},
    ),
    "pathways": Collection(
        "pathway",
        {
            **_same_name("organism name name_aliases is_in_disease is_top_level_pathway"),
            "id": field_filter("_id"),
            "disease_ontology_terms": reference_filter("disease_ontology_terms", canonical=term_id),
            "go_biological_process": reference_filter("go_biological_process", canonical=term_id),
        },
        {"name": ("name",), "name_aliases": ("name_aliases",)},
    ),
    "motifs": Collection(
        "motif",
        {
            "tf_name": field_filter("tf_name", canonical=str.upper),
            "source": field_filter("source"),
            "method": FieldFilter(lambda row: ("HOCOMOCO" if row["source"].startswith("HOCOMOCO") else "SEMpl",)),
            "files_fileset": reference_filter("files_filesets"),
        },
        {},
        key="name",
    ),
    "genomic_elements": Collection(
        "element",
        {
            **_same_name("organism source_annotation type method source"),
            "files_fileset": reference_filter("files_filesets"),
        },
        {},
    ),
    "files_filesets": Collection(
        "dataset",
        {
            "file_fileset_id": field_filter("_id"),
            "fileset_id": field_filter("file_set_id"),
            "preferred_assay_title": field_filter("preferred_assay_titles"),
            "donor_id": field_filter("donors"),
            "sample_term": field_filter("samples"),
            "sample_summary": field_filter("simple_sample_summaries"),
            "has_genome_browser_link": field_filter("genome_browser_link"),  # nothing is known to have one
            **_same_name("lab method class source software crispr_modality cell_annotation cell_annotation_term"),
        },
        {},
    ),
}
"""By the name that stands before an ID in a reference, as in ``genes/ENSG00000012048``."""

COLLECTION_OF: Mapping[str, str] = {item.kind: name for name, item in COLLECTIONS.items()}
"""By the kind of an entity."""

EDGE_FILTERS: Mapping[str, FieldFilter] = {
    **_same_name("_from _to"),
    "cell_annotation_term": reference_filter("cell_annotation_term"),
    "element_id": reference_filter("genomic_element"),
    "files_fileset": reference_filter("files_filesets"),
    "pmid": reference_filter("pmids", "pmid"),
    **_same_name("label method source class significant crispr_modality ancestry assertion cell_annotation"),
    **_same_name("phenotype_categories detection_method interaction_type"),
}
"""Filters of edge rows, which join two entities of any kind in ``_from`` and ``_to``."""


_COLLECTIONS_WITH_PLACE = ("genes", "transcripts", "variants", "genomic_elements")


def variant_row(spdi: str) -> Row:
    """A variant of which nothing is known but its SPDI.

    Raises:
        ValueError: it is no SPDI on a chromosome of today's assemblies.
    """
    accession, position, ref, alt = spdi.split(":")
    organism_and_chromosome = chromosome_of(accession)
    if organism_and_chromosome is None:
        raise ValueError(f"{spdi!r} lies on no chromosome of GRCh38 or GRCm39.")
    organism, chromosome = organism_and_chromosome
    return {
        **_usual_variant(organism),
        "_id": spdi,
        "chr": "chrM" if chromosome == "MT" else f"chr{chromosome}",  # UCSC's names, as the Catalog has them
        "pos": int(position),
        "ref": ref,
        "alt": alt,
        "spdi": spdi,
        "organism": SPECIES[organism],
    }


@functools.cache
def _usual_variant(organism: str) -> Mapping[str, object]:
    return usual_row(__package__, f"variants.{organism}.jsonl")


class Graph:
    """All that the stand-in knows, as it is looked for.

    Rows come by collection of entities, such as ``genes``, and by edge, such as ``variant_gene``.
    """

    def __init__(self, rows: Rows) -> None:
        self.edges = {name: RowTable(rows.get(name, ()), EDGE_FILTERS, order=("_from", "_to")) for name in edges()}
        whole_rows = {**rows, "variants": (*rows.get("variants", ()), *self._unlisted_variants(rows))}
        self.tables = {
            name: RowTable(whole_rows.get(name, ()), collection.filters, key=collection.key, order=collection.order)
            for name, collection in COLLECTIONS.items()
        }
        self.places = {name: PlacedRows(self.tables[name].rows) for name in _COLLECTIONS_WITH_PLACE}
        self._texts = {
            (name, parameter): TextIndex(
                (row[collection.key], _row_texts(row, fields)) for row in self.tables[name].rows
            )
            for name, collection in COLLECTIONS.items()
            for parameter, fields in collection.texts.items()
        }

    def entity(self, reference: str) -> Row | None:
        """The entity that a reference stands for, such as ``genes/ENSG00000012048``."""
        collection, _, uid = reference.partition("/")
        return self.tables[collection].by_key.get(uid) if collection in self.tables else None

    def with_all_tokens(self, collection: str, parameter: str, text: str) -> set[str]:
        """IDs of the entities with every word of a text, in any case."""
        return self._texts[collection, parameter].with_all_tokens(text)

    def similar(self, collection: str, parameter: str, text: str) -> set[str]:
        """IDs of the entities that text search has for a parameter."""
        return self._texts[collection, parameter].similar(text, COLLECTIONS[collection].changes)

    def _unlisted_variants(self, rows: Rows) -> Iterator[Row]:
        """The variants that stand in edges but not among the variants."""
        listed_ids = {row["_id"] for row in rows.get("variants", ())}
        ends = {name: (edge.subject.kind, edge.object.kind) for name, edge in edges().items()}
        spdis = {
            identifier(row[field]): None
            for name, table in self.edges.items()
            for field, kind in zip(("_from", "_to"), ends[name], strict=True)
            if kind == "variant"
            for row in table.rows
        }
        return (variant_row(spdi) for spdi in spdis if spdi not in listed_ids)


def reference(kind: str, uid: str) -> str:
    """``genes/ENSG00000012048``."""
    return f"{COLLECTION_OF[kind]}/{uid}"


def _row_texts(row: Row, fields: Iterable[str]) -> Iterator[str]:
    for field in fields:
        value = row[field]
        yield from value if isinstance(value, list) else [value or ""]
