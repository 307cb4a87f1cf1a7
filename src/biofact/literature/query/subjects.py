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
"""Descriptors in MeSH's answers, by the words of each lookup."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A concept with its names in MeSH and in the synonym table."""

    concept: Concept
    headings: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    """The names most like the concept, best first."""
    entry_terms: tuple[str, ...] = ()
    """All its other names."""
    branches: tuple[str, ...] = ()
    """Tree numbers in MeSH, such as C14.280.434."""
    related: tuple[str, ...] = ()
    """Subjects for an exploratory query in its place."""

    @property
    def is_optional(self) -> bool:
        """Whether it is offered, and required by the focused query alone."""
        return self.concept.role == "optional"

    @property
    def every_name(self) -> tuple[str, ...]:
        """All its names, those of the goal first."""
        return tuple(dict.fromkeys((*self.concept.names, *self.synonyms, *self.entry_terms)))

    @property
    def is_required(self) -> bool:
        """Whether no query may leave it out."""
        return self.concept.role == "keyword"

    def headings_outside(self, unknown: Container[str]) -> tuple[str, ...]:
        """Headings of the subject that are not among the phrases unknown to PubMed."""
        return tuple(name for name in self.headings if not FieldTerm(name, HEADING).is_in(unknown))

    def with_synonyms(self, new_synonyms: Sequence[str]) -> "Subject":
        """The subject with new synonyms before its own, without repeats."""
        return replace(
            self, synonyms=tuple(synonyms.choose_synonyms(self.concept.names, [*new_synonyms, *self.synonyms]))
        )


def lookups(concept: Concept) -> list[str]:
    """The first names to look up in MeSH; none for words that fit any subject, such as "treatment"."""
    names = [name.rstrip("*") for name in concept.names]
    return [name for name in names if concept.role != "optional" or not _fits_any_subject(name)]


def further_lookups(concept: Concept, answers: HeadingAnswers, domain: Domain | None) -> list[str]:
    """The names to look up if MeSH has no heading for the first ones."""
    unknown = [name for name in lookups(concept) if exact(name, answers.get(name, ()), domain) is None]
    result = dict.fromkeys(text for name in unknown for text in _fallbacks(concept, name, domain))
    return [text for text in result if text not in answers]


def subjects_of(concept: Concept, answers: HeadingAnswers, domain: Domain | None) -> list[Subject]:
    """The concept with its headings; an aspect becomes a subject of its own where MeSH separates the two."""
    descriptors: list[Descriptor] = []
    aspect = ""
    names = list(concept.names)
    for position, name in enumerate(concept.names):
        texts = [name.rstrip("*"), *_fallbacks(concept, name, domain)]
        text, descriptor = next(
            ((text, match) for text in texts if (match := exact(text, answers.get(text, ()), domain))), (name, None)
        )
        if descriptor is None:
            continue
        descriptors.append(descriptor)
        if text == _without_aspect(name)[0]:
            names[position], aspect = _without_aspect(name)
    subject_concept = replace(concept, names=tuple(dict.fromkeys(names)))
    if subject_concept.role == "topic" and descriptors and all(map(_is_setting, descriptors)):
        subject_concept = replace(subject_concept, role="optional")
    subjects = [_subject(subject_concept, descriptors, answers, domain)]
    return [*subjects, Subject(Concept((aspect,), "optional"))] if aspect else subjects


def _fits_any_subject(name: str) -> bool:
    words = set(name.lower().split())
    return words <= lexicon.ASPECTS and not words & lexicon.ENDPOINTS


def _is_setting(descriptor: Descriptor) -> bool:
    """Whether a heading is a place."""
    return bool(descriptor.tree_numbers) and all(place.startswith(_SETTINGS) for place in descriptor.tree_numbers)


