"""The genes that the stand-ins know, by ID, by name and by their words, and the species.

Starter genes have transcripts as ``lookup`` has them whole. Ensembl genes of NCBI's gene_info files have names, IDs and
chromosomes, no positions, no transcripts.
"""

import functools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

import orjson

from biofact.sandbox.dialects.gene_info import GeneRow, gene_row, recorded_rows
from biofact.sandbox.tables import Row, Rows, starter_tables
from biofact.sandbox.word_index import Holders, WordIndex
from biofact.sources.ensembl.identifiers import bare

VERTEBRATES = "EnsemblVertebrates"
_FILES = "ensembl/info_species_*.json"


class ServedSpecies:
    """Rows of species; a name is a production name or one of the aliases, as in Ensembl's registry."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._divisions: dict[str, list[Row]] = defaultdict(list)
        self._by_name: dict[str, Row] = {}
        for row in rows:
            self._divisions[row["division"]].append(row)
            self._by_name.setdefault(row["name"].lower(), row)
        for row in rows:  # after the names, for a strain may have its species' as an alias
            for alias in row["aliases"]:
                self._by_name.setdefault(alias.lower(), row)

    def in_division(self, division: str) -> Sequence[Row]:
        """The species of a division; none for an unknown one."""
        return self._divisions.get(division, ())

    def find(self, name: str) -> Row | None:
        """The species with this production name or alias, in any case."""
        return self._by_name.get(name.lower())


def recorded_species(recordings: Path) -> list[Row]:
    """The species of the recorded answers of info/species; empty without recordings."""
    files = sorted(recordings.glob(_FILES))
    return [row for file in files for row in orjson.loads(file.read_bytes())["species"]]


RELEASE = 113
"""The release whose species are recorded; genes are as this or an earlier one has them."""
Level = Literal["gene", "transcript", "translation"]


rows_of_starter = functools.cache(functools.partial(starter_tables, __package__))
"""The starter rows: species, genes, transcripts, retired stable IDs. Read once in a process."""


def whole_genes(rows: Rows) -> list[Row]:
    """The genes with their transcripts."""
    transcripts: dict[str, list[Row]] = defaultdict(list)
    for row in rows.get("transcript", ()):
        transcripts[row["Parent"]].append(row)
    return [whole_gene(row, transcripts[row["id"]]) for row in rows.get("gene", ())]


def whole_gene(gene: Row, transcripts: Iterable[Row] = ()) -> Row:
    """A gene with all that a lookup can show, its synonyms and cross-references; what is not known is left out."""
    whole = {
        **gene,
        **_head(gene, "Gene"),
        "source": "ensembl_havana",
        "logic_name": f"ensembl_havana_gene_{gene['species']}",
        "Transcript": [_transcript(row, gene) for row in transcripts],
    }
    return _drop_empty_parts(whole)


def canonical_id(gene: Row) -> str:
    """The canonical transcript without its version, and without the dot that Ensembl sends where there is none."""
    return bare(gene.get("canonical_transcript", ""))


def _transcript(row: Row, gene: Row) -> Row:
    """The transcript, with region and strand of the gene where its own span is known."""
    place = {name: gene[name] for name in ("seq_region_name", "strand")} if "start" in row else {}
    translation = row.get("Translation")
    whole = {
        **row,
        **_head(gene, "Transcript"),
        **place,
        "source": "havana",
        "logic_name": f"havana_{gene['species']}",
        "is_canonical": int(row["id"] == canonical_id(gene)),
        # No row says it: a canonical transcript of human or mouse is taken to be primary, any other not.
        "gencode_primary": int(row["id"] == canonical_id(gene) and gene["species"] in _OF_GENCODE),
        "Exon": [{**exon, **_head(gene, "Exon"), **place} for exon in row["Exon"] if place],
        "Translation": translation and {**translation, **_head(gene, "Translation"), "Parent": row["id"]},
    }
    return {
        **_drop_empty_parts(whole),
        "MANE": [{"id": row["id"], **_head(gene, "mane"), **match} for match in row["MANE"]],
    }


_OF_GENCODE = {"homo_sapiens", "mus_musculus"}


def _head(gene: Row, kind: str) -> Row:
    return {"species": gene["species"], "object_type": kind, "db_type": "core"}


def _drop_empty_parts(row: Row) -> Row:
    return {name: value for name, value in row.items() if name not in {"Transcript", "Exon", "Translation"} or value}


_SPECIES = {"9606": "homo_sapiens", "10090": "mus_musculus", "7955": "danio_rerio", "7227": "drosophila_melanogaster"}
_MARKS = ("Ensembl:", "FLYBASE:")
"""Prefixes of Ensembl gene IDs in gene_info; for the fly, Ensembl uses FlyBase's own."""
_BIOTYPES = {"protein-coding": "protein_coding", "pseudo": "pseudogene"}
_AUTHORITIES = {"HGNC": ("HGNC", "HGNC Symbol"), "MGI": ("MGI", "MGI Symbol"), "ZFIN": ("ZFIN_ID", "ZFIN")}
"""By NCBI's name of a database: Ensembl's, and what its descriptions call it."""


