"""A concept with its MeSH headings and other words: what of MeSH's answers is meant by it. Pure."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from biofact.literature.choices import Domain
from biofact.literature.query import lexicon, spelling, synonyms, whole_names, wording
from biofact.literature.query.concepts import Concept
from biofact.literature.query.terms import HEADING, FieldTerm
from biofact.sources.pubmed.parse import Descriptor

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
    notion = synonyms.notion_for(name, domain)
    words = name.split()
    while len(words) > 1 and words[0].lower() in lexicon.QUALIFIERS:
        words = words[1:]
    texts = [*((notion.phrase, *notion.names[:1]) if notion else ()), *whole_names.full_names(name)]
    texts += [" ".join(words), spelling.american(name)]
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
    candidates = [full for name in concept.names for full in whole_names.full_names(name)]
    related: list[str] = []
    for name in concept.names:
        if notion := synonyms.notion_for(name.rstrip("*"), domain):
            candidates += [notion.phrase, *notion.also]
            related += notion.related
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
        initial = whole_names.initial_form(one.name) if any(place.startswith("B") for place in one.tree_numbers) else ""
        yield from filter(None, (one.name, initial, *one.entry_terms))
