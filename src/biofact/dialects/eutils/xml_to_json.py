"""XML answers to the JSON that E-utilities send for the same request, as NCBI's DTDs annotate it."""

import re
from typing import TYPE_CHECKING, Any

from biofact.transport.service import Transient

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def json_form(root: "Element") -> dict[str, Any]:
    """The answer as E-utilities write it in JSON. Errors at its root stand in a list under ``ERROR``.

    Raises:
        Transient: it is none of E-utilities, or nested absurdly deep.
    """
    errors = _errors(root)
    if root.tag not in _READERS and not errors:
        raise Transient(f"sent <{root.tag:.40}>, which is not an answer of E-utilities")
    try:
        answer = _READERS[root.tag](root) if root.tag in _READERS else {}
    except RecursionError as error:
        raise Transient("sent XML that is nested absurdly deep") from error
    return {**answer, "ERROR": errors} if errors else answer


def _esearch(root: "Element") -> dict[str, Any]:
    found = _leaves(root, "Count", "RetMax", "RetStart", "QueryKey", "WebEnv", "QueryTranslation")
    found["idlist"] = _texts(root, "IdList/Id")
    found["errorlist"] = {
        "phrasesnotfound": _texts(root, "ErrorList/PhraseNotFound"),
        "fieldsnotfound": _texts(root, "ErrorList/FieldNotFound"),
    }
    found["warninglist"] = {
        "phrasesignored": _texts(root, "WarningList/PhraseIgnored"),
        "quotedphrasesnotfound": _texts(root, "WarningList/QuotedPhraseNotFound"),
        "outputmessages": _texts(root, "WarningList/OutputMessage"),
    }
    return {"esearchresult": found}


def _elink(root: "Element") -> dict[str, Any]:
    return {"linksets": [_linkset(element) for element in root.iterfind("LinkSet")]}


def _linkset(element: "Element") -> dict[str, Any]:
    return {
        **_leaves(element, "DbFrom", "WebEnv"),
        "ids": _texts(element, "IdList/Id"),
        "idchecklist": {  # ncheck and lcheck list UIDs, acheck what each leads to
            "ids": _texts(element, "IdCheckList/Id"),
            "idlinksets": [_leaves(e, "Id") for e in element.iterfind("IdCheckList/IdLinkSet")],
        },
        "idurllist": [_leaves(e, "Id") for e in element.iterfind("IdUrlList/IdUrlSet")],  # llinks and prlinks
        "linksetdbs": [
            {
                **_leaves(e, "DbTo", "LinkName"),
                "links": [_leaves(link, "Id", "Score") for link in e.iterfind("Link")],
                "ERROR": _errors(e),
            }
            for e in element.iterfind("LinkSetDb")
        ],
        "linksetdbhistories": [
            {**_leaves(e, "DbTo", "LinkName", "QueryKey"), "ERROR": _errors(e)}
            for e in element.iterfind("LinkSetDbHistory")
        ],
        "ERROR": [*_errors(element), *_texts(element, "IdCheckList/ERROR")],
    }


def _epost(root: "Element") -> dict[str, Any]:
    return {"epostresult": {**_leaves(root, "QueryKey", "WebEnv"), "invalidids": _texts(root, "InvalidIdList/Id")}}


def _espell(root: "Element") -> dict[str, Any]:
    spelling = _leaves(root, "Database", "Query", "CorrectedQuery")
    return {"espellresult": {**spelling, "replaced": _texts(root, "SpelledQuery/Replaced")}}


def _einfo(root: "Element") -> dict[str, Any]:
    if root.find("DbList") is not None:
        return {"einforesult": {"dblist": _texts(root, "DbList/DbName")}}
    return {"einforesult": {"dbinfo": [_database(element) for element in root.iterfind("DbInfo")]}}


def _database(element: "Element") -> dict[str, Any]:
    database = _leaves(element, "DbName", "MenuName", "Description", "DbBuild", "Count", "LastUpdate")
    for name, path in (("fieldlist", "FieldList/Field"), ("linklist", "LinkList/Link")):
        database[name] = [{child.tag.lower(): _text(child) for child in row} for row in element.iterfind(path)]
    return database


def _esummary(root: "Element") -> dict[str, Any]:
    docsums = {_uid(element): _docsum(element) for element in root.iterfind("DocumentSummarySet/DocumentSummary")}
    docsums |= {_uid(element): _old_docsum(element) for element in root.iterfind("DocSum")}
    # The old form has no docsum of a UID that it does not know, but an error at the root.
    missing = [found for found in map(_MISSING.fullmatch, _all_errors(root)) if found]
    docsums |= {found["uid"]: {"error": found["words"]} for found in missing}
    if not docsums and root.find("DocumentSummarySet") is None:
        return {}
    named = {uid: {**docsum, "uid": uid} for uid, docsum in docsums.items()}
    return {"result": {"uids": list(named), **named}}


