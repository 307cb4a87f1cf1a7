"""esummary, efetch, epost and einfo: UIDs to descriptions and records, and what a database holds."""

import datetime as dt
from typing import Any

from biofact.sandbox.dialects.eutils import replies
from biofact.sandbox.dialects.eutils.database import DATABASES, ItemSummaries, TextRecords
from biofact.sandbox.dialects.eutils.replies import Element
from biofact.sandbox.dialects.eutils.requests import OMITTED, EutilsRequest, bad_request
from biofact.sandbox.standin import Refusal, Reply

_MOST_JSON_SUMMARIES = 500
_DEFAULT_HISTORY_RETMAX = 20
_EDITION = dt.date(2026, 11, 20)
"""The day that our databases say they were built."""


def esummary(request: EutilsRequest) -> Reply:
    """Short descriptions, in the order asked. An unknown UID gets an error entry of its own."""
    is_json = request.is_json
    history_uids = request.history_uids()
    uids = request.ids() if history_uids is None else request.page(history_uids, _DEFAULT_HISTORY_RETMAX)
    if not uids:
        raise request.failure("Neither query_key nor id specified")
    for position, uid in enumerate(uids):
        if not uid.isdecimal():
            raise _malformed(request, uid, position)
    if is_json and len(uids) > _MOST_JSON_SUMMARIES:
        raise request.failure(
            f"Too many UIDs in request. Maximum number of UIDs is {_MOST_JSON_SUMMARIES} for JSON format output."
        )
    if not is_json and request.ask.one("version") != "2.0" and isinstance(request.database, ItemSummaries):
        return replies.item_summaries({uid: request.database.docsum_items(uid) for uid in uids})
    docsums = {uid: {"uid": uid, **(request.database.docsum(uid) or _NO_SUMMARY)} for uid in uids}
    return replies.summaries(request.database.name, docsums, build=_build(), is_json=is_json)


_NO_SUMMARY = {"error": "cannot get document summary"}


def _malformed(request: EutilsRequest, uid: str, position: int) -> Refusal:
    message = f"Invalid uid {uid:.40} at position= {position}"
    if request.is_json:
        return Refusal(replies.json_reply("esummary", {"error": message}))
    return request.failure(message)


_DEFAULT_MODES = {"pubmed": "xml"}  # gene's is ASN.1, which nobody reads here


_OTHER_XML = {"docsum", "uilist"}
"""Of these NCBI writes another XML; any other ``rettype`` is whole records, and ``xml`` is so with ``retmode=text``."""


def efetch(request: EutilsRequest) -> Reply:
    """Whole records as XML or in a text form, piece by piece; or their UIDs as text. Unknown UIDs are left out."""
    history_uids = request.history_uids()
    uids = [uid for uid in request.ids() if uid.isdecimal()] if history_uids is None else history_uids
    if not uids:
        raise request.failure("ID list is empty! Possibly it has no correct IDs.", status=400)
    uids = request.page(uids)
    database, form = request.database, request.ask.one("rettype")
    text_forms = database.text_forms if isinstance(database, TextRecords) else ()
    mode = request.ask.one("retmode") or ("text" if form in text_forms else _DEFAULT_MODES.get(database.name, ""))
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
    """Where the UIDs are now kept. XML only."""
    ids = request.ids()
    uids = [uid for uid in ids if uid.isdecimal()]
    invalid = [Element("Id", uid) for uid in ids if not uid.isdecimal()]
    content = [Element("InvalidIdList", invalid)] if invalid else []
    if not uids:
        return replies.xml_reply("ePostResult", [*content, Element("ERROR", "Empty ID list; Nothing to store")])
    query_key, web_env = request.history.keep(request.database.name, uids, request.ask.one("WebEnv"))
    content += [Element("QueryKey", query_key), Element("WebEnv", web_env)]
    if invalid:
        content.append(Element("ERROR", OMITTED))
    return replies.xml_reply("ePostResult", content)


def einfo(request: EutilsRequest) -> Reply:
    """The list of all databases; or of one its fields and links."""
    is_json = request.is_json
    if not request.ask.one("db"):
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
    if request.ask.one("version") == "2.0":
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
    return [Element(name, values[name.lower()]) for name in names if name.lower() in values]
