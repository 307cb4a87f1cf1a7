"""Mentions of human genes in recorded text and in other databases, each with the gene that is meant.

No mention is labelled by us: PubTator's annotations, GeneRIFs of a gene that hold one of its names, definitions such as
"androgen receptor (AR)" whose two sides fit one gene only, and the names of proteins and genes that GO's and HGNC's
files give with an accession or GeneID. A mention is as its author wrote it.
"""

import csv
import functools
import gzip
import itertools
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.gene_dictionary import GeneName, compact, dictionary, folded, names_of
from benchmarks.labelled_corpora import GOLD
from benchmarks.symbols import HUMAN, RECORDINGS
from biofact.sandbox.dialects.gene_info import GeneRow

_LONGEST = 8  # words
_SHORTEST = 3  # letters and digits
_DEFINITION = re.compile(r"((?:[\w'/,+-]+ ){1,9})\(([A-Za-z0-9\u0370-\u03ff][\w/-]{1,11})\)")
_ABSTRACTS = ("screening/*.jsonl.gz", "evidence_inference.jsonl", "med_docs.jsonl", "pico_corpus.jsonl")
_SMALL_WORDS = frozenset(("of", "the", "and", "in", "by", "with", "for", "to", "an", "alpha", "beta", "gamma", "type"))


def mentions() -> list[GeneName]:
    """Every mention, each text of a gene once, in a fixed order."""
    readers = (_of_pubtator, _of_generifs, _of_definitions, _of_go, _of_hgnc)
    distinct: dict[tuple[str, str], GeneName] = {}
    for reader in readers:
        for mention in reader():
            distinct.setdefault((folded(mention.name), mention.gene_id), mention)
    return list(distinct.values())


@functools.cache
def _genes_by_id() -> dict[str, GeneRow]:
    return {row.gene_id: row for row in dictionary(HUMAN).rows}


def _of_pubtator() -> Iterator[GeneName]:
    for file in sorted((RECORDINGS / "pubtator").glob("export_*[0-9].json")):
        passages = (row for document in json.loads(file.read_bytes())["PubTator3"] for row in document["passages"])
        for annotation in (row for passage in passages for row in passage["annotations"]):
            gene_id = annotation["infons"]["identifier"]
            if annotation["infons"]["type"] == "Gene" and gene_id in _genes_by_id():
                yield GeneName(annotation["text"], "PubTator", HUMAN, gene_id)


def _of_generifs() -> Iterator[GeneName]:
    """The longest runs of words in a gene's GeneRIFs that are one of its names, but for hyphens, blanks and case."""
    for file in sorted((RECORDINGS / "entrez").glob("efetch_gene_*Entrezgene_root.xml*")):
        text = _text(file)
        gene_id = re.search(r"<Gene-track_geneid>(\d+)<", text)
        gene = _genes_by_id().get(gene_id[1]) if gene_id else None
        if gene is None:
            continue
        names = {compact(name) for name in names_of(gene)}
        for entry in re.findall(r'(?s)value="generif".*?<Gene-commentary_text>([^<]+)<', text):
            for run in _runs(entry.split(), names):
                yield GeneName(run, "GeneRIF", HUMAN, gene.gene_id)


def _runs(words: list[str], names: set[str]) -> Iterator[str]:
    start = 0
    while start < len(words):
        for end in range(min(len(words), start + _LONGEST), start, -1):
            run = " ".join(words[start:end]).strip("().,;:[]\"'")
            if len(compact(run)) >= _SHORTEST and compact(run) in names:
                yield run
                start = end - 1
                break
        start += 1


def _of_definitions() -> Iterator[GeneName]:
    """Both sides of a definition, where one gene only has the short side as a symbol and fits the long one."""
    genes_by_symbol: dict[str, set[str]] = defaultdict(set)
    for gene in _genes_by_id().values():
        for symbol in (gene.symbol, *gene.synonyms):
            genes_by_symbol[compact(symbol)].add(gene.gene_id)
    for before, short in (definition for text in _abstracts() for definition in _DEFINITION.findall(text)):
        if gene_ids := genes_by_symbol.get(compact(short)):
            long = _long_form(before.split(), short)
            fitting_ids = [gene_id for gene_id in sorted(gene_ids) if _fits(long, _genes_by_id()[gene_id])]
            if len(fitting_ids) == 1:
                yield GeneName(long, "definition, full name", HUMAN, fitting_ids[0])
                yield GeneName(short, "definition, symbol", HUMAN, fitting_ids[0])