def exact(text: str, descriptors: Sequence[Descriptor], domain: Domain | None) -> Descriptor | None:
    """The descriptor of this name: by its heading before an entry term, then by the domain's branch of the tree."""
    target = wording.key(text)

    def is_called(name: str) -> bool:
        return target in {wording.key(name), wording.key(wording.in_speech(name))}

    by_name = [descriptor for descriptor in descriptors if is_called(descriptor.name)]
    by_entry_term = [descriptor for descriptor in descriptors if any(map(is_called, descriptor.entry_terms))]
    ranked = sorted(by_name or by_entry_term, key=lambda descriptor: _branch_rank(descriptor, domain))
    return ranked[0] if target and ranked else None


def _branch_rank(descriptor: Descriptor, domain: Domain | None) -> int:
    letters = _BRANCHES.get(domain, "") if domain else ""
    ranks = [letters.index(place[0]) for place in descriptor.tree_numbers if place[0] in letters]
    return min(ranks, default=len(letters))


def _fallbacks(concept: Concept, name: str, domain: Domain | None) -> list[str]:
    """Other names to look up if MeSH has no heading for a name, the closest first."""
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
    """A name and the aspect at its end: ``metformin``, ``treatment``; two empty texts without an aspect."""
    words = name.split()
    count = len(words)
    while count > 1 and words[count - 1].lower() in lexicon.ASPECTS:
        count -= 1
    return (" ".join(words[:count]), " ".join(words[count:])) if count < len(words) else ("", "")


def _subject(
    concept: Concept, descriptors: Sequence[Descriptor], answers: HeadingAnswers, domain: Domain | None
) -> Subject:
    candidates = [full for name in concept.names for full in synonyms.full_names(name)]
    related: list[str] = []
    for name in concept.names:
        if entry := synonyms.synonym_entry(name.rstrip("*"), domain):
            candidates += [entry.phrase, *entry.synonyms]
            related += entry.related
    for descriptor in descriptors:
        candidates += synonyms.entry_terms(concept.names, descriptor.name, descriptor.entry_terms)
    neighbours = [descriptor for answer in answers.values() for descriptor in answer if descriptor not in descriptors]
    related += [
        wording.in_speech(descriptor.name)
        for descriptor in neighbours
        if wording.has_phrase(descriptor.name, concept.names[0])
    ]
    return Subject(
        concept,
        headings=tuple(dict.fromkeys(descriptor.name for descriptor in descriptors)),
        synonyms=tuple(synonyms.choose_synonyms(concept.names, candidates)),
        entry_terms=tuple(dict.fromkeys([*candidates, *_all_terms(descriptors)])),
        branches=tuple(place for descriptor in descriptors for place in descriptor.tree_numbers),
        related=tuple(dict.fromkeys(related))[:_MOST_RELATED] if concept.role == "topic" else (),
    )


def _all_terms(descriptors: Sequence[Descriptor]) -> Iterator[str]:
    """The headings and all their entry terms; an organism also by its initial."""
    for descriptor in descriptors:
        is_organism = any(place.startswith("B") for place in descriptor.tree_numbers)  # MeSH's branch of organisms
        initial = synonyms.initial_form(descriptor.name) if is_organism else ""
        yield from filter(None, (descriptor.name, initial, *descriptor.entry_terms))


# Shorter words and symbols rarely have errors, and a correction often makes them worse.
_SPELLING_WORD = re.compile(r"[^\W\d_]{5,}")
_LEAST_SIMILARITY = 0.75
_IN_USE = 500
"""Articles with a word, from which on it is no misspelling of another word."""


@dataclass(slots=True)
class ConceptLookup:
    """The subjects of a goal by MeSH and PubMed's speller."""

    subjects: list[Subject] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)


