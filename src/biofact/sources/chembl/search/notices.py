"""Notices about a search and its answer. Pure."""

from collections.abc import Sequence

from biofact.core.records import Notice, rows_dropped
from biofact.sources.chembl.identifiers import ON_TARGET, curie
from biofact.sources.chembl.parse import IdStatus, Target
from biofact.sources.chembl.search.queries import Plan
from biofact.sources.chembl.search.ranking import BEGINS, LEADS, Ranked
from biofact.sources.chembl.search.structures import Structure

_MOST_NAMED = 15
_MOST_TARGETS = 10


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
    names = ", ".join(f"{answer.molecule.name} ({curie(answer.molecule.id)})" for answer in answers[:_MOST_NAMED])
    rest = f" and {len(answers) - _MOST_NAMED} others" if len(answers) > _MOST_NAMED else ""
    kind = answers[0].match.kind
    subject = f"{len(answers)} compounds share the best match ({kind})"
    if kind == "trade_name":
        subject = f"{plan.query!r:.120} is a trade name of {len(answers)} compounds, maybe of their combination"
    return [Notice(code="SHARED_MATCH", message=f"{subject}: {names}{rest}.")]


def order(total: int) -> Notice:
    """A notice of the number of hits and their order."""
    message = f"ChEMBL finds {total} molecules; whole names lead, salts and hydrates fold into the compound itself."
    return Notice(code="ORDER", message=message)


def dropped_rows(count: int) -> list[Notice]:
    """A notice of the number of rows that do not match the query or no longer exist, if there are any."""
    return rows_dropped(count, "they are not what was asked for")


def cut(lead_count: int, total: int) -> list[Notice]:
    """A notice that more names begin like the query than lead the list, if there are more."""
    if total <= lead_count:
        return []
    message = f"{total} molecules have names that begin so; {lead_count} compounds lead. Use more letters."
    return [Notice(code="LIST_CUT", message=message)]


def no_compound(query: str) -> Notice:
    """A notice that nothing was found, and what to try."""
    message = f"No compound matches {query!r:.120}. Try another name, a part of it, an InChIKey, or 'SMILES: CCO'."
    return Notice(code="UNMATCHED", message=message)


def no_structure(structure: Structure) -> Notice:
    """A notice that ChEMBL has no compound of this structure."""
    notation = {"inchi_key": "InChIKey", "inchi": "InChI", "smiles": "SMILES"}[structure.notation]
    return Notice(code="UNMATCHED", message=f"ChEMBL has no compound with the {notation} {structure.text!r:.120}.")


def by_smiles() -> Notice:
    """A notice of the differences that ChEMBL's comparison of structures ignores."""
    message = "Structures are compared by ChEMBL, which may take other spellings, charges and salts for the same."
    return Notice(code="QUERY_UNDERSTOOD", message=message)


def another_kind(chembl_id: str, id_status: IdStatus | None) -> Notice:
    """A notice of the kind of an ID that is no compound."""
    if id_status is None:
        message = f"{chembl_id} is no ID of ChEMBL."
    elif id_status.type == "TARGET":
        message = f"{chembl_id} is a ChEMBL target, not a compound; call {ON_TARGET} for its compounds."
    elif id_status.type != "COMPOUND":
        message = f"{chembl_id} is a ChEMBL {id_status.type.lower()}, not a compound."
    else:
        message = f"{chembl_id} was a compound, and was withdrawn from ChEMBL."
    return Notice(code="UNMATCHED", message=message)


def nothing_alike(structure: str, threshold: int | None) -> Notice:
    """A notice that no compound resembles or holds a structure, and what to try."""
    if threshold is None:
        message = f"No compound holds {structure!r:.120}. Try a smaller structure, or mode='similarity'."
    else:
        message = f"No compound is {threshold} % similar to {structure!r:.120}. Try a lower threshold, down to 40."
    return Notice(code="UNMATCHED", message=message)


def no_target(query: str) -> Notice:
    """A notice that no target was found, and what to try."""
    message = f"No target matches {query!r:.120}. Try a gene symbol, a UniProt accession, or fewer words."
    return Notice(code="UNMATCHED", message=message)


def shared_targets(query: str, targets: Sequence[Target]) -> Notice:
    """A notice of the targets that answer equally well."""
    names = ", ".join(
        f"{curie(target.id)} ({target.name}; {target.organism}; {target.type})" for target in targets[:_MOST_NAMED]
    )
    rest = f" and {len(targets) - _MOST_NAMED} others" if len(targets) > _MOST_NAMED else ""
    message = f"{len(targets)} targets answer {query!r:.120} equally well: {names}{rest}."
    return Notice(code="SHARED_MATCH", message=message)


def components_cut(limit: int, ids: Sequence[str]) -> Notice:
    """A notice of the targets whose components are not all listed."""
    message = f"uniprot: the first {limit} of {', '.join(ids[:_MOST_NAMED])}; a search for the target's ID lists all."
    return Notice(code="LIST_CUT", message=message)


def no_such_target(chembl_id: str, id_status: IdStatus | None) -> Notice:
    """A notice of the kind of an ID that is no target."""
    if id_status is None:
        message = f"{chembl_id} is no ID of ChEMBL."
    else:
        message = f"{chembl_id} is a ChEMBL {id_status.type.lower()}, not a target."
    return Notice(code="UNMATCHED", message=message)


def without_text(reason: str) -> Notice:
    """A notice that only whole names were looked up, as the search by words failed."""
    return Notice(code="LEG_FAILED", message=f"Whole names only: words were not searched. {reason}")


def end_of_reach(limit: int) -> Notice:
    """A notice that ChEMBL lists no further hits."""
    return Notice(code="LIST_CUT", message=f"ChEMBL lists no more than the first {limit} hits. Use more words.")


def several_targets(target_id: str | None, targets: Sequence[Target]) -> list[Notice]:
    """A notice of the targets of a UniProt entry, if there are several."""
    if target_id is None or len(targets) <= 1:
        return []
    names = ", ".join(f"{curie(target.id)} ({target.name}; {target.type})" for target in targets[:_MOST_TARGETS])
    rest = f" and {len(targets) - _MOST_TARGETS} others" if len(targets) > _MOST_TARGETS else ""
    message = f"{target_id} is a component of {len(targets)} targets, all of which count: {names}{rest}."
    return [Notice(code="QUERY_UNDERSTOOD", message=message)]
