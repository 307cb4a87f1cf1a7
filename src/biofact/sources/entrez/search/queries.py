"""Words to Entrez queries. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from biofact.core import organisms
from biofact.core.errors import ToolRef
from biofact.core.identifiers import QUERY_LENGTH
from biofact.core.organisms import Taxon
from biofact.core.words import (
    GREEK_AND_NUMBER,
    bare_name,
    clone_name,
    folded,
    forms,
    fragments,
    in_latin,
    latin_readings,
    plain,
    spellings,
    without_generic,
    without_origin,
    without_size,
)
from biofact.dialects.eutils import syntax_problem

_FIELDS = (  # einfo's tag and name of each (UPSTREAMS 2.3), then what Gene Help and common usage write
    *("ALL", "All Fields", "UID", "FILT", "Filter", "sb", "TITL", "Gene/Protein Name", "title", "titl", "ti"),
    *("WORD", "Text Word", "tw", "ORGN", "Organism", "org", "porgn", "Primary Organism", "MDAT", "Modification Date"),
    *("CHR", "Chromosome", "MV", "Default Map Location", "Map Location", "GENE", "Gene Name", "ECNO", "EC/RN Number"),
    *("MIM", "MIM ID", "DIS", "Disease/Phenotype", "ACCN", "Nucleotide/Protein Accession", "Accession", "PROP"),
    *("Properties", "CDAT", "Creation Date", "PMID", "PubMed ID", "TID", "Taxonomy ID", "taxid", "GO", "Gene Ontology"),
    *("DOM", "Domain Name", "DDAT", "Date Discontinued", "CPOS", "Base Position", "CHRPOS", "bp", "GFN"),
    *("Gene Full Name", "PFN", "Protein Full Name", "XC", "Exon Count", "GRP", "Group", "PREF", "Preferred Symbol"),
    *("sym", "symbol", "AACC", "Assembly Accession", "ASM", "Assembly Name"),
)
_KNOWN_FIELDS = frozenset(map(str.lower, _FIELDS))
NAMING = ("sym", "symbol", "pref", "preferred symbol", "gene", "gene name", "title", "titl")
"""The fields that hold names, in which brackets and colons are no syntax."""


def is_field(tag: str) -> bool:
    """Whether NCBI Gene has a field of this tag, which may be qualified: ``Organism:noexp``, ``Title:~3``."""
    return " ".join(tag.partition(":")[0].lower().split()) in _KNOWN_FIELDS


@dataclass(frozen=True, slots=True)
class Organism:
    """A taxon as a search filters by it."""

    taxon_id: int | None
    """NCBI Taxonomy ID; None when only the service can tell."""
    name: str
    """Scientific name, or what the caller wrote."""
    is_exact: bool
    """Genes of this very taxon alone, not of the taxa below it."""
    text: str = field(default="", compare=False)
    """The caller's text."""

    @property
    def term(self) -> str:
        """The filter in Entrez syntax."""
        if self.taxon_id is None:
            return f'"{self.name}"[Organism]'
        return f"txid{self.taxon_id}[Organism:noexp]" if self.is_exact else f"txid{self.taxon_id}[Organism]"


def read_organism(text: str) -> Organism:
    """The organism of a common name, a scientific name or a taxon ID. Unknown names are left to the service."""
    if taxon := organisms.taxon(text):
        return _one_taxon(taxon, text)
    if number := organisms.taxon_id(text):
        return Organism(number, f"taxon {number}", is_exact=False, text=text)
    return Organism(None, " ".join(re.sub(r'[\[\]"()*:_]+', " ", text).split()), is_exact=False, text=text)


def split_off(query: str) -> tuple[str, Organism | None]:
    """The query without an organism named at its end ("TP53 zebrafish") or at its beginning ("human TP53")."""
    rest, taxon = organisms.split_off(query)
    return rest, _one_taxon(taxon) if taxon else None


def _one_taxon(taxon: Taxon, text: str = "") -> Organism:
    return Organism(taxon.id, taxon.name, is_exact=True, text=text)


MODEL_ORGANISMS = " OR ".join(_one_taxon(taxon).term for taxon in organisms.MODEL_ORGANISMS)
"""The filter for all of them."""


SEARCH = ToolRef("entrez", "search_genes")

_MOST_TURNED = 4  # words
_WORD = r"\w+"
_FULL_NAME = re.compile(r"\s|[a-z]{4}")

LEAD_LIMIT = 50
"""Exact hits that lead a list; their IDs travel in the cursor."""

