"""Words to Entrez queries. Pure."""

import re
from dataclasses import dataclass

from biofact.core.errors import ToolRef
from biofact.sources.entrez.search import organisms
from biofact.sources.entrez.search.organisms import Organism
from biofact.sources.entrez.search.words import in_latin

SEARCH = ToolRef("entrez", "search_genes")

LEAD_LIMIT = 50
"""Exact hits that lead a list; their IDs travel in the cursor."""

# Field tags and Boolean operators are the user's own Entrez syntax: passed through as they are.
_RAW = re.compile(r"\w\"?\s*\[[A-Za-z][A-Za-z /:-]*\]|\S\s+(?:AND|OR|NOT)\s+\S")
_GENE_ID = re.compile(r"(?:NCBIGene:|GeneID:|Entrez:|LOC)?([1-9]\d{0,11})", re.IGNORECASE | re.ASCII)
# Enhancers and the like have numbered LOC symbols and no authority's name; few who search for words want them.
_NO_REGIONS = 'NOT "genetype biological region"[Properties]'


@dataclass(frozen=True, slots=True)
class Plan:
    """What to ask esearch for. ``lead`` finds exact symbols and aliases; ``whole`` finds everything, these too."""

    query: str
    """The words to match, without the organism."""
    lead: str | None
    whole: str
    organism: Organism | None
    is_organism_from_query: bool = False


def plan(query: str, organism: str | None) -> Plan | None:
    """How to search for ``query``; None when it holds nothing to search for."""
    chosen = organisms.organism(organism) if organism else None
    if _RAW.search(query):
        return Plan(query, None, _joined(f"({query})", chosen) if chosen else query, chosen)
    words, named = organisms.split_off(query) if chosen is None else (query, None)
    plain = plain_words(words)
    if not plain:
        return None
    exact = " OR ".join(f'"{spelling}"[Gene Name]' for spelling in spellings(plain))
    reach = chosen or named
    return Plan(
        query=words,
        lead=_joined(f"({exact}) AND alive[prop]", reach)
        if reach
        else f"({exact}) AND alive[prop] AND ({organisms.MODEL_ORGANISMS})",
        whole=_joined(f"((({plain}) {_NO_REGIONS}) OR {exact}) AND alive[prop]", reach),
        organism=reach,
        is_organism_from_query=named is not None,
    )


def gene_id(query: str) -> str | None:
    """The GeneID that the query is, if it is one in any spelling. A bare LOC symbol carries its GeneID too."""
    found = _GENE_ID.fullmatch(query.strip())
    return found[1] if found else None


def spellings(name: str) -> list[str]:
    """The ways in which a symbol is written: as given, without hyphens and blanks, with a hyphen before the number."""
    bare = re.sub(r"[-\s]", "", name)
    hyphenated = re.sub(r"^([A-Za-z]+)(\d+)$", r"\1-\2", bare)
    return list(dict.fromkeys((name, bare, hyphenated) if len(name) <= _LONGEST_SYMBOL else (name,)))


_LONGEST_SYMBOL = 25


def _joined(term: str, organism: Organism | None) -> str:
    return f"{term} AND {organism.term}" if organism else term


def plain_words(words: str) -> str:
    """``words`` without what Entrez would read as syntax; empty when nothing is left to search for."""
    text = re.sub(r'[\[\]"(){}*:;,?!<>=|&~\\^#]+', " ", in_latin(words))
    text = " ".join(text.split()).strip("-+'./ ")
    return re.sub(r"\b(AND|OR|NOT)\b", lambda found: found[0].lower(), text) if re.search(r"\w", text) else ""
