"""What has to be said about a search and its answer. Pure."""

from biofact.core.provenance import Notice
from biofact.sources.ensembl.parse import Found
from biofact.sources.ensembl.search.queries import AT_ONCE, NEAR, OTHERS, WORDS, Plan
from biofact.sources.ensembl.search.species import Reach


def about(plan: Plan, number: int) -> list[Notice]:
    """What page 1 says of how the query was taken, and where it was searched."""
    said = []
    if plan.reach is not None and plan.is_reach_from_query:
        message = f"Searched in {plan.reach.name} alone, as the query's words say; pass species to choose another."
        said.append(Notice(code="ASSUMED", message=message))
    if plan.left_out:
        message = f"EBI Search takes no query of this length; {plan.left_out!r:.80} was left out."
        said.append(Notice(code="TERM_IGNORED", message=message))
    if number not in {WORDS, OTHERS}:
        said.append(Notice(code="QUERY_UNDERSTOOD", message=_widened(plan, number)))
    elif plan.reach is None:
        message = "Human genes first; the next pages list other species. Pass species for one alone."
        said.append(Notice(code="ORDER", message=message))
    return said


def _widened(plan: Plan, number: int) -> str:
    where = plan.reach.name if plan.reach else "human"
    species = {NEAR: "other species", AT_ONCE: "all species"} if plan.reach is None else {}
    near = f"{where} names one letter away" if plan.near else ""
    searched = " and ".join(filter(None, (species.get(number, f"words in {where}"), near)))
    what = "the symbol" if plan.symbol else "the name"
    return f"No {where} gene has {what} {plan.query!r:.120}; searched {searched}."


def unmatched(query: str, reach: Reach | None = None) -> Notice:
    """Says that nothing was found, and what to try."""
    where = f" in {reach.name}" if reach else ""
    message = f"No gene matches {query!r:.120}{where}. Try a symbol, fewer words, or another species."
    return Notice(code="UNMATCHED", message=message)


def foreign(gene: Found, reach: Reach) -> Notice:
    """Says that the gene asked for by ID is another species'."""
    return Notice(code="UNMATCHED", message=f"{gene.id} is {gene.symbol} of {gene.species}, not of {reach.name}.")


def without_text(reason: str) -> Notice:
    """Says that only symbols were looked up, as the search by words failed."""
    return Notice(code="LEG_FAILED", message=f"Symbols only: free text was not searched. {reason}")


def unknown_rows(count: int) -> Notice:
    """Counts hits that Ensembl does not know: EBI's index may be older, or newer."""
    return Notice(code="DROPPED", message=f"Hits left out because Ensembl has no such gene now: {count}.")


def foreign_rows(count: int) -> Notice:
    """Counts hits of another species than the one asked for."""
    return Notice(code="DROPPED", message=f"Hits left out because they are of another species: {count}.")


def led(asked: str, gene: Found) -> Notice:
    """Says that the query names a product of the gene."""
    return Notice(code="QUERY_UNDERSTOOD", message=f"{asked} is a product of {gene.symbol} ({gene.id}).")
