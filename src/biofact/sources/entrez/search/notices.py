"""What has to be said about a search and its answer. Pure."""

from biofact.core.errors import AmbiguousQuery, BiofactError, CallTool
from biofact.core.identifiers import QUERY_LENGTH
from biofact.core.provenance import Notice
from biofact.dialects import eutils
from biofact.dialects.eutils import SearchAnswer
from biofact.sources.entrez.records import EntrezGene
from biofact.sources.entrez.search import organisms
from biofact.sources.entrez.search.organisms import Organism
from biofact.sources.entrez.search.queries import SEARCH, Plan, plain_words
from biofact.sources.entrez.search.ranking import Ranked
from biofact.sources.entrez.search.words import folded, words
from biofact.transport.service import Refused


def is_unknown(plan: Plan, answer: SearchAnswer) -> bool:
    """Whether NCBI knows no word of a plain query; what it then finds was searched without the query."""
    unknown = words(" ".join(phrase for phrase in answer.phrases_not_found if not _is_ours(phrase)))
    return plan.lead is not None and words(plain_words(plan.query)) <= unknown


def replacing(gene: EntrezGene, asked_id: str) -> EntrezGene:
    """The current record, saying which ID it replaced."""
    message = f"{asked_id} was replaced; this is the current record, {gene.id}."
    notices = [Notice(code="REPLACED", message=message), *gene.notices]
    return gene.model_copy(update={"replaces": asked_id, "notices": notices})


def unmatched(query: str) -> Notice:
    """Says that nothing was found, and what to try."""
    message = f"No live gene matches {query!r:.120}. Try a symbol, fewer words, or another organism."
    return Notice(code="UNMATCHED", message=message)


def not_understood(query: str, words: str) -> AmbiguousQuery:
    """NCBI's refusal of a query, in its own words; the way on is the same words without syntax."""
    plain = plain_words(query)
    return AmbiguousQuery(
        f"NCBI Gene could not run the query: {words:.200}",
        hint="Use plain words, or check brackets and field tags such as [sym], [orgn], [title].",
        invalid_input=query,
        recovery=CallTool(SEARCH, {"query": plain}) if plain != query and len(plain) in QUERY_LENGTH else None,
    )


def refused(query: str, refusal: Refused) -> BiofactError:
    """What NCBI's refusal of a search means: the query, or something that the caller cannot help."""
    words = eutils.found_error(refusal.answer.body)
    return not_understood(query, words) if words and words.kind == "query" else eutils.refusal(refusal)


def notices(plan: Plan, answer: SearchAnswer, leaders: list[Ranked]) -> list[Notice]:
    """What page 1 says about the search as a whole; ``leaders`` are its exact hits, best first.

    Raises:
        AmbiguousQuery: NCBI does not know the organism; the unfiltered answer would be another question's.
    """
    unknown = [phrase for phrase in answer.phrases_not_found if not _is_ours(phrase)]
    if plan.organism and any(plan.organism.name.casefold() in phrase.casefold() for phrase in unknown):
        raise _unknown_organism(plan, plan.organism)
    found = [_assumed(plan.organism)] if plan.organism and plan.is_organism_from_query else []
    found += [Notice(code="TERM_IGNORED", message=f"NCBI ignored {what}.") for what in _ignored(answer, unknown)]
    if plan.lead is None and folded(answer.query_translation) not in {"", folded(plan.whole)}:
        found.append(Notice(code="QUERY_UNDERSTOOD", message=f"NCBI searched for: {answer.query_translation:.500}"))
    if not answer.count:
        found.append(unmatched(plan.query))
    shared = [gene for gene in leaders if gene.best == leaders[0].best]
    if len(shared) > 1:
        names = ", ".join(f"{gene.docsum.symbol} (NCBIGene:{gene.docsum.uid})" for gene in shared)
        message = f"{len(shared)} genes share the best match ({shared[0].match.kind}): {names}."
        found.append(Notice(code="SHARED_MATCH", message=message))
    return found


def _is_ours(phrase: str) -> bool:
    """A part of the query that we added, not the user."""
    return "[properties]" in phrase.lower() or "alive[prop]" in phrase.lower() or "[gene name]" in phrase.lower()


def _ignored(answer: SearchAnswer, unknown: list[str]) -> list[str]:
    fields = [f"the unknown field [{name}]" for name in answer.fields_not_found]
    phrases = [f"{phrase!r:.80}, which it does not know" for phrase in (*unknown, *answer.phrases_ignored)]
    quoted = [f"the quotes of {phrase!r:.80}" for phrase in answer.quoted_phrases_not_found if not _is_ours(phrase)]
    return [*fields, *phrases, *quoted]


def _assumed(organism: Organism) -> Notice:
    message = f"Searched in {organism.name} alone, as the query's words say; pass organism to choose another."
    return Notice(code="ASSUMED", message=message)


def _unknown_organism(plan: Plan, organism: Organism) -> AmbiguousQuery:
    return AmbiguousQuery(
        f"NCBI Taxonomy has no organism {organism.name!r:.80}.",
        hint=f"Give a scientific name, an NCBI taxon ID, or one of: {organisms.EXAMPLES}.",
        invalid_input=organism.asked,
        recovery=CallTool(SEARCH, {"query": plan.query}),
    )
