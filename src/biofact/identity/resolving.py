"""Many names to entities: each source that may know a name is asked in few requests, and the answers are joined."""

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from biofact import sources
from biofact.core import call, organisms
from biofact.core.envelopes import ErrorEnvelope
from biofact.core.errors import AmbiguousQuery, BiofactError, RateLimited, UpstreamError
from biofact.core.identifiers import QUERY_LENGTH, query_text
from biofact.core.kinds import EntityKind
from biofact.core.organisms import Taxon
from biofact.core.quoting import brief
from biofact.core.quoting import shown as shown_input
from biofact.core.records import Notice, missing_part
from biofact.core.words import folded
from biofact.core.xrefs import ENSEMBL_GENE, ENSEMBL_TRANSCRIPT, OF_WORM, REGISTRY
from biofact.dialects.genomic.regions import is_written_like_a_region
from biofact.dialects.genomic.variants import is_written_like_a_variant
from biofact.identity.records import ResolvedEntity, ResolvedName
from biofact.protocol.client import LifeSciencesClient
from biofact.protocol.names import FEW, FoundNames, NamedEntity, NameFinder, finders
from biofact.transport.stack import Transport

_UNIPROT_ACCESSION = REGISTRY["uniprot"].form.partition(":")[2]
_SPECIES = "HUMAN|MOUSE|RAT|DANRE|DROME|CAEEL|YEAST"
_REFSEQ = r"(?:RefSeq:)?"
_KINDS_BY_FORM: tuple[tuple[tuple[EntityKind, ...], str], ...] = (
    (("gene",), rf"(?:{ENSEMBL_GENE})(?:\.\d+)?|(?:NCBIGene|GeneID|EntrezGene|HGNC)[:_ ]\s*(?:HGNC:)?\d+|LOC\d+"),
    (("gene",), r"(?-i:R[Ss])\d{1,2}"),  # RS1 is retinoschisin, rs1 a variant
    (("variant", "gene"), r"(?-i:R[Ss])\d+"),
    (("gene", "transcript"), OF_WORM),  # as are names of clones that are genes' aliases: OR1.5.10
    (("transcript",), rf"(?:{ENSEMBL_TRANSCRIPT})(?:\.\d+)?|{_REFSEQ}[NX][MR]_\d+(?:\.\d+)?"),
    (
        ("protein",),
        (
            rf"ENS[A-Z]*P\d{{11}}(?:\.\d+)?|{_REFSEQ}[NX]P_\d+(?:\.\d+)?|UniProt(?:KB)?:\s*(?:{_UNIPROT_ACCESSION})(?:[.-]\d+)?"
            rf"|(?:{_UNIPROT_ACCESSION})-\d+|[OPQ]\d{{5}}|[A-Z0-9]{{1,10}}_(?:{_SPECIES})"
        ),
    ),
    (
        ("gene", "protein"),
        rf"(?:{_UNIPROT_ACCESSION})(?:\.\d+)?",
    ),  # B3GAT1 and P2RY11 are symbols in the form of accessions
    (("compound",), r"(?:chembl\.compound:)?CHEMBL:?\d+|[A-Z]{14}-[A-Z]{10}-[A-Z]|InChI=\S+"),
    (("variant",), r"rs\d+|CA\d{5,}"),
    (("disease",), r"(?:MONDO|EFO|DOID|ORPHA(?:NET)?|HP|O?MIM)[:_]\d+|(?:MESH|UMLS|ICD[\w-]*|SNOMED\w*):\S+"),
    (
        ("article",),
        (
            r"(?:https?://)?(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/(?:pubmed|pmc/articles)"
            r"|pmc\.ncbi\.nlm\.nih\.gov/articles)/\S+|(?:PMID|PubMed)[:#]?\s*\d+|(?:PMCID:\s*)?PMC:?\s*\d{3,}(?:\.\d+)?"
            r"|(?:(?:https?://)?(?:dx\.)?doi\.org/|doi\s*:?\s*)?10\.\d{4,9}/\S+"
        ),
    ),
)
_PATTERNS = tuple((kinds, re.compile(form, re.IGNORECASE | re.ASCII)) for kinds, form in _KINDS_BY_FORM)
_SYMBOL = re.compile(r"(?=\S*[A-Z0-9():\[\]])\S{1,30}")
"""One word with a capital, a digit or a sign: most columns of names are of these. A word with a capital in front may
begin a sentence: Imatinib."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What to ask for under a name."""

    first: tuple[EntityKind, ...]
    then: tuple[EntityKind, ...] = ()
    """Where none of the first kinds knows the name."""


