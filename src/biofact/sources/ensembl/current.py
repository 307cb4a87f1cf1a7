"""An ID to the current record that it leads to, by way of what replaced it."""

from dataclasses import dataclass

from biofact.core.errors import RateLimited, UpstreamError
from biofact.core.records import Notice
from biofact.protocol.lookup import ReplacementTrail, unsent, verify
from biofact.sources.ensembl import absence, parse
from biofact.sources.ensembl.identifiers import PARENTS, Kind, bare
from biofact.sources.ensembl.parse import Found
from biofact.sources.ensembl.questions import EnsemblQuestions


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
            return [absence.replaced(self.asked, self.id, self.score)]
        if self.asked == self.id:
            return []
        version = parse.version(self.payload)
        is_current = version is None or self.asked == f"{self.id}.{version}"
        return [] if is_current else [absence.other_version(self.asked, version or 0)]


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
            raise absence.unreached(asked, trail.ids, failure) from failure
        raise
    sent_kind = parse.kind(payload)
    if sent_kind and sent_kind != kind:
        raise absence.of_another_kind(asked, trail.current_id, kind, sent_kind)
    return Current(asked, trail, payload, score)


async def gene_of(questions: EnsemblQuestions, current: Current, kind: Kind) -> Found:
    """The gene itself, or the one that a transcript or protein is of.

    Raises:
        EntityNotFound, RateLimited, UpstreamError: the gene cannot be had, or Ensembl does not say which it is.
    """
    for parent_kind in PARENTS[kind]:
        parent = parse.parent(current.payload)
        if parent is None:
            raise UpstreamError(f"Ensembl does not say what {current.id} is a part of.", hint="Call again later.")
        current = await current_record(questions, parent, parent_kind, slim=True)
    gene = parse.looked_up(current.payload)
    verify("Ensembl", current.id, gene.id)
    return gene


async def _follow(questions: EnsemblQuestions, trail: ReplacementTrail, asked: str) -> float:
    """Go on to what replaced the current ID of the trail; Ensembl's mapping score of that step.

    Raises:
        EntityNotFound: it never was, or has no successor, or several.
    """
    archived = await questions.archived(trail.current_id)
    if archived is None:
        raise absence.lost(asked, trail.ids) if trail.is_replaced else absence.never_was(asked)
    if archived.is_current:
        raise unsent("Ensembl", asked, trail.current_id, status="as current")
    if len(archived.replacements) != 1:
        raise absence.gone(asked, trail.ids, archived)
    ((replacement, score),) = archived.replacements
    if not trail.follow(replacement):
        raise absence.endless(asked, trail.ids)
    return score
