"""Answers of esearch, esummary, epost, espell, einfo and elink, from JSON or XML. Pure.

Readers take a whole body. They raise ``Transient`` for one that is damaged, and for an error that may pass;
an error that will stay stands in the answer's ``error``, in the service's own words.

All commands of elink are read for their UIDs. LinkOut pages and kinds of links, which ``llinks``, ``prlinks``,
``acheck``, ``ncheck`` and ``lcheck`` list, are passed over: no source needs a model of them.
"""

import functools
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from biofact.dialects.eutils.documents import AnswerFields, as_text, document
from biofact.dialects.eutils.errors import ErrorMessage, document_error, joined_error, own_errors
from biofact.dialects.json_splitter import WholeAnswer
from biofact.transport.service import Transient


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The matching records, and the service's reading of the query."""

    count: int = 0
    """Number of all matching records."""
    retstart: int = 0
    """How many matching records come before the first of ``uids``."""
    uids: tuple[str, ...] = ()
    """In the order of the request."""
    query_translation: str = ""
    phrases_not_found: tuple[str, ...] = ()
    """Words that match nothing. PubMed drops them and searches for the rest: this is the only sign of it."""
    fields_not_found: tuple[str, ...] = ()
    phrases_ignored: tuple[str, ...] = ()
    quoted_phrases_not_found: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    web_env: str | None = None
    query_key: str | None = None
    version: str = field(default="", compare=False)
    """Version of the answer's form, if it is JSON; E-utilities have no other version."""
    error: ErrorMessage | None = None


@dataclass(frozen=True, slots=True)
class Summaries:
    """Docsums by UID, in JSON's shape: lower-case names; those of Gene and PubMed with numbers and lists as in JSON."""

    uids: tuple[str, ...] = ()
    """In the order of the request, UIDs without a docsum included."""
    docsums: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    errors: Mapping[str, ErrorMessage] = field(default_factory=dict)
    """Why a UID has no docsum; of kind ``absent`` if there is no such record."""
    error: ErrorMessage | None = None
    """Error of the whole request, or of UIDs that the answer leaves out."""


@dataclass(frozen=True, slots=True)
class PostAnswer:
    """The UIDs' place on the History server. Of a list with bad UIDs, NCBI stores the good ones."""

    query_key: str | None = None
    web_env: str | None = None
    invalid_ids: tuple[str, ...] = ()
    error: ErrorMessage | None = None


@dataclass(frozen=True, slots=True)
class SpellAnswer:
    """A better spelling; ``corrected`` is empty when there is none."""

    database: str = ""
    query: str = ""
    corrected: str = ""
    replacements: tuple[str, ...] = ()
    """Corrected words."""
    error: ErrorMessage | None = None


@dataclass(frozen=True, slots=True)
class SearchField:
    """A field that ``term[NAME]`` can search."""

    name: str
    full_name: str
    description: str
    term_count: int
    is_date: bool
    is_numerical: bool
    is_single_token: bool
    is_hierarchy: bool
    is_hidden: bool


@dataclass(frozen=True, slots=True)
class LinkType:
    """A kind of link from one database to another."""

    name: str
    menu: str
    description: str
    db_to: str


@dataclass(frozen=True, slots=True)
class DatabaseInfo:
    """One Entrez database."""

    name: str
    menu_name: str
    description: str
    build: str
    count: int
    """Number of records; 0 if the service does not report it."""
    last_update: str
    fields: tuple[SearchField, ...]
    links: tuple[LinkType, ...]


@dataclass(frozen=True, slots=True)
class InfoAnswer:
    """The names of all databases, or one described."""

    databases: tuple[str, ...] = ()
    database: DatabaseInfo | None = None
    error: ErrorMessage | None = None


