"""The programs: esearch and espell, esummary, efetch, epost and einfo, elink, ecitmatch."""

import datetime as dt
import re
import string
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from biofact.sandbox.dialects.eutils import replies, terms
from biofact.sandbox.dialects.eutils.database import DATABASES, ItemSummaries, TextRecords
from biofact.sandbox.dialects.eutils.replies import Element
from biofact.sandbox.dialects.eutils.requests import INVALID_IDS_MESSAGE, EutilsRequest, bad_request
from biofact.sandbox.standin import Refusal, Reply

_DEFAULT_RETMAX = 20  # NCBI's
_LAST_RETSTART = {"pubmed": 9998}  # other databases can be paged to their end


def esearch(request: EutilsRequest) -> Reply:
    """The UIDs that match a term, the service's reading of it, and its ignored parts."""
    is_json, database = request.is_json, request.database
    field = request.text("field") or terms.ALL_FIELDS
    sets = request.history.sets(database.name, request.text("WebEnv"))
    result = terms.read(_term(request), database, field=field, sets=sets)
    if request.text("rettype") == "count":
        return replies.search({"count": str(len(result.uids))}, is_json=is_json)
    uids = database.rank(result.uids, request.text("sort"))
    payload = {"count": str(len(uids)), **_page(request, uids), **_interpretation(result)}
    return replies.search(payload, is_json=is_json)


def _term(request: EutilsRequest) -> str:
    raw = request.raw
    term, query_key = raw.value("term").strip(), raw.value("query_key")
    if query_key:
        request.history_uids()  # refuses an unknown one
        term = f"#{query_key} AND ({term})" if term else f"#{query_key}"
    if not term:
        raise request.failure("Empty term and query_key - nothing todo")
    dates = _dates(request)
    return f"({term}) AND {dates}" if dates else term


def _dates(request: EutilsRequest) -> str:
    """The date limits as a part of the term, which is how the real service shows them."""
    raw = request.raw
    low, high, days = raw.value("mindate"), raw.value("maxdate"), request.number("reldate", 0)
    if days:
        today = dt.datetime.now(dt.UTC).date()
        low, high = f"{today - dt.timedelta(days):%Y/%m/%d}", f"{today:%Y/%m/%d}"
    if bool(low) != bool(high):  # NCBI documents them as a pair
        raise bad_request("mindate and maxdate must be given together.")
    field = raw.value("datetype", "pdat").upper()
    return f"{low}[{field}] : {high}[{field}]" if low else ""


def _page(request: EutilsRequest, uids: list[str]) -> dict[str, Any]:
    start = request.number("retstart", 0)
    last = _LAST_RETSTART.get(request.database.name)
    if last is not None and start > last:
        raise request.failure(f"Search Backend failed: Exception: 'retstart' cannot be larger than {last}.")
    page = request.page(uids, _DEFAULT_RETMAX)
    fields: dict[str, Any] = {"retmax": str(len(page)), "retstart": str(start)}
    if request.text("usehistory") == "y":
        fields["querykey"], fields["webenv"] = request.history.keep(request.database.name, uids, request.text("WebEnv"))
    return {**fields, "idlist": page}


def _interpretation(result: terms.TermResult) -> dict[str, Any]:
    """The service's reading of the term; lists of ignored parts appear only if they are not empty."""
    fields: dict[str, Any] = {
        "translationset": [{"from": term, "to": translation} for term, translation in result.translations]
    }
    if result.stack:
        # Only some databases send a stack: gene, not pubmed.
        fields["translationstack"] = [_stacked(item) for item in result.stack]
    fields["querytranslation"] = result.translation
    errors = {"phrasesnotfound": result.phrases_not_found, "fieldsnotfound": result.fields_not_found}
    warnings = {
        "phrasesignored": result.phrases_ignored,
        "quotedphrasesnotfound": result.quoted_phrases_not_found,
        "outputmessages": result.messages,
    }
    notes = {"errorlist": errors, "warninglist": warnings}
    return fields | {name: lists for name, lists in notes.items() if any(lists.values())}


def _stacked(item: terms.TermSet | str) -> dict[str, str] | str:
    if isinstance(item, str):
        return item
    return {"term": item.term, "field": item.field, "count": str(item.count), "explode": item.explode}


