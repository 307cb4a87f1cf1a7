"""Recorded pairs of genes and of compounds, each counted; the clean ones are in no disagreement.

NCBI's side are the recorded gene_info files. The other side of a gene is what Ensembl, GENCODE or HGNC recorded of an
Ensembl gene: cross-references of GRCh37, names of GRCh38 with HGNC's IDs, HGNC's own pairs.
"""

import csv
import functools
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest

from biofact.identity import checking
from biofact.identity.evidence import DatabaseRecord, Evidence, ids_by_database
from biofact.sources.chembl import parse as chembl_parse
from biofact.sources.chembl.identifiers import curie
from biofact.sources.ensembl.parse import documents as ensembl_xrefs
from biofact.sources.ensembl.parse import xref_rows
from tests.recordings import FOLDER, needs_recordings, recording

pytestmark = [pytest.mark.quick, needs_recordings]

GENE_INFO = "bulk/Homo_sapiens.gene_info.gz"
TELLS = frozenset({"hgnc", "entrez", "ensembl"})
_KEYS = {"Ensembl": "ensembl", "HGNC": "hgnc"}


@functools.cache
def ncbi_genes() -> dict[str, DatabaseRecord]:
    """NCBI's human genes that have an ID of Ensembl or of HGNC, by ID."""
    rows = (line.split("\t", 6) for line in recording(GENE_INFO).decode().splitlines())
    named = (cells for cells in rows if "Ensembl:" in cells[5] or "HGNC:" in cells[5])
    return {f"NCBIGene:{cells[1]}": _ncbi_gene(cells[1], cells[2], cells[5]) for cells in named}


def _ncbi_gene(gene_id: str, symbol: str, references: str) -> DatabaseRecord:
    says = defaultdict(list)
    for reference in references.split("|"):
        database, _, value = reference.partition(":")
        if database in _KEYS:
            says[_KEYS[database]].append(value)
    lists = {database: tuple(values) for database, values in says.items()}
    return DatabaseRecord("entrez", f"NCBIGene:{gene_id}", "gene", symbol, says=lists, tells=TELLS)


def ensembl_gene(stable_id: str, symbol: str = "", **says: str | None) -> DatabaseRecord:
    told = {database: (value,) for database, value in says.items() if value}
    return DatabaseRecord("ensembl", stable_id, "gene", symbol, says=told, tells=TELLS)


def of_grch37() -> Iterator[DatabaseRecord]:
    """Ensembl's own cross-references, read by the parser of the source."""
    for path in sorted((FOLDER / "ensembl").glob("xrefs_id_ENSG*_grch37.json")):
        stable_id = path.name.split("_")[2]
        references = ensembl_xrefs.collector(
            xref_rows(stable_id, path.read_bytes()), species="homo_sapiens"
        ).collected()
        yield DatabaseRecord("ensembl", stable_id, "gene", "", says=ids_by_database(references), tells=TELLS)


def of_grch38() -> Iterator[DatabaseRecord]:
    """An export of BioMart, and GENCODE's files: IDs of the nomenclature, no GeneIDs."""
    for row in csv.DictReader(
        recording("bulk/scout_ensembl_genes_38_reduced.txt").decode().splitlines(), delimiter="\t"
    ):
        number = row["HGNC ID"]
        yield ensembl_gene(row["Gene stable ID"], row["HGNC symbol"], hgnc=number and f"HGNC:{number}")
    for name in ("igvfsample_gencode_sample.gtf", "gencode_50_records.jsonl"):
        for line in recording(f"bulk/{name}").decode().splitlines():
            stable_id = re.search(r'gene_id[= ]"?(ENSG\d{11})', line)
            named = re.search(r'hgnc_id[= ]"?(HGNC:\d+)', line)
            if stable_id and named:
                yield ensembl_gene(stable_id[1], hgnc=named[1])


def of_hgnc() -> Iterator[DatabaseRecord]:
    """The pairs that HGNC publishes."""
    rows: list[dict[str, str]] = []
    for name in ("genenorm_hgnc_20260424.json", "hgnc_rest_fetch_hgnc_id_1101_BRCA2.json"):
        rows += json.loads(recording(f"bulk/{name}"))["response"]["docs"]
    rows += csv.DictReader(recording("bulk/scout_hgnc_reduced_set.txt").decode().splitlines(), delimiter="\t")
    for row in rows:
        if row.get("ensembl_gene_id") and row.get("entrez_id"):
            gene_id = f"NCBIGene:{row['entrez_id']}"
            yield ensembl_gene(row["ensembl_gene_id"], row["symbol"], hgnc=row["hgnc_id"], entrez=gene_id)


def pairs(others: Iterator[DatabaseRecord]) -> dict[tuple[str, str], str]:
    """The verdict on Ensembl of each recorded pair; NCBI's gene is the one that the other names, or that has its ID of
    the nomenclature.
    """
    genes = ncbi_genes()
    by_name = {value: one for one in genes.values() for value in one.says.get("hgnc", ())}
    found = {}
    for other in others:
        named = [genes.get(one) for one in other.says.get("entrez", ())]
        named += [by_name.get(one) for one in other.says.get("hgnc", ())]
        if start := next(filter(None, named), None):
            found[start.id, other.id] = verdict(start, other)
    return found


