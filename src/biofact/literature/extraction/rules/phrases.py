"""Noun phrases by their edges: who counts as a subject, and where a phrase begins and ends."""

from collections.abc import Collection, Sequence
from functools import lru_cache

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.rules.text import Sentence, Token
from biofact.literature.extraction.rules.vocabulary import CLAUSE_END, HARD_END, LOOSE_END, LOOSE_START, RELATION

MOST_WORDS = 15
SHORTEST_VALUE = 3
"""Characters; shorter ones are initials."""


@lru_cache(maxsize=50_000)
def head_of(word: str) -> str:
    """The word as a head noun: without possessive, and the last part of a compound."""
    bare = word.replace("\u2019", "'").removesuffix("'s").removesuffix("'")
    return bare.rpartition("-")[2]


def phrase_end(
    tokens: Sequence[Token], at: int, *, stops: Collection[str] = CLAUSE_END, most_words: int = MOST_WORDS
) -> int:
    """The index after the phrase that begins at ``at``: where punctuation or a word of a new clause comes."""
    last = min(len(tokens), at + most_words)
    index = at
    while index < last:
        word = tokens[index].word
        if word in HARD_END or word in stops:
            break
        if word == "to" and index > at and not is_linking(tokens, index):
            break
        if word == "and" and index + 1 < len(tokens) and tokens[index + 1].word[0].isdigit():
            break  # another group is counted
        index += 1
    return index


def is_linking(tokens: Sequence[Token], index: int) -> bool:
    """Whether a ``to`` goes on with the phrase, as in due to, or 2 to 15."""
    after = tokens[index + 1].word if index + 1 < len(tokens) else "."
    return tokens[index - 1].word in RELATION or (tokens[index - 1].word[0].isdigit() and after[0].isdigit())


def trim(tokens: Sequence[Token], start: int, end: int) -> tuple[int, int]:
    """The phrase without articles in front and words that lead on at its end."""
    while start < end and tokens[start].word in LOOSE_START:
        start += 1
    while end > start and (tokens[end - 1].word in LOOSE_END or not tokens[end - 1].word[0].isalnum()):
        end -= 1
    return start, end


def phrase(sentence: Sentence, start: int, end: int, *, fewest_letters: int = 1) -> Finding | None:
    """The words from token ``start`` to ``end`` as a value, without bracketed text."""
    tokens = sentence.tokens
    start, end = trim(tokens, start, end)
    if start >= end:
        return None
    first, last = tokens[start].start, tokens[end - 1].end
    value = " ".join(sentence.plain[first - sentence.start : last - sentence.start].split())
    if len(value) < SHORTEST_VALUE or sum(letter.isalpha() for letter in value) < fewest_letters:
        return None
    return Finding(value, (sentence.evidence(first, last),))


def token_at(sentence: Sentence, offset: int) -> int:
    """The index of the first token at or after an offset within the sentence."""
    at = sentence.start + offset
    low, high = 0, len(sentence.tokens)
    while low < high:
        middle = (low + high) // 2
        if sentence.tokens[middle].start < at:
            low = middle + 1
        else:
            high = middle
    return low


def phrase_from(
    sentence: Sentence, offset: int, *, stops: Collection[str] = CLAUSE_END, most_words: int = MOST_WORDS
) -> Finding | None:
    """The phrase that begins at an offset within the sentence."""
    start = token_at(sentence, offset)
    while start < len(sentence.tokens) and sentence.tokens[start].word in LOOSE_START:
        start += 1
    return phrase(sentence, start, phrase_end(sentence.tokens, start, stops=stops, most_words=most_words))


def phrase_between(sentence: Sentence, first: int, last: int, *, most_words: int = MOST_WORDS) -> Finding | None:
    """The words between two offsets within the sentence, if they are a phrase and not a whole clause."""
    start, end = token_at(sentence, first), token_at(sentence, last)
    start, end = trim(sentence.tokens, start, end)
    return phrase(sentence, start, end) if 0 < end - start <= most_words else None


def whole_sentence(sentence: Sentence) -> Finding:
    """A sentence as the value, on itself."""
    start = sentence.start + len(sentence.text) - len(sentence.text.lstrip())
    end = sentence.start + len(sentence.text.rstrip())
    return Finding(" ".join(sentence.text.split()), (sentence.evidence(start, end),))