# Field tags and Boolean operators are the user's own Entrez syntax: passed through as they are. A name may hold
# brackets, too: "superoxide dismutase [Cu-Zn]", "su(w[a])"; only what NCBI Gene has as a field is one.
_TAG = re.compile(r"\[([A-Za-z][A-Za-z /:~\d]*)\]")
_TAGGED = re.compile(rf"(?<=[\w*)\]\"])\s*{_TAG.pattern}")
_OPERATOR = re.compile(r"\S\s+(?:AND|OR|NOT)\s+\S")
_NAMING = "|".join(map(re.escape, NAMING))
# A symbol whose signs Entrez would take for its own: l(2)gl[sym] finds gl, zgc:171673[sym] is a range.
_BRACKETED_NAME = r'[^\s()\[\]":*]+(?:\((?:[^\s()\[\]"*]|\[[^\s\[\]"]*\])*\)[^\s()\[\]":*]*)+(?=[\s)\[]|$)'
_NAME_WITH_COLON = rf'[^\s()\[\]":*]+:[^\s()\[\]"*]+(?=\s*\[(?:{_NAMING})\])'
_SIGNED = re.compile(rf'"[^"]*"|(?<![^\s(])(?P<symbol>{_BRACKETED_NAME}|{_NAME_WITH_COLON})', re.IGNORECASE)
_SIGN = re.compile(r"[^\w\s.@'-]+")
_NAME_IN_FIELD = re.compile(rf'(?:"([^"]+)"|([^\s()\[\]"]+))\s*\[(?:{_NAMING})\]', re.IGNORECASE)
_PHRASE = re.compile(r'"([^"]+)"(?!\s*\[)')
_GENE_ID = re.compile(
    r"(?:(?:(?:ncbi|entrez)(?:[\s_-]?gene)?(?:[\s_-]?id)?|gene[\s_-]?id)\s*[:#=]*\s*|LOC)?([1-9]\d{0,11})(?:\.0+)?",
    re.IGNORECASE | re.ASCII,
)
_PUNCTUATION = " ()[]<>\"'.,;?!#"
# Enhancers and the like carry the symbols and aliases of the genes around them; few who search for words want them.
_GENES = 'alive[prop] NOT "genetype biological region"[Properties]'


@dataclass(frozen=True, slots=True)
class Plan:
    """What to ask esearch for. ``lead`` finds exact symbols and aliases; ``whole`` finds everything, these too."""

    query: str
    """The words to match, without the organism."""
    names: tuple[str, ...]
    """Names that the words may stand for, the original spelling first."""
    lead: str | None
    """None for the user's own Entrez syntax, whose order is the service's."""
    whole: str
    organism: Organism | None
    is_organism_from_query: bool = False
    fragments: tuple[str, ...] = ()
    """Parts of the words that are tried where the whole is no gene's name."""

    @property
    def may_be_full_name(self) -> bool:
        """The query may be a full name, such as renin or IFN-gamma."""
        return may_be_full_name(self.names[0])

    def lists(self, full_names: Iterable[str]) -> bool:
        """Whether a search for the full name lists a gene with these: the words stand side by side in one of them."""
        phrases = {phrase for name in self.names for phrase in _phrases(folded(name))}
        texts = [f" {' '.join(re.findall(_WORD, folded(name)))} " for name in full_names]
        return any(f" {phrase} " in text for text in texts for phrase in phrases)

    @property
    def names_only(self) -> "Plan":
        """The plan without the words: those of a number are in the lists of papers of many genes."""
        return replace(self, whole=self.lead or self.whole)

    @property
    def has_names_only(self) -> bool:
        """The words are not searched, so that a gene without the name is none that was meant."""
        return self.whole == self.lead

    @property
    def is_clone(self) -> bool:
        """The query is a name after a clone, whose words lead to other genes."""
        return clone_name(self.query) in self.names

    def exact_term(self, names: Iterable[str], full_names: Iterable[str] = ()) -> str:
        """The term that finds the genes of the organism, or of the model organisms, that are called by a name, or hold
        the words of a full name side by side, in turned order, too: "beta actin" is actin beta.
        """
        phrases = dict.fromkeys(phrase for name in full_names for phrase in _phrases(name))
        condition = " OR ".join((_exact(names), *(f'"{phrase}"[Title]' for phrase in phrases)))
        return f"({condition}) AND {_GENES} AND ({self.organism.term if self.organism else MODEL_ORGANISMS})"


def may_be_full_name(name: str) -> bool:
    """Whether a name has several words, or letters in a row as few symbols have."""
    return _FULL_NAME.search(name) is not None