_WORDS: tuple[EntityKind, ...] = ("compound", "gene", "disease")


def reading(name: str) -> Reading:
    """The kinds that a name of this form may stand for."""
    for kinds, pattern in _PATTERNS:
        if pattern.fullmatch(name):
            return Reading(kinds)
    if is_written_like_a_variant(name):
        return Reading(("variant",))
    if is_written_like_a_region(name):
        return Reading(("region",))
    if _SYMBOL.fullmatch(name) and not (name.istitle() and name.isalpha()):
        return Reading(("gene",), then=("compound", "disease"))
    return Reading(_WORDS)


def assumed(readings: Iterable[Reading]) -> list[Notice]:
    """Says what names were taken for that nobody said the kind of."""
    counted = Counter(" or ".join(one.first) for one in readings)
    if not counted:
        return []
    listed = ", ".join(f"{count} as {kinds}" for kinds, count in counted.most_common())
    return [Notice(code="ASSUMED", message=f"Names read by their form: {listed}.")]


LEADING: Mapping[EntityKind, str] = {
    "gene": "entrez",
    "transcript": "ensembl",
    "protein": "igvf",
    "compound": "chembl",
    "variant": "igvf",
    "disease": "igvf",
    "article": "pubmed",
}
"""Whose ID stands for an entity that several sources know; else the first by name."""


@dataclass(frozen=True)
class JoinedEntity:
    """One entity as the sources know it."""

    parts: Mapping[str, NamedEntity]
    """By source, that whose ID stands for it first."""
    counterparts: frozenset[str] = frozenset()
    """Sources that were asked for it by its label, and not by the name."""

    @property
    def lead(self) -> NamedEntity:
        """What stands for it."""
        return next(iter(self.parts.values()))

    @cached_property
    def best(self) -> NamedEntity:
        """What answers the name best."""
        named = (part for source, part in self.parts.items() if source not in self.counterparts)
        return max(named, key=lambda part: part.score)

    @property
    def is_ambiguous(self) -> bool:
        """A source has others that answer as well."""
        return self.best.shares_match

    def with_part(self, source: str, part: NamedEntity, *, is_counterpart: bool = False) -> "JoinedEntity":
        """With what another source knows of it."""
        counterparts = self.counterparts | ({source} if is_counterpart else set())
        return JoinedEntity(_ordered({**self.parts, source: part}, part.kind), counterparts)


def joined(by_source: Mapping[str, Sequence[NamedEntity]]) -> list[JoinedEntity]:
    """The entities of one name, each once, best first."""
    entities: list[JoinedEntity] = []
    for source, found in by_source.items():
        for part in found:
            place = next((at for at, entity in enumerate(entities) if is_same(entity, source, part)), None)
            if place is None:
                entities.append(JoinedEntity({source: part}))
            else:
                entities[place] = entities[place].with_part(source, part)
    return sorted(entities, key=lambda one: -one.best.score)


def is_same(entity: JoinedEntity, source: str, part: NamedEntity) -> bool:
    """Whether ``part`` is proven to be the entity: by an ID that both know, else by the nomenclature's symbol."""
    if source in entity.parts or part.kind != entity.lead.kind:
        return False
    return any(_have_common_id(other, part) or _have_common_symbol(other, part) for other in entity.parts.values())


def _have_common_id(one: NamedEntity, other: NamedEntity) -> bool:
    return any(one.elsewhere.get(key) == value for key, value in other.elsewhere.items())


def _have_common_symbol(one: NamedEntity, other: NamedEntity) -> bool:
    """A nomenclature gives a symbol to one gene of an organism, and it lies on one chromosome."""
    return (
        one.kind == "gene"
        and one.label == other.label
        and one.organism is not None
        and folded(one.organism) == folded(other.organism or "")
        and (one.chromosome is None or other.chromosome is None or one.chromosome == other.chromosome)
    )


def _ordered(parts: Mapping[str, NamedEntity], kind: EntityKind) -> dict[str, NamedEntity]:
    leading = LEADING.get(kind)
    return dict(sorted(parts.items(), key=lambda item: (item[0] != leading, item[0])))


