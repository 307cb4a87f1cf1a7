"""The search fields of NCBI Gene and what each finds. Names and descriptions as einfo gives them."""

import re
from collections.abc import Callable, Iterable

from biofact.sandbox.dialects.eutils.fields import FieldTable, SearchField
from biofact.sandbox.services.entrez.corpus import GeneCorpus, folded
from biofact.sandbox.services.entrez.facts import TAXA, GeneTaxon, NcbiGeneFacts

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


def _nowhere(_corpus: GeneCorpus, _phrase: str) -> Iterable[str]:
    """A field that NCBI has and for which we hold no facts."""
    return ()


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


_LISTED = (
    SearchField("ALL", "All Fields", "All terms from all searchable fields", _everywhere),
    SearchField("UID", "UID", "Unique number assigned to a gene record", _uid),
    SearchField("FILT", "Filter", "Limits the records", _filter),
    SearchField(
        "TITL",
        "Gene/Protein Name",
        "gene or protein name",
        _words(lambda gene: (gene.name, gene.official_name, *gene.designations)),
        also=("title",),
    ),
    SearchField("WORD", "Text Word", "Free text associated with record", _everywhere),
    SearchField(
        "ORGN",
        "Organism",
        "scientific and common names of organism",
        _organism,
        also=("porgn", "primary organism", "organism:exp"),
    ),
    SearchField("MDAT", "Modification Date", "The last date on which the record was updated", _nowhere),
    SearchField("CHR", "Chromosome", "Chromosome number or numbers", _chromosome),
    SearchField(
        "MV",
        "Default Map Location",
        "Chromosomal map location as displayed in MapViewer",
        _whole(lambda gene: gene.map_location.split("|")),
        also=("map location",),
    ),
    SearchField("GENE", "Gene Name", "Symbol or symbols of the gene", _whole(lambda gene: gene.symbols)),
    SearchField("ECNO", "EC/RN Number", "EC number for enzyme or CAS registry number", _nowhere),
    SearchField("MIM", "MIM ID", "MIM number from OMIM", _whole(lambda gene: gene.omim)),
    SearchField("DIS", "Disease/Phenotype", "Name(s) of diseases associated with this gene", _nowhere),
    SearchField(
        "ACCN", "Nucleotide/Protein Accession", "Accession(s) associated with this gene", _accession, ("accession",)
    ),
    SearchField("PROP", "Properties", "Properties of Gene record", _property),
    SearchField("CDAT", "Creation Date", "The date on which this record first appeared", _nowhere),
    SearchField("PMID", "PubMed ID", "PubMed ids of accessions linked to the record", _whole(lambda gene: gene.pmids)),
    SearchField("TID", "Taxonomy ID", "taxonomy id", _taxonomy_id),
    SearchField("GO", "Gene Ontology", "Gene Ontology", _nowhere),
    SearchField("DOM", "Domain Name", "Domain Name", _nowhere),
    SearchField("DDAT", "Date Discontinued", "The date on which the record was discontinued", _nowhere),
    SearchField("CPOS", "Base Position", "Chromosome base position", _nowhere),
    SearchField("GFN", "Gene Full Name", "Gene full name", _words(lambda gene: (gene.name, gene.official_name))),
    SearchField("PFN", "Protein Full Name", "Protein full name", _words(lambda gene: gene.designations)),
    SearchField("XC", "Exon Count", "Exon count", _nowhere),
    SearchField("GRP", "Group", "Relationships for this gene", _nowhere),
    SearchField(
        "PREF",
        "Preferred Symbol",
        "Preferred symbol of the gene",
        _whole(lambda gene: (gene.symbol, gene.official_symbol)),
        also=("sym", "symbol"),
    ),
    SearchField("AACC", "Assembly Accession", "Assembly accession", _nowhere),
    SearchField("ASM", "Assembly Name", "Assembly name", _nowhere),
)

_NOT_EXPLODED = SearchField("ORGN:noexp", "Organism:noexp", "organism alone", _organism_alone)
FIELDS = FieldTable(_LISTED, unlisted=[_NOT_EXPLODED])
