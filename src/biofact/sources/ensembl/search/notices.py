"""Notices about a search and its hits. Pure."""

import re

from biofact.core.records import Notice
from biofact.sources.ensembl.parse import GeneHit
from biofact.sources.ensembl.search.queries import GeneListKind, Plan
from biofact.sources.ensembl.search.species import HUMAN, Reach

_CLONE = re.compile(
    r"(?:RP\d{1,2}|CT[A-D]|KB|GS1|LA16c|WI2|XX[A-Za-z]*|hsa)-[A-Za-z0-9_-]+\.\d+"  # RP11-34P13.7, CTD-2192J16.17
    r"|(?:A[CDEFJLP]|BX|CR|CU|FP)\d{6}\.\d+|[ZU]\d{5}\.\d+",  # AC007325.4, Z83844.1
    re.IGNORECASE | re.ASCII,
)
_OF_CLONES = (
    "It is written like a name after a sequenced clone, which Ensembl gave to genes without a symbol, mostly on GRCh37,"
    " and has changed or dropped since. Try the gene's ENSG ID, or its place mapped to today's assembly; the server of"
    " GRCh37 (BIOFACT_ENSEMBL_URL=https://grch37.rest.ensembl.org) still has such names."
)


def query_notices(plan: Plan, number: GeneListKind) -> list[Notice]:
    """Notices of page 1 on the reading of the query, and the lists searched."""
    remarks = []
    if plan.reach is not None and plan.is_reach_from_query:
        message = f"Searched in {plan.reach.name} alone, as the query's words say; pass species to choose another."
        remarks.append(Notice(code="ASSUMED", message=message))
    if plan.omitted_words:
        message = f"EBI Search takes no query of this length; {plan.omitted_words!r:.80} was left out."
        remarks.append(Notice(code="TERM_IGNORED", message=message))
    if number not in {GeneListKind.WORDS, GeneListKind.OTHER_SPECIES}:
        remarks.append(Notice(code="QUERY_UNDERSTOOD", message=_wider_search(plan, number)))
    elif plan.reach is None:
        message = "Human genes first; the next pages list other species. Pass species for one alone."
        remarks.append(Notice(code="ORDER", message=message))
    return remarks


def _wider_search(plan: Plan, number: GeneListKind) -> str:
    species_name = plan.reach.name if plan.reach else "human"
    species = (
        {GeneListKind.ONE_LETTER_OFF: "other species", GeneListKind.AT_ONCE: "all species"}
        if plan.reach is None
        else {}
    )
    near_names = f"{species_name} names one letter away" if plan.near_term else ""
    lists = " and ".join(filter(None, (species.get(number, f"words in {species_name}"), near_names)))
    subject = "the symbol" if plan.symbol else "the name"
    return f"No {species_name} gene has {subject} {plan.query!r:.120}; searched {lists}."


def unmatched(plan: Plan) -> Notice:
    """A notice without hits: the places not searched, and what to try."""
    if plan.database:
        message = f"No {(plan.reach or HUMAN).name} gene has the {plan.database} identifier {plan.symbol!r}."
        return Notice(code="UNMATCHED", message=message)
    if plan.reach and plan.reach.is_strain:
        message = f"No gene of {plan.reach.name} is called {plan.query!r:.120}; in a strain, words cannot be searched."
        return Notice(code="UNMATCHED", message=message)
    return no_match(plan.query, plan.reach)


def no_match(query: str, reach: Reach | None = None) -> Notice:
    """A notice without hits, and what to try."""
    scope = f" in {reach.name}" if reach else ""
    advice = _OF_CLONES if _CLONE.fullmatch(query.strip()) else "Try a symbol, fewer words, or another species."
    message = f"No gene matches {query!r:.120}{scope}. {advice}"
    return Notice(code="UNMATCHED", message=message)


def may_be_species(reach: Reach) -> Notice:
    """A notice that a part of the query, searched as a word, may name a species."""
    message = f"A word of the query may name a species: pass species={reach.name!r} to search in it."
    return Notice(code="UNMATCHED", message=message)


def foreign(gene: GeneHit, reach: Reach) -> Notice:
    """A notice that the gene with the requested ID belongs to another species."""
    return Notice(code="UNMATCHED", message=f"{gene.id} is {gene.symbol} of {gene.species}, not of {reach.name}.")


def without_text(reason: str) -> Notice:
    """A notice that only symbols were looked up, as the search by words failed."""
    return Notice(code="LEG_FAILED", message=f"Symbols only: free text was not searched. {reason}")


def product_notice(product_id: str, gene: GeneHit) -> Notice:
    """A notice that the query names a product of the gene."""
    return Notice(code="QUERY_UNDERSTOOD", message=f"{product_id} is a product of {gene.symbol} ({gene.id}).")