Round = Literal["first", "then"]


@dataclass(frozen=True, slots=True)
class SourceFinder:
    """What one source can be asked by name."""

    source: str
    title: str
    finder: NameFinder


@dataclass(slots=True)
class NameAnswers:
    """What the sources know of one name."""

    by_source: dict[str, list[NamedEntity]] = field(default_factory=lambda: defaultdict(list))
    failures: list[BiofactError] = field(default_factory=list)
    unanswered: list[BiofactError] = field(default_factory=list)
    """Those of the failures that concern what the name is read as first."""
    reasons: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    is_unsearched: bool = False
    """It was not asked for by itself."""

    @property
    def is_settled(self) -> bool:
        """Somebody knows it, or why nobody does."""
        return bool(self.by_source or self.reasons)

    @property
    def is_unknown(self) -> bool:
        """Who should know it could not be asked: that others do not know it is no evidence that nobody does."""
        return bool(self.unanswered) and not self.reasons

    def reason(self, reading: Reading) -> str:
        """Why there is no entity."""
        if self.reasons:
            return " ".join(dict.fromkeys(self.reasons))
        kinds = " or ".join((*reading.first, *reading.then))
        failed = "".join(f" {message}" for message in dict.fromkeys(one.message for one in self.failures))
        unknown = "No database that answered knows it." if failed else f"No {kinds} is called so."
        if self.is_unsearched:  # what nobody was asked for may be known
            unknown = "It was not searched by words: too many names are unknown for that; ask for this one alone."
        remarks = "".join(f" {remark}" for remark in dict.fromkeys(self.remarks))
        return f"{unknown}{remarks}{failed}"


@dataclass(frozen=True, slots=True)
class Question:
    """Names that one source is asked for at once."""

    asked: SourceFinder
    names: Sequence[str]
    organism: str
    is_by_label: bool = False
    """The names are labels of entities, which somebody else knows under the names asked for."""


