"""Words to Entrez queries. Pure."""

import re
from dataclasses import dataclass

from biofact.core.errors import ToolRef
from biofact.core.identifiers import QUERY_LENGTH
from biofact.core.words import forms, in_latin, plain, spellings, without_generic
from biofact.sources.entrez.search import organisms
from biofact.sources.entrez.search.organisms import Organism

SEARCH = ToolRef("entrez", "search_genes")

LEAD_LIMIT = 50
"""Exact hits that lead a list; their IDs travel in the cursor."""

# Field tags and Boolean operators are the user's own Entrez syntax: passed through as they are.
# A name may end in brackets, too: "superoxide dismutase [Cu-Zn]"; no field has a hyphen.
_TAG = re.compile(r"\[[A-Za-z][A-Za-z /:]*\]")
_RAW = re.compile(rf"[\w*)]\"?\s*{_TAG.pattern}|\S\s+(?:AND|OR|NOT)\s+\S")
_CLOSED = re.compile(r'"[^"]*"|\[[^\[\]"]*\]')
_NAMED = re.compile(
    r'(?:"([^"]+)"|([^\s()\[\]"]+))\s*\[(?:sym|symbol|pref\w*(?: symbol)?|gene(?: name)?|title?)\]', re.IGNORECASE
)
_GENE_ID = re.compile(
    r"(?:(?:(?:ncbi|entrez)(?:[\s_-]?gene)?(?:[\s_-]?id)?|gene[\s_-]?id)\s*[:#=]*\s*|LOC)?([1-9]\d{0,11})",
    re.IGNORECASE | re.ASCII,
)
_AROUND = " ()[]<>\"'.,;?!#"
# Enhancers and the like carry the symbols and aliases of the genes around them; few who search for words want them.
_GENES = 'alive[prop] NOT "genetype biological region"[Properties]'


@dataclass(frozen=True, slots=True)
class Plan:
    """What to ask esearch for. ``lead`` finds exact symbols and aliases; ``whole`` finds everything, these too."""

    query: str
    """The words to match, without the organism."""
    names: tuple[str, ...]
    """What the words may stand for as a name, as written first."""
    lead: str | None
    """None for the user's own Entrez syntax, whose order is the service's."""
    whole: str
    organism: Organism | None
    is_organism_from_query: bool = False


def plan(query: str, organism: str | None) -> Plan | None:
    """How to search for ``query``; None when it holds nothing to search for."""
    chosen = organisms.organism(organism) if organism else None
    if is_raw(query):
        names = tuple(quoted or bare for quoted, bare in _NAMED.findall(query)) or (without_syntax(query),)
        return Plan(query, names, None, f"({query}) AND {chosen.term}" if chosen else query, chosen)
    text, named = organisms.split_off(query) if chosen is None else (query, None)
    names = tuple(forms(text))
    if not names:
        return None
    exact = " OR ".join(f'"{name}"[Gene Name]' for name in dict.fromkeys(s for form in names for s in spellings(form)))
    reach = chosen or named
    asked = in_latin(without_generic(plain(text)))
    apart = re.sub(r"(?<=[A-Za-z])-(?=[A-Za-z])", " ", asked)  # NCBI takes beta-catenin for one word
    return Plan(
        query=plain(text),
        names=names,
        lead=f"({exact}) AND {_GENES} AND ({reach.term if reach else organisms.MODEL_ORGANISMS})",
        whole=f"({' OR '.join(f'({form})' for form in dict.fromkeys((asked, apart)))} OR {exact}) AND {_GENES}"
        + (f" AND {reach.term}" if reach else ""),
        organism=reach,
        is_organism_from_query=named is not None,
    )


def is_raw(query: str) -> bool:
    """Whether the query is written in Entrez syntax."""
    return _RAW.search(query) is not None


def is_balanced(query: str) -> bool:
    """Whether every bracket and quote is closed; an open one would let the query swallow our organism filter."""
    left = _CLOSED.sub("", query)
    depth = 0
    for letter in left:
        depth += (letter == "(") - (letter == ")")
        if depth < 0 or letter in '[]"':
            return False
    return depth == 0


def runnable(query: str) -> str:
    """``query``, in words alone where it would be refused for its brackets."""
    return in_words(query) if is_raw(query) and not is_balanced(query) else query


def in_words(query: str) -> str:
    """``query`` without its syntax; with the names of its fields where hardly anything else is left."""
    words = without_syntax(query)
    return words if len(words) in QUERY_LENGTH else plain(query)


def without_syntax(query: str) -> str:
    """The words of a query in Entrez syntax."""
    return plain(re.sub(r"\s(?:AND|OR|NOT)\s", " ", _TAG.sub(" ", query)))


def gene_id(query: str) -> str | None:
    """The GeneID that the query is, if it is one in any spelling. A bare LOC symbol carries its GeneID too."""
    written = query.strip(_AROUND)
    bare = without_generic(written).strip(_AROUND)
    found = _GENE_ID.fullmatch(written if bare.isdecimal() else bare)  # "LOC7157 gene", but not "12 gene"
    return found[1] if found else None
