"""IDs and names to what Ensembl has today: current records, species, and why there is none."""

from collections.abc import Mapping
from dataclasses import dataclass

from biofact.core.errors import CallTool, EntityNotFound, EntityRetired, RateLimited, ToolRef, UpstreamError
from biofact.core.records import Notice
from biofact.protocol.lookup import ReplacementTrail, unsent, verify
from biofact.sources.ensembl import parse, search
from biofact.sources.ensembl.identifiers import GET_GENE, GET_TRANSCRIPT, PARENTS, SEARCH, Kind, bare
from biofact.sources.ensembl.parse import Archived, GeneHit
from biofact.sources.ensembl.questions import EnsemblQuestions
from biofact.sources.ensembl.search import Reach

_STRICT: Mapping[str, tuple[ToolRef, str]] = {
    "Gene": (GET_GENE, "ensembl_id"),
    "Transcript": (GET_TRANSCRIPT, "transcript_id"),
}


def never_was(asked: str) -> EntityNotFound:
    """Ensembl has and had no such ID."""
    return EntityNotFound(
        f"Ensembl has no record {asked}, and its archive has none either.",
        hint=f"Check the ID, or call {SEARCH} with the gene's symbol.",
        invalid_input=asked,
    )


def lost(asked: str, trail: list[str]) -> EntityRetired:
    """What replaced the ID is no record of Ensembl, nor of its archive."""
    *_, successor = trail
    return EntityRetired(
        f"{asked} was retired by Ensembl and replaced by {successor} ({' > '.join(trail)}), of which neither Ensembl"
        " nor its archive has a record.",
        hint=f"Call {SEARCH} with the gene's symbol, if you know it.",
        invalid_input=asked,
    )


def unreached(asked: str, trail: list[str], failure: RateLimited | UpstreamError) -> RateLimited | UpstreamError:
    """What replaced the ID is known, but its record cannot be had now."""
    message = f"{asked} was retired by Ensembl and replaced by {trail[-1]}, whose record cannot be had now."
    return failure.with_changes(message=f"{message} {failure.message}", invalid_input=asked)


def gone(asked: str, trail: list[str], last: Archived) -> EntityRetired:
    """The trail of replacements from ``asked`` ends at an ID with no replacement, or with several."""
    steps = f" ({' > '.join(trail)})" if len(trail) > 1 else ""
    until = f" after release {last.release}" if last.release else ""
    if not last.replacements:
        return EntityRetired(
            f"{last.id} was withdrawn from Ensembl{until}; nothing replaced it{steps}.",
            hint=f"Call {SEARCH} with the gene's symbol, if you know it.",
            invalid_input=asked,
        )
    tool, parameter = _STRICT.get(last.type, _STRICT["Gene"])
    named = ", ".join(f"{stable_id} ({score:.2f})" for stable_id, score in last.replacements)
    return EntityRetired(
        f"{last.id} was withdrawn from Ensembl{until}; it may be any of: {named}{steps}.",
        hint=f"Call {tool} for one of them; the number is Ensembl's mapping score, 0-1.",
        invalid_input=asked,
        recovery=CallTool(tool, {parameter: last.replacements[0][0]}),
    )


def endless(asked: str, trail: list[str]) -> EntityRetired:
    """The replacements run in a circle, or too far."""
    return EntityRetired(
        f"{asked} leads to no current record: its replacements run in a circle or too far ({' > '.join(trail)}).",
        hint=f"Call {SEARCH} with the gene's symbol.",
        invalid_input=asked,
    )


def no_sequence(asked: str, wanted: str, reason: str, hint: str) -> EntityNotFound:
    """What is asked for has no sequence of this type."""
    return EntityNotFound(f"There is no {wanted} of {asked}: it {reason}.", hint=hint, invalid_input=asked)


def of_another_kind(asked: str, stable_id: str, wanted: str, sent: str) -> UpstreamError:
    """The record is something else than its ID says."""
    return UpstreamError(
        f"Ensembl answered {asked}, a {wanted}, with {stable_id}, a {sent}.",
        hint="Call again later, or report it.",
        invalid_input=asked,
    )


