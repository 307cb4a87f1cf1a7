"""NCBI Gene as E-utilities serve it, from the facts that we hold: the database, its fields, and what each finds."""

import functools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from biofact.sandbox.dialects.eutils.database import FieldTable, SearchField, ServedDatabase
from biofact.sandbox.dialects.eutils.standin import EutilsStandIn
from biofact.sandbox.dialects.eutils.terms import Uids
from biofact.sandbox.services.entrez import render
from biofact.sandbox.services.entrez.corpus import (
    TAXA,
    GeneCorpus,
    GeneTaxon,
    GenomicPlace,
    NcbiGeneFacts,
    starter_genes,
)
from biofact.sandbox.services.entrez.datasets import DatasetsStandIn, recorded_annotations
from biofact.sandbox.sizes import JsonPadding, RecordSize, further_rows, scattered
from biofact.sandbox.standin import StandIn
from biofact.sandbox.tables import Row, starter_rows
from biofact.sandbox.word_index import folded, phrase_text

_STATUS_CODES = {"live": "", "secondary": "1", "discontinued": "2"}
_NO_POSITION = 999999999
"""NCBI's ``chrstart`` of a gene that is on no assembly: it sorts last."""
_LOOKUPS_KEPT = 256
_BEYOND_LOTS = 1 << 32  # so that an extent counts before any lot


@functools.cache
def stand_ins(recordings: Path | None = None) -> tuple[StandIn, ...]:
    """The Gene database of the starter genes, and Datasets over the same; with recordings, of some 220,000 genes more.

    Built once per process: 220,000 genes take seconds.
    """
    if recordings:
        corpus = GeneCorpus.recorded(recordings, starter_genes(), recorded_annotations(recordings))
    else:
        corpus = GeneCorpus(starter_genes())
    return (EutilsStandIn(GeneDatabase(corpus)), DatasetsStandIn(corpus))


class _Places(dict[str, int]):
    """Each GeneID's place by relevance: the genes with the longest records come first, equal ones as by lot.

    NCBI's own order is by weight, which is not known here. A lot is the same each time, and unlike the order of
    GeneIDs it does not favour the gene that was numbered first, and that is often the one meant.

    Queries can match the whole corpus, and numbers are sorted faster than pairs.
    """

    def __init__(self, corpus: GeneCorpus) -> None:
        self.corpus = corpus

    def __missing__(self, uid: str) -> int:
        place = self[uid] = scattered(int(uid), _BEYOND_LOTS) - self.corpus.extent(uid) * _BEYOND_LOTS
        return place


def _older_place(number: int) -> Row:
    """A place on an assembly of the past, as summaries list them after those of today."""
    release = {"annotationrelease": f"105.{scattered(number, 10**8):08}", "assemblyaccver": "GCF_000001405.38"}
    return {
        **release,
        "chraccver": render.OTHER_SEQUENCE,
        "chrstart": scattered(number, 10**8),
        "chrstop": scattered(number, 10**8) + 5000,
    }


_SUMMARY_PADDING = JsonPadding(
    path=re.compile(r"/esummary\.fcgi"),
    size=RecordSize(3_700, 12_000, "KRAS: 3,682 bytes, 15 past places; recorded 2023"),
    records=lambda document: ((uid, row) for uid, row in document.get("result", {}).items() if "locationhist" in row),
    grow=further_rows(_older_place, lambda record: record["locationhist"]),
)


class GeneDatabase(ServedDatabase):
    """The Gene database."""

    name = "gene"
    link_rows = starter_rows(__package__, "link.jsonl")
    paddings = (render.GENE_PADDING, _SUMMARY_PADDING)

    def __init__(self, corpus: GeneCorpus) -> None:
        self.corpus = corpus
        self._places = _Places(corpus)
        # Query after query keeps to live genes of one organism: 200,000 GeneIDs that need not be gathered each time.
        self._find = functools.lru_cache(maxsize=_LOOKUPS_KEPT)(self._find_uids)

    def lookup(self, field: str, phrase: str) -> Sequence[str] | None:
        """GeneIDs that match one phrase in one field, both in lower case; None for an unknown field."""
        return self._find(field, phrase)

    def _find_uids(self, field: str, phrase: str) -> Uids | None:
        uids = FIELDS.find(self.corpus, field, phrase)
        return None if uids is None else Uids(uids)

    def all_uids(self) -> Collection[str]:
        """Every GeneID, retired ones included."""
        return self.corpus.uids

    def rank(self, uids: Iterable[str], sort: str) -> list[str]:
        """By symbol for ``name``; else by relevance, for which the genes with the most names and references stand."""
        if sort.lower() == "name":
            return sorted(uids, key=lambda uid: (self.corpus[uid].symbol.lower(), int(uid)))
        return sorted(uids, key=self._places.__getitem__)

    def docsum(self, uid: str) -> dict[str, Any] | None:
        """The esummary object; None for an unknown GeneID."""
        gene = self.corpus.get(uid)
        return None if gene is None else docsum(gene)

    def fetch(self, uids: Sequence[str]) -> Iterator[bytes]:
        """The efetch XML, record by record; unknown GeneIDs are left out, as NCBI leaves them out."""
        yield render.PROLOG
        for gene in filter(None, map(self.corpus.get, uids)):
            yield render.gene_xml(gene)
        yield render.END

    def links(self, uid: str, linkname: str) -> Sequence[str] | None:
        """PMIDs, highest first; None when there is no such link name. Only ``gene_pubmed`` has any."""
        if linkname not in self.linknames("pubmed"):
            return None
        gene = self.corpus.get(uid)
        return sorted(gene.pmids, key=int, reverse=True) if gene and linkname == "gene_pubmed" else []

    def info(self) -> dict[str, Any]:
        """The description of the database for einfo."""
        fields = FIELDS.einfo_rows()
        return {"menuname": "Gene", "description": "Gene database", "fields": fields, "links": self.link_rows}