async def look_up(concepts: Sequence[Concept], questions: Questions, domain: Domain | None) -> ConceptLookup:
    """The subjects of ``concepts``, in their order. If MeSH fails, they have their words alone.

    Costs one request for spelling, and for each concept one or two searches of MeSH; summaries of headings are joined.
    """
    result = ConceptLookup()
    lookups = asyncio.gather(*(_subjects_of(concept, questions, domain, result) for concept in concepts))
    spelling, subjects_by_concept = await asyncio.gather(_spelling(concepts, questions, result), lookups)
    for concept, own_subjects in zip(concepts, subjects_by_concept, strict=True):
        is_known = not spelling or bool(own_subjects[0].headings)  # MeSH has no heading for a misspelling
        corrected = concept if is_known else await _correct_spelling(concept, spelling, questions)
        if corrected == concept:
            result.subjects += own_subjects
        elif concept.role == "keyword":
            question = f"Is {corrected.name!r:.100} meant?"
            message = f"The keyword {concept.name!r:.100} is searched for as written. {question}"
            result.notices.append(Notice(code="ASSUMED", message=message))
            result.subjects += own_subjects
        else:
            both_spellings = replace(corrected, names=tuple(dict.fromkeys((*concept.names, *corrected.names))))
            message = f"Searched for {concept.name!r:.100} and, as it may be meant, {corrected.name!r:.100}."
            result.notices.append(Notice(code="ASSUMED", message=message))
            result.subjects += await _subjects_of(both_spellings, questions, domain, result)
    # the lookups of two concepts can fail alike
    result.notices = list(dict.fromkeys(result.notices))
    return result


async def _subjects_of(
    concept: Concept, questions: Questions, domain: Domain | None, result: ConceptLookup
) -> list[Subject]:
    answers_by_text: dict[str, list[Descriptor]] = {}

    async def look_up_names(names: Sequence[str]) -> None:
        answers = await asyncio.gather(*map(questions.headings, names))
        answers_by_text.update(zip(names, answers, strict=True))

    async def look_up_concept() -> None:
        await look_up_names(lookups(concept))
        await look_up_names(further_lookups(concept, answers_by_text, domain))

    _, failure = await side_request(look_up_concept(), "the MeSH headings of some concepts", failures=(BiofactError,))
    result.notices += failure
    return subjects_of(concept, answers_by_text, domain)


async def _spelling(concepts: Sequence[Concept], questions: Questions, result: ConceptLookup) -> dict[str, str]:
    """PubMed's corrections by the word, without those that differ too much."""
    plain_names = [name for concept in concepts for name in concept.names if synonyms.synonym_entry(name) is None]
    names = [name for name in plain_names if not synonyms.has_stops(name)]
    words = list(dict.fromkeys(word for name in names for word in _SPELLING_WORD.findall(name.lower())))
    if not words:
        return {}
    question = questions.spelling(" ".join(words))
    answer, failure = await side_request(question, "a check of the spelling", failures=(BiofactError,))
    result.notices += failure
    corrections = (answer or "").split()
    if len(corrections) != len(words):
        return {}
    pairs = ((word, wording.clean(correction)) for word, correction in zip(words, corrections, strict=True))
    return {
        word: correction
        for word, correction in pairs
        if correction
        and wording.key(word) != wording.key(correction)
        and SequenceMatcher(None, word, correction, autojunk=False).ratio() >= _LEAST_SIMILARITY
    }


async def _correct_spelling(concept: Concept, spelling: dict[str, str], questions: Questions) -> Concept:
    """The concept in PubMed's spelling; words of many articles stay as they are."""
    words = {word for name in concept.names for word in _SPELLING_WORD.findall(name.lower())} & spelling.keys()
    corrections = {word: spelling[word] for word in words if not await _is_in_use(word, questions)}
    if not corrections:
        return concept

    def corrected(word: re.Match[str]) -> str:
        return corrections.get(word[0].lower(), word[0])

    return replace(concept, names=tuple(_SPELLING_WORD.sub(corrected, name) for name in concept.names))


async def _is_in_use(word: str, questions: Questions) -> bool:
    try:
        return (await questions.search(str(terms.FieldTerm(word, terms.ABSTRACT)), limit=0)).count >= _IN_USE
    except BiofactError:
        return True