def plan(query: str, organism: str | None) -> Plan | None:
    """How to search for ``query``; None when it holds nothing to search for."""
    chosen_organism = read_organism(organism) if organism else None
    if is_raw(query):
        search_text = _SIGNED.sub(_symbol_in_quotes, query)
        names_in_tags = [quoted or bare for quoted, bare in _NAME_IN_FIELD.findall(search_text)]
        names = tuple(names_in_tags or _PHRASE.findall(search_text)) or (without_syntax(query),)
        return Plan(
            query,
            names,
            None,
            f"({search_text}) AND {chosen_organism.term}" if chosen_organism else search_text,
            chosen_organism,
        )
    text, in_query = split_off(query) if chosen_organism is None else (query, None)
    names = tuple(forms(text))
    if not names:
        return None
    reach = chosen_organism or in_query
    search_text = in_latin(without_generic(plain(text)))
    spaced_text = re.sub(r"(?<=[A-Za-z])-(?=[A-Za-z])", " ", search_text)  # NCBI takes beta-catenin for one word
    name_text = in_latin(without_generic(plain(without_size(without_origin(text)))))
    # One letter is no word: hundreds of thousands of records have it somewhere.
    in_words = [f"({form})" for form in dict.fromkeys((search_text, spaced_text, name_text)) if len(form) > 1]
    search_plan = Plan(
        query=bare_name(text),
        names=names,
        lead=None,
        whole=f"({' OR '.join([*in_words, _exact(names)])}) AND {_GENES}" + (f" AND {reach.term}" if reach else ""),
        organism=reach,
        is_organism_from_query=in_query is not None,
        fragments=tuple(fragments(text)),
    )
    return replace(search_plan, lead=search_plan.exact_term(names))


def _exact(names: Iterable[str]) -> str:
    """The genes that are called by one of the names, in any spelling. Each is a phrase, whatever signs it holds; how
    NCBI reads those within quotes is not known, so that the words between them stand beside (README).
    """
    listed_names = tuple(names)
    phrases = [spelling for name in (*listed_names, *latin_readings(listed_names)) for spelling in spellings(name)]
    distinct = dict.fromkeys([*map(_in_quotes, phrases), *(_SIGN.sub(" ", phrase).strip() for phrase in phrases)])
    return " OR ".join(f'"{name}"[Gene Name]' for name in distinct if name)


def _phrases(name: str) -> list[str]:
    """The words as they are, with a Greek letter and its number as one word and as two, and with each of the first
    words moved behind the last where they are few.
    """
    name_words = re.findall(_WORD, name)
    turns = range(len(name_words)) if len(name_words) <= _MOST_TURNED else range(1)
    turned = [" ".join((*name_words[turn:], *name_words[:turn])) for turn in turns]
    return [*turned, GREEK_AND_NUMBER.sub(r"\1\2", turned[0]), GREEK_AND_NUMBER.sub(r"\1 \2", turned[0])]


def _symbol_in_quotes(match: re.Match[str]) -> str:
    is_symbol = match["symbol"] is not None and not any(map(is_field, _TAG.findall(match[0])))
    return f'"{match[0]}"' if is_symbol else match[0]


def _in_quotes(name: str) -> str:
    """``name`` without what would end its quotes, or stand for more in them."""
    return " ".join(re.sub(r'["*\\]', " ", name).split())


def is_raw(query: str) -> bool:
    """Whether the query is written in Entrez syntax."""
    tags = (match[1] for match in _TAGGED.finditer(query))
    return _OPERATOR.search(query) is not None or any(map(is_field, tags))


def runnable(query: str) -> str:
    """``query``, in words alone where it would be refused for its brackets."""
    return in_words(query) if is_raw(query) and syntax_problem(query) else query


def in_words(query: str) -> str:
    """``query`` without its syntax; with the names of its fields where hardly anything else is left."""
    words = without_syntax(query)
    return words if len(words) in QUERY_LENGTH else plain(query)


def without_syntax(query: str) -> str:
    """The words of a query in Entrez syntax."""
    return plain(re.sub(r"\s(?:AND|OR|NOT)\s", " ", _TAG.sub(" ", query)))


def gene_id(query: str) -> str | None:
    """The GeneID that the query is, if it is one in any spelling. A bare LOC symbol carries its GeneID too."""
    text = query.strip(_PUNCTUATION)
    bare = without_generic(text).strip(_PUNCTUATION)
    match = _GENE_ID.fullmatch(text if bare.isdecimal() else bare)  # "LOC7157 gene", but not "12 gene"
    return match[1] if match else None