def recorded_gene_rows(recordings: Path) -> Iterator[str]:
    """The recorded rows that name an Ensembl gene, of the species that Ensembl has under the same taxon."""
    rows = recorded_rows(recordings)
    # Text is searched before it is split.
    return (row for row in rows if any(mark in row for mark in _MARKS) and row[: row.index("\t")] in _SPECIES)


def recorded_gene_ids(row: str) -> list[str]:
    """The Ensembl genes that a row names: one, or several where Ensembl splits the gene."""
    references = row.split("\t", 6)[5].split("|")
    return [reference.partition(":")[2] for reference in references if reference.startswith(_MARKS)]


def recorded_gene(row: str, ensembl_id: str) -> Row:
    """One of the Ensembl genes of a row."""
    row_facts = gene_row(row)
    symbol = row_facts.official_symbol or row_facts.symbol
    description = {"description": text} if (text := _description(row_facts)) else {}
    # The ID of a pseudoautosomal gene is that on X, as the recorded tables of Ensembl's own database have it.
    is_on_one = len(row_facts.chromosomes) == 1 or row_facts.chromosomes == ("X", "Y")
    place = {"seq_region_name": row_facts.chromosomes[0]} if is_on_one else {}
    return whole_gene(
        {
            "id": ensembl_id,
            "species": _SPECIES[str(row_facts.taxon_id)],
            "display_name": symbol,
            **description,
            **place,
            "biotype": _BIOTYPES.get(row_facts.gene_type, row_facts.gene_type),
            "synonyms": [name for name in row_facts.synonyms if name != symbol],
            "xrefs": list(_xrefs(row_facts, symbol)),
        }
    )


def _description(row_facts: GeneRow) -> str:
    source, accession = "NCBI gene", row_facts.gene_id
    for database, (_, title) in _AUTHORITIES.items():
        if accession_of_authority := row_facts.first_id(database):
            source, accession = title, accession_of_authority
    name = row_facts.official_name or row_facts.description
    return f"{name} [Source:{source};Acc:{accession}]" if name else ""


def _xrefs(row_facts: GeneRow, symbol: str) -> Iterator[Row]:
    of_gene = {"level": "gene", "info_type": "DEPENDENT"}
    for database, (dbname, _) in _AUTHORITIES.items():
        for uid in row_facts.ids.get(database, ()):
            yield {**of_gene, "dbname": dbname, "primary_id": uid, "display_id": symbol, "info_type": "DIRECT"}
    yield {**of_gene, "dbname": "EntrezGene", "primary_id": row_facts.gene_id, "display_id": symbol}
    for number in row_facts.ids.get("MIM", ()):
        yield {**of_gene, "dbname": "MIM_GENE", "primary_id": number}


@dataclass(frozen=True, slots=True)
class CurrentRecord:
    """The gene, transcript or translation of a stable ID in this release."""

    gene: Row
    level: Level
    record: Row
    transcripts: list[Row]
    """All of a gene's; the one of a transcript or translation."""


class GeneIndex:
    """Gene IDs by what can be searched for: words, names, taxon."""

    def __init__(self, genes: Iterable[Row], species: ServedSpecies) -> None:
        self.words = WordIndex()
        self.names = Holders()
        self.by_taxon: defaultdict[int, list[str]] = defaultdict(list)
        for gene in genes:
            self.words.add(gene["id"], " ".join(value for values in texts(gene) for value in values))
            self.names.add(gene["id"], _names(gene))
            if species_row := species.find(gene["species"]):
                self.by_taxon[int(species_row["taxon_id"])].append(gene["id"])