def _long_form(words: list[str], short: str) -> str:
    """The shortest run of words before the bracket that begins with the short form's first letter and holds the others
    in order (Schwartz and Hearst 2003); empty where there is none.
    """
    letters = re.sub(r"[\W\d_]", "", folded(short))
    for start in range(len(words) - 1, -1, -1):
        run = folded(" ".join(words[start:]))
        rest = iter(run)
        if letters and run.startswith(letters[0]) and all(letter in rest for letter in letters):
            return " ".join(words[start:]).strip(",")
    return ""


def _fits(long: str, gene: GeneRow) -> bool:
    """Whether a full name of the gene has all words of the long form, and few others: cystic fibrosis is not CFTR."""
    words = _words(long)
    own_words = map(_words, (gene.official_name, gene.description, *gene.designations))
    return bool(words) and any(words <= name and len(name) <= 2 * len(words) for name in own_words)


def _words(name: str) -> frozenset[str]:
    """The words that tell names apart, without the s of a plural."""
    return frozenset(word.removesuffix("s") for word in re.findall(r"[a-z]{2,}", folded(name))) - _SMALL_WORDS


def _abstracts() -> Iterator[str]:
    """Titles and abstracts of recorded articles, and of labelled corpora where there are any."""
    for file in sorted((RECORDINGS / "pubmed").glob("*.xml*")):
        if ".meta." not in file.name:
            yield from re.findall(r"<(?:ArticleTitle|AbstractText)[^>]*>([^<]+)<", _text(file))
    for file in sorted(path for pattern in _ABSTRACTS for path in GOLD.glob(pattern)):
        for line in filter(None, _text(file).split("\n")):
            row = json.loads(line)
            yield f"{row.get('title', '')} {row.get('abstract', '')}"


def _of_go() -> Iterator[GeneName]:
    """The names of proteins in GO's annotations, as UniProt has them, with the symbol of the gene."""
    for line in _text(RECORDINGS / "bulk" / "goa_human_500.gaf").splitlines():
        cells = line.split("\t")
        meaning = dictionary(HUMAN).meaning(cells[2]) if not line.startswith("!") else None
        if meaning and meaning.kind == "symbol" and len(meaning.genes) == 1:
            yield GeneName(cells[9], "UniProt name", HUMAN, meaning.genes[0].gene_id)


def _of_hgnc() -> Iterator[GeneName]:
    """Former names and symbols, and aliases, of HGNC's files."""
    bulk = RECORDINGS / "bulk"
    table = csv.DictReader(_text(bulk / "scout_hgnc_reduced_set.txt").splitlines(), delimiter="\t")
    rows: list[dict[str, Any]] = [{key: (value or "").split("|") for key, value in row.items() if key} for row in table]
    rows += json.loads(_text(bulk / "genenorm_hgnc_20260424.json"))["response"]["docs"]
    rows += map(json.loads, _text(RECORDINGS / "dumps" / "hgnc_docs_60.jsonl").strip().split("\n"))
    columns = ("alias_symbol", "alias_name", "prev_symbol", "prev_name")
    for row, column in itertools.product(rows, columns):
        gene_id = "".join(row.get("entrez_id", ""))
        if gene_id in _genes_by_id():
            for name in _without_quotes(row.get(column, ())):
                yield GeneName(name, f"HGNC {column}", HUMAN, gene_id)


def _without_quotes(names: Iterable[str]) -> Iterator[str]:
    """Names with the quotes of the table taken off."""
    stripped_names = (name.strip(' "') for name in names)
    return (name for name in stripped_names if len(name) > 1)


def _text(file: Path) -> str:
    content = file.read_bytes()
    return (gzip.decompress(content) if file.suffix == ".gz" else content).decode(errors="replace")