_READERS = {
    "eSearchResult": _esearch,
    "eSummaryResult": _esummary,
    "eLinkResult": _elink,
    "ePostResult": _epost,
    "eSpellResult": _espell,
    "eInfoResult": _einfo,
}

_MISSING = re.compile(r"UID=(?P<uid>\S+?): *(?P<words>.*)", re.DOTALL)

# Numbers in the JSON of Gene and PubMed docsums (esummary_gene.dtd; recorded answers); all else is text.
_NUMBERS = frozenset(
    {"chrstart", "chrstop", "currentid", "exoncount", "geneweight", "idtypen", "pmcrefcount", "status", "taxid"}
)
_NONE_WHEN_ZERO = frozenset({"currentid", "status"})  # JSON has an empty string for the XML's 0
# Lists that may be empty, or hold one item.
_LISTS = frozenset(
    {
        *("genomicinfo", "locationhist", "mim"),
        *("articleids", "attributes", "authors", "doccontriblist", "history", "lang", "pubtype", "references"),
        "srccontriblist",
    }
)
_OBJECTS = frozenset({"organism"})  # one even where it holds one member
_NAMED_ITEMS = frozenset({"articleids", "history"})  # of the old form: members, though it calls them a list


def _docsum(element: "Element") -> dict[str, Any]:
    docsum = _members(element)
    if "orgname" in docsum and "organism" not in docsum:  # Gene before 2014
        docsum["organism"] = {"scientificname": docsum.pop("orgname"), "taxid": docsum.pop("taxid", "")}
    return docsum


def _members(element: "Element") -> dict[str, Any]:
    values: dict[str, list[Any]] = {}
    for child in element:
        name = child.tag.lower()
        values.setdefault(name, []).append(_value(child, name))
    members = {name: several if len(several) > 1 else several[0] for name, several in values.items()}
    return {**{name.lower(): value for name, value in element.attrib.items()}, **members}


def _value(element: "Element", name: str) -> Any:
    text = (element.text or "").strip()
    is_marked_up = text or any((child.tail or "").strip() for child in element)
    if not len(element) or is_marked_up:  # a title with <i> in it is text
        return _leaf(element, name)
    tags = {child.tag for child in element}
    if name not in _OBJECTS and not element.attrib and (name in _LISTS or len(tags) == 1):
        return [_members(child) if len(child) else _leaf(child, child.tag) for child in element]
    return _members(element)


def _leaf(element: "Element", name: str) -> Any:
    text = _text(element)
    if element.attrib:
        return {**{key.lower(): value for key, value in element.attrib.items()}, **({"value": text} if text else {})}
    if name in _LISTS:
        return [text] if text else []
    if text == "0" and name in _NONE_WHEN_ZERO:
        return ""
    return _number(text) if name in _NUMBERS else text


def _old_docsum(element: "Element") -> dict[str, Any]:
    return {item.get("Name", "").lower(): _old_value(item) for item in element.iterfind("Item")}


def _old_value(item: "Element") -> Any:
    name, kind = item.get("Name", "").lower(), item.get("Type")
    names = {child.get("Name") for child in item}
    if kind == "Structure" or name in _NAMED_ITEMS or len(names) > 1:
        return _old_docsum(item)
    if kind == "List":
        return [_old_value(child) for child in item]
    return _number(_text(item)) if kind == "Integer" else _text(item)


def _uid(element: "Element") -> str:
    return element.get("uid") or (element.findtext("Id") or "").strip()


def _leaves(element: "Element", *names: str) -> dict[str, Any]:
    return {name.lower(): _text(child) for name in names if (child := element.find(name)) is not None}


def _texts(element: "Element", path: str) -> list[str]:
    return [_text(found) for found in element.iterfind(path)]


def _errors(element: "Element") -> list[str]:
    """Errors of the answer, not those that are one record's."""
    return [words for words in _all_errors(element) if not _MISSING.fullmatch(words)]


def _all_errors(element: "Element") -> list[str]:
    places = [element, *element] if element.tag.lower() == "error" else element
    return [words for place in places if place.tag.lower() == "error" and (words := _text(place))]


def _text(element: "Element") -> str:
    return "".join(element.itertext()).strip()


def _number(text: str) -> int | str:
    return int(text) if re.fullmatch(r"[0-9]{1,18}", text) else text
