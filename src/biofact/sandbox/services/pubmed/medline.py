"""Articles as text: MEDLINE's format, and what PubMed calls ``abstract``.

MEDLINE's is as a recorded answer has it (pubmed/biopython_medline_pubmed_result3.txt). No recording has the other; its
layout is that of texts which public scripts quote (read 2026-11-23): citation, title, authors, abstract and IDs.
"""

import itertools
import textwrap
from collections.abc import Iterator

from biofact.sandbox.services.pubmed import facts
from biofact.sandbox.services.pubmed.facts import ArticleFacts, AuthorFacts, GrantFacts, Heading, Journal, plain
from biofact.sandbox.services.pubmed.render import date_in_words, printed_place, relation, timestamp

Line = tuple[str, str]
"""A tag and its value."""

_MEDLINE_WIDTH = 87
_INDENT = " " * 6
_EVENTS = {"pubmed": "EDAT", "medline": "MHDA", "entrez": "CRDT"}


def medline_record(article: ArticleFacts, journal: Journal) -> str:
    """One record, with the empty line that stands before each."""
    return "\n" + "".join(_line(tag, value) for tag, value in _lines(article, journal) if value)


def _line(tag: str, value: str) -> str:
    wrapped = textwrap.wrap(value, _MEDLINE_WIDTH - len(_INDENT), break_long_words=False, break_on_hyphens=False)
    return f"{tag:<4}- " + f"\n{_INDENT}".join(wrapped) + "\n"


def _lines(article: ArticleFacts, journal: Journal) -> Iterator[Line]:
    yield from (("PMID", article.pmid), ("OWN", article.owner), ("STAT", article.status))
    yield from (("DCOM", _digits(article.completed)), ("LR", _digits(article.revised)))
    yield "IS", f"{journal.issn} ({journal.issn_type})" if journal.issn else ""
    yield "IS", f"{journal.issn_linking} (Linking)" if journal.issn_linking else ""
    yield from (("VI", article.volume), ("IP", article.issue), ("DP", article.published))
    yield from (("TI", plain(article.title)), ("PG", article.pages))
    yield from (("LID", f"{value} [{kind}]") for kind, value in article.locations)
    yield from (("AB", " ".join(_sections(article))), ("CI", plain(article.copyright)))
    yield from itertools.chain.from_iterable(map(_author, article.authors))
    yield from (("LA", language) for language in article.languages)
    yield from (("SI", f"{name}/{number}") for name, numbers in article.data_banks for number in numbers)
    yield from (("GR", _grant(grant)) for grant in article.grants)
    yield from (("PT", name) for name in article.type_names)
    yield from (("DEP", _digits(article.electronic)), ("TT", plain(article.vernacular)))
    yield from (("PL", journal.country), ("TA", journal.short), ("JT", journal.title), ("JID", journal.nlm_id))
    yield from (("RN", f"{number} ({substance.name})") for number, substance in article.substances)
    yield from (("MH", _heading(heading)) for heading in article.mesh)
    yield from (("OT", plain(word)) for word in article.keywords)
    yield "COIS", plain(article.conflict_of_interest)
    yield from ((_EVENTS[event], timestamp(date)) for event, date in article.history if event in _EVENTS)
    # PMC's has a tag of its own.
    yield from (("AID", f"{value} [{kind}]") for kind, value in article.ids if kind in {"doi", "pii"})
    yield from (("PMC", value) for value in article.all_ids("pmc"))
    yield from (("PST", article.stage), ("SO", citation(article, journal)))


def _author(author: AuthorFacts) -> Iterator[Line]:
    if author.collective:
        yield "CN", author.collective
    else:
        yield "FAU", ", ".join(filter(None, (author.last, author.fore, author.suffix)))
        yield "AU", author.short
        yield "AUID", f"ORCID: {author.orcid}" if author.orcid else ""
    yield from (("AD", place) for place in author.affiliations)


def _sections(article: ArticleFacts) -> Iterator[str]:
    return (": ".join(filter(None, (section.label, plain(section.text)))) for section in article.abstract)


def _heading(heading: Heading) -> str:
    return "/".join(f"{'*' if term.is_major else ''}{term.name}" for term in (heading.descriptor, *heading.qualifiers))


def _grant(grant: GrantFacts) -> str:
    return "/".join(filter(None, (grant.number, grant.acronym, grant.agency, grant.country)))


def citation(article: ArticleFacts, journal: Journal) -> str:
    """Such as ``Med Phys. 2012 Oct;39(10):5795-813. doi: 10.1118/1.4748329``, with a full stop."""
    doi = article.one_id("doi")
    return f"{journal.short}. {printed_place(article)}." + (f" doi: {doi}." if doi else "")


def _digits(iso: str) -> str:
    """``20121008`` of ``2012-10-08``; nothing without a date."""
    day = facts.first_day(iso)
    return f"{day:%Y%m%d}" if day else ""


_ABSTRACT_WIDTH = 80


def abstract_record(number: int, article: ArticleFacts, journal: Journal) -> str:
    """One record; ``number`` is its place in the answer, from 1. Two empty lines stand between records."""
    separator = "\n\n" if number > 1 else ""
    parts = (part for part in _parts(number, article, journal) if part)
    return separator + "\n\n".join(parts) + "\n"


def _parts(number: int, article: ArticleFacts, journal: Journal) -> Iterator[str]:
    epub = f" Epub {date_in_words(article.electronic)}." if article.electronic else ""
    yield _wrapped(f"{number}. {citation(article, journal)}{epub}")
    yield _wrapped(plain(article.title or article.vernacular))
    distinct_places = dict.fromkeys(place for author in article.authors for place in author.affiliations)
    places = {place: index for index, place in enumerate(distinct_places, start=1)}
    yield _wrapped(_authors(article, places))
    if places:
        yield "\n".join(["Author information:", *(_wrapped(f"({index}){place}") for place, index in places.items())])
    for kind, related in itertools.groupby(article.relations, key=lambda item: item.kind):
        yield "\n".join([relation(kind), *(_wrapped(f"{item.source}.", indent="    ") for item in related)])
    yield "\n".join(map(_wrapped, _sections(article)))
    yield _wrapped(plain(article.copyright))
    yield "\n".join(_id_lines(article))
    if article.conflict_of_interest:
        yield _wrapped(f"Conflict of interest statement: {plain(article.conflict_of_interest)}")


def _wrapped(text: str, indent: str = "") -> str:
    """Lines of at most 80 characters; a blank is left where a line was broken."""
    width = _ABSTRACT_WIDTH - len(indent)
    lines = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
    return " \n".join(indent + line for line in lines)


def _authors(article: ArticleFacts, places: dict[str, int]) -> str:
    """``Horby P(1), Lim WS(2).``; groups come first, and a semicolon after them."""
    groups = [author.collective for author in article.authors if author.collective]
    people = [_person(author, places) for author in article.authors if not author.collective]
    return "; ".join(filter(None, (*groups, ", ".join(people)))) + "." if article.authors else ""


def _person(author: AuthorFacts, places: dict[str, int]) -> str:
    return author.short + "".join(f"({places[place]})" for place in author.affiliations)


def _id_lines(article: ArticleFacts) -> Iterator[str]:
    yield from (f"DOI: {doi}" for doi in article.all_ids("doi"))
    yield from (f"PMCID: {pmc}" for pmc in article.all_ids("pmc"))
    yield f"PMID: {article.pmid}" + (" [Indexed for MEDLINE]" if article.status == "MEDLINE" else "")