def without_xrefs(reason: str, kind: str) -> Notice:
    """Says that the record lacks its cross-references, but for those that its lookup tells."""
    known = "its gene and MANE partners" if kind == "Transcript" else "transcripts"
    return Notice(code="LEG_FAILED", message=f"Cross-references are missing, but for {known}. {reason}")


def replaced(asked: str, current: str, score: float) -> Notice:
    """Says that the record is another ID's."""
    message = f"{asked} was replaced by {current} (mapping score {score:.2f} of 1)."
    return Notice(code="REPLACED", message=message)


def other_version(asked: str, current: int) -> Notice:
    """Says that the record is not of the version asked for."""
    return Notice(code="REPLACED", message=f"{asked} is not current; this is version {current}.")


@dataclass(frozen=True, slots=True)
class Current:
    """A current record, and how the asked ID led to it."""

    asked: str
    trail: ReplacementTrail
    payload: bytes
    score: float
    """Ensembl's mapping score of the last step, 0-1."""

    @property
    def id(self) -> str:
        """Of the record."""
        return self.trail.current_id

    @property
    def replaces(self) -> str | None:
        """The asked ID, when the record has taken its place."""
        return self.asked if self.trail.is_replaced else None

    def notices(self) -> list[Notice]:
        """What has to be said of how it was reached."""
        if self.replaces:
            return [replaced(self.asked, self.id, self.score)]
        if self.asked == self.id:
            return []
        version = parse.version(self.payload)
        is_current = version is None or self.asked == f"{self.id}.{version}"
        return [] if is_current else [other_version(self.asked, version or 0)]


async def current_record(questions: EnsemblQuestions, asked: str, kind: Kind, *, slim: bool = False) -> Current:
    """The record that an ID leads to, by way of its replacements; ``slim`` without what it is made of.

    Raises:
        EntityNotFound: there is none, for a reason that the message says.
        RateLimited, UpstreamError: it cannot be had, or is something else than its ID says.
    """
    look_up = questions.brief if slim else questions.expanded
    trail, score = ReplacementTrail(bare(asked)), 1.0
    try:
        while (payload := await look_up(trail.current_id)) is None:
            score = await _follow(questions, trail, asked)
    except (RateLimited, UpstreamError) as failure:
        if trail.is_replaced:
            raise unreached(asked, trail.ids, failure) from failure
        raise
    sent_kind = parse.kind(payload)
    if sent_kind and sent_kind != kind:
        raise of_another_kind(asked, trail.current_id, kind, sent_kind)
    return Current(asked, trail, payload, score)


async def gene_of(questions: EnsemblQuestions, current: Current, kind: Kind) -> GeneHit:
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


async def _follow(questions: EnsemblQuestions, trail: ReplacementTrail, asked: str) -> float:
    """Go on to what replaced the current ID of the trail; Ensembl's mapping score of that step.

    Raises:
        EntityNotFound: it never was, or has no successor, or several.
    """
    archived = await questions.archived(trail.current_id)
    if archived is None:
        raise lost(asked, trail.ids) if trail.is_replaced else never_was(asked)
    if archived.is_current:
        raise unsent("Ensembl", asked, trail.current_id, status="as current")
    if len(archived.replacements) != 1:
        raise gone(asked, trail.ids, archived)
    ((replacement, score),) = archived.replacements
    if not trail.follow(replacement):
        raise endless(asked, trail.ids)
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
            raise table.refused(species)
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

    async def meant_by(self, query: str) -> list[Notice]:
        """Says that a word of a query that found nothing may be a species."""
        if len(query.split()) == 1:
            return []
        try:
            reach = (await self._questions.species()).named_in(query)
        except (RateLimited, UpstreamError):  # the answer stands without it
            return []
        return [search.notices.may_be_species(reach)] if reach else []
