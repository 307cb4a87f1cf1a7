"""The articles that the stand-in knows, found by their words: the starter facts, and recorded articles."""

import csv
import functools
import gzip
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biofact.dialects import xml
from biofact.sandbox.services.pubmed.facts import (
    AbstractSection,
    ArticleFacts,
    AuthorFacts,
    BookFacts,
    DescriptorFacts,
    GrantFacts,
    Heading,
    Journal,
    NamedTerm,
    Reference,
    Relation,
    plain,
)
from biofact.sandbox.services.pubmed.mesh import MeshTree
from biofact.sandbox.tables import Row, facts, hashable, starter_rows
from biofact.sandbox.word_index import Holders, WordIndex, folded

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

Texts = Callable[[ArticleFacts], Iterable[str]]
"""The texts of an article that a field searches."""


class ArticleCorpus:
    """Articles by PMID, with an index of their words, MeSH, and how often each was cited."""

    def __init__(self, articles: Iterable[ArticleFacts], mesh: MeshTree, citations: Iterable[Row] = ()) -> None:
        self.articles = {article.pmid: article for article in articles}
        self.mesh = mesh
        self.cited = {str(row["pmid"]): row["citation_count"] for row in citations}
        self.by_descriptor: defaultdict[str, list[str]] = defaultdict(list)
        self._words = WordIndex()
        self._values: dict[Texts, Holders] = {}
        self._folded: dict[tuple[str, Texts], Sequence[str]] = {}
        for pmid, article in self.articles.items():
            self._words.add(pmid, " ".join(all_texts(article)))
            for heading in article.mesh:
                self.by_descriptor[heading.descriptor.ui].append(pmid)

    def with_phrase(self, phrase: str, texts: Texts) -> list[str]:
        """PMIDs of the articles in which a text holds the words side by side; ``*`` ends a word that goes on."""
        if not (words := folded(phrase)):
            return []
        holders = list(self._holders(phrase))
        if not holders or (texts is all_texts and " " not in words):
            return holders  # which is what the index of words holds
        if "*" not in phrase:  # most phrases: a substring is found faster than a pattern
            return [pmid for pmid in holders if any(f" {words} " in text for text in self._folded_texts(pmid, texts))]
        pattern = _pattern(phrase)
        return [pmid for pmid in holders if any(map(pattern.search, self._folded_texts(pmid, texts)))]

    def with_value(self, phrase: str, texts: Texts) -> list[str]:
        """PMIDs of the articles of which a text is the phrase as a whole; with ``*`` at its end, begins with it."""
        value, index = folded(phrase), self._values_of(texts)
        if not value:
            return []
        if not phrase.endswith("*"):
            return index.uids(value)
        pmids = {pmid for key in index.keys() if key.startswith(value) for pmid in index.uids(key)}  # noqa: SIM118
        return [pmid for pmid in self.articles if pmid in pmids]

    def _values_of(self, texts: Texts) -> Holders:
        """Which articles have which values, gathered once: each pair of words in a query may be an author."""
        if texts not in self._values:
            index = self._values[texts] = Holders()
            for pmid, article in self.articles.items():
                index.add(pmid, {folded(text) for text in texts(article)})
        return self._values[texts]

    def _holders(self, phrase: str) -> Iterable[str]:
        """The articles that hold every word of the phrase somewhere."""
        lists = [holders for word in phrase.split() for holders in self._lists(word)]
        # The rarest first.
        return dict.fromkeys(pmid for pmid in min(lists, key=len) if all(pmid in holders for holders in lists))

    def _lists(self, word: str) -> Iterator[list[str]]:
        parts = folded(word).split()
        for place, part in enumerate(parts, 1):
            is_open = word.endswith("*") and place == len(parts)
            yield self._words.holders_of_prefix(part) if is_open else self._words.holders(part)

    def _folded_texts(self, pmid: str, texts: Texts) -> Sequence[str]:
        """The texts as phrases are searched in them, folded once."""
        if (pmid, texts) not in self._folded:
            self._folded[pmid, texts] = [f" {folded(text)} " for text in texts(self.articles[pmid])]
        return self._folded[pmid, texts]


def _pattern(phrase: str) -> re.Pattern[str]:
    """The pattern that finds a phrase with truncated words among folded words."""
    words = [folded(word) + (r"\w*" if word.endswith("*") else "") for word in phrase.split() if folded(word)]
    return re.compile(f" {' '.join(words)} ")