def docsum(gene: NcbiGeneFacts) -> dict[str, Any]:
    """The esummary object of a gene, with every key of a real one."""
    first = gene.chromosomes[0] if gene.chromosomes else ""
    return {
        "uid": gene.gene_id,
        "name": gene.symbol,
        "description": gene.name,
        "status": _STATUS_CODES[gene.status],
        "currentid": gene.current_id,
        "chromosome": ", ".join(gene.chromosomes),
        "geneticsource": render.genome(gene),
        "maplocation": gene.map_location,
        "otheraliases": ", ".join(gene.aliases),
        "otherdesignations": "|".join(gene.designations),
        "nomenclaturesymbol": gene.official_symbol,
        "nomenclaturename": gene.official_name,
        "nomenclaturestatus": gene.nomenclature,
        "mim": list(gene.omim),
        "genomicinfo": [
            {"chrloc": chromosome, **_span(place), "exoncount": ""}  # exons are not among the facts
            for chromosome, place in zip(gene.chromosomes, gene.places, strict=False)
        ],
        "geneweight": gene.weight,
        "summary": gene.summary,
        "chrsort": f"{first:0>2}" if first.isdecimal() else first,
        "chrstart": min((place.start - 1 for place in gene.places), default=_NO_POSITION),
        "organism": {
            "scientificname": gene.taxon.scientific,
            "commonname": gene.taxon.common,
            "taxid": gene.taxon_id,
        },
        "locationhist": [{**_annotation(gene.release), **_span(place)} for place in gene.places],
    }


def _span(place: GenomicPlace) -> dict[str, Any]:
    """The span counted from 0, from end to start on the minus strand."""
    start, stop = (place.start, place.end)[:: place.strand]
    return {"chraccver": place.accession, "chrstart": start - 1, "chrstop": stop - 1}


def _annotation(release: str) -> dict[str, str]:
    """The release as the summary spells it: without its assembly, and without the words before its number."""
    assembly, _, number = release.rpartition("-")
    return {"annotationrelease": re.sub(r".* ", "", number), "assemblyaccver": assembly}


Find = Callable[[GeneCorpus, str], Iterable[str]]
"""GeneIDs that match a phrase in lower case; ``*`` at its end stands for more."""
Values = Callable[[NcbiGeneFacts], Iterable[str]]


def _whole(values: Values) -> Find:
    """Matches a value as a whole."""

    def find_whole(corpus: GeneCorpus, phrase: str) -> Iterable[str]:
        start, is_prefix = phrase.removesuffix("*"), phrase.endswith("*")
        for uid in corpus.with_value(phrase):
            names = [value.lower() for value in values(corpus[uid])]
            if start in names or (is_prefix and any(name.startswith(start) for name in names)):
                yield uid

    return find_whole


def _words(values: Values) -> Find:
    """Matches words that stand side by side in a value."""

    def find_words(corpus: GeneCorpus, phrase: str) -> Iterable[str]:
        words = phrase_text(phrase)
        for uid in corpus.with_words(phrase):
            if any(words in f" {folded(value)} " for value in values(corpus[uid])):
                yield uid

    return find_words


def _any_field(corpus: GeneCorpus, phrase: str) -> Iterable[str]:
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
    name = phrase.removeprefix("txid")
    return next((taxon for taxon in TAXA.values() if name in _names(taxon)), None)


def _names(taxon: GeneTaxon) -> set[str]:
    return {name.lower() for name in (str(taxon.taxon_id), taxon.scientific, taxon.common, *taxon.other_names) if name}


def _property(corpus: GeneCorpus, phrase: str) -> Iterable[str]:
    words = folded(phrase)
    if words == "alive":
        return corpus.index.alive
    by_words = {f"genetype {folded(gene_type)}": uids for gene_type, uids in corpus.index.by_type.items()}
    return by_words.get(words, ())


def _accession(corpus: GeneCorpus, phrase: str) -> Iterable[str]:
    accession = re.sub(r"\.\d+$", "", phrase)  # facts have no versions
    return _whole(lambda gene: (*gene.refseq, *gene.uniprot))(corpus, accession)


_FINDERS: Mapping[str, Find] = {
    "ALL": _any_field,
    "UID": _uid,
    "FILT": lambda corpus, phrase: corpus.uids if phrase == "all" else (),
    "TITL": _words(lambda gene: (gene.name, gene.official_name, *gene.designations)),
    "WORD": _any_field,
    "ORGN": _organism,
    "CHR": lambda corpus, phrase: corpus.index.by_chromosome.get(phrase, ()),
    "MV": _whole(lambda gene: gene.map_location.split("|")),
    "GENE": _whole(lambda gene: gene.symbols),
    "MIM": _whole(lambda gene: gene.omim),
    "ACCN": _accession,
    "PROP": _property,
    "PMID": _whole(lambda gene: gene.pmids),
    "TID": lambda corpus, phrase: corpus.index.by_taxon.get(int(phrase), ()) if phrase.isdecimal() else (),
    "GFN": _words(lambda gene: (gene.name, gene.official_name)),
    "PFN": _words(lambda gene: gene.designations),
    "PREF": _whole(lambda gene: (gene.symbol, gene.official_symbol)),
}
"""By tag; NCBI has further fields, for which we hold no facts."""
_NOT_EXPLODED = SearchField("ORGN:noexp", "Organism:noexp", _organism_alone)
FIELDS = FieldTable(starter_rows(__package__, "field.jsonl"), _FINDERS, hidden_fields=[_NOT_EXPLODED])
