"""Notices about a search and its hits. Pure."""

from biofact.core.records import Notice
from biofact.core.words import clone_name
from biofact.protocol.templates import NoticeTemplate
from biofact.sources.ensembl.search.queries import GeneListKind, Plan
from biofact.sources.ensembl.search.species import HUMAN, Reach

_OF_CLONES = (
    "It is written like a name after a sequenced clone, which Ensembl gave to genes without a symbol, mostly on GRCh37,"
    " and has changed or dropped since. Try the gene's ENSG ID, or its place mapped to today's assembly; the server of"
    " GRCh37 (BIOFACT_ENSEMBL_URL=https://grch37.rest.ensembl.org) still has such names."
)


MAY_BE_SPECIES = NoticeTemplate(
    "UNMATCHED", "A word of the query may name a species: pass species={reach.name!r} to search in it."
)
FOREIGN = NoticeTemplate("UNMATCHED", "{gene.id} is {gene.symbol} of {gene.species}, not of {reach.name}.")
WITHOUT_TEXT = NoticeTemplate("LEG_FAILED", "Symbols only: free text was not searched. {reason}")
PRODUCT = NoticeTemplate("QUERY_UNDERSTOOD", "{product_id} is a product of {gene.symbol} ({gene.id}).")
_ASSUMED_SPECIES = NoticeTemplate(
    "ASSUMED", "Searched in {species} alone, as the query's words say; pass species to choose another."
)
_OMITTED_WORDS = NoticeTemplate("TERM_IGNORED", "EBI Search takes no query of this length; {words!r:.80} was left out.")
_HUMAN_FIRST = Notice(
    code="ORDER",
    message="Human genes first; the next pages list other species. Pass species for one alone.",
)
_WIDER_SEARCH = NoticeTemplate("QUERY_UNDERSTOOD", "No {species} gene has {subject} {query!r:.120}; searched {lists}.")
_NO_ID = NoticeTemplate("UNMATCHED", "No {species} gene has the {plan.database} identifier {plan.symbol!r}.")
_NONE_IN_STRAIN = NoticeTemplate(
    "UNMATCHED", "No gene of {plan.reach.name} is called {plan.query!r:.120}; in a strain, words cannot be searched."
)
_NO_MATCH = NoticeTemplate("UNMATCHED", "No gene matches {query!r:.120}{scope}. {advice}")


def query_notices(plan: Plan, number: GeneListKind) -> list[Notice]:
    """Notices of page 1 on the reading of the query, and the lists searched."""
    remarks = []
    if plan.reach is not None and plan.is_reach_from_query:
        remarks.append(_ASSUMED_SPECIES(species=plan.reach.name))
    if plan.omitted_words:
        remarks.append(_OMITTED_WORDS(words=plan.omitted_words))
    if number not in {GeneListKind.WORDS, GeneListKind.OTHER_SPECIES}:
        remarks.append(_wider_search(plan, number))
    elif plan.reach is None:
        remarks.append(_HUMAN_FIRST)
    return remarks


def _wider_search(plan: Plan, number: GeneListKind) -> Notice:
    species_name = plan.reach.name if plan.reach else "human"
    species = (
        {GeneListKind.ONE_LETTER_OFF: "other species", GeneListKind.AT_ONCE: "all species"}
        if plan.reach is None
        else {}
    )
    near_names = f"{species_name} names one letter away" if plan.near_term else ""
    lists = " and ".join(filter(None, (species.get(number, f"words in {species_name}"), near_names)))
    subject = "the symbol" if plan.symbol else "the name"
    return _WIDER_SEARCH(species=species_name, subject=subject, query=plan.query, lists=lists)


def unmatched(plan: Plan) -> Notice:
    """A notice without hits: the places not searched, and what to try."""
    if plan.database:
        return _NO_ID(species=(plan.reach or HUMAN).name, plan=plan)
    if plan.reach and plan.reach.is_strain:
        return _NONE_IN_STRAIN(plan=plan)
    return no_match(plan.query, plan.reach)


def no_match(query: str, reach: Reach | None = None) -> Notice:
    """A notice without hits, and what to try."""
    scope = f" in {reach.name}" if reach else ""
    advice = _OF_CLONES if clone_name(query) else "Try a symbol, fewer words, or another species."
    return _NO_MATCH(query=query, scope=scope, advice=advice)
