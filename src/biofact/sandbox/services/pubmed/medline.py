"""Articles in MEDLINE's text format, as a recorded answer has it (pubmed/biopython_medline_pubmed_result3.txt)."""

import itertools
import textwrap
from collections.abc import Iterator

from biofact.sandbox.services.pubmed import dates
from biofact.sandbox.services.pubmed.facts import ArticleFacts, AuthorFacts, GrantFacts, Heading, Journal, plain

Line = tuple[str, str]
"""A tag and its value."""

_WIDTH = 87
_INDENT = " " * 6
_EVENTS = {"pubmed": "EDAT", "medline": "MHDA", "entrez": "CRDT"}


def record(article: ArticleFacts, journal: Journal) -> str:
    """One record, with the empty line that stands before each."""
    return "\n" + "".join(_line(tag, value) for tag, value in _lines(article, journal) if value)


def _line(tag: str, value: str) -> str:
    wrapped = textwrap.wrap(value, _WIDTH - len(_INDENT), break_long_words=False, break_on_hyphens=False)
    return f"{tag:<4}- " + f"\n{_INDENT}".join(wrapped) + "\n"


def _lines(article: ArticleFacts, journal: Journal) -> Iterator[Line]:
    yield from (("PMID", article.pmid), ("OWN", article.owner), ("STAT", article.status))
    yield from (("DCOM", _digits(article.completed)), ("LR", _digits(article.revised)))
    yield "IS", f"{journal.issn} ({journal.issn_type})" if journal.issn else ""
    yield "IS", f"{journal.issn_linking} (Linking)" if journal.issn_linking else ""
    yield from (("VI", article.volume), ("IP", article.issue), ("DP", article.published))
    yield from (("TI", plain(article.title)), ("PG", article.pages))
    yield from (("LID", f"{value} [{kind}]") for kind, value in article.locations)
    yield from (("AB", _abstract(article)), ("CI", plain(article.copyright)))
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
    yield from ((_EVENTS[event], _slashes(date)) for event, date in article.history if event in _EVENTS)
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


def _abstract(article: ArticleFacts) -> str:
    return " ".join(f"{one.label}: {plain(one.text)}" if one.label else plain(one.text) for one in article.abstract)


def _heading(heading: Heading) -> str:
    return "/".join(f"{'*' if term.is_major else ''}{term.name}" for term in (heading.descriptor, *heading.qualifiers))


def _grant(grant: GrantFacts) -> str:
    return "/".join(filter(None, (grant.number, grant.acronym, grant.agency, grant.country)))


def citation(article: ArticleFacts, journal: Journal) -> str:
    """Such as ``Med Phys. 2012 Oct;39(10):5795-813. doi: 10.1118/1.4748329``, with a full stop."""
    doi = article.one_id("doi")
    return f"{journal.short}. {printed_place(article)}." + (f" doi: {doi}." if doi else "")


def printed_place(article: ArticleFacts) -> str:
    """Where an article was printed: ``2012 Oct;39(10):5795-813``."""
    issue = f"({article.issue})" if article.issue else ""
    pages = f":{article.pages}" if article.pages else ""
    return ";".join(filter(None, (article.published, f"{article.volume}{issue}{pages}")))


def _digits(iso: str) -> str:
    """``20121008`` of ``2012-10-08``; nothing without a date."""
    day = dates.begin(iso)
    return f"{day:%Y%m%d}" if day else ""


def _slashes(iso: str) -> str:
    """``2012/10/09 06:00`` of ``2012-10-09 06:00``."""
    date, _, time = iso.partition(" ")
    return f"{date.replace('-', '/')} {time or '00:00'}"