def espell(request: EutilsRequest) -> Reply:
    """The term with unknown words corrected by one edit. XML only."""
    term = request.text("term")
    pieces: list[Element] = []
    for piece in re.split(r"(\w+)", term):
        better = _better(request, piece.lower()) if piece[:1].isalnum() else None
        if piece:
            pieces.append(Element("Replaced", better) if better else Element("Original", piece))
    is_better = any(piece.name == "Replaced" for piece in pieces)
    content = [
        Element("Database", request.database.name),
        Element("Query", term),
        Element("CorrectedQuery", "".join(str(piece.content) for piece in pieces).lower() if is_better else ""),
        Element("SpelledQuery", pieces if is_better else ""),
        Element("ERROR"),
    ]
    return replies.xml_reply("eSpellResult", content)


def _better(request: EutilsRequest, word: str) -> str | None:
    def hits(spelling: str) -> int:
        return len(request.database.lookup("all fields", spelling) or ())

    if word.isdecimal() or word.upper() in {"AND", "OR", "NOT"} or len(word) > _LONGEST_CORRECTED_WORD or hits(word):
        return None
    best = max(_one_edit_away(word), key=hits)
    return best if hits(best) else None


_LONGEST_CORRECTED_WORD = 30


def _one_edit_away(word: str) -> Iterator[str]:
    for position in range(len(word) + 1):
        before, after = word[:position], word[position:]
        yield before + after[1:]
        yield before + after[1:2] + after[:1] + after[2:]
        for letter in string.ascii_lowercase + string.digits:
            yield before + letter + after
            yield before + letter + after[1:]


_MOST_JSON_SUMMARIES = 500
_DEFAULT_HISTORY_RETMAX = 20
_EDITION = dt.date(2026, 11, 20)
"""Build date of our databases."""


def esummary(request: EutilsRequest) -> Reply:
    """Short descriptions, in the order of the request. An unknown UID gets an error entry of its own."""
    is_json = request.is_json
    history_uids = request.history_uids()
    uids = request.ids() if history_uids is None else request.page(history_uids, _DEFAULT_HISTORY_RETMAX)
    if not uids:
        raise request.failure("Neither query_key nor id specified")
    for position, uid in enumerate(uids):
        if not uid.isdecimal():
            raise _malformed(request, uid, position)
    if is_json and len(uids) > _MOST_JSON_SUMMARIES:  # XML has no such limit
        raise request.failure(
            f"Too many UIDs in request. Maximum number of UIDs is {_MOST_JSON_SUMMARIES} for JSON format output."
        )
    if not is_json and request.text("version") != "2.0" and isinstance(request.database, ItemSummaries):
        return replies.item_summaries({uid: request.database.docsum_items(uid) for uid in uids})
    docsums = {uid: {"uid": uid, **(request.database.docsum(uid) or _NO_SUMMARY)} for uid in uids}
    return replies.summaries(request.database.name, docsums, build=_build(), is_json=is_json)


_NO_SUMMARY = {"error": "cannot get document summary"}


def _malformed(request: EutilsRequest, uid: str, position: int) -> Refusal:
    message = f"Invalid uid {uid:.40} at position= {position}"
    if request.is_json:
        return Refusal(replies.json_reply("esummary", {"error": message}))
    return request.failure(message)


_DEFAULT_MODES = {"pubmed": "xml"}  # gene's is ASN.1, which no reader here supports


_OTHER_XML = {"docsum", "uilist"}
"""``rettype`` values with an XML of its own; any other means whole records, as does ``xml`` with ``retmode=text``."""


def efetch(request: EutilsRequest) -> Reply:
    """Whole records as XML or in a text form, piece by piece; or their UIDs as text. Unknown UIDs are left out."""
    history_uids = request.history_uids()
    uids = [uid for uid in request.ids() if uid.isdecimal()] if history_uids is None else history_uids
    if not uids:
        # 400 here, where most refusals have 200.
        raise request.failure("ID list is empty! Possibly it has no correct IDs.", status=400)
    uids = request.page(uids)
    database, form = request.database, request.text("rettype")
    text_forms = database.text_forms if isinstance(database, TextRecords) else ()
    mode = request.text("retmode") or ("text" if form in text_forms else _DEFAULT_MODES.get(database.name, ""))
    if mode == "text" and form == "uilist":
        return replies.text_reply("".join(f"{uid}\n" for uid in uids))
    if mode == "text" and form in text_forms and isinstance(database, TextRecords):
        return Reply(database.fetch_text(uids, form), replies.TEXT)
    if mode == "xml" and form in _OTHER_XML:
        raise bad_request(f"the sandbox writes whole records as XML, and no rettype={form}.")
    if "xml" not in {mode, form}:
        texts = " and ".join(f"rettype={name}" for name in ("uilist", *text_forms))
        raise bad_request(f"the sandbox writes records of {database.name} as XML: add retmode=xml. As text: {texts}.")
    return Reply(database.fetch(uids), replies.XML)