def title_and_abstract(article: ArticleFacts) -> Iterable[str]:
    """The texts that PubMed searches as Title/Abstract, which include other abstracts and the authors' keywords."""
    yield plain(article.title)
    yield from (plain(passage.text) for passage in article.abstract)
    yield from (plain(text) for _, _, text in article.other_abstracts)
    yield from (plain(word.removeprefix("*")) for word in article.keywords)


def text_words(article: ArticleFacts) -> Iterable[str]:
    """Title and abstract with headings, types and substances."""
    yield from title_and_abstract(article)
    for heading in article.mesh:
        yield heading.descriptor.name
        yield from (qualifier.name for qualifier in heading.qualifiers)
    yield from article.type_names
    yield from (term.name for _, term in (*article.substances, *article.supplementary))
    yield from (number for _, numbers in article.data_banks for number in numbers)


def all_texts(article: ArticleFacts) -> Iterable[str]:
    """The texts that All Fields searches."""
    yield from text_words(article)
    yield plain(article.vernacular)
    if article.journal:
        yield from (article.journal.title, article.journal.short, article.journal.issn, article.journal.nlm_id)
    if article.book:
        yield from (plain(article.book.title), article.book.publisher, article.book.accession)
    for author in article.authors:
        yield from (author.short, f"{author.fore} {author.last}", author.orcid, *author.affiliations)
    yield from (value for _, value in article.ids)
    yield from (text for grant in article.grants for text in (grant.number, grant.agency))
    yield from (article.published, article.volume, article.pmid, *article.languages)


ARTICLES = ("recorded", "well_known", "trials", "reviews", "machines", "forms")
"""The kinds of articles, each with a file."""
_rows = functools.partial(starter_rows, __package__)


@functools.cache
def starter_articles() -> tuple[ArticleFacts, ...]:
    """All articles and chapters, in the order of the files.

    Raises:
        ValueError: A row cannot be read; the message says which and why.
    """
    return tuple(starter_article(row) for name in ARTICLES for row in _rows(f"article.{name}.jsonl"))


@functools.cache
def starter_descriptors() -> tuple[DescriptorFacts, ...]:
    """The MeSH descriptors, by UI."""
    return facts(DescriptorFacts, _rows("descriptor.jsonl"))


@functools.cache
def starter_citations() -> list[Row]:
    """How often the articles were cited, in iCite's form."""
    return _rows("citation.jsonl")


@functools.cache
def publication_types() -> dict[str, tuple[str, str]]:
    """By name, the UI of each publication type and the wider type that it belongs to."""
    return {row["name"]: (row["ui"], row["wider"]) for row in _rows("publication_type.jsonl")}


@functools.cache
def subheadings() -> dict[str, str]:
    """By name, the UI of each MeSH subheading."""
    return {row["name"]: row["ui"] for row in _rows("subheading.jsonl")}


@functools.cache
def _journals_by_name() -> dict[str, Journal]:
    return {journal.short: journal for journal in facts(Journal, _rows("journal.jsonl"))}


@functools.cache
def _descriptor_uis() -> dict[str, str]:
    return {descriptor.name: descriptor.ui for descriptor in starter_descriptors()}


def starter_article(row: Row) -> ArticleFacts:
    """The facts of a row.

    Raises:
        ValueError: It has a field that there is not, or names a journal, heading or type that there is not.
    """
    try:
        return ArticleFacts(**{name: _READERS.get(name, hashable)(value) for name, value in row.items()})
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"The article {row.get('pmid')} cannot be read: {error}.") from error


def _book(row: Row) -> BookFacts:
    return BookFacts(**{**hashable(row), "editors": facts(AuthorFacts, row.get("editors", ()))})


def _heading(text: str) -> Heading:
    """As MEDLINE writes it: ``Aspirin/adverse effects/*therapeutic use``; an asterisk marks a main point."""
    name, *aspects = text.split("/")
    return Heading(_term(name, _descriptor_uis()), tuple(_term(aspect, subheadings()) for aspect in aspects))


def _term(text: str, uis: Mapping[str, str]) -> NamedTerm:
    name = text.removeprefix("*")
    return NamedTerm(uis[name], name, text.startswith("*"))


def _numbered_terms(pairs: list[tuple[str, Row]]) -> tuple[tuple[str, NamedTerm], ...]:
    """The terms, each with its registry number or kind."""
    return tuple((number, NamedTerm(**term)) for number, term in pairs)


_READERS: dict[str, Callable[[Any], Any]] = {
    "journal": lambda short: _journals_by_name()[short],
    "book": _book,
    "abstract": functools.partial(facts, AbstractSection),
    "authors": functools.partial(facts, AuthorFacts),
    "types": lambda names: tuple(NamedTerm(publication_types()[name][0], name) for name in names),
    "mesh": lambda texts: tuple(map(_heading, texts)),
    "substances": _numbered_terms,
    "supplementary": _numbered_terms,
    "grants": functools.partial(facts, GrantFacts),
    "relations": functools.partial(facts, Relation),
    "references": functools.partial(facts, Reference),
}
"""Readers of the article fields that hold facts of their own."""


