"""Notices about a search and its hits. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace

from biofact.core import organisms
from biofact.core.errors import AmbiguousQuery, CallTool, ToolRef
from biofact.core.identifiers import QUERY_LENGTH
from biofact.core.records import Notice
from biofact.core.words import clone_name, folded, plain, without_generic, words
from biofact.dialects import eutils
from biofact.dialects.eutils import SearchAnswer
from biofact.protocol.ranking import Ranked, match_notices
from biofact.protocol.templates import NoticeTemplate
from biofact.sources.entrez.parse import Docsum
from biofact.sources.entrez.parse.docsums import MOST_ALIASES, MOST_DESIGNATIONS
from biofact.sources.entrez.records import curie
from biofact.sources.entrez.search.queries import SEARCH, Organism, Plan, in_words, is_raw

_MOST_NAMED = 15
_ENSEMBL_SEARCH = ToolRef("ensembl", "search_genes")
_MAY_BE_MISSPELT = re.compile(r"\b(?:\d*[^\W\d_]){3}\w")  # BRKA1, but not TP35: a digit is never a typo
CUT_ROWS = Notice(
    code="LIST_CUT", message=f"Hits list {MOST_ALIASES} aliases and {MOST_DESIGNATIONS} other designations at most."
)
FOREIGN = NoticeTemplate("UNMATCHED", "{docsum.id} is {docsum.symbol} of {docsum.organism}, not of {organism.name}.")
_ASSUMED_ORGANISM = NoticeTemplate(
    "ASSUMED", "Searched in {organism.name} alone, as the query's words say; pass organism to choose another."
)
_PLAN_TAGS = re.compile(r"\[(?:properties|prop|gene name)\]", re.IGNORECASE)
_OPERATOR = re.compile(r"\b(AND|OR|NOT)\b")
_FILTER = re.compile(r"\[(?:p?org|primary org|tax|tid|prop|filt|chr)[^\]]*\]|^\s*$", re.IGNORECASE)


def check(query: str, organism: str | None) -> None:
    """Refuse a query that NCBI would read otherwise than it is meant.

    Raises:
        AmbiguousQuery: brackets do not match.
    """
    if is_raw(query) and (problem := eutils.syntax_problem(query)):
        raise not_understood(query, organism, problem)


def is_unknown(plan: Plan, answer: SearchAnswer) -> bool:
    """Whether NCBI knows no word of the query: it then drops them all, and what it finds answers something else."""
    unknown = _not_found(plan, answer)
    if plan.lead is not None:
        return words(without_generic(plan.query)) <= words(" ".join((*unknown, *answer.phrases_ignored)))
    return is_nothing_known(answer)


def known_words(plan: Plan, answer: SearchAnswer) -> list[str]:
    """A plain query without the words that NCBI does not know, as its one fragment; none if it knows all or nothing."""
    unknown = words(" ".join((*_not_found(plan, answer), *answer.phrases_ignored)))
    known_text = " ".join(word for word in plan.query.split() if not words(word) <= unknown)
    return [known_text] if plan.lead is not None and plain(known_text) and known_text != plan.query else []


def query_notices(plan: Plan, answer: SearchAnswer, leaders: Sequence[Ranked[Docsum]]) -> list[Notice]:
    """Notices of page 1 on the search as a whole; ``leaders`` are its hits by name, best first.

    Raises:
        AmbiguousQuery: NCBI does not know the organism; the unfiltered answer would be another question's.
    """
    check_organism(plan.organism, answer)
    notices = [_ASSUMED_ORGANISM(organism=plan.organism)] if plan.organism and plan.is_organism_from_query else []
    quoted = answer.quoted_phrases_not_found if plan.lead is None else ()  # in plain words the quotes are ours
    unknown = tuple(_not_found(plan, answer))
    notices += eutils.ignored("NCBI", replace(answer, phrases_not_found=unknown, quoted_phrases_not_found=quoted))
    notices += [*_read_otherwise(plan, answer), *eutils.messages("NCBI", answer)]
    if not answer.count:
        notices.append(unmatched(plan.query, plan.organism, is_plain=plan.lead is not None))
    return [*notices, *match_notices(plan.query, leaders)]


def check_organism(organism: Organism | None, answer: SearchAnswer) -> None:
    """Refuse an answer to another question.

    Raises:
        AmbiguousQuery: NCBI does not know the organism, and searched without it.
    """
    if organism and _is_dropped(organism, answer):
        raise AmbiguousQuery(
            f"NCBI Gene knows no organism {organism.text!r:.80}, or has no genes of it.",
            hint=f"Give a scientific name, an NCBI taxon ID, or one of: {organisms.EXAMPLES}.",
            invalid_input=organism.text,
        )


def is_nothing_known(answer: SearchAnswer) -> bool:
    """Whether NCBI knows none of the names in a term: it then drops them all, and finds every gene of the organism."""
    unknown = answer.phrases_not_found or answer.quoted_phrases_not_found
    return bool(unknown) and not _is_about_genes(answer.query_translation)


def unmatched(query: str, organism: Organism | None = None, *, is_plain: bool = False) -> Notice:
    """A notice without hits, and what to try; ``is_plain`` for words without syntax."""
    scope = f" in {organism.name}" if organism else ""
    message = f"No live gene matches {query!r:.120}{scope}. {_advice(query, organism, is_plain=is_plain)}"
    return Notice(code="UNMATCHED", message=message)


def of_clone(query: str) -> str | None:
    """The advice for a gene's name that only older assemblies had; None for any other."""
    clone = clone_name(query)
    return clone and (
        f"{clone} is named after a clone, as annotation of older assemblies such as GRCh37 named genes without"
        " a symbol; such names were dropped. Try the gene's Ensembl ID or its place."
    )