def epost(request: EutilsRequest) -> Reply:
    """The UIDs' place on the History server. XML only."""
    ids = request.ids()
    uids = [uid for uid in ids if uid.isdecimal()]
    invalid = [Element("Id", uid) for uid in ids if not uid.isdecimal()]
    content = [Element("InvalidIdList", invalid)] if invalid else []
    if not uids:
        return replies.xml_reply("ePostResult", [*content, Element("ERROR", "Empty ID list; Nothing to store")])
    query_key, web_env = request.history.keep(request.database.name, uids, request.text("WebEnv"))
    content += [Element("QueryKey", query_key), Element("WebEnv", web_env)]
    if invalid:
        content.append(Element("ERROR", INVALID_IDS_MESSAGE))
    return replies.xml_reply("ePostResult", content)


def einfo(request: EutilsRequest) -> Reply:
    """The list of all databases; or of one its fields and links."""
    is_json = request.is_json
    if not request.text("db"):
        return _database_list(is_json=is_json)
    description = _description(request)
    if is_json:
        return replies.json_reply("einfo", {"einforesult": {"dbinfo": [description]}})
    fields = [Element("Field", _members(field, _FIELD_NAMES)) for field in description.pop("fieldlist")]
    links = [Element("Link", _members(link, _LINK_NAMES)) for link in description.pop("linklist")]
    content = [*_members(description, _DATABASE_NAMES), Element("FieldList", fields), Element("LinkList", links)]
    return replies.xml_reply("eInfoResult", [Element("DbInfo", content)], depth=0)


_DATABASE_NAMES = ("DbName", "MenuName", "Description", "DbBuild", "Count", "LastUpdate")
_FIELD_NAMES = (
    *("Name", "FullName", "Description", "TermCount", "IsDate", "IsNumerical", "SingleToken", "Hierarchy", "IsHidden"),
    *("IsRangable", "IsTruncatable"),
)
_LINK_NAMES = ("Name", "Menu", "Description", "DbTo")


def _database_list(*, is_json: bool) -> Reply:
    if is_json:
        return replies.json_reply("einfo", {"einforesult": {"dblist": list(DATABASES)}})
    names = [Element("DbName", name) for name in DATABASES]
    return replies.xml_reply("eInfoResult", [Element("DbList", names)], depth=0)


def _description(request: EutilsRequest) -> dict[str, Any]:
    info = request.database.info()
    flags = {"termcount": "0", "isdate": "N", "isnumerical": "N", "singletoken": "Y", "hierarchy": "N", "ishidden": "N"}
    if request.text("version") == "2.0":
        flags |= {"israngable": "N", "istruncatable": "Y"}
    return {
        "dbname": request.database.name,
        "menuname": info["menuname"],
        "description": info["description"],
        "dbbuild": _build(),
        "count": str(len(request.database.all_uids())),
        "lastupdate": f"{_EDITION:%Y/%m/%d} 00:00",
        "fieldlist": [{**field, **flags} for field in info["fields"]],
        "linklist": info["links"],
    }


def _build() -> str:
    return f"Build{_EDITION:%y%m%d}-0000.1"


def _members(values: dict[str, Any], names: tuple[str, ...]) -> list[Element]:
    return [Element(name, str(values[name.lower()])) for name in names if name.lower() in values]


_NO_SCORE = 0  # the score of a link that was not computed from similarity


