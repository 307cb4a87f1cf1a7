"""Words to questions: stable IDs, symbols, and terms in EBI Search's language. Pure."""

import re
from dataclasses import dataclass
from enum import IntEnum

from biofact.core.organisms import HUMAN
from biofact.core.words import (
    bare_name,
    clone_name,
    forms,
    fragments,
    in_latin,
    latin_readings,
    plain,
    spellings,
    without_generic,
)
from biofact.dialects.ebi_search import all_words, fits, one_letter_off, searched_words, verbatim
from biofact.protocol.ranking import SHORTEST_NEAR
from biofact.sources.ensembl.search.species import Reach

_SYMBOL = re.compile(r"[A-Za-z0-9][A-Za-z0-9@_.\-()/:;<>\[\],'+]{0,28}[A-Za-z0-9@_.\-()/>\]]|[A-Za-z]", re.ASCII)
_FOREIGN = (  # as our own records and those of other sources write them; a bare number may be anything
    (r"HGNC[:_]?(?:HGNC:)?(\d+)", "HGNC", r"HGNC:\1"),
    (r"(?:NCBIGene|GeneID|EntrezGene|NCBI_?Gene):(\d+)", "EntrezGene", r"\1"),
    (r"O?MIM:(\d{6})", "MIM_GENE", r"\1"),
    (r"UniProt(?:KB)?:(\w+)", "Uniprot/SWISSPROT", r"\1"),
)
_LEADING = re.compile(r"(?:genes?|symbol)\s*[:=]?\s+(?=\S+$)", re.IGNORECASE)
_SHORT = 4  # letters; a longer word in lower case is more likely one of a name: "insulin"
_WORD = re.compile(r"[^\W_]+")
_NEAR_WORDS = 3
_LONGEST_WORDS = 550  # characters of the words' term when encoded: words one letter away and filters come on top
MOST_SYMBOLS = 8


class GeneListKind(IntEnum):
    """A list of hits that EBI Search can be asked for."""

    WORDS = 0
    """The words, among human genes or those of the species asked for."""
    OTHER_SPECIES = 1
    """The words, among the genes of all other species."""
    ONE_LETTER_OFF = 2
    """The words in other species, and human names one letter away; of one species asked for, only such names."""
    AT_ONCE = 3
    """The words in all species or the one asked for, and names one letter away."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to ask for."""

    query: str
    """The words to match, without the species."""
    names: tuple[str, ...]
    """Names that the words may stand for, the original spelling first."""
    symbol: str | None
    """What to look up as a symbol; None for words."""
    reach: Reach | None
    """The one species; None for all."""
    is_reach_from_query: bool = False
    omitted_words: str = ""
    """Words at the end, for which there is no room."""
    database: str | None = None
    """Ensembl's name of the database of which ``symbol`` is an ID."""
    fragments: tuple[str, ...] = ()
    """Parts of the words that are tried where the whole is no gene's name."""

    @property
    def has_words(self) -> bool:
        """Words can be searched: not for another database's ID or a clone's name, whose neighbours are other things,
        nor for one letter, nor in a strain.
        """
        is_identifier = self.database is not None or clone_name(self.query) in self.names
        return not is_identifier and len(self.query) > 1 and not (self.reach and self.reach.is_strain)

    @property
    def symbols(self) -> list[str]:
        """Spellings that may be the symbol, as written first."""
        if self.symbol is None:
            return []
        names = tuple(name for name in self.names if name == without_generic(name))
        names += latin_readings(names)
        symbols = [spelling for name in names for spelling in spellings(name) if _SYMBOL.fullmatch(spelling)]
        return list(dict.fromkeys([self.symbol, *symbols]))[:MOST_SYMBOLS]

    @property
    def symbols_in_part(self) -> list[str]:
        """The fragments that may be the symbol of a gene."""
        symbols = (form for fragment in self.fragments for form in forms(fragment) if _SYMBOL.fullmatch(form))
        return list(dict.fromkeys(symbols))[:MOST_SYMBOLS]

    @property
    def words(self) -> str:
        """The query as a term: as it is written, and by its words, those of a name with signs as a phrase."""
        queries = (self.query, without_generic(self.query))
        names = (*queries, *self.names[1:], *self.symbols[1:], *map(plain, queries))
        texts = list(dict.fromkeys(map(in_latin, names)))
        in_words = [f"({all_words(text)})" for text in texts if _WORD.search(text)]
        terms = list(dict.fromkeys([*filter(None, map(verbatim, texts)), *in_words]))
        # As written comes first: the last spellings are left out where the address would be too long.
        queries_by_length = (" OR ".join(terms[:count]) for count in range(len(terms), 1, -1))
        fitting_terms = (term for term in queries_by_length if fits(term, _LONGEST_WORDS))
        return next(fitting_terms, terms[0])

    @property
    def near_term(self) -> str | None:
        """A term for what is one letter, or one word of many, away; None where the words are too short.

        Only wildcards that EBI documents, and none at the beginning of a word.
        """
        words = searched_words(in_latin(self.query))
        if all(word.isdigit() for word in words):
            return None  # neighbouring numbers are other things
        terms = []
        spellings_of_words = [one_letter_off(word, SHORTEST_NEAR) for word in words]
        if len(words) <= _NEAR_WORDS and any(len(spellings) > 1 for spellings in spellings_of_words):
            terms.append(" AND ".join(f"({' OR '.join(spellings)})" for spellings in spellings_of_words))
        if len(words) >= _NEAR_WORDS:
            rests = (words[:place] + words[place + 1 :] for place, word in enumerate(words) if not word.isdigit())
            terms.append(" OR ".join(f"({' AND '.join(rest)})" for rest in rests))
        return next((term for term in terms if fits(f"{self.words}{term}")), None)

    def term(self, number: GeneListKind) -> str | None:
        """The term of one of the lists that can be searched; None for one that this query has not."""
        human, taxon_filter = f"TAXONOMY:{HUMAN}", f"TAXONOMY:{self.reach.taxon_id if self.reach else HUMAN}"
        at_once = f"({' OR '.join(filter(None, (self.words, self.near_term)))})"
        near_terms = f"(({self.near_term}) AND {taxon_filter})" if self.near_term else None
        if self.reach is not None:
            return {
                GeneListKind.WORDS: f"({self.words}) AND {taxon_filter}",
                GeneListKind.ONE_LETTER_OFF: near_terms,
                GeneListKind.AT_ONCE: f"{at_once} AND {taxon_filter}",
            }.get(number)
        other_species = f"(({self.words}) NOT {human})"
        return {
            GeneListKind.WORDS: f"({self.words}) AND {human}",
            GeneListKind.OTHER_SPECIES: other_species,
            GeneListKind.ONE_LETTER_OFF: " OR ".join(filter(None, (other_species, near_terms))),
            GeneListKind.AT_ONCE: " OR ".join(filter(None, (f"({self.words})", near_terms))),
        }[number]

    @property
    def first_list(self) -> GeneListKind:
        """Which list to search first."""
        return GeneListKind.WORDS if self.symbol is None else GeneListKind.AT_ONCE

    @property
    def may_be_word(self) -> bool:
        """Capitals alone may also be a word, which other species' genes have by the thousand: INSULIN."""
        return self.reach is None and (self.symbol or "").isalpha() and len(self.symbol or "") > _SHORT

    def list_after(self, number: GeneListKind, *, is_empty: bool) -> GeneListKind | None:
        """Which list goes on where one ends; None where it is the last."""
        if number == GeneListKind.WORDS and is_empty:
            return GeneListKind.ONE_LETTER_OFF if self.term(GeneListKind.ONE_LETTER_OFF) else None
        return GeneListKind.OTHER_SPECIES if number == GeneListKind.WORDS and self.reach is None else None