class Inquiry:
    """All that is asked for one list of names."""

    def __init__(self, asked: Sequence[SourceFinder], readings: Mapping[str, Reading], organism: str) -> None:
        self.readings = readings
        self.answers = {name: NameAnswers() for name in readings}
        self._finders = asked
        self._organism = organism
        self._knowledge: dict[tuple[SourceFinder, str, str], Sequence[NamedEntity]] = {}
        """What a source knows under a name, or a label, of an organism."""
        self._failures: dict[str, BiofactError] = {}
        self._remarks: list[Notice] = []

    async def run(self) -> None:
        """Ask for many names at once, then for what is not known yet and what is known to some sources only."""
        alone = self._one_by_one("first", are_alone=True) if len(self.readings) < FEW else ()
        await self._ask(*self._joined("first"), *alone)
        await self._ask(*self._joined("then"), *self._one_by_one("first"), *self._by_label())
        await self._ask(*self._one_by_one("then"), *self._by_label())
        for name in self._unmet():
            self.answers[name].is_unsearched = any(
                self._may_know(one, name) and not self._is_asked(one, name) for one in self._finders
            )

    def notices(self) -> list[Notice]:
        """Which sources could not be asked, and what the others say about all names."""
        failed = (missing_part(f"what {title} knows", failure.message) for title, failure in self._failures.items())
        return list(dict.fromkeys([*self._remarks, *failed]))

    def _joined(self, part: Round) -> Iterator[Question]:
        """Names in questions that many of them can be joined in."""
        for one in self._finders:
            if one.finder.is_joined:
                yield Question(one, self._open(one, part), self._organism)

    def _one_by_one(self, part: Round, *, are_alone: bool = False) -> Iterator[Question]:
        """Names in questions of their own, where they are few; ``are_alone``, those that nobody can join."""
        for one in self._finders:
            if one.finder.is_joined:
                continue
            names = self._open(one, part)
            if len(names) < FEW:
                asked = [name for name in names if not (are_alone and self._can_be_joined(name, one.finder.kind))]
                yield Question(one, asked, self._organism)

    def _can_be_joined(self, name: str, kind: EntityKind) -> bool:
        joined_finders = (one.finder for one in self._finders if one.finder.is_joined and one.finder.kind == kind)
        return any(finder.takes(name) for finder in joined_finders)

    def _by_label(self) -> list[Question]:
        """Entities that a source has not been asked for under their own label: it knows no other names of theirs."""
        labels: dict[tuple[SourceFinder, str], dict[str, None]] = defaultdict(dict)
        for entity in (entity for name in self.answers for entity in self.entities(name)):
            organism = entity.lead.organism or self._organism
            for one in self._further(entity):
                if (one, _species(organism), entity.lead.label) not in self._knowledge:
                    labels[one, organism][entity.lead.label] = None
        return [Question(one, [*names], organism, is_by_label=True) for (one, organism), names in labels.items()]

    def _further(self, entity: JoinedEntity) -> Iterator[SourceFinder]:
        """Sources that may know the entity, too."""
        for one in self._finders:
            is_able = one.title not in self._failures and one.finder.is_joined and one.finder.takes(entity.lead.label)
            if is_able and one.finder.kind == entity.lead.kind and one.source not in entity.parts:
                yield one

    def entities(self, name: str) -> list[JoinedEntity]:
        """What a name stands for, each once, best first, with what further sources have under the labels."""
        return [self._completed(entity) for entity in joined(self.answers[name].by_source)]

    def _completed(self, entity: JoinedEntity) -> JoinedEntity:
        species = _species(entity.lead.organism or self._organism)
        for one in self._further(entity):
            parts = self._knowledge.get((one, species, entity.lead.label), ())
            if (part := next((part for part in parts if is_same(entity, one.source, part)), None)) is not None:
                entity = entity.with_part(one.source, part, is_counterpart=True)
        return entity

    async def _ask(self, *questions: Question) -> None:
        questions = tuple(question for question in questions if question.names)
        counter = call.Counter(sum(len(question.names) for question in questions), "names looked up")
        found = await asyncio.gather(*(_find(question, counter) for question in questions))
        for question, knows in zip(questions, found, strict=True):
            if knows.failures:
                self._failures[question.asked.title] = next(iter(knows.failures.values()))
            self._remarks += knows.notices
            for name in question.names:
                key = (question.asked, _species(question.organism), name)
                self._knowledge[key] = knows.entities.get(name, ())
                if not question.is_by_label:
                    self._take(question.asked, name, knows)

    def _take(self, asked: SourceFinder, name: str, knows: FoundNames) -> None:
        """What a source knows under a name as it was asked."""
        answers = self.answers[name]
        if entities := knows.entities.get(name):
            answers.by_source[asked.source] += entities
        elif name in knows.failures:
            answers.failures.append(knows.failures[name])
            if asked.finder.kind in self.readings[name].first:
                answers.unanswered.append(knows.failures[name])
        elif name in knows.reasons:
            answers.reasons.append(knows.reasons[name])
        if name in knows.remarks:
            answers.remarks.append(knows.remarks[name])

    def _open(self, one: SourceFinder, part: Round) -> list[str]:
        """The names that a source may know and was not asked for; of the second kinds, those that nobody knows."""
        return [
            name
            for name, reading in self.readings.items()
            if one.finder.kind in (reading.first if part == "first" else reading.then)
            and not self._is_asked(one, name)
            and ((one.finder.is_joined and part == "first") or not self.answers[name].is_settled)
            and one.finder.takes(name)
        ]

    def _unmet(self) -> list[str]:
        return [name for name, answers in self.answers.items() if not answers.is_settled]

    def _is_asked(self, one: SourceFinder, name: str) -> bool:
        return (one, _species(self._organism), name) in self._knowledge

    def _may_know(self, one: SourceFinder, name: str) -> bool:
        reading = self.readings[name]
        return one.finder.kind in (*reading.first, *reading.then) and one.finder.takes(name)


def _species(organism: str) -> str:
    """One spelling of an organism that users call by several names."""
    taxon = organisms.taxon(organism)
    return taxon.name if taxon else organism


async def _find(question: Question, counter: call.Counter) -> FoundNames:
    try:
        found = await question.asked.finder.find(question.names, question.organism)
    except (AmbiguousQuery, RateLimited, UpstreamError) as failure:
        found = FoundNames(failures=dict.fromkeys(question.names, failure))
    await counter.add(len(question.names))
    return found


