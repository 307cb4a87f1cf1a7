"""Why an ID leads to nothing that is current, and what to do about it. Pure."""

from collections.abc import Mapping

from biofact.core.errors import CallTool, EntityNotFound, EntityRetired, RateLimited, ToolRef, UpstreamError
from biofact.core.records import Notice
from biofact.sources.ensembl.identifiers import GET_GENE, GET_TRANSCRIPT, SEARCH
from biofact.sources.ensembl.parse import Archived

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
