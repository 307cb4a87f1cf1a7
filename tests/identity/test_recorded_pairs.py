"""Recorded pairs of genes and of compounds, each counted; clean ones have no disagreement.

NCBI's side are the recorded gene_info files. The other side of a gene are the recorded facts of Ensembl, GENCODE or
HGNC about an Ensembl gene: cross-references of GRCh37, names of GRCh38 with HGNC's IDs, HGNC's own pairs.
"""

import csv
import functools
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest

from biofact.identity import checker
from biofact.identity.comparison import compare
from biofact.identity.evidence import DatabaseRecord, Evidence, ids_by_database
from biofact.sources.chembl import parse as chembl_parse
from biofact.sources.chembl.identifiers import curie
from biofact.sources.ensembl.parse import documents as ensembl_xrefs
from biofact.sources.ensembl.parse import xref_rows
from tests.recordings import FOLDER, needs_recordings, recording

pytestmark = [pytest.mark.quick, needs_recordings]

GENE_INFO = "bulk/Homo_sapiens.gene_info.gz"
XREF_DATABASES = frozenset({"hgnc", "entrez", "ensembl"})
_KEYS = {"Ensembl": "ensembl", "HGNC": "hgnc"}


@functools.cache
def ncbi_genes() -> dict[str, DatabaseRecord]:
    """NCBI's human genes that have an ID of Ensembl or of HGNC, by ID."""
    rows = (line.split("\t", 6) for line in recording(GENE_INFO).decode().splitlines())
    linked = (cells for cells in rows if "Ensembl:" in cells[5] or "HGNC:" in cells[5])
    return {f"NCBIGene:{cells[1]}": _ncbi_gene(cells[1], cells[2], cells[5]) for cells in linked}


def _ncbi_gene(gene_id: str, symbol: str, references: str) -> DatabaseRecord:
    ids = defaultdict(list)
    for reference in references.split("|"):
        database, _, value = reference.partition(":")
        if database in _KEYS:
            ids[_KEYS[database]].append(value)
    lists = {database: tuple(values) for database, values in ids.items()}
    return DatabaseRecord("entrez", f"NCBIGene:{gene_id}", "gene", symbol, xrefs=lists, xref_databases=XREF_DATABASES)


def ensembl_gene(stable_id: str, symbol: str = "", **xrefs: str | None) -> DatabaseRecord:
    lists = {database: (value,) for database, value in xrefs.items() if value}
    return DatabaseRecord("ensembl", stable_id, "gene", symbol, xrefs=lists, xref_databases=XREF_DATABASES)


def of_grch37() -> Iterator[DatabaseRecord]:
    """Ensembl's own cross-references, read by the parser of the source."""
    for path in sorted((FOLDER / "ensembl").glob("xrefs_id_ENSG*_grch37.json")):
        stable_id = path.name.split("_")[2]
        references = ensembl_xrefs.collector(
            xref_rows(stable_id, path.read_bytes()), species="homo_sapiens"
        ).collected()
        yield DatabaseRecord(
            "ensembl", stable_id, "gene", "", xrefs=ids_by_database(references), xref_databases=XREF_DATABASES
        )


def of_grch38() -> Iterator[DatabaseRecord]:
    """An export of BioMart, and GENCODE's files: with IDs of the nomenclature, without GeneIDs."""
    for row in csv.DictReader(
        recording("bulk/scout_ensembl_genes_38_reduced.txt").decode().splitlines(), delimiter="\t"
    ):
        number = row["HGNC ID"]
        yield ensembl_gene(row["Gene stable ID"], row["HGNC symbol"], hgnc=number and f"HGNC:{number}")
    for name in ("igvfsample_gencode_sample.gtf", "gencode_50_records.jsonl"):
        for line in recording(f"bulk/{name}").decode().splitlines():
            stable_id = re.search(r'gene_id[= ]"?(ENSG\d{11})', line)
            hgnc_id = re.search(r'hgnc_id[= ]"?(HGNC:\d+)', line)
            if stable_id and hgnc_id:
                yield ensembl_gene(stable_id[1], hgnc=hgnc_id[1])


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