@dataclass(frozen=True, slots=True)
class Shown:
    """How rows are shown: an agent pays for each word."""

    taxon: Taxon | None
    """The organism asked for, where it is a model organism."""
    is_whole: bool = False
    """State what the question says already, too: a file of rows is read without it."""

    def entities(self, entities: Sequence[JoinedEntity], name: str, reading: Reading) -> list[ResolvedEntity]:
        """The entities of one name, best first."""
        return [self._entity(entity, entities, name, reading) for entity in entities]

    def _entity(
        self, entity: JoinedEntity, among: Sequence[JoinedEntity], name: str, reading: Reading
    ) -> ResolvedEntity:
        lead, best = entity.lead, entity.best
        is_asked_organism = self.taxon is not None and lead.organism == self.taxon.name
        return ResolvedEntity(
            id=lead.id,
            label=lead.label if self.is_whole or lead.label != name else None,
            kind=lead.kind if self.is_whole or reading.first != (lead.kind,) else None,
            organism=lead.organism if self.is_whole or not is_asked_organism else None,
            score=best.score,
            match=best.match,
            status=best.status if self.is_whole or best.status != "current" else None,
            ids={source: part.id for source, part in entity.parts.items() if self.is_whole or part.id != lead.id},
            ambiguous_with=_equals(entity, among),
            product_of=list(dict.fromkeys(gene for part in entity.parts.values() for gene in part.product_of)),
            form_of=lead.form_of,
        )


def _equals(entity: JoinedEntity, among: Sequence[JoinedEntity]) -> list[str]:
    """The others of its kind that answer as well."""
    kind: EntityKind = entity.lead.kind
    alike = (other for other in among if other is not entity and other.is_ambiguous and other.lead.kind == kind)
    return [other.lead.id for other in alike] if entity.is_ambiguous else []


Row = ResolvedName | ErrorEnvelope


@dataclass(frozen=True, slots=True)
class Resolution:
    """A row for each name, in order, and what is to be said about all."""

    rows: list[Row]
    notices: list[Notice]


class Resolver:
    """Asks the sources that declare what they find by name."""

    def __init__(self, asked: Sequence[SourceFinder]) -> None:
        self._finders = tuple(asked)

    @classmethod
    def of_all_sources(cls, transport: Transport) -> "Resolver":
        """One that asks every source there is."""
        return cls.of(sources.clients(transport))

    @classmethod
    def of(cls, clients: Mapping[str, LifeSciencesClient]) -> "Resolver":
        """One that asks these clients of sources, by name."""
        return cls(
            [SourceFinder(name, client.title, one) for name, client in clients.items() for one in finders(client)]
        )

    async def resolve(
        self, names: Sequence[object], kind: EntityKind | None, organism: str, *, is_whole: bool = False
    ) -> Resolution:
        """A row for each name, in order; the same name has the same row, and what is no name a failure. Whole rows
        state what the question says already, too. An organism that a source does not know is its failure.
        """
        texts = {name: query_text(name) for name in names if isinstance(name, str)}
        asked = {text: Reading((kind,)) if kind else reading(text) for text in texts.values() if _is_name(text)}
        inquiry = Inquiry(self._finders, asked, organism)
        await inquiry.run()
        shown = Shown(organisms.taxon(organism), is_whole)
        made = [
            _row(name, texts[name], inquiry, shown)
            if isinstance(name, str) and _is_name(texts[name])
            else _unreadable(name)
            for name in names
        ]
        guessed = [] if kind else assumed(asked.values())
        return Resolution(made, [*guessed, *inquiry.notices()])


def _is_name(text: str) -> bool:
    return len(text) in QUERY_LENGTH


def _unreadable(name: object) -> ErrorEnvelope:
    length = f"text of {QUERY_LENGTH[0]} to {QUERY_LENGTH[-1]} characters"
    failure = AmbiguousQuery(
        f"A name is {length}, not {shown_input(query_text(name) if isinstance(name, str) else name)}.",
        hint="Give a name, or leave the row out.",
    )
    return ErrorEnvelope.of(failure, brief(name))


def _row(name: str, text: str, inquiry: Inquiry, shown: Shown) -> Row:
    answers = inquiry.answers[text]
    entities = inquiry.entities(text)
    if not entities and answers.is_unknown:
        return ErrorEnvelope.of(answers.unanswered[0], name)
    reason = None if entities else answers.reason(inquiry.readings[text])
    return ResolvedName(name=name, entities=shown.entities(entities, name, inquiry.readings[text]), reason=reason)
