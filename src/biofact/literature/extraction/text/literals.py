"""The plain words that a text must hold for a pattern to match: they are found much faster than the pattern."""

import importlib
import re
from collections.abc import Iterable, Iterator
from math import inf
from typing import Any, NamedTuple

from biofact.literature.extraction.text.vocabulary import AUXILIARIES, CONNECTORS, DETERMINERS, PREPOSITIONS

LITTLE_WORDS = DETERMINERS | PREPOSITIONS | AUXILIARIES | CONNECTORS
"""Words that nearly every text has."""
MOST_LITERALS = 100
"""More of them take as long as the pattern."""
LONG_ENOUGH = 7
"""Letters; longer words are hardly rarer."""
RARITY_OF_A_SIGN = 2
"""As = and %: rarer than a letter."""
PRICE_OF_A_WORD = 0.25
"""Letters by which a set must be longer for each word that it has more."""

CAPITAL = re.compile(r"\\.|\(\?P|(?P<letter>[A-Z])", re.DOTALL)
"""A capital of a pattern that is neither an escape nor the beginning of a group. As in: N."""
SCOPED_FLAGS = re.compile(r"\(\?[a-z]*-|\(\?[aiLmsux]+:")
"""As in: (?-i:N)."""

Literals = frozenset[str]
ANY_TEXT: Literals = frozenset(("",))
"""The literals of a pattern that cannot be analysed: every text has the empty one."""


class PreparedPattern(NamedTuple):
    """A pattern, and what makes its search quick."""

    pattern: re.Pattern[str]
    literals: tuple[str, ...]
    """Words of which every match has one, in lower case."""
    in_lower_case: re.Pattern[str] | None
    """The pattern for a text in lower case."""


_prepared: dict[int, PreparedPattern] = {}
"""By the pattern's identity: hashing a pattern takes as long as a search. An entry keeps its pattern, and so its id."""


def prepare(pattern: re.Pattern[str]) -> PreparedPattern:
    """The prepared form of a pattern, made once."""
    entry = _prepared.get(id(pattern))
    if entry is None:
        entry = _prepared[id(pattern)] = PreparedPattern(pattern, literals(pattern), in_lower_case(pattern))
    return entry


def may_match(pattern: re.Pattern[str], lower: str) -> bool:
    """Whether the pattern can match a text, given in lower case; almost always false if it cannot."""
    for literal in prepare(pattern).literals:  # noqa: SIM110  # any() of a generator takes longer than the search
        if literal in lower:
            return True
    return False


def rules_out(pattern: re.Pattern[str], lower: str) -> bool:
    """Whether a text, of which this is the lower case, surely has no match.

    Never known of letters beyond ASCII: without regard to case some of them match plain ones.
    """
    return lower.isascii() and not may_match(pattern, lower)


def search(pattern: re.Pattern[str], text: str, lower: str) -> re.Match[str] | None:
    """The first match in a text, of which ``lower`` is the lower case."""
    _, required, lower_pattern = prepare(pattern)
    for literal in required:
        if literal in lower:
            break
    else:
        return None
    # a letter whose lower case is longer shifts all places behind it
    if lower_pattern is None or len(lower) != len(text):
        return pattern.search(text)
    match = lower_pattern.search(lower)
    # once more in the text itself, whose capitals the groups keep
    return None if match is None else pattern.match(text, match.start())


def in_lower_case(pattern: re.Pattern[str]) -> re.Pattern[str] | None:
    """The pattern for a text in lower case; none for one that distinguishes cases.

    Without regard to case Python compares letter by letter through a table, which takes twice as long.
    """
    if not pattern.flags & re.IGNORECASE or SCOPED_FLAGS.search(pattern.pattern):
        return None
    lower_source = CAPITAL.sub(lambda match: match["letter"].lower() if match["letter"] else match[0], pattern.pattern)
    return re.compile(lower_source.removeprefix("(?i)"), pattern.flags & ~re.IGNORECASE)


def literals(pattern: re.Pattern[str]) -> tuple[str, ...]:
    """Words of which every match has one, in lower case, the shortest first."""
    try:
        tree = importlib.import_module("re._parser").parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    except (ImportError, AttributeError):  # the parser is no public part of Python: without it all is searched
        return tuple(ANY_TEXT)
    return tuple(sorted(rarest_set(needed_sets(tree)), key=lambda literal: (len(literal), literal)))


def needed_sets(items: Iterable[Any]) -> Iterator[Literals]:
    """Sets of which a match of these items has a member each."""
    run = ""
    for name, value in ((str(name), value) for name, value in items):
        if name == "LITERAL":
            run += chr(value).lower()
            continue
        if name == "AT":
            continue  # a place has no letters
        yield frozenset((run,))
        run = ""
        yield from inner_sets(name, value)
    yield frozenset((run,))


def inner_sets(name: str, value: Any) -> Iterator[Literals]:
    """The sets of a group, a choice or a repetition."""
    if name == "SUBPATTERN":
        yield from needed_sets(value[-1])
    elif name == "ATOMIC_GROUP":
        yield from needed_sets(value)
    elif name == "ASSERT":
        yield from needed_sets(value[1])
    elif name in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"} and value[0] > 0:
        yield from needed_sets(value[2])
    elif name == "BRANCH":
        words = frozenset[str]().union(*(rarest_set(needed_sets(choice)) for choice in value[1]))
        # a text with a longer word has the shorter one within it as well
        yield frozenset(word for word in words if not any(other != word and other in word for other in words))


def rarest_set(sets: Iterable[Literals]) -> Literals:
    """The set that the fewest texts have: one of few long words."""
    return max(
        (literal_set for literal_set in sets if len(literal_set) <= MOST_LITERALS), key=rarity_of_set, default=ANY_TEXT
    )


def rarity_of_set(literal_set: Literals) -> float:
    """The rarity of a set in texts: that of its commonest word, less a price for each word."""
    rarest = min(map(rarity, literal_set))
    return rarest - PRICE_OF_A_WORD * len(literal_set) if rarest else -inf


def rarity(literal: str) -> float:
    """The rarity of a literal in texts, in letters of a word."""
    word = literal.strip()
    if word in LITTLE_WORDS:
        return 1
    if len(word) == 1 and not word.isalnum():
        return RARITY_OF_A_SIGN
    return min(len(word), LONG_ENOUGH)
