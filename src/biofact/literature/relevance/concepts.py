"""The concepts of a goal with every phrase that the queries search for them. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from biofact.literature.query import wording
from biofact.literature.query.concepts import Concept

OPTIONAL_WEIGHT = 0.5
"""Of what is asked about a subject, such as mortality or prevention, against the subject itself."""

_TERM = re.compile(r'(?:"(?P<quoted>[^"]+)"|(?P<bare>[^\s()"\[\]][^()"\[\]]*?))\s*\[(?P<field>[^\]]+)\]')
_ALL_WORDS = re.compile(r'\(("[^"]+"\[[^\]]+\](?: AND "[^"]+"\[[^\]]+\])+)\)')
_WITHOUT = re.compile(r'\s+NOT\s+(?:\([^()]*\)|"[^"]*"\[[^\]]+\]|[^\s()]+)')
_OPERATORS = re.compile(r"\b(?:AND|OR|NOT)\b")
_TEXT_FIELD = re.compile(
    r"(?i)mesh|^mh|^majr|title|abstract|^tiab|^ti$|^ab$|^ot$|^kw|other term|text word|^tw$|all fields|^all$"
    r"|supplementary|^nm$"
)
"""Fields that speak of the subject. As in: Title/Abstract. All others (publication type, date, language) filter."""


@dataclass(frozen=True, slots=True)
class GoalConcept:
    """A part of the goal, under every name that the queries give it."""

    name: str
    """As the goal has it, where it does."""
    phrases: tuple[str, ...]
    """Its names, headings and synonyms; an asterisk at the end stands for any ending."""
    weight: float = 1.0


def goal_concepts(concepts: Sequence[Concept], queries: Iterable[str]) -> list[GoalConcept]:
    """The concepts of the goal, each with all phrases that any query searches for it.

    Blocks of queries that share a phrase are one concept; a block that only filters is none.
    """
    groups: list[dict[str, str]] = [_keyed(concept.names) for concept in concepts]
    groups += [_keyed(block) for query in queries for block in query_blocks(query)]
    merged: list[dict[str, str]] = []
    for group in groups:
        known = [one for one in merged if one.keys() & group.keys()]
        joined = {key: phrase for one in (*known, group) for key, phrase in one.items()}
        if not known:
            merged.append(joined)
            continue
        merged[merged.index(known[0])] = joined
        merged = [one for one in merged if one not in known[1:]]
    return [_goal_concept(group, concepts) for group in merged if group]


def _goal_concept(group: dict[str, str], concepts: Sequence[Concept]) -> GoalConcept:
    own = [one for one in concepts if not group.keys().isdisjoint(_keyed(one.names))]
    name = own[0].name if own else wording.in_speech(next(iter(group.values())))
    is_optional = bool(own) and all(one.role == "optional" for one in own)
    return GoalConcept(name, tuple(group.values()), OPTIONAL_WEIGHT if is_optional else 1.0)


def _keyed(phrases: Iterable[str]) -> dict[str, str]:
    """The phrases by what makes two of them the same."""
    keys = ((wording.key(phrase) + "*" * phrase.endswith("*"), phrase) for phrase in phrases)
    return {key: phrase for key, phrase in reversed([*keys]) if key.strip("*")}


def query_blocks(query: str) -> Iterator[tuple[str, ...]]:
    """The phrases of each block that a query joins by AND, without blocks that filter and without what it excludes."""
    query = _ALL_WORDS.sub(lambda match: _one_phrase(match[1]), _straight(query))
    for block in _joined_parts(_WITHOUT.sub("", query)):
        terms = [(match["quoted"] or match["bare"], match["field"]) for match in _TERM.finditer(block)]
        if terms and all(_TEXT_FIELD.search(field) for _, field in terms):
            yield tuple(dict.fromkeys(_OPERATORS.sub(" ", text).strip() for text, _ in terms))


def _straight(query: str) -> str:
    return wording.straight(query).replace("\u201c", '"').replace("\u201d", '"')


def _one_phrase(words: str) -> str:
    """``("gut"[Title] AND "flora"[Title])`` as one phrase in the field of the first."""
    terms = [*_TERM.finditer(words)]
    return f'"{" ".join(term["quoted"] for term in terms)}"[{terms[0]["field"]}]'


def _joined_parts(query: str) -> Iterator[str]:
    """The parts between the outermost ANDs; parentheses around the whole are looked through."""
    depth, start = 0, 0
    parts = []
    for match in re.finditer(r'[()]|"[^"]*"|\sAND\s', query):
        sign = match[0].strip()
        depth += (sign == "(") - (sign == ")")
        if sign == "AND" and depth == 0:
            parts.append(query[start : match.start()])
            start = match.end()
    parts.append(query[start:])
    for part in parts:
        inside = part.strip()
        is_whole = len(parts) == 1 and inside.startswith("(") and inside.endswith(")") and " AND " in inside
        yield from _joined_parts(inside[1:-1]) if is_whole else [inside]
