"""Concepts to subjects: their MeSH headings and other names, and the spelling that PubMed suggests."""

import asyncio
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from biofact.core.errors import BiofactError
from biofact.core.records import Notice
from biofact.literature.choices import Domain
from biofact.literature.query import lexicon, synonyms, terms, wording
from biofact.literature.query.concepts import Concept
from biofact.literature.query.terms import HEADING, FieldTerm
from biofact.protocol.lookup import side_request
from biofact.sources.pubmed.parse import Descriptor
from biofact.sources.pubmed.questions import Questions

_BRANCHES: dict[Domain, str] = {"medical": "CEFNA", "technology": "LGE", "biology": "GABD", "psychology": "FMI"}
"""First letters of MeSH's tree numbers, those first that a domain means most often."""
_MOST_RELATED = 4
_SETTINGS = ("Z01",)  # geographic locations

HeadingAnswers = Mapping[str, Sequence[Descriptor]]
"""What MeSH answered, by the words that were looked up."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A concept, and what it is called elsewhere."""

    concept: Concept
    headings: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    """Those most like it, best first."""
    entry_terms: tuple[str, ...] = ()
    """Every other name that is known of it."""
    branches: tuple[str, ...] = ()
    """Where MeSH files it, such as C14.280.434."""
    related: tuple[str, ...] = ()
    """To explore in its place."""

    @property
    def is_optional(self) -> bool:
        """Offered, and required by the focused query alone."""
        return self.concept.role == "optional"

    @property
    def every_name(self) -> tuple[str, ...]:
        """All that it is called, its own names first."""
        return tuple(dict.fromkeys((*self.concept.names, *self.synonyms, *self.entry_terms)))

    @property
    def is_required(self) -> bool:
        """Never left out."""
        return self.concept.role == "keyword"

    def headings_outside(self, unknown: Container[str]) -> tuple[str, ...]:
        """Its headings without those among phrases that PubMed does not know."""
        return tuple(name for name in self.headings if not FieldTerm(name, HEADING).is_in(unknown))

    def with_synonyms(self, further: Sequence[str]) -> "Subject":
        """Further synonyms, before its own, as far as they say something new."""
        return replace(self, synonyms=tuple(synonyms.choose_synonyms(self.concept.names, [*further, *self.synonyms])))


def lookups(concept: Concept) -> list[str]:
    """What to look up in MeSH first; nothing for words that ask about any subject, such as "treatment"."""
    names = [name.rstrip("*") for name in concept.names]
    return [name for name in names if concept.role != "optional" or not _is_asked_of_anything(name)]


def further_lookups(concept: Concept, answers: HeadingAnswers, domain: Domain | None) -> list[str]:
    """What to look up where MeSH has no heading of a name."""
    unknown = [name for name in lookups(concept) if exact(name, answers.get(name, ()), domain) is None]
    result = dict.fromkeys(text for name in unknown for text in _fallbacks(concept, name, domain))
    return [text for text in result if text not in answers]


def subjects_of(concept: Concept, answers: HeadingAnswers, domain: Domain | None) -> list[Subject]:
    """The concept with its headings; an aspect becomes a subject of its own where MeSH separates the two."""
    found: list[Descriptor] = []
    rest = ""
    names = list(concept.names)
    for at, name in enumerate(concept.names):
        texts = [name.rstrip("*"), *_fallbacks(concept, name, domain)]
        text, descriptor = next(
            ((text, one) for text in texts if (one := exact(text, answers.get(text, ()), domain))), (name, None)
        )
        if descriptor is None:
            continue
        found.append(descriptor)
        if text == _without_aspect(name)[0]:
            names[at], rest = _without_aspect(name)
    meant = replace(concept, names=tuple(dict.fromkeys(names)))
    if meant.role == "topic" and found and all(_is_setting(one) for one in found):
        meant = replace(meant, role="optional")
    parts = [_subject(meant, found, answers, domain)]
    return [*parts, Subject(Concept((rest,), "optional"))] if rest else parts


def _is_asked_of_anything(name: str) -> bool:
    words = set(name.lower().split())
    return words <= lexicon.ASPECTS and not words & lexicon.ENDPOINTS


def _is_setting(descriptor: Descriptor) -> bool:
    """Whether a heading is a place."""
    return bool(descriptor.tree_numbers) and all(place.startswith(_SETTINGS) for place in descriptor.tree_numbers)