_WHOLE = frozenset({"body", "rewrapped", "record", "dump"})
"""Manifest values of files that are whole; others were cut or altered."""
_ARTICLE = "MedlineCitation/Article"


def recorded_articles(recordings: Path) -> list[ArticleFacts]:
    """Every article in a folder of recordings, once; of several the one in the first file. None without a manifest."""
    articles: dict[str, ArticleFacts] = {}
    for name in _recorded_files(recordings):
        body = (recordings / name).read_bytes()
        root = xml.tree(gzip.decompress(body) if name.endswith(".gz") else body)
        for record in root.iter("PubmedArticle"):
            if record.findtext(f"{_ARTICLE}/Journal/JournalIssue/PubDate/*"):
                facts = recorded_article(record)
                articles.setdefault(facts.pmid, facts)
    return list(articles.values())


def _recorded_files(recordings: Path) -> Iterator[str]:
    manifest = recordings / "MANIFEST.tsv"
    if not manifest.is_file():
        return
    with manifest.open(encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["wire"] in _WHOLE and re.fullmatch(r"pubmed/(?!sul_esearch).*\.xml(\.gz)?", row["path"]):
                yield row["path"]


def recorded_article(record: "Element") -> ArticleFacts:
    """The facts in a ``<PubmedArticle>``."""
    citation, details = record.find("MedlineCitation"), record.find(_ARTICLE)
    assert citation is not None  # noqa: S101  # every article has both
    assert details is not None  # noqa: S101
    events = record.iterfind("PubmedData/History/PubMedPubDate")
    return ArticleFacts(
        pmid=citation.findtext("PMID", ""),
        title=_markup(details.find("ArticleTitle")),
        vernacular=_markup(details.find("VernacularTitle")),
        journal=_recorded_journal(citation, details),
        volume=details.findtext("Journal/JournalIssue/Volume", ""),
        issue=details.findtext("Journal/JournalIssue/Issue", ""),
        pages=details.findtext("Pagination/MedlinePgn", ""),
        published=" ".join(part.text or "" for part in details.iterfind("Journal/JournalIssue/PubDate/*")),
        electronic=_iso_date(details.find("ArticleDate")),
        model=details.get("PubModel", ""),
        status=citation.get("Status", ""),
        owner=citation.get("Owner", ""),
        completed=_iso_date(citation.find("DateCompleted")),
        revised=_iso_date(citation.find("DateRevised")),
        history=tuple((event.get("PubStatus", ""), _iso_date(event)) for event in events),
        stage=record.findtext("PubmedData/PublicationStatus", ""),
        ids=tuple(_recorded_ids(record.find("PubmedData/ArticleIdList"), "pubmed")),
        located=tuple(f"{element.get('EIdType')}:{element.text}" for element in details.iterfind("ELocationID")),
        languages=tuple(element.text or "" for element in details.iterfind("Language")),
        types=tuple(map(_recorded_term, details.iterfind("PublicationTypeList/PublicationType"))),
        **_recorded_texts(citation, details),
        **_recorded_lists(citation, details),
        references=tuple(map(_recorded_reference, record.iterfind("PubmedData/ReferenceList/Reference"))),
    )


def _recorded_texts(citation: "Element", details: "Element") -> dict[str, Any]:
    """Abstracts, keywords and other texts."""
    return {
        "abstract": tuple(
            AbstractSection(_markup(element), element.get("Label", ""), element.get("NlmCategory", ""))
            for element in details.iterfind("Abstract/AbstractText")
        ),
        "copyright": _markup(details.find("Abstract/CopyrightInformation")),
        "other_abstracts": tuple(
            (
                element.get("Type", ""),
                element.get("Language", "eng"),
                " ".join(map(_markup, element.iterfind("AbstractText"))),
            )
            for element in citation.iterfind("OtherAbstract")
        ),
        "keywords": tuple(
            f"{'*' if element.get('MajorTopicYN') == 'Y' else ''}{_markup(element)}"
            for element in citation.iterfind("KeywordList/Keyword")
        ),
        "conflict_of_interest": _markup(citation.find("CoiStatement")),
    }


def _recorded_lists(citation: "Element", details: "Element") -> dict[str, Any]:
    """Authors, subjects, data banks, grants and related publications."""
    return {
        "authors": tuple(map(_recorded_author, details.iterfind("AuthorList/Author"))),
        "mesh": tuple(
            Heading(_recorded_term(element[0]), tuple(map(_recorded_term, element[1:])))
            for element in citation.iterfind("MeshHeadingList/MeshHeading")
        ),
        "substances": tuple(
            (element.findtext("RegistryNumber", ""), _recorded_term(element[1]))
            for element in citation.iterfind("ChemicalList/Chemical")
        ),
        "supplementary": tuple(
            (element.get("Type", ""), _recorded_term(element))
            for element in citation.iterfind("SupplMeshList/SupplMeshName")
        ),
        "data_banks": tuple(
            (element.findtext("DataBankName", ""), tuple(item.text or "" for item in element.iter("AccessionNumber")))
            for element in details.iterfind("DataBankList/DataBank")
        ),
        "grants": tuple(
            GrantFacts(*_texts(element, "GrantID Acronym Agency Country"))
            for element in details.iterfind("GrantList/Grant")
        ),
        "relations": tuple(
            Relation(element.get("RefType", ""), *_texts(element, "PMID RefSource Note"))
            for element in citation.iterfind("CommentsCorrectionsList/CommentsCorrections")
        ),
    }


def _texts(element: "Element", names: str) -> list[str]:
    """The texts of these children, with blanks between the names; empty for a missing child."""
    return [element.findtext(name, "") for name in names.split()]


def _markup(element: "Element | None") -> str:
    """The content of an element as XML text; of formulas only the letters."""
    if element is None:
        return ""
    parts = [escape(element.text or "", quote=False)]
    for child in element:
        name = child.tag.rpartition("}")[2]
        inner = _markup(child)
        parts.append(f"<{name}>{inner}</{name}>" if child.tag in _INLINE else inner)
        parts.append(escape(child.tail or "", quote=False))
    return "".join(parts)


_INLINE = frozenset({"b", "i", "sup", "sub", "u"})


def _recorded_journal(citation: "Element", details: "Element") -> Journal:
    issn, issue = details.find("Journal/ISSN"), details.find("Journal/JournalIssue")
    return Journal(
        short=citation.findtext("MedlineJournalInfo/MedlineTA", ""),
        title=details.findtext("Journal/Title", ""),
        iso=details.findtext("Journal/ISOAbbreviation", ""),
        nlm_id=citation.findtext("MedlineJournalInfo/NlmUniqueID", ""),
        issn=details.findtext("Journal/ISSN", ""),
        issn_type=issn.get("IssnType", "") if issn is not None else "",
        issn_linking=citation.findtext("MedlineJournalInfo/ISSNLinking", ""),
        country=citation.findtext("MedlineJournalInfo/Country", ""),
        medium=issue.get("CitedMedium", "") if issue is not None else "",
    )


def _iso_date(element: "Element | None") -> str:
    """The date in ISO's form, with a time where there is one; empty without a date."""
    if element is None:
        return ""
    day = "-".join(part.zfill(2) for part in _texts(element, "Year Month Day") if part)
    hour = element.findtext("Hour", "")
    return f"{day} {hour.zfill(2)}:{element.findtext('Minute', '0').zfill(2)}" if hour else day


def _recorded_ids(element: "Element | None", skipped_kind: str) -> Iterator[tuple[str, str]]:
    """The IDs in a list, without those of the kind ``skipped_kind``."""
    for item in element if element is not None else ():
        if item.text and item.get("IdType") != skipped_kind:
            yield item.get("IdType", ""), item.text


def _recorded_term(element: "Element") -> NamedTerm:
    return NamedTerm(element.get("UI", ""), element.text or "", element.get("MajorTopicYN") == "Y")


def _recorded_author(element: "Element") -> AuthorFacts:
    orcid = next((item.text or "" for item in element.iterfind("Identifier") if item.get("Source") == "ORCID"), "")
    collective = element.find("CollectiveName")
    facts = AuthorFacts(
        last=element.findtext("LastName", ""),
        fore=element.findtext("ForeName", ""),
        suffix=element.findtext("Suffix", ""),
        collective="".join(collective.itertext()) if collective is not None else "",
        orcid=orcid.strip(),
        affiliations=tuple("".join(item.itertext()) for item in element.iterfind("AffiliationInfo/Affiliation")),
    )
    initials = element.findtext("Initials", "")
    return facts if facts.initials == initials else replace(facts, known_initials=initials)


def _recorded_reference(element: "Element") -> Reference:
    return Reference(_markup(element.find("Citation")), tuple(_recorded_ids(element.find("ArticleIdList"), "")))