def verdict(start: DatabaseRecord, *others: DatabaseRecord) -> str:
    """What is said of Ensembl, if these are its records."""
    evidence = Evidence(start, {other.key: other for other in others}, asked=("ensembl",))
    (found,) = (one for one in checking.judgements(evidence) if one.database == "ensembl")
    return found.verdict


def is_clean(pair: tuple[str, str]) -> bool:
    """NCBI's file names this Ensembl gene, and no other."""
    gene_id, stable_id = pair
    return ncbi_genes()[gene_id].says.get("ensembl", ()) == (stable_id,)


def in_doubt(found: dict[tuple[str, str], str]) -> dict[tuple[str, str], str]:
    """The pairs that NCBI's file does not have so."""
    return {pair: verdict for pair, verdict in found.items() if not is_clean(pair)}


def test_pairs_of_ensembl_s_own_cross_references():
    found = pairs(of_grch37())

    assert Counter(found.values()) == {"agree": 11, "one_way": 1}
    assert in_doubt(found) == {}


def test_pairs_of_names_of_grch38():
    """Files without GeneIDs: NCBI's word stands alone, and is not contradicted."""
    found = pairs(of_grch38())

    assert Counter(found.values()) == {"one_way": 278, "missing": 18, "disagree": 1}
    doubts = in_doubt(found)
    assert Counter(doubts.values()) == {"missing": 18, "disagree": 1}
    assert {pair[0] for pair, verdict in doubts.items() if verdict == "missing"} == unlinked(doubts)
    assert doubts["NCBIGene:9997", "ENSG00000130489"] == "disagree"  # SCO2 is ENSG00000284194 for NCBI


def test_pairs_of_hgnc():
    found = pairs(of_hgnc())

    assert Counter(found.values()) == {"agree": 264, "one_way": 13, "disagree": 2}
    doubts = in_doubt(found)
    assert {pair[0] for pair, verdict in doubts.items() if verdict == "one_way"} == unlinked(doubts)
    assert {pair: verdict for pair, verdict in doubts.items() if verdict == "disagree"} == {
        ("NCBIGene:9997", "ENSG00000130489"): "disagree",
        ("NCBIGene:727764", "ENSG00000274847"): "disagree",  # ENSG00000277400 for NCBI
    }


def unlinked(found: dict[tuple[str, str], str]) -> set[str]:
    """The genes without an Ensembl ID in NCBI's file."""
    return {gene_id for gene_id, _ in found if not ncbi_genes()[gene_id].says.get("ensembl")}


@pytest.mark.parametrize("step", [100, pytest.param(1, marks=pytest.mark.sweep)])
def test_generated_counterparts_of_recorded_human_genes_agree(step):
    """Generated, not recorded: for an Ensembl ID of NCBI's file a gene that names all that name it, and no other."""
    naming: defaultdict[str, list[str]] = defaultdict(list)
    genes = [one for one in ncbi_genes().values() if one.says.get("ensembl")]
    for one in genes:
        for stable_id in one.says["ensembl"]:
            naming[stable_id].append(one.id)
    generated = {
        stable_id: DatabaseRecord("ensembl", stable_id, "gene", "", says={"entrez": tuple(ids)})
        for stable_id, ids in naming.items()
    }
    shared = {gene_id for ids in naming.values() for gene_id in ids if len(ids) > 1}
    several = {one.id for one in genes if len(one.says["ensembl"]) > 1}
    judged = [one for place, one in enumerate(genes) if place % step == 0 or one.id in shared | several]
    found = {one.id: verdict(one, *(generated[stable_id] for stable_id in one.says["ensembl"])) for one in judged}

    assert (len(genes), len(several), sum(len(ids) > 1 for ids in naming.values())) == (35_163, 63, 99)
    assert {gene_id for gene_id, verdict in found.items() if verdict == "one_to_many"} == shared | several
    assert Counter(found.values()) == {
        "agree": len(found) - len(shared | several),
        "one_to_many": len(shared | several),
    }


def molecules(content: object) -> Iterator[dict[str, object]]:
    """The molecules within a recorded answer."""
    if isinstance(content, dict):
        if "molecule_structures" in content and "molecule_hierarchy" in content:
            yield content
        content = list(content.values())
    if isinstance(content, list):
        for one in content:
            yield from molecules(one)


def test_pairs_of_compounds_and_their_structures():
    keys: dict[str, str] = {}
    for path in sorted((FOLDER / "chembl").glob("*.json")):
        for molecule in molecules(json.loads(path.read_bytes())):
            if key := chembl_parse.inchi_key(json.dumps(molecule).encode()):
                keys[curie(molecule["molecule_chembl_id"])] = key
    with_key: defaultdict[str, list[str]] = defaultdict(list)
    for chembl_id, key in keys.items():
        with_key[key].append(chembl_id)

    found = {}
    for chembl_id, key in keys.items():
        start = DatabaseRecord("chembl", chembl_id, "compound", "", says={"inchi_key": (key,)})
        evidence = Evidence(start, leading_back={("inchi_key", key): tuple(with_key[key])})
        found[chembl_id] = [one.verdict for one in checking.judgements(evidence)]
    assert len(found) >= 168
    assert {chembl_id for chembl_id, told in found.items() if told != ["agree"]} == set()