def pairs(records: Iterator[DatabaseRecord]) -> dict[tuple[str, str], str]:
    """The verdict on Ensembl of each recorded pair; NCBI's gene is the one that the other names, or that has its ID of
    the nomenclature.
    """
    genes = ncbi_genes()
    by_hgnc_id = {hgnc_id: gene for gene in genes.values() for hgnc_id in gene.xrefs.get("hgnc", ())}
    verdicts = {}
    for other in records:
        candidates = [genes.get(gene_id) for gene_id in other.xrefs.get("entrez", ())]
        candidates += [by_hgnc_id.get(hgnc_id) for hgnc_id in other.xrefs.get("hgnc", ())]
        if start := next(filter(None, candidates), None):
            verdicts[start.id, other.id] = verdict(start, other)
    return verdicts


def verdict(start: DatabaseRecord, *records: DatabaseRecord) -> str:
    """The verdict on Ensembl, if these are its records."""
    evidence = Evidence(start, {other.key: other for other in records}, databases=("ensembl",))
    (judgement,) = (judgement for judgement in checker.judgements(evidence) if judgement.database == "ensembl")
    return judgement.verdict


def is_clean(pair: tuple[str, str]) -> bool:
    """Whether NCBI's file names this Ensembl gene, and no other."""
    gene_id, stable_id = pair
    return ncbi_genes()[gene_id].xrefs.get("ensembl", ()) == (stable_id,)


def in_doubt(verdicts: dict[tuple[str, str], str]) -> dict[tuple[str, str], str]:
    """The pairs that NCBI's file does not have."""
    return {pair: verdict for pair, verdict in verdicts.items() if not is_clean(pair)}


def test_pairs_of_ensembl_s_own_cross_references():
    verdicts = pairs(of_grch37())

    assert Counter(verdicts.values()) == {"agree": 11, "one_way": 1}
    assert in_doubt(verdicts) == {}


def test_pairs_of_names_of_grch38():
    """Files without GeneIDs: NCBI's assertion stands alone, and is not contradicted."""
    verdicts = pairs(of_grch38())

    assert Counter(verdicts.values()) == {"one_way": 278, "missing": 18, "disagree": 1}
    doubts = in_doubt(verdicts)
    assert Counter(doubts.values()) == {"missing": 18, "disagree": 1}
    assert {pair[0] for pair, verdict in doubts.items() if verdict == "missing"} == genes_without_ensembl_id(doubts)
    assert doubts["NCBIGene:9997", "ENSG00000130489"] == "disagree"  # SCO2 is ENSG00000284194 for NCBI


def test_pairs_of_hgnc():
    verdicts = pairs(of_hgnc())

    assert Counter(verdicts.values()) == {"agree": 264, "one_way": 13, "disagree": 2}
    doubts = in_doubt(verdicts)
    assert {pair[0] for pair, verdict in doubts.items() if verdict == "one_way"} == genes_without_ensembl_id(doubts)
    assert {pair: verdict for pair, verdict in doubts.items() if verdict == "disagree"} == {
        ("NCBIGene:9997", "ENSG00000130489"): "disagree",
        ("NCBIGene:727764", "ENSG00000274847"): "disagree",  # ENSG00000277400 for NCBI
    }


def comparisons(gene: DatabaseRecord, other: DatabaseRecord) -> set[bool | None]:
    """Whether two records are of one gene, asked in both directions."""
    evidence = (Evidence(gene), Evidence(other))
    return {compare(*pair, str).is_same for pair in (evidence, evidence[::-1])}


