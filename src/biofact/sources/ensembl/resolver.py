"""IDs and names to what Ensembl has today: current records, species, and why there is none."""

from collections.abc import Mapping
from dataclasses import dataclass

from biofact.core.errors import CallTool, EntityNotFound, EntityRetired, RateLimited, ToolRef, UpstreamError
from biofact.core.records import Notice
from biofact.protocol.lookup import ReplacementTrail, missing_record, verify
from biofact.sources.ensembl import parse, search
from biofact.sources.ensembl.identifiers import GET_GENE, GET_TRANSCRIPT, PARENTS, SEARCH, Kind, bare
from biofact.sources.ensembl.parse import Archived, GeneHit
from biofact.sources.ensembl.questions import EnsemblQuestions
from biofact.sources.ensembl.search import Reach

_STRICT: Mapping[str, tuple[ToolRef, str]] = {
    "Gene": (GET_GENE, "ensembl_id"),
    "Transcript": (GET_TRANSCRIPT, "transcript_id"),
}


def unknown_id(requested_id: str) -> EntityNotFound:
    """Ensembl has and had no such ID."""
    return EntityNotFound(
        f"Ensembl has no record {requested_id}, and its archive has none either.",
        hint=f"Check the ID, or call {SEARCH} with the gene's symbol.",
        invalid_input=requested_id,
    )


def missing_successor(requested_id: str, trail: list[str]) -> EntityRetired:
    """The replacement of the ID has no record in Ensembl, nor in its archive."""
    *_, successor = trail
    return EntityRetired(
        f"{requested_id} was retired by Ensembl and replaced by {successor} ({' > '.join(trail)}), of which neither"
        " Ensembl nor its archive has a record.",
        hint=f"Call {SEARCH} with the gene's symbol, if you know it.",
        invalid_input=requested_id,
    )


def unavailable_successor(
    requested_id: str, trail: list[str], failure: RateLimited | UpstreamError
) -> RateLimited | UpstreamError:
    """The replacement of the ID is known, but its record is unavailable now."""
    message = f"{requested_id} was retired by Ensembl and replaced by {trail[-1]}, whose record cannot be had now."
    return failure.with_changes(message=f"{message} {failure.message}", invalid_input=requested_id)


def withdrawn(requested_id: str, trail: list[str], last: Archived) -> EntityRetired:
    """The trail of replacements from ``asked`` ends at an ID with no replacement, or with several."""
    steps = f" ({' > '.join(trail)})" if len(trail) > 1 else ""
    until = f" after release {last.release}" if last.release else ""
    if not last.replacements:
        return EntityRetired(
            f"{last.id} was withdrawn from Ensembl{until}; nothing replaced it{steps}.",
            hint=f"Call {SEARCH} with the gene's symbol, if you know it.",
            invalid_input=requested_id,
        )
    tool, parameter = _STRICT.get(last.type, _STRICT["Gene"])
    candidates = ", ".join(f"{stable_id} ({score:.2f})" for stable_id, score in last.replacements)
    return EntityRetired(
        f"{last.id} was withdrawn from Ensembl{until}; it may be any of: {candidates}{steps}.",
        hint=f"Call {tool} for one of them; the number is Ensembl's mapping score, 0-1.",
        invalid_input=requested_id,
        recovery=CallTool(tool, {parameter: last.replacements[0][0]}),
    )


def endless(requested_id: str, trail: list[str]) -> EntityRetired:
    """The replacements run in a circle, or too far."""
    return EntityRetired(
        f"{requested_id} leads to no current record: its replacements run in a circle or too far"
        f" ({' > '.join(trail)}).",
        hint=f"Call {SEARCH} with the gene's symbol.",
        invalid_input=requested_id,
    )


def no_sequence(requested_id: str, sequence_type: str, reason: str, hint: str) -> EntityNotFound:
    """The record has no sequence of this type."""
    return EntityNotFound(
        f"There is no {sequence_type} of {requested_id}: it {reason}.", hint=hint, invalid_input=requested_id
    )


def of_another_kind(requested_id: str, stable_id: str, expected_kind: str, kind: str) -> UpstreamError:
    """The record is something else than its ID says."""
    return UpstreamError(
        f"Ensembl answered {requested_id}, a {expected_kind}, with {stable_id}, a {kind}.",
        hint="Call again later, or report it.",
        invalid_input=requested_id,
    )


def without_xrefs(reason: str, kind: str) -> Notice:
    """A notice that the record has only the cross-references of its lookup."""
    remaining = "its gene and MANE partners" if kind == "Transcript" else "transcripts"
    return Notice(code="LEG_FAILED", message=f"Cross-references are missing, but for {remaining}. {reason}")


def replacement_notice(requested_id: str, current: str, score: float) -> Notice:
    """A notice that the record replaces the requested ID."""
    message = f"{requested_id} was replaced by {current} (mapping score {score:.2f} of 1)."
    return Notice(code="REPLACED", message=message)


def other_version(requested_id: str, current: int) -> Notice:
    """A notice that the record has another version than the requested one."""
    return Notice(code="REPLACED", message=f"{requested_id} is not current; this is version {current}.")


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
            return [replacement_notice(self.requested_id, self.id, self.score)]
        if self.requested_id == self.id:
            return []
        version = parse.version(self.payload)
        is_current = version is None or self.requested_id == f"{self.id}.{version}"
        return [] if is_current else [other_version(self.requested_id, version or 0)]


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
        while (payload := await look_up(trail.current_id)) is None:
            score = await _follow(questions, trail, requested_id)
    except (RateLimited, UpstreamError) as failure:
        if trail.is_replaced:
            raise unavailable_successor(requested_id, trail.ids, failure) from failure
        raise
    sent_kind = parse.kind(payload)
    if sent_kind and sent_kind != kind:
        raise of_another_kind(requested_id, trail.current_id, kind, sent_kind)
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


async def _follow(questions: EnsemblQuestions, trail: ReplacementTrail, requested_id: str) -> float:
    """Go on to what replaced the current ID of the trail; Ensembl's mapping score of that step.

    Raises:
        EntityNotFound: it never was, or has no successor, or several.
    """
    archived = await questions.archived(trail.current_id)
    if archived is None:
        raise missing_successor(requested_id, trail.ids) if trail.is_replaced else unknown_id(requested_id)
    if archived.is_current:
        raise missing_record("Ensembl", requested_id, trail.current_id, status="as current")
    if len(archived.replacements) != 1:
        raise withdrawn(requested_id, trail.ids, archived)
    ((replacement, score),) = archived.replacements
    if not trail.follow(replacement):
        raise endless(requested_id, trail.ids)
    return score


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
        table = await self._questions.species()
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
            return (await self._questions.species()).split_off(query)
        except (RateLimited, UpstreamError):  # that the words may name a species is no reason to fail
            return query, None

    async def species_hints(self, query: str) -> list[Notice]:
        """A notice that a word of a query without hits may be a species."""
        if len(query.split()) == 1:
            return []
        try:
            reach = (await self._questions.species()).species_in(query)
        except (RateLimited, UpstreamError):  # the answer stands without it
            return []
        return [search.notices.may_be_species(reach)] if reach else []
