"""The search fields of NCBI Gene and what each finds. Names and descriptions as einfo gives them."""

import re
from collections.abc import Callable, Iterable

from biofact.sandbox.dialects.eutils.fields import Field, FieldTable
from biofact.sandbox.services.entrez.corpus import Corpus, folded
from biofact.sandbox.services.entrez.facts import TAXA, GeneFacts, Taxon

Find = Callable[[Corpus, str], Iterable[str]]
"""GeneIDs that match a phrase in lower case; ``*`` at its end stands for more."""
Values = Callable[[GeneFacts], Iterable[str]]


def _whole(values: Values) -> Find:
    """Matches a value as a whole."""

    def find_whole(corpus: Corpus, phrase: str) -> Iterable[str]:
        wanted, is_prefix = phrase.removesuffix("*"), phrase.endswith("*")
        for uid in corpus.with_value(phrase):
            told = [value.lower() for value in values(corpus[uid])]
            if wanted in told or (is_prefix and any(value.startswith(wanted) for value in told)):
                yield uid

    return find_whole


def _words(values: Values) -> Find:
    """Matches words that stand side by side in a value."""

    def find_words(corpus: Corpus, phrase: str) -> Iterable[str]:
        wanted = f" {folded(phrase)}" + ("" if phrase.endswith("*") else " ")
        for uid in corpus.with_words(phrase):
            if any(wanted in f" {folded(value)} " for value in values(corpus[uid])):
                yield uid

    return find_words


def _everywhere(corpus: Corpus, phrase: str) -> Iterable[str]:
    return dict.fromkeys((*_uid(corpus, phrase), *corpus.with_words(phrase), *_organism(corpus, phrase)))


def _nowhere(_corpus: Corpus, _phrase: str) -> Iterable[str]:
    """A field that NCBI has and for which we hold no facts."""
    return ()


def _uid(corpus: Corpus, phrase: str) -> Iterable[str]:
    return [phrase] if phrase in corpus.uids else []


def _organism(corpus: Corpus, phrase: str) -> Iterable[str]:
    """A taxon and those below it, by name or ``txid9606``."""
    taxon = _taxon(phrase)
    return corpus.under_taxon[taxon.taxon_id] if taxon else ()


def _organism_alone(corpus: Corpus, phrase: str) -> Iterable[str]:
    """A taxon without those below it."""
    taxon = _taxon(phrase)
    return corpus.by_taxon.get(taxon.taxon_id, ()) if taxon else ()


def _taxon(phrase: str) -> Taxon | None:
    wanted = phrase.removeprefix("txid")
    return next((taxon for taxon in TAXA.values() if wanted in _names(taxon)), None)


def _names(taxon: Taxon) -> set[str]:
    return {name.lower() for name in (str(taxon.taxon_id), taxon.scientific, taxon.common, *taxon.also) if name}


def _taxonomy_id(corpus: Corpus, phrase: str) -> Iterable[str]:
    return corpus.by_taxon.get(int(phrase), ()) if phrase.isdecimal() else ()


def _chromosome(corpus: Corpus, phrase: str) -> Iterable[str]:
    return corpus.by_chromosome.get(phrase, ())


def _property(corpus: Corpus, phrase: str) -> Iterable[str]:
    words = folded(phrase)
    if words == "alive":
        return corpus.alive
    by_words = {f"genetype {folded(gene_type)}": uids for gene_type, uids in corpus.by_type.items()}
    return by_words.get(words, ())


def _filter(corpus: Corpus, phrase: str) -> Iterable[str]:
    return corpus.uids if phrase == "all" else ()


def _accession(corpus: Corpus, phrase: str) -> Iterable[str]:
    unversioned = re.sub(r"\.\d+$", "", phrase)
    return _whole(lambda gene: (*gene.refseq, *gene.uniprot))(corpus, unversioned)


_TOLD = (
    Field("ALL", "All Fields", "All terms from all searchable fields", _everywhere),
    Field("UID", "UID", "Unique number assigned to a gene record", _uid),
    Field("FILT", "Filter", "Limits the records", _filter),
    Field(
        "TITL",
        "Gene/Protein Name",
        "gene or protein name",
        _words(lambda gene: (gene.name, gene.official_name, *gene.designations)),
        also=("title",),
    ),
    Field("WORD", "Text Word", "Free text associated with record", _everywhere),
    Field(
        "ORGN",
        "Organism",
        "scientific and common names of organism",
        _organism,
        also=("porgn", "primary organism", "organism:exp"),
    ),
    Field("MDAT", "Modification Date", "The last date on which the record was updated", _nowhere),
    Field("CHR", "Chromosome", "Chromosome number or numbers", _chromosome),
    Field(
        "MV",
        "Default Map Location",
        "Chromosomal map location as displayed in MapViewer",
        _whole(lambda gene: gene.map_location.split("|")),
        also=("map location",),
    ),
    Field("GENE", "Gene Name", "Symbol or symbols of the gene", _whole(lambda gene: gene.symbols)),
    Field("ECNO", "EC/RN Number", "EC number for enzyme or CAS registry number", _nowhere),
    Field("MIM", "MIM ID", "MIM number from OMIM", _whole(lambda gene: gene.omim)),
    Field("DIS", "Disease/Phenotype", "Name(s) of diseases associated with this gene", _nowhere),
    Field("ACCN", "Nucleotide/Protein Accession", "Accession(s) associated with this gene", _accession, ("accession",)),
    Field("PROP", "Properties", "Properties of Gene record", _property),
    Field("CDAT", "Creation Date", "The date on which this record first appeared", _nowhere),
    Field("PMID", "PubMed ID", "PubMed ids of accessions linked to the record", _whole(lambda gene: gene.pmids)),
    Field("TID", "Taxonomy ID", "taxonomy id", _taxonomy_id),
    Field("GO", "Gene Ontology", "Gene Ontology", _nowhere),
    Field("DOM", "Domain Name", "Domain Name", _nowhere),
    Field("DDAT", "Date Discontinued", "The date on which the record was discontinued", _nowhere),
    Field("CPOS", "Base Position", "Chromosome base position", _nowhere),
    Field("GFN", "Gene Full Name", "Gene full name", _words(lambda gene: (gene.name, gene.official_name))),
    Field("PFN", "Protein Full Name", "Protein full name", _words(lambda gene: gene.designations)),
    Field("XC", "Exon Count", "Exon count", _nowhere),
    Field("GRP", "Group", "Relationships for this gene", _nowhere),
    Field(
        "PREF",
        "Preferred Symbol",
        "Preferred symbol of the gene",
        _whole(lambda gene: (gene.symbol, gene.official_symbol)),
        also=("sym", "symbol"),
    ),
    Field("AACC", "Assembly Accession", "Assembly accession", _nowhere),
    Field("ASM", "Assembly Name", "Assembly name", _nowhere),
)

_NOT_EXPLODED = Field("ORGN:noexp", "Organism:noexp", "organism alone", _organism_alone)
FIELDS = FieldTable(_TOLD, untold=[_NOT_EXPLODED])
