"""IDs and names to what Ensembl has today: current records, species, and why there is none."""

from collections.abc import Mapping
from dataclasses import dataclass

from biofact.core.errors import CallTool, EntityNotFound, EntityRetired, RateLimited, ToolRef, UpstreamError
from biofact.core.records import Notice
from biofact.protocol.lookup import ReplacementTrail, missing_record, verify
from biofact.protocol.templates import Absence, NoticeTemplate
from biofact.sources.ensembl import parse, search
from biofact.sources.ensembl.identifiers import (
    GET_GENE,
    GET_TRANSCRIPT,
    PARENTS,
    SEARCH,
    Kind,
    bare,
    kind_of,
    parse_stable_id,
    stable_id_of_kind,
)
from biofact.sources.ensembl.parse import Archived, GeneHit
from biofact.sources.ensembl.questions import EnsemblQuestions
from biofact.sources.ensembl.search import Reach, SpeciesTable

_STRICT: Mapping[str, tuple[ToolRef, str]] = {
    "Gene": (GET_GENE, "ensembl_id"),
    "Transcript": (GET_TRANSCRIPT, "transcript_id"),
}


UNKNOWN_ID = Absence(
    EntityNotFound,
    "Ensembl has no record {id}, and its archive has none either.",
    f"Check the ID, or call {SEARCH} with the gene's symbol.",
)
_IF_KNOWN = f"Call {SEARCH} with the gene's symbol, if you know it."
_MISSING_SUCCESSOR = Absence(
    EntityRetired,
    "{id} was retired by Ensembl and replaced by {successor} ({steps}), of which neither Ensembl nor its archive has a"
    " record.",
    _IF_KNOWN,
)
_WITHDRAWN = Absence(
    EntityRetired, "{last_id} was withdrawn from Ensembl{until}; nothing replaced it{steps}.", _IF_KNOWN
)
_SEVERAL_SUCCESSORS = Absence(
    EntityRetired,
    "{last_id} was withdrawn from Ensembl{until}; it may be any of: {candidates}{steps}.",
    "Call {tool} for one of them; the number is Ensembl's mapping score, 0-1.",
)
ENDLESS = Absence(
    EntityRetired,
    "{id} leads to no current record: its replacements run in a circle or too far ({steps}).",
    f"Call {SEARCH} with the gene's symbol.",
)
_ANOTHER_KIND = Absence(
    UpstreamError,
    "Ensembl answered {id}, a {expected_kind}, with {stable_id}, a {kind}.",
    "Call again later, or report it.",
)
WITHOUT_XREFS = NoticeTemplate("LEG_FAILED", "Cross-references are missing, but for {remaining}. {reason}")
REPLACED = NoticeTemplate("REPLACED", "{requested_id} was replaced by {current} (mapping score {score:.2f} of 1).")
OTHER_VERSION = NoticeTemplate("REPLACED", "{requested_id} is not current; this is version {current}.")


def no_sequence(requested_id: str, sequence_type: str | None, reason: str, hint: str) -> EntityNotFound:
    """The record has no sequence of this type."""
    message = f"There is no {sequence_type} of {requested_id}: it {reason}."
    return EntityNotFound(message, hint=hint, invalid_input=requested_id)


def withdrawn(requested_id: str, trail: list[str], last: Archived) -> EntityRetired:
    """The trail of replacements from ``requested_id`` ends at an ID with no replacement, or with several."""
    steps = f" ({' > '.join(trail)})" if len(trail) > 1 else ""
    until = f" after release {last.release}" if last.release else ""
    if not last.replacements:
        return _WITHDRAWN(requested_id, last_id=last.id, until=until, steps=steps)
    tool, parameter = _STRICT.get(last.type, _STRICT["Gene"])
    candidates = ", ".join(f"{stable_id} ({score:.2f})" for stable_id, score in last.replacements)
    recovery = CallTool(tool, {parameter: last.replacements[0][0]})
    return _SEVERAL_SUCCESSORS(
        requested_id, recovery, last_id=last.id, until=until, candidates=candidates, steps=steps, tool=tool
    )


@dataclass(frozen=True, slots=True)
class CurrentRecord:
    """A current record, and the trail from the requested ID to it."""

    requested_id: str
    trail: ReplacementTrail
    payload: bytes
    score: float
    """Ensembl's mapping score of the last step, 0-1."""

    @property
    def id(self) -> str:
        """The ID of the record."""
        return self.trail.current_id

    @property
    def replaces(self) -> str | None:
        """The requested ID, if the record replaces it."""
        return self.requested_id if self.trail.is_replaced else None

    def notices(self) -> list[Notice]:
        """Notices on how the record was reached."""
        if self.replaces:
            return [REPLACED(requested_id=self.requested_id, current=self.id, score=self.score)]
        if self.requested_id == self.id:
            return []
        version = parse.version(self.payload)
        is_current = version is None or self.requested_id == f"{self.id}.{version}"
        return [] if is_current else [OTHER_VERSION(requested_id=self.requested_id, current=version)]