def test_pairs_of_hgnc_are_the_same_unless_in_doubt_and_no_other_pair_ever_is():
    genes = ncbi_genes()
    rows = [(genes[other.xrefs["entrez"][0]], other) for other in of_hgnc() if other.xrefs["entrez"][0] in genes]
    outcomes = {(gene.id, other.id): comparisons(gene, other) for gene, other in rows}
    others = [
        comparisons(gene, other)
        for distance in (1, 2, 7)
        for (gene, _), (_, other) in zip(rows, rows[distance:], strict=False)
        if gene.id not in other.xrefs["entrez"]
    ]

    assert all(len(outcome) == 1 for outcome in outcomes.values()), "the answer depends on the order"
    assert Counter(is_same for outcome in outcomes.values() for is_same in outcome) == {True: 277, None: 2}
    assert {pair for pair, outcome in outcomes.items() if outcome == {None}} == {
        ("NCBIGene:9997", "ENSG00000130489"),
        ("NCBIGene:727764", "ENSG00000274847"),
    }
    assert len(others) > 800
    assert all(outcome == {False} for outcome in others)


def genes_without_ensembl_id(pairs: dict[tuple[str, str], str]) -> set[str]:
    """The genes without an Ensembl ID in NCBI's file."""
    return {gene_id for gene_id, _ in pairs if not ncbi_genes()[gene_id].xrefs.get("ensembl")}


@pytest.mark.parametrize("step", [100, pytest.param(1, marks=pytest.mark.sweep)])
def test_generated_counterparts_of_recorded_human_genes_agree(step):
    """Generated, not recorded: for an Ensembl ID of NCBI's file a gene that names exactly the GeneIDs that name it."""
    gene_ids: defaultdict[str, list[str]] = defaultdict(list)
    genes = [gene for gene in ncbi_genes().values() if gene.xrefs.get("ensembl")]
    for gene in genes:
        for stable_id in gene.xrefs["ensembl"]:
            gene_ids[stable_id].append(gene.id)
    generated = {
        stable_id: DatabaseRecord("ensembl", stable_id, "gene", "", xrefs={"entrez": tuple(ids)})
        for stable_id, ids in gene_ids.items()
    }
    shared = {gene_id for ids in gene_ids.values() for gene_id in ids if len(ids) > 1}
    multiple = {gene.id for gene in genes if len(gene.xrefs["ensembl"]) > 1}
    sample = [gene for number, gene in enumerate(genes) if number % step == 0 or gene.id in shared | multiple]
    verdicts = {
        gene.id: verdict(gene, *(generated[stable_id] for stable_id in gene.xrefs["ensembl"])) for gene in sample
    }

    assert (len(genes), len(multiple), sum(len(ids) > 1 for ids in gene_ids.values())) == (35_163, 63, 99)
    assert {gene_id for gene_id, verdict in verdicts.items() if verdict == "one_to_many"} == shared | multiple
    assert Counter(verdicts.values()) == {
        "agree": len(verdicts) - len(shared | multiple),
        "one_to_many": len(shared | multiple),
    }


def molecules(content: object) -> Iterator[dict[str, object]]:
    """The molecules within a recorded answer."""
    if isinstance(content, dict):
        if "molecule_structures" in content and "molecule_hierarchy" in content:
            yield content
        content = list(content.values())
    if isinstance(content, list):
        for value in content:
            yield from molecules(value)


def test_pairs_of_compounds_and_their_structures():
    keys: dict[str, str] = {}
    for path in sorted((FOLDER / "chembl").glob("*.json")):
        for molecule in molecules(json.loads(path.read_bytes())):
            if key := chembl_parse.molecule_hit(json.dumps(molecule).encode()).inchi_key:
                keys[curie(molecule["molecule_chembl_id"])] = key
    with_key: defaultdict[str, list[str]] = defaultdict(list)
    for chembl_id, key in keys.items():
        with_key[key].append(chembl_id)

    verdicts = {}
    for chembl_id, key in keys.items():
        start = DatabaseRecord("chembl", chembl_id, "compound", "", xrefs={"inchi_key": (key,)})
        evidence = Evidence(start, reverse_lookups={("inchi_key", key): tuple(with_key[key])})
        verdicts[chembl_id] = [judgement.verdict for judgement in checker.judgements(evidence)]
    assert len(verdicts) >= 168
    assert {chembl_id for chembl_id, verdict in verdicts.items() if verdict != ["agree"]} == set()