class Genes:
    """Genes, their transcripts and translations, and retired IDs. ``rows`` win over those of ``gene_info``.

    Rows of gene_info stay text until they are asked for: 90,000 genes load in seconds.
    """

    def __init__(self, rows: Rows, species: ServedSpecies, recorded_rows: Iterable[str] = ()) -> None:
        self.species = species
        self._starter_genes = {gene["id"]: gene for gene in whole_genes(rows)}
        self._rows: dict[str, str] = {}
        self._retired = {row["id"]: row for row in rows.get("retired", ())}
        self._holders = {
            record["id"]: gene["id"]
            for gene in self._starter_genes.values()  # gene_info has no transcripts
            for transcript in gene.get("Transcript", ())
            for record in (transcript, transcript.get("Translation", transcript))  # without one, the same again
        }
        for row in recorded_rows:
            for ensembl_id in recorded_gene_ids(row):
                if ensembl_id not in self._starter_genes:
                    self._rows.setdefault(ensembl_id, row)

    @cached_property
    def index(self) -> GeneIndex:
        """Built for the first search: it takes seconds, and lookups by ID need none."""
        return GeneIndex(map(self.__getitem__, self), self.species)

    def __len__(self) -> int:
        return len(self._starter_genes) + len(self._rows)

    def __iter__(self) -> Iterator[str]:
        yield from self._starter_genes
        yield from self._rows

    def __getitem__(self, ensembl_id: str) -> Row:
        starter_gene = self._starter_genes.get(ensembl_id)
        return starter_gene or recorded_gene(self._rows[ensembl_id], ensembl_id)

    def get(self, ensembl_id: str) -> Row | None:
        """The gene with this ID, written without a version."""
        return self[ensembl_id] if ensembl_id in self._starter_genes or ensembl_id in self._rows else None

    def find(self, ensembl_id: str, level: str = "") -> CurrentRecord | None:
        """The gene, transcript or translation with this ID, written without a version; of one level if it is given.

        Where several levels share the ID and none is given, Ensembl takes the first row of a table without an order
        (Registry.pm of the core API, read 2026-11-29). The stand-in takes the last level, so that a client fails that
        does not name one.
        """
        records = [record for record in self._with_id(ensembl_id) if level in {"", record.level}]
        return records[-1] if records else None

    def _with_id(self, ensembl_id: str) -> Iterator[CurrentRecord]:
        gene = self.get(ensembl_id)
        if gene is not None:
            yield CurrentRecord(gene, "gene", gene, gene.get("Transcript", []))
        holder = self.get(self._holders.get(ensembl_id, "")) or {}
        for transcript in holder.get("Transcript", ()):
            if transcript["id"] == ensembl_id:
                yield CurrentRecord(holder, "transcript", transcript, [transcript])
            translation = transcript.get("Translation")
            if translation and translation["id"] == ensembl_id:
                yield CurrentRecord(holder, "translation", translation, [transcript])

    def versioned(self, stable_id: str) -> tuple[str, str]:
        """An ID and its version, if it has one. Worm transcripts have dots of their own, as in ``Y74C9A.2a.1``."""
        ensembl_id, dot, version = stable_id.rpartition(".")
        if not dot or not version.isdecimal() or self.find(stable_id):
            return stable_id, ""
        return ensembl_id, version

    def retired(self, ensembl_id: str) -> Row | None:
        """The archive's record of an ID that no current record has."""
        return self._retired.get(ensembl_id)

    def with_symbol(self, species: str, symbol: str) -> list[Row]:
        """The genes of a species with this symbol, in any case; those on the reference sequence come first."""
        candidates = self.with_name(species, symbol)
        genes = [gene for gene in candidates if gene.get("display_name", "").lower() == symbol.lower()]
        return sorted(genes, key=lambda gene: (_is_on_patch(gene), gene["id"]))

    def with_name(self, species: str, name: str) -> list[Row]:
        """The genes of a species with this symbol, synonym or external ID, in any case (as MySQL compares)."""
        genes = (self[ensembl_id] for ensembl_id in self.index.names.uids(name.lower()))
        return sorted((gene for gene in genes if gene["species"] == species), key=lambda gene: gene["id"])


def scientific_name(gene: Row) -> str:
    """The species of a gene as EBI Search writes it: ``Homo sapiens``."""
    return str(gene["species"]).replace("_", " ").capitalize()


def texts(gene: Row) -> tuple[tuple[str, ...], ...]:
    """The fields of a gene that are searched by words, each with its values."""
    name, description = gene.get("display_name", ""), gene.get("description", "")
    return (gene["id"],), (name,), tuple(gene["synonyms"]), (description,), (scientific_name(gene),)


def _names(gene: Row) -> set[str]:
    xrefs = (xref.get(name, "") for xref in gene["xrefs"] for name in ("primary_id", "display_id"))
    records = (record.get("display_name", "") for record in (gene, *gene.get("Transcript", ())))
    return {name.lower() for name in (*records, *gene["synonyms"], *xrefs) if name}


def _is_on_patch(gene: Row) -> bool:
    """Whether the gene lies on an alternative sequence, such as ``HSCHR6_MHC_COX_CTG1``."""
    return "_" in gene.get("seq_region_name", "")