def elink(request: EutilsRequest) -> Reply:
    """Links of each group of UIDs: those in one ``id`` are merged, a repeated ``id`` gets its own set."""
    is_json = request.is_json
    command = request.text("cmd", "neighbor")
    answers = {
        "neighbor": _neighbors,
        "neighbor_score": _neighbors,
        "neighbor_history": _history,
        "acheck": _available,
        "ncheck": _has_neighbors,
        "lcheck": _has_neighbors,
    }
    if command not in answers:
        raise bad_request(f"the sandbox has no cmd {command!r:.40}; it has {', '.join(answers)}.")
    groups, is_complete = _groups(request)
    sets = [{"dbfrom": request.database.name, **answers[command](request, group)} for group in groups]
    errors = {} if is_complete else {"ERROR": INVALID_IDS_MESSAGE}
    if is_json:
        return replies.json_reply("elink", {"linksets": sets, **errors})
    content = [*map(_set_element, sets), *(Element(*error) for error in errors.items())]
    return replies.xml_reply("eLinkResult", content, depth=0)


def _groups(request: EutilsRequest) -> tuple[list[list[str]], bool]:
    """The UIDs to link, and whether these are all that were given: malformed ones are left out."""
    history_uids = request.history_uids()
    if history_uids is not None:
        return [history_uids], True
    id_lists = [[uid.strip() for uid in value.split(",") if uid.strip()] for value in request.raw.values("id")]
    groups = [[uid for uid in group if uid.isdecimal()] for group in id_lists]
    if not any(groups):
        raise request.failure(INVALID_IDS_MESSAGE if any(id_lists) else "Supplied id parameter is empty.")
    return [group for group in groups if group], groups == id_lists


def _linknames(request: EutilsRequest) -> Sequence[str]:
    linkname = request.text("linkname")
    names = [linkname] if linkname else request.database.linknames(request.text("db"))
    for name in names:
        if request.database.links("0", name) is None:  # no record has UID 0: this asks for the name alone
            raise request.failure(f"Invalid link name: {name:.60}")
    return names


def _linked(request: EutilsRequest, uids: Sequence[str]) -> dict[str, list[str]]:
    """By link name, what the UIDs lead to; names without links are left out."""
    uids_by_name = {
        name: _merged(request.database.links(uid, name) or () for uid in uids) for name in _linknames(request)
    }
    return {name: links for name, links in uids_by_name.items() if links}


def _merged(lists: Iterable[Sequence[str]]) -> list[str]:
    """One list as it is; several as one, highest first (recorded: elink of two articles, 2025)."""
    lists_with_uids = [links for links in lists if links]
    if len(lists_with_uids) == 1:
        return list(lists_with_uids[0])
    return sorted({uid for links in lists_with_uids for uid in links}, key=int, reverse=True)


def _target(linkname: str) -> str:
    return linkname.split("_")[1]  # gene_pubmed leads to pubmed, pubmed_pubmed_refs too


def _neighbors(request: EutilsRequest, uids: list[str]) -> dict[str, Any]:
    is_scored = request.text("cmd") == "neighbor_score"
    databases = [
        {
            "dbto": _target(name),
            "linkname": name,
            "links": [{"id": uid, "score": _NO_SCORE} for uid in links] if is_scored else links,
        }
        for name, links in _linked(request, uids).items()
    ]
    return {"ids": uids, "linksetdbs": databases} if databases else {"ids": uids}


def _history(request: EutilsRequest, uids: list[str]) -> dict[str, Any]:
    web_env, histories = request.text("WebEnv"), []
    for name, links in _linked(request, uids).items():
        query_key, web_env = request.history.keep(_target(name), links, web_env)
        histories.append({"dbto": _target(name), "linkname": name, "querykey": query_key})
    return {"ids": uids, "linksetdbhistories": histories, "webenv": web_env} if histories else {"ids": uids}


def _available(request: EutilsRequest, uids: list[str]) -> dict[str, Any]:
    menus = {link["name"]: link["menu"] for link in request.database.info()["links"]}
    rows = []
    for uid in uids:
        kinds = [
            {"dbto": _target(name), "linkname": name, "menutag": menus.get(name, ""), "htmltag": "", "priority": "128"}
            for name in _linked(request, [uid])
        ]
        rows.append({"id": uid, "linkinfos": kinds})
    return {"idchecklist": {"idlinksets": rows}}