def exact(text: str, descriptors: Sequence[Descriptor], domain: Domain | None) -> Descriptor | None:
    """The descriptor that is called so: by its name before an entry term, by the domain's branch of the tree."""
    wanted = wording.key(text)

    def is_called(name: str) -> bool:
        return wanted in {wording.key(name), wording.key(wording.in_speech(name))}

    named = [one for one in descriptors if is_called(one.name)]
    others = [one for one in descriptors if any(map(is_called, one.entry_terms))]
    found = sorted(named or others, key=lambda one: _branch_rank(one, domain))
    return found[0] if wanted and found else None


def _branch_rank(descriptor: Descriptor, domain: Domain | None) -> int:
    letters = _BRANCHES.get(domain, "") if domain else ""
    ranks = [letters.index(place[0]) for place in descriptor.tree_numbers if place[0] in letters]
    return min(ranks, default=len(letters))


def _fallbacks(concept: Concept, name: str, domain: Domain | None) -> list[str]:
    """What else to look up where MeSH has no heading of a name, the closest first."""
    entry = synonyms.synonym_entry(name, domain)
    words = name.split()
    while len(words) > 1 and words[0].lower() in lexicon.QUALIFIERS:
        words = words[1:]
    texts = [*((entry.phrase, *entry.names[:1]) if entry else ()), *synonyms.full_names(name)]
    texts += [" ".join(words), wording.american(name)]
    if concept.role == "topic":
        texts.append(_without_aspect(name)[0])
    return [text for text in dict.fromkeys(texts) if text and text != name]


def _without_aspect(name: str) -> tuple[str, str]:
    """A name and the words at its end that ask about it: ``metformin``, ``treatment``; two empty texts without any."""
    words = name.split()
    kept = list(words)
    while len(kept) > 1 and kept[-1].lower() in lexicon.ASPECTS:
        kept = kept[:-1]
    return (" ".join(kept), " ".join(words[len(kept) :])) if len(kept) < len(words) else ("", "")


def _subject(concept: Concept, found: Sequence[Descriptor], answers: HeadingAnswers, domain: Domain | None) -> Subject:
    candidates = [full for name in concept.names for full in synonyms.full_names(name)]
    related: list[str] = []
    for name in concept.names:
        if entry := synonyms.synonym_entry(name.rstrip("*"), domain):
            candidates += [entry.phrase, *entry.synonyms]
            related += entry.related
    for one in found:
        candidates += synonyms.entry_terms(concept.names, one.name, one.entry_terms)
    narrower = [one.name for descriptors in answers.values() for one in descriptors if one not in found]
    related += [wording.in_speech(name) for name in narrower if wording.has_phrase(name, concept.names[0])]
    return Subject(
        concept,
        headings=tuple(dict.fromkeys(one.name for one in found)),
        synonyms=tuple(synonyms.choose_synonyms(concept.names, candidates)),
        entry_terms=tuple(dict.fromkeys([*candidates, *_all_terms(found)])),
        branches=tuple(place for one in found for place in one.tree_numbers),
        related=tuple(dict.fromkeys(related))[:_MOST_RELATED] if concept.role == "topic" else (),
    )


def _all_terms(found: Sequence[Descriptor]) -> Iterator[str]:
    """The headings and all their entry terms; an organism also by its initial."""
    for one in found:
        initial = synonyms.initial_form(one.name) if any(place.startswith("B") for place in one.tree_numbers) else ""
        yield from filter(None, (one.name, initial, *one.entry_terms))


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
        await ask(lookups(concept))
        await ask(further_lookups(concept, answers_by_text, domain))

    _, failure = await side_request(ask_all(), "the MeSH headings of some concepts", failures=(BiofactError,))
    found.notices += failure
    return subjects_of(concept, answers_by_text, domain)


async def _spelling(concepts: Sequence[Concept], questions: Questions, found: ConceptLookup) -> dict[str, str]:
    """Words that PubMed would spell otherwise, and how."""
    written = [name for concept in concepts for name in concept.names if synonyms.synonym_entry(name) is None]
    names = [name for name in written if not synonyms.has_stops(name)]
    words = list(dict.fromkeys(word for name in names for word in _SPELLING_WORD.findall(name.lower())))
    if not words:
        return {}
    question = questions.spelling(" ".join(words))
    answer, failure = await side_request(question, "a check of the spelling", failures=(BiofactError,))
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