def plan(query: str, reach: Reach | None, *, is_reach_from_query: bool = False) -> Plan | None:
    """How to search for ``query``; None when it holds nothing to search for."""
    if foreign := _foreign_id(query):
        database, foreign_id = foreign
        return Plan(query, (foreign_id,), foreign_id, reach, is_reach_from_query, database=database)
    query = _LEADING.sub("", query)
    names = tuple(name for name in forms(query) if _WORD.search(name))
    if not names:
        return None
    name = names[0] if _SYMBOL.fullmatch(names[0]) else without_generic(names[0])
    symbol = next((name for name in (name, *names) if is_symbol(name)), None)
    words, omitted_words = _cut(bare_name(query))
    if not _WORD.search(words):
        return None
    return Plan(words, names, symbol, reach, is_reach_from_query, omitted_words, fragments=tuple(fragments(query)))


def _foreign_id(query: str) -> tuple[str, str] | None:
    """The database and the ID there, as Ensembl has them, that the query is; None when it is something else."""
    bare = re.sub(r"\s+", "", without_generic(query))
    for form, database, spelling in _FOREIGN:
        if match := re.fullmatch(form, bare, re.IGNORECASE | re.ASCII):
            return database, match.expand(spelling).upper()
    return None


def _cut(text: str) -> tuple[str, str]:
    """As many words as fit into a term, and the others."""
    words = text.split()
    terms = (all_words(in_latin(" ".join(words[:count]))) for count in range(len(words), 0, -1))
    count = next((len(words) - place for place, term in enumerate(terms) if fits(term, _LONGEST_WORDS)), 0)
    return " ".join(words[:count]), " ".join(words[count:])


def is_symbol(word: str) -> bool:
    """Whether a word looks like a symbol: by a digit or sign in it, by capitals, or by being short."""
    return _SYMBOL.fullmatch(word) is not None and (len(word) <= _SHORT or not word.isalpha() or word.isupper())
