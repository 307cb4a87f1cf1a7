"""esummary, efetch, epost and einfo: UIDs to descriptions and records, and what a database holds."""

import datetime as dt
from typing import Any

from biofact.sandbox.dialects.eutils import writing
from biofact.sandbox.dialects.eutils.asking import OMITTED, Question, bad_request
from biofact.sandbox.dialects.eutils.database import DATABASES
from biofact.sandbox.dialects.eutils.writing import Element
from biofact.sandbox.standin import Refusal, Reply

_MOST_JSON_SUMMARIES = 500
_DEFAULT_HISTORY_RETMAX = 20
_EDITION = dt.date(2026, 11, 20)
"""The day that our databases say they were built."""


def esummary(question: Question) -> Reply:
    """Short descriptions, in the order asked. An unknown UID gets an error entry of its own."""
    is_json = question.is_json
    kept = question.kept()
    uids = question.ids() if kept is None else question.page(kept, _DEFAULT_HISTORY_RETMAX)
    if not uids:
        raise question.failure("Neither query_key nor id specified")
    for place, uid in enumerate(uids):
        if not uid.isdecimal():
            raise _malformed(question, uid, place)
    if is_json and len(uids) > _MOST_JSON_SUMMARIES:
        raise question.failure(
            f"Too many UIDs in request. Maximum number of UIDs is {_MOST_JSON_SUMMARIES} for JSON format output."
        )
    docsums = {uid: {"uid": uid, **(question.database.docsum(uid) or _NO_SUMMARY)} for uid in uids}
    return writing.summaries(question.database.name, docsums, build=_build(), is_json=is_json)


_NO_SUMMARY = {"error": "cannot get document summary"}


def _malformed(question: Question, uid: str, place: int) -> Refusal:
    message = f"Invalid uid {uid:.40} at position= {place}"
    if question.is_json:
        return Refusal(writing.json_reply("esummary", {"error": message}))
    return question.failure(message)


_DEFAULT_MODES = {"pubmed": "xml"}  # gene's is ASN.1, which nobody reads here


def efetch(question: Question) -> Reply:
    """Whole records as XML, piece by piece; or their UIDs as text. Unknown UIDs are left out."""
    kept = question.kept()
    uids = [uid for uid in question.ids() if uid.isdecimal()] if kept is None else kept
    if not uids:
        raise question.failure("ID list is empty! Possibly it has no correct IDs.", status=400)
    uids = question.page(uids)
    mode = question.ask.one("retmode") or _DEFAULT_MODES.get(question.database.name, "")
    kind = question.ask.one("rettype")
    if kind == "uilist" and mode == "text":
        return writing.text_reply("".join(f"{uid}\n" for uid in uids))
    if mode != "xml":
        name = question.database.name
        raise bad_request(f"the sandbox writes records of {name} as XML only: add retmode=xml.")
    return Reply(question.database.fetch(uids), writing.XML)


def epost(question: Question) -> Reply:
    """Where the UIDs are now kept. XML only."""
    given = question.ids()
    uids = [uid for uid in given if uid.isdecimal()]
    invalid = [Element("Id", uid) for uid in given if not uid.isdecimal()]
    content = [Element("InvalidIdList", invalid)] if invalid else []
    if not uids:
        return writing.xml_reply("ePostResult", [*content, Element("ERROR", "Empty ID list; Nothing to store")])
    query_key, web_env = question.history.keep(question.database.name, uids, question.ask.one("WebEnv"))
    content += [Element("QueryKey", query_key), Element("WebEnv", web_env)]
    if invalid:
        content.append(Element("ERROR", OMITTED))
    return writing.xml_reply("ePostResult", content)


def einfo(question: Question) -> Reply:
    """The list of all databases; or of one its fields and links."""
    is_json = question.is_json
    if not question.ask.one("db"):
        return _database_list(is_json=is_json)
    told = _description(question)
    if is_json:
        return writing.json_reply("einfo", {"einforesult": {"dbinfo": [told]}})
    fields = [Element("Field", _members(field, _FIELD_NAMES)) for field in told.pop("fieldlist")]
    links = [Element("Link", _members(link, _LINK_NAMES)) for link in told.pop("linklist")]
    content = [*_members(told, _DATABASE_NAMES), Element("FieldList", fields), Element("LinkList", links)]
    return writing.xml_reply("eInfoResult", [Element("DbInfo", content)], depth=0)


_DATABASE_NAMES = ("DbName", "MenuName", "Description", "DbBuild", "Count", "LastUpdate")
_FIELD_NAMES = (
    *("Name", "FullName", "Description", "TermCount", "IsDate", "IsNumerical", "SingleToken", "Hierarchy", "IsHidden"),
    *("IsRangable", "IsTruncatable"),
)
_LINK_NAMES = ("Name", "Menu", "Description", "DbTo")


def _database_list(*, is_json: bool) -> Reply:
    if is_json:
        return writing.json_reply("einfo", {"einforesult": {"dblist": list(DATABASES)}})
    names = [Element("DbName", name) for name in DATABASES]
    return writing.xml_reply("eInfoResult", [Element("DbList", names)], depth=0)


def _description(question: Question) -> dict[str, Any]:
    told = question.database.info()
    flags = {"termcount": "0", "isdate": "N", "isnumerical": "N", "singletoken": "Y", "hierarchy": "N", "ishidden": "N"}
    if question.ask.one("version") == "2.0":
        flags |= {"israngable": "N", "istruncatable": "Y"}
    return {
        "dbname": question.database.name,
        "menuname": told["menuname"],
        "description": told["description"],
        "dbbuild": _build(),
        "count": str(len(question.database.all_uids())),
        "lastupdate": f"{_EDITION:%Y/%m/%d} 00:00",
        "fieldlist": [
            {"name": name, "fullname": full, "description": description, **flags}
            for name, full, description in told["fields"]
        ],
        "linklist": [dict(zip(("name", "menu", "description", "dbto"), link, strict=True)) for link in told["links"]],
    }


def _build() -> str:
    return f"Build{_EDITION:%y%m%d}-0000.1"


def _members(values: dict[str, Any], names: tuple[str, ...]) -> list[Element]:
    return [Element(name, values[name.lower()]) for name in names if name.lower() in values]