def _has_neighbors(request: EutilsRequest, uids: list[str]) -> dict[str, Any]:
    """Whether there is any link; lcheck finds none, because no link here leads out of NCBI."""
    if request.text("cmd") == "lcheck":
        return {"idchecklist": {"ids": [{"value": uid, "haslinkout": "N"} for uid in uids]}}
    flags = {uid: "Y" if _linked(request, [uid]) else "N" for uid in uids}
    return {"idchecklist": {"ids": [{"value": uid, "hasneighbor": has} for uid, has in flags.items()]}}


def _set_element(link_set: dict[str, Any]) -> Element:
    content = [Element("DbFrom", link_set["dbfrom"])]
    if "ids" in link_set:
        content.append(Element("IdList", [Element("Id", uid) for uid in link_set["ids"]]))
    content += [_links_element(row) for row in link_set.get("linksetdbs", ())]
    histories = link_set.get("linksetdbhistories", ())
    content += [Element("LinkSetDbHistory", _members(row, _HISTORY_NAMES)) for row in histories]
    if "webenv" in link_set:
        content.append(Element("WebEnv", link_set["webenv"]))
    if "idchecklist" in link_set:
        content.append(Element("IdCheckList", _checklist_elements(link_set["idchecklist"])))
    return Element("LinkSet", content)


_HISTORY_NAMES = ("DbTo", "LinkName", "QueryKey")
_LINK_INFO_NAMES = ("DbTo", "LinkName", "MenuTag", "HtmlTag", "Priority")
_FLAG_NAMES = {"haslinkout": "HasLinkOut", "hasneighbor": "HasNeighbor"}


def _links_element(row: dict[str, Any]) -> Element:
    links = [link if isinstance(link, dict) else {"id": link} for link in row["links"]]
    elements = [Element("Link", _members(link, ("Id", "Score"))) for link in links]
    return Element("LinkSetDb", [*_members(row, ("DbTo", "LinkName")), *elements])


def _checklist_elements(checks: dict[str, Any]) -> list[Element]:
    if "ids" in checks:
        return [
            Element("Id", row["value"], {name: row[flag] for flag, name in _FLAG_NAMES.items() if flag in row})
            for row in checks["ids"]
        ]
    return [
        Element("IdLinkSet", [*_members(row, ("Id",)), *(_link_info(info) for info in row["linkinfos"])])
        for row in checks["idlinksets"]
    ]


def _link_info(info: dict[str, Any]) -> Element:
    return Element("LinkInfo", _members(info, _LINK_INFO_NAMES))


_CELLS = 5
_MOST_LISTED = 4  # clients show two PMIDs listed and five counted; where NCBI begins to count is not known


@dataclass(frozen=True, slots=True)
class Citation:
    """The known parts of a citation; unknown ones are empty."""

    journal: str
    year: str
    volume: str
    first_page: str
    author: str


@runtime_checkable
class CitationIndex(Protocol):
    """A database that finds articles by where they were printed."""

    def match_citation(self, citation: Citation) -> Sequence[str] | None:
        """The UIDs of the articles that a citation fits; None when there is no such journal."""


def ecitmatch(request: EutilsRequest) -> Reply:
    """Each line of ``bdata`` with its PMID, or with the reason for having none (as public clients read it)."""
    if not isinstance(request.database, CitationIndex):
        raise bad_request(f"ecitmatch knows no citations of {request.database.name}; it has those of pubmed.")
    citations = [line.strip() for line in re.split(r"[\r\n]+", request.text("bdata"))]
    if not any(citations):
        raise bad_request("Mandatory parameter: bdata - is omitted")
    return replies.text_reply("".join(_matched(request.database, [line for line in citations if line])))


def _matched(index: CitationIndex, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        cells = [cell.strip() for cell in line.split("|")][:_CELLS]  # behind them stands a key of the client's own
        uids = index.match_citation(Citation(*cells, *[""] * (_CELLS - len(cells))))
        yield f"{line.rstrip('|')}|{_result(uids)}\n"


def _result(uids: Sequence[str] | None) -> str:
    if uids is None:
        return "NOT_FOUND;INVALID_JOURNAL"
    match len(uids):
        case 0:
            return "NOT_FOUND"
        case 1:
            return uids[0]
        case count if count <= _MOST_LISTED:
            return f"AMBIGUOUS {','.join(uids)}"
        case count:
            return f"AMBIGUOUS ({count} citations)"