def _advice(query: str, organism: Organism | None, *, is_plain: bool) -> str:
    if clone := of_clone(query):
        return clone
    advice = "Try a symbol, fewer words, or another organism."
    is_in_ensembl = organism is None or organism.taxon_id in organisms.ORDER
    if is_plain and is_in_ensembl and _MAY_BE_MISSPELT.search(query):
        advice += f" For a misspelt name call {_ENSEMBL_SEARCH}: the Ensembl database finds names a letter away."
    return advice


def retired(docsums: Sequence[Docsum]) -> Notice:
    """Names records that a search found but that no longer stand."""
    fates = ((docsum.id, docsum.current_id) for docsum in docsums[:_MOST_NAMED])
    names = ", ".join(
        f"{gene_id} ({f'now {curie(new_uid)}' if new_uid else 'withdrawn'})" for gene_id, new_uid in fates
    )
    return Notice(code="DROPPED", message=f"Retired records were left out: {names}.")


def not_understood(query: str, organism: str | None, problem: str) -> AmbiguousQuery:
    """A query that cannot be run; the way on is the same words without syntax."""
    plain = in_words(query)
    filters = {"organism": organism} if organism else {}
    return AmbiguousQuery(
        f"NCBI Gene could not run the query: {problem:.200}.",
        hint="Use plain words, or check brackets and field tags such as [sym], [orgn], [title].",
        invalid_input=query,
        recovery=CallTool(SEARCH, {"query": plain, **filters})
        if plain != query and len(plain) in QUERY_LENGTH
        else None,
    )


def _is_about_genes(translation: str) -> bool:
    """Whether a query as NCBI understood it asks for more than an organism, a chromosome or a kind of record."""
    operator = ""
    for part in _OPERATOR.split(re.sub(r"[()]", "", translation)):
        if _OPERATOR.fullmatch(part):
            operator = part
        elif operator != "NOT" and not _FILTER.search(part) and not organisms.is_name(part.partition("[")[0]):
            return True
    return False


def _is_dropped(organism: Organism, answer: SearchAnswer) -> bool:
    """Whether NCBI searched without the organism."""
    organism_name = organism.term.partition("[")[0].strip('"').casefold()
    unknown = (*answer.phrases_not_found, *answer.quoted_phrases_not_found)
    return any(organism_name in phrase.casefold() for phrase in unknown if "[org" in phrase.casefold())


def _read_otherwise(plan: Plan, answer: SearchAnswer) -> list[Notice]:
    """NCBI's reading of the query, where it differs from the query."""
    translation = answer.query_translation
    if plan.lead is None:
        differs = folded(translation) not in {"", folded(plan.whole)}
    else:  # our own syntax around the words is no news; a word taken for something else is
        lost_words = words(without_generic(plan.query)) - words(" ".join((translation, *_not_found(plan, answer))))
        differs = (
            bool(lost_words - words(" ".join(answer.phrases_ignored))) and bool(translation) and bool(answer.count)
        )
    return [Notice(code="QUERY_UNDERSTOOD", message=f"NCBI searched for: {translation:.500}")] if differs else []


def _not_found(plan: Plan, answer: SearchAnswer) -> list[str]:
    """The user's phrases that NCBI does not know; in a plain query the tagged phrases are added by the plan."""
    return [phrase for phrase in answer.phrases_not_found if plan.lead is None or not _PLAN_TAGS.search(phrase)]