def search_answer(body: bytes) -> SearchAnswer:
    """The answer of esearch."""
    answer = document(body)
    error = document_error(answer.values)
    result = answer.fields("esearchresult")
    if error is not None and "count" not in result:
        return SearchAnswer(error=error)
    errors, warnings = result.fields("errorlist"), result.fields("warninglist")
    count, retstart, uids = result.number("count"), result.number("retstart", 0), result.texts("idlist")
    if count and not (uids or retstart) and result.number("retmax", 0):
        raise Transient(f"sent none of the {count} UIDs that it found")
    return SearchAnswer(
        count=count,
        retstart=retstart,
        uids=uids,
        query_translation=result.text("querytranslation"),
        phrases_not_found=errors.texts("phrasesnotfound"),
        fields_not_found=errors.texts("fieldsnotfound"),
        phrases_ignored=warnings.texts("phrasesignored"),
        quoted_phrases_not_found=warnings.texts("quotedphrasesnotfound"),
        messages=warnings.texts("outputmessages"),
        web_env=result.text("webenv") or None,
        query_key=result.text("querykey") or None,
        version=answer.fields("header").text("version"),
        error=error,
    )


def summaries(body: bytes) -> Summaries:
    """The docsums of an esummary answer, of version 2 or the old one."""
    answer = document(body)
    error = document_error(answer.values)
    if error is not None and "result" not in answer:
        return Summaries(error=error)
    result = answer.fields("result")
    if "uids" not in result:
        raise Transient("sent an esummary answer without uids")
    docsums: dict[str, Mapping[str, Any]] = {}
    errors: dict[str, ErrorMessage] = {}
    for uid in result.texts("uids"):
        docsum = AnswerFields(result.values.get(uid))
        if words := joined_error([docsum.text("error")]):
            errors[uid] = words
        else:
            docsums[uid] = docsum.values
    return Summaries(result.texts("uids"), docsums, errors, error)


def post_answer(body: bytes) -> PostAnswer:
    """The answer of epost."""
    answer = document(body)
    error = document_error(answer.values)
    result = answer.fields("epostresult")
    if error is None and not ("querykey" in result and "webenv" in result):
        raise Transient("sent an epost answer without QueryKey and WebEnv")
    return PostAnswer(
        query_key=result.text("querykey") or None,
        web_env=result.text("webenv") or None,
        invalid_ids=result.texts("invalidids"),
        error=error,
    )


def spell_answer(body: bytes) -> SpellAnswer:
    """The answer of espell."""
    answer = document(body)
    error = document_error(answer.values)
    spelling = answer.fields("espellresult")
    if error is None and "query" not in spelling:
        raise Transient("sent an espell answer without Query")
    return SpellAnswer(
        database=spelling.text("database"),
        query=spelling.text("query"),
        corrected=spelling.text("correctedquery"),
        replacements=spelling.texts("replaced"),
        error=error,
    )


def info_answer(body: bytes) -> InfoAnswer:
    """The databases that einfo names, or the one that it describes."""
    answer = document(body)
    error = document_error(answer.values)
    if error is not None:
        return InfoAnswer(error=error)
    result = answer.fields("einforesult")
    databases = result.texts("dblist")
    details = result.rows("dbinfo")
    if not databases and not details:
        raise Transient("sent an einfo answer without databases")
    return InfoAnswer(databases, _database(details[0]) if details else None)


def _database(details: AnswerFields) -> DatabaseInfo:
    return DatabaseInfo(
        name=details.text("dbname"),
        menu_name=details.text("menuname"),
        description=details.text("description"),
        build=details.text("dbbuild"),
        count=details.number("count", 0),
        last_update=details.text("lastupdate"),
        fields=tuple(_search_field(row) for row in details.rows("fieldlist")),
        links=tuple(
            LinkType(row.text("name"), row.text("menu"), row.text("description"), row.text("dbto"))
            for row in details.rows("linklist")
        ),
    )


def _search_field(row: AnswerFields) -> SearchField:
    return SearchField(
        name=row.text("name"),
        full_name=row.text("fullname"),
        description=row.text("description"),
        term_count=row.number("termcount", 0),
        is_date=row.text("isdate") == "Y",
        is_numerical=row.text("isnumerical") == "Y",
        is_single_token=row.text("singletoken") == "Y",
        is_hierarchy=row.text("hierarchy") == "Y",
        is_hidden=row.text("ishidden") == "Y",
    )


@dataclass(frozen=True, slots=True)
class StoredLinks:
    """Links that the History server keeps."""

    db_to: str
    link_name: str
    query_key: str
    web_env: str


