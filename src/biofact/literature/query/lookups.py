"""Concepts to subjects: what MeSH calls them, and how PubMed would spell them."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from biofact.core.errors import BiofactError
from biofact.core.provenance import Notice
from biofact.literature.choices import Domain
from biofact.literature.query import subjects, synonyms, terms, whole_names, wording
from biofact.literature.query.concepts import Concept
from biofact.literature.query.subjects import Subject
from biofact.protocol.legs import optional_leg
from biofact.sources.pubmed.parse import Descriptor
from biofact.sources.pubmed.questions import Questions

# Shorter words and symbols are rarely misspelt, and a correction often makes them worse.
_SPELLING_WORD = re.compile(r"[^\W\d_]{5,}")
_ALIKE = 0.75
_IN_USE = 500
"""Articles with a word, from which it is no misspelling of another."""


@dataclass(slots=True)
class ConceptLookup:
    """What MeSH and PubMed's speller know of a goal's concepts."""

    subjects: list[Subject] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)


async def look_up(concepts: Sequence[Concept], questions: Questions, domain: Domain | None) -> ConceptLookup:
    """The subjects that ``concepts`` are, in their order. Without MeSH they stand on their words alone.

    Costs one request for spelling, and for each concept one or two searches of MeSH; summaries of headings are joined.
    """
    result = ConceptLookup()
    lookups = asyncio.gather(*(_subjects_of(one, questions, domain, result) for one in concepts))
    spelling, subjects_found = await asyncio.gather(_spelling(concepts, questions, result), lookups)
    for concept, parts in zip(concepts, subjects_found, strict=True):
        mended = (
            await _correct_spelling(concept, spelling, questions) if spelling and not parts[0].headings else concept
        )
        if mended == concept:
            result.subjects += parts
        elif concept.role == "keyword":
            result.notices.append(_spelling_question(concept, mended))
            result.subjects += parts
        else:
            both = replace(mended, names=tuple(dict.fromkeys((*concept.names, *mended.names))))
            message = f"Searched for {concept.name!r:.100} and, as it may be meant, {mended.name!r:.100}."
            result.notices.append(Notice(code="ASSUMED", message=message))
            result.subjects += await _subjects_of(both, questions, domain, result)
    result.notices = list(dict.fromkeys(result.notices))
    return result


async def _subjects_of(
    concept: Concept, questions: Questions, domain: Domain | None, found: ConceptLookup
) -> list[Subject]:
    answers_by_text: dict[str, list[Descriptor]] = {}

    async def ask(names: Sequence[str]) -> None:
        answers = await asyncio.gather(*map(questions.headings, names))
        answers_by_text.update(zip(names, answers, strict=True))

    async def ask_all() -> None:
        await ask(subjects.lookups(concept))
        await ask(subjects.further_lookups(concept, answers_by_text, domain))

    _, failure = await optional_leg(ask_all(), "the MeSH headings of some concepts", failures=(BiofactError,))
    found.notices += failure
    return subjects.subjects_of(concept, answers_by_text, domain)


async def _spelling(concepts: Sequence[Concept], questions: Questions, found: ConceptLookup) -> dict[str, str]:
    """Words that PubMed would spell otherwise, and how."""
    written = [name for concept in concepts for name in concept.names if synonyms.notion_for(name) is None]
    names = [name for name in written if not whole_names.has_stops(name)]
    words = list(dict.fromkeys(word for name in names for word in _SPELLING_WORD.findall(name.lower())))
    if not words:
        return {}
    question = questions.spelling(" ".join(words))
    answer, failure = await optional_leg(question, "a check of the spelling", failures=(BiofactError,))
    found.notices += failure
    corrected = (answer or "").split()
    if len(corrected) != len(words):
        return {}
    pairs = ((word, wording.clean(better)) for word, better in zip(words, corrected, strict=True))
    return {
        word: better
        for word, better in pairs
        if better
        and wording.key(word) != wording.key(better)
        and SequenceMatcher(None, word, better, autojunk=False).ratio() >= _ALIKE
    }


async def _correct_spelling(concept: Concept, spelling: dict[str, str], questions: Questions) -> Concept:
    """The concept in the better spelling; words that many articles have stay as they are."""
    words = {word for name in concept.names for word in _SPELLING_WORD.findall(name.lower())} & spelling.keys()
    taken = {word: spelling[word] for word in words if not await _is_in_use(word, questions)}
    if not taken:
        return concept

    def better(word: re.Match[str]) -> str:
        return taken.get(word[0].lower(), word[0])

    return replace(concept, names=tuple(_SPELLING_WORD.sub(better, name) for name in concept.names))


async def _is_in_use(word: str, questions: Questions) -> bool:
    try:
        return (await questions.found(str(terms.FieldTerm(word, terms.ABSTRACT)), most=0)).count >= _IN_USE
    except BiofactError:
        return True


def _spelling_question(concept: Concept, mended: Concept) -> Notice:
    message = f"The keyword {concept.name!r:.100} is searched for as written. Is {mended.name!r:.100} meant?"
    return Notice(code="ASSUMED", message=message)
