"""What a query finds among the genes, and in which order. It knows nothing of organisms or of what is meant."""

import math
import re
from collections.abc import Iterator
from functools import lru_cache

from biofact.sandbox.services.ensembl.genes import Genes, texts
from biofact.sandbox.services.ensembl.query import (
    All,
    Either,
    Node,
    Not,
    PhraseClause,
    TaxonClause,
    is_pattern,
    pattern,
)
from biofact.sandbox.tables import Row
from biofact.sandbox.word_index import words


def ranked(genes: Genes, node: Node) -> list[str]:
    """IDs of the genes that match, the most relevant first, ties by ID.

    In the manner of Lucene: each phrase found adds its rarity, divided by the root of the length of its field.
    """
    found = matches(genes, node)
    rarity = {one: math.log(1 + len(genes) / (1 + len(matches(genes, one)))) for one in _wanted(node)}
    if not rarity:
        return sorted(found)
    scores = {uid: _score(genes, uid, rarity) for uid in found}
    return sorted(found, key=lambda uid: (-scores[uid], uid))


def matches(genes: Genes, node: Node) -> set[str]:
    """IDs of the genes that match."""
    match node:
        case PhraseClause():
            return _holding(genes, node)
        case TaxonClause(taxon_id):
            return set(genes.index.by_taxon.get(taxon_id, ()))
        case Not(inner):
            return set(genes) - matches(genes, inner)
        case Either(nodes):
            return set().union(*(matches(genes, one) for one in nodes))
        case All(nodes):
            wanted = [matches(genes, one) for one in nodes if not isinstance(one, Not)]
            unwanted = [matches(genes, one.node) for one in nodes if isinstance(one, Not)]
            found = set.intersection(*wanted) if wanted else set(genes)
            return found.difference(*unwanted)


def _holding(genes: Genes, phrase: PhraseClause) -> set[str]:
    held = [_with_word(genes, word) for word in phrase.words]
    found = min(held, key=len).intersection(*held)
    return set(found) if len(held) == 1 else {uid for uid in found if _places(genes[uid], phrase)}


@lru_cache(maxsize=64)  # each word of a query counts by how rare it is, too
def _with_word(genes: Genes, word: str) -> frozenset[str]:
    if is_pattern(word):
        literal = re.split(r"[*?]", word, maxsplit=1)[0]
        return frozenset(genes.index.words.holders_of_pattern(literal, pattern(word)))
    return frozenset(genes.index.words.holders(word))


def _wanted(node: Node) -> Iterator[PhraseClause]:
    """The phrases that a record is to have."""
    match node:
        case PhraseClause():
            yield node
        case All(nodes) | Either(nodes):
            for one in nodes:
                yield from _wanted(one)
        case _:
            return


def _score(genes: Genes, uid: str, rarity: dict[PhraseClause, float]) -> float:
    gene = genes[uid]
    return sum(weight * sum(_places(gene, phrase)) for phrase, weight in rarity.items())


def _places(gene: Row, phrase: PhraseClause) -> list[float]:
    """For each field with the phrase, how much it counts there: the shorter the field, the more."""
    counts = []
    for values in texts(gene):
        split = [words(value) for value in values]
        if any(_has(value, phrase) for value in split):
            counts.append(1 / math.sqrt(sum(map(len, split))))
    return counts


def _has(value: list[str], phrase: PhraseClause) -> bool:
    wanted = phrase.words
    if len(wanted) == 1 and not is_pattern(wanted[0]):
        return wanted[0] in value
    starts = range(len(value) - len(wanted) + 1)
    return any(all(map(_is_like, wanted, value[start : start + len(wanted)])) for start in starts)


def _is_like(wanted: str, word: str) -> bool:
    return pattern(wanted).fullmatch(word) is not None if is_pattern(wanted) else wanted == word
