"""Notices about a search and its answer. Pure."""

from collections.abc import Sequence

from biofact.core.quoting import name_list
from biofact.core.records import Notice, rows_dropped
from biofact.protocol.templates import NoticeTemplate
from biofact.sources.chembl.identifiers import ON_TARGET, curie
from biofact.sources.chembl.parse import IdStatus, Target
from biofact.sources.chembl.search.queries import Plan
from biofact.sources.chembl.search.ranking import BEGINS, LEADS, Ranked
from biofact.sources.chembl.service import MOST_FOUND

_MOST_NAMED = 15
_MOST_TARGETS = 10

ORDER = NoticeTemplate(
    "ORDER", "ChEMBL finds {total} molecules; whole names lead, salts and hydrates fold into the compound itself."
)
NO_COMPOUND = NoticeTemplate(
    "UNMATCHED", "No compound matches {query!r:.120}. Try another name, a part of it, an InChIKey, or 'SMILES: CCO'."
)
NO_TARGET = NoticeTemplate(
    "UNMATCHED", "No target matches {query!r:.120}. Try a gene symbol, a UniProt accession, or fewer words."
)
NO_MEASUREMENT = NoticeTemplate(
    "UNMATCHED", "No measurement of {subject} has {filters}; without a filter there may be some.{types}"
)
NO_STRUCTURE = NoticeTemplate("UNMATCHED", "ChEMBL has no compound with the {notation} {text!r:.120}.")
NONE_SIMILAR = NoticeTemplate(
    "UNMATCHED", "No compound is {threshold} % similar to {structure!r:.120}. Try a lower threshold, down to 40."
)
NONE_HOLDS = NoticeTemplate(
    "UNMATCHED", "No compound holds {structure!r:.120}. Try a smaller structure, or mode='similarity'."
)
BY_SMILES = Notice(
    code="QUERY_UNDERSTOOD",
    message="Structures are compared by ChEMBL, which may take other spellings, charges and salts for the same.",
)
COMPONENTS_CUT = NoticeTemplate(
    "LIST_CUT", "uniprot: the first {limit} of {ids}; a search for the target's ID lists all."
)
WITHOUT_TEXT = NoticeTemplate("LEG_FAILED", "Whole names only: words were not searched. {reason}")
END_OF_REACH = Notice(
    code="LIST_CUT", message=f"ChEMBL lists no more than the first {MOST_FOUND} hits. Use more words."
)


def query_notices(plan: Plan, best: Sequence[Ranked]) -> list[Notice]:
    """A notice on page 1 about the interpretation of the query."""
    if not best:
        return []
    first = best[0]
    interpretation = first.match.interpretation
    if first.is_near:
        message = f"No compound is called {plan.query!r:.120}; names of clinical drugs one letter away lead."
    elif interpretation is not None and interpretation is not plan.interpretations[0] and first.leads:
        message = f"{plan.query!r:.120} is read as {interpretation.text!r:.120}."
    elif BEGINS <= first.match.score < LEADS:
        message = f"No compound is called {plan.query!r:.120}; names that begin so lead, approved drugs first."
    else:
        return []
    return [Notice(code="QUERY_UNDERSTOOD", message=message)]


def shared(plan: Plan, answers: Sequence[Ranked]) -> list[Notice]:
    """A notice of the compounds that share the best match."""
    if not answers:
        return []
    names = [f"{answer.molecule.name} ({curie(answer.molecule.id)})" for answer in answers]
    kind = answers[0].match.kind
    subject = f"{len(answers)} compounds share the best match ({kind})"
    if kind == "trade_name":
        subject = f"{plan.query!r:.120} is a trade name of {len(answers)} compounds, maybe of their combination"
    return [Notice(code="SHARED_MATCH", message=f"{subject}: {name_list(names, _MOST_NAMED, 'others')}.")]


def dropped_rows(count: int) -> list[Notice]:
    """A notice of the number of rows that do not match the query or no longer exist, if there are any."""
    return rows_dropped(count, "they are not what was asked for")


def cut(lead_count: int, total: int) -> list[Notice]:
    """A notice that more names begin like the query than lead the list, if there are more."""
    if total <= lead_count:
        return []
    message = f"{total} molecules have names that begin so; {lead_count} compounds lead. Use more letters."
    return [Notice(code="LIST_CUT", message=message)]


def another_kind(chembl_id: str, id_status: IdStatus | None, expected_type: str = "COMPOUND") -> Notice:
    """A notice of the kind of an ID that is no compound, or no target where that is expected."""
    if id_status is None:
        message = f"{chembl_id} is no ID of ChEMBL."
    elif id_status.type == "COMPOUND" == expected_type:
        message = f"{chembl_id} was a compound, and was withdrawn from ChEMBL."
    else:
        has_compounds = id_status.type == "TARGET" != expected_type
        advice = f"; call {ON_TARGET} for its compounds" if has_compounds else ""
        message = f"{chembl_id} is a ChEMBL {id_status.type.lower()}, not a {expected_type.lower()}{advice}."
    return Notice(code="UNMATCHED", message=message)


def shared_targets(query: str, targets: Sequence[Target]) -> Notice:
    """A notice of the targets that answer equally well."""
    names = [f"{curie(target.id)} ({target.name}; {target.organism}; {target.type})" for target in targets]
    listing = name_list(names, _MOST_NAMED, "others")
    return Notice(code="SHARED_MATCH", message=f"{len(targets)} targets answer {query!r:.120} equally well: {listing}.")


def several_targets(target_id: str | None, targets: Sequence[Target]) -> list[Notice]:
    """A notice of the targets of a UniProt entry, if there are several."""
    if target_id is None or len(targets) <= 1:
        return []
    names = [f"{curie(target.id)} ({target.name}; {target.type})" for target in targets]
    listing = name_list(names, _MOST_TARGETS, "others")
    message = f"{target_id} is a component of {len(targets)} targets, all of which count: {listing}."
    return [Notice(code="QUERY_UNDERSTOOD", message=message)]