async def current_record(
    questions: EnsemblQuestions, requested_id: str, kind: Kind, *, slim: bool = False
) -> CurrentRecord:
    """The record that an ID leads to, by way of its replacements; ``slim`` without what it is made of.

    Raises:
        EntityNotFound: there is none, for a reason that the message says.
        RateLimited, UpstreamError: it cannot be had, or is something else than its ID says.
    """
    look_up = questions.brief if slim else questions.expanded
    trail, score = ReplacementTrail(bare(requested_id)), 1.0
    try:
        while (payload := await look_up(trail.current_id, kind)) is None:
            score = await _follow(questions, trail, requested_id, kind)
    except (RateLimited, UpstreamError) as failure:
        if trail.is_replaced:
            replacement = f"{requested_id} was retired by Ensembl and replaced by {trail.current_id}"
            message = f"{replacement}, whose record cannot be had now. {failure.message}"
            raise failure.with_changes(message=message, invalid_input=requested_id) from failure
        raise
    sent_kind = parse.kind(payload)
    if sent_kind and sent_kind != kind:
        raise _ANOTHER_KIND(requested_id, expected_kind=kind, stable_id=trail.current_id, kind=sent_kind)
    return CurrentRecord(requested_id, trail, payload, score)


async def gene_of(questions: EnsemblQuestions, current: CurrentRecord, kind: Kind) -> GeneHit:
    """The gene itself, or the one that a transcript or protein is of.

    Raises:
        EntityNotFound, RateLimited, UpstreamError: the gene cannot be had, or Ensembl does not say which it is.
    """
    for parent_kind in PARENTS[kind]:
        parent = parse.parent(current.payload)
        if parent is None:
            raise UpstreamError(f"Ensembl does not say what {current.id} is a part of.", hint="Call again later.")
        current = await current_record(questions, parent, parent_kind, slim=True)
    gene = parse.gene_hit(current.payload)
    verify("Ensembl", current.id, gene.id)
    return gene


async def _follow(questions: EnsemblQuestions, trail: ReplacementTrail, requested_id: str, kind: Kind) -> float:
    """Go on to what replaced the current ID of the trail; Ensembl's mapping score of that step.

    Raises:
        EntityNotFound: it never was, or has no successor, or several.
        UpstreamError: its successor is of another kind.
    """
    archived = await questions.archived(trail.current_id)
    steps = " > ".join(trail.ids)
    if archived is None and trail.is_replaced:
        raise _MISSING_SUCCESSOR(requested_id, successor=trail.current_id, steps=steps)
    if archived is None:
        raise UNKNOWN_ID(requested_id)
    if archived.is_current:
        raise missing_record("Ensembl", requested_id, trail.current_id, status="as current")
    if len(archived.replacements) != 1:
        raise withdrawn(requested_id, trail.ids, archived)
    ((replacement, score),) = archived.replacements
    if parse_stable_id(replacement) and not stable_id_of_kind(replacement, kind):
        raise _ANOTHER_KIND(requested_id, expected_kind=kind, stable_id=replacement, kind=kind_of(replacement))
    if not trail.follow(replacement):
        raise ENDLESS(requested_id, steps=steps)
    return score


async def species_table(questions: EnsemblQuestions) -> SpeciesTable:
    """All species that Ensembl has, by every name."""
    return SpeciesTable.from_rows(await questions.species())


class NamedSpecies:
    """Species by any of their names."""

    def __init__(self, questions: EnsemblQuestions) -> None:
        self._questions = questions

    async def reach(self, species: str) -> Reach:
        """The species that the caller means; the well-known ones without asking.

        Raises:
            AmbiguousQuery: Ensembl has no such species.
        """
        if known_reach := search.well_known(species):
            return known_reach
        table = await species_table(self._questions)
        reach = table.find(species)
        if reach is None:
            raise table.unknown_species(species)
        return reach

    async def split_off(self, query: str) -> tuple[str, Reach | None]:
        """The query without the species that it names, if it names one."""
        rest, known_reach = search.well_known_in(query)
        if known_reach or not search.may_name_species(query):
            return rest, known_reach
        try:
            return (await species_table(self._questions)).split_off(query)
        except (RateLimited, UpstreamError):  # that the words may name a species is no reason to fail
            return query, None

    async def species_hints(self, query: str) -> list[Notice]:
        """A notice that a word of a query without hits may be a species."""
        if len(query.split()) == 1:
            return []
        try:
            reach = (await species_table(self._questions)).species_in(query)
        except (RateLimited, UpstreamError):  # the answer stands without it
            return []
        return [search.notices.MAY_BE_SPECIES(reach=reach)] if reach else []
