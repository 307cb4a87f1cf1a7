"""The search fields of NCBI Gene and what each finds. Names and descriptions are starter rows."""

import re
from collections.abc import Callable, Iterable, Mapping

from biofact.sandbox.dialects.eutils.database import FieldTable, SearchField
from biofact.sandbox.services.entrez.corpus import GeneCorpus
from biofact.sandbox.services.entrez.facts import TAXA, GeneTaxon, NcbiGeneFacts
from biofact.sandbox.tables import starter_rows
from biofact.sandbox.word_index import folded

Find = Callable[[GeneCorpus, str], Iterable[str]]
"""GeneIDs that match a phrase in lower case; ``*`` at its end stands for more."""
Values = Callable[[NcbiGeneFacts], Iterable[str]]


def _whole(values: Values) -> Find:
    """Matches a value as a whole."""

    def find_whole(corpus: GeneCorpus, phrase: str) -> Iterable[str]:
        wanted, is_prefix = phrase.removesuffix("*"), phrase.endswith("*")
        for uid in corpus.with_value(phrase):
            names = [value.lower() for value in values(corpus[uid])]
            if wanted in names or (is_prefix and any(value.startswith(wanted) for value in names)):
                yield uid

    return find_whole


def _words(values: Values) -> Find:
    """Matches words that stand side by side in a value."""

    def find_words(corpus: GeneCorpus, phrase: str) -> Iterable[str]:
        wanted = f" {folded(phrase)}" + ("" if phrase.endswith("*") else " ")
        for uid in corpus.with_words(phrase):
            if any(wanted in f" {folded(value)} " for value in values(corpus[uid])):
                yield uid

    return find_words


def _everywhere(corpus: GeneCorpus, phrase: str) -> Iterable[str]:
    return dict.fromkeys((*_uid(corpus, phrase), *corpus.with_words(phrase), *_organism(corpus, phrase)))


def _uid(corpus: GeneCorpus, phrase: str) -> Iterable[str]:
    return [phrase] if phrase in corpus.uids else []


def _organism(corpus: GeneCorpus, phrase: str) -> Iterable[str]:
    """A taxon and those below it, by name or ``txid9606``."""
    taxon = _taxon(phrase)
    return corpus.index.under_taxon[taxon.taxon_id] if taxon else ()


def _organism_alone(corpus: GeneCorpus, phrase: str) -> Iterable[str]:
    """A taxon without those below it."""
    taxon = _taxon(phrase)
    return corpus.index.by_taxon.get(taxon.taxon_id, ()) if taxon else ()


def _taxon(phrase: str) -> GeneTaxon | None:
    wanted = phrase.removeprefix("txid")
    return next((taxon for taxon in TAXA.values() if wanted in _names(taxon)), None)


def _names(taxon: GeneTaxon) -> set[str]:
    return {name.lower() for name in (str(taxon.taxon_id), taxon.scientific, taxon.common, *taxon.also) if name}


def _taxonomy_id(corpus: GeneCorpus, phrase: str) -> Iterable[str]:
    return corpus.index.by_taxon.get(int(phrase), ()) if phrase.isdecimal() else ()


def _chromosome(corpus: GeneCorpus, phrase: str) -> Iterable[str]:
    return corpus.index.by_chromosome.get(phrase, ())


def _property(corpus: GeneCorpus, phrase: str) -> Iterable[str]:
    words = folded(phrase)
    if words == "alive":
        return corpus.index.alive
    by_words = {f"genetype {folded(gene_type)}": uids for gene_type, uids in corpus.index.by_type.items()}
    return by_words.get(words, ())


def _filter(corpus: GeneCorpus, phrase: str) -> Iterable[str]:
    return corpus.uids if phrase == "all" else ()


def _accession(corpus: GeneCorpus, phrase: str) -> Iterable[str]:
    unversioned = re.sub(r"\.\d+$", "", phrase)
    return _whole(lambda gene: (*gene.refseq, *gene.uniprot))(corpus, unversioned)


_FINDERS: Mapping[str, Find] = {
    "ALL": _everywhere,
    "UID": _uid,
    "FILT": _filter,
    "TITL": _words(lambda gene: (gene.name, gene.official_name, *gene.designations)),
    "WORD": _everywhere,
    "ORGN": _organism,
    "CHR": _chromosome,
    "MV": _whole(lambda gene: gene.map_location.split("|")),
    "GENE": _whole(lambda gene: gene.symbols),
    "MIM": _whole(lambda gene: gene.omim),
    "ACCN": _accession,
    "PROP": _property,
    "PMID": _whole(lambda gene: gene.pmids),
    "TID": _taxonomy_id,
    "GFN": _words(lambda gene: (gene.name, gene.official_name)),
    "PFN": _words(lambda gene: gene.designations),
    "PREF": _whole(lambda gene: (gene.symbol, gene.official_symbol)),
}
"""By tag; NCBI has further fields, for which we hold no facts."""
_NOT_EXPLODED = SearchField("ORGN:noexp", "Organism:noexp", _organism_alone)
FIELDS = FieldTable(starter_rows(__package__, "field.jsonl"), _FINDERS, unlisted=[_NOT_EXPLODED])