@dataclass(frozen=True, slots=True)
class LinkSet:
    """Links of one record, or of several requested together, which the answer does not tell apart."""

    db_from: str
    source_ids: tuple[str, ...]
    links: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """UIDs by link name, such as ``gene_pubmed``, in the service's order; a name without links is not there."""
    scores: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """By link name and UID; ``neighbor_score`` only."""
    histories: tuple[StoredLinks, ...] = ()
    error: ErrorMessage | None = None


@dataclass(frozen=True, slots=True)
class LinkAnswer:
    """One set for each ``id`` parameter of the request, in their order."""

    linksets: tuple[LinkSet, ...] = ()
    error: ErrorMessage | None = None


def link_answer(body: bytes) -> LinkAnswer:
    """The answer of elink.

    Raises:
        Transient: the body is damaged, or reports an error that may pass.
    """
    answer = document(body)
    error = document_error(answer.values)
    if error is None and "linksets" not in answer:
        raise Transient("sent an elink answer without linksets")
    return LinkAnswer(tuple(_linkset(row) for row in answer.rows("linksets")), error)


def _linkset(row: AnswerFields) -> LinkSet:
    links: dict[str, tuple[str, ...]] = {}
    scores: dict[str, dict[str, int]] = {}
    link_databases = row.rows("linksetdbs")  # absent where there are no links
    if row.values.get("linksetdbs", ()) is None or not all(
        "links" in links_row or any(own_errors(links_row.values)) for links_row in link_databases
    ):
        raise Transient("sent an elink answer without its links")
    for linked in link_databases:
        name = linked.text("linkname")
        uids = tuple(_uids(linked.items("links")))
        if uids:
            links[name] = links.get(name, ()) + uids
        scored_links = [
            AnswerFields(link) for link in linked.items("links") if isinstance(link, dict) and "score" in link
        ]
        if scored_links:
            scores.setdefault(name, {}).update({link.text("id"): link.number("score") for link in scored_links})
    histories = row.rows("linksetdbhistories")
    return LinkSet(
        db_from=row.text("dbfrom"),
        source_ids=tuple(_uids([row.values.get(name) or [] for name in ("ids", "idchecklist", "idurllist")])),
        links=links,
        scores=scores,
        histories=tuple(_history(history, row.text("webenv")) for history in histories if "querykey" in history),
        error=joined_error(error for place in (row, *link_databases, *histories) for error in own_errors(place.values)),
    )


def _history(row: AnswerFields, web_env: str) -> StoredLinks:
    return StoredLinks(row.text("dbto"), row.text("linkname"), row.text("querykey"), row.text("webenv") or web_env)


def _uids(value: object) -> Iterator[str]:
    """UIDs in order, in any form of the answer: bare, as ``{"value": …}``, or within objects."""
    stack: list[Any] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(reversed(item))
        elif isinstance(item, dict):
            places = [item[name] for name in _PLACES if name in item]
            if item and not places:
                raise Transient("sent a damaged answer (an object without an ID in a list of IDs)")
            stack.extend(places)
        else:
            yield as_text(item)


_PLACES = ("idurlsets", "idlinksets", "ids", "id", "value")


def docsum_splitter(
    uids: Collection[str] = (), trim: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda docsum: docsum
) -> WholeAnswer:
    """UIDs and their docsums, as JSON whichever form the answer has: 200 docsums are a megabyte. ``trim`` leaves out
    unused parts of one, which are neither kept nor read again.

    UIDs of which the service says that there is no such record are left out, so that they count as absent. Other
    failures are reported at the end, and those of ``asked`` of which the answer says nothing.
    """
    return WholeAnswer(functools.partial(_docsums, uids, trim), ends=(b"}", b"</eSummaryResult>"))


def _docsums(
    uids: Collection[str], trim: Callable[[Mapping[str, Any]], Mapping[str, Any]], body: bytes
) -> Iterator[tuple[str, bytes]]:
    answer = summaries(body)
    yield from ((uid, orjson.dumps(trim(docsum))) for uid, docsum in answer.docsums.items())
    failures = [f"{uid}: {words}" for uid, words in answer.errors.items() if words.kind != "absent"]
    if answer.error is not None:
        failures.append(answer.error)
    elif ignored := set(uids) - set(answer.docsums) - set(answer.errors):
        failures.append(f"nothing of {', '.join(sorted(ignored))}")
    if failures:
        raise Transient(f"answered: {'; '.join(failures)}")
