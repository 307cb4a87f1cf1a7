"""Bodies to documents in one shape, that of E-utilities' JSON; and fields of a document by their type.

XML becomes the JSON that E-utilities send for the same request, as NCBI's DTDs annotate it.
"""

import re
from typing import TYPE_CHECKING, Any

from biofact.dialects import json_values, xml
from biofact.transport.service import Transient

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

# NCBI leaves line ends inside JSON strings unescaped, which strict readers refuse.
# Outside strings they are white space, so that a blank in their place changes nothing.
SPACES_FOR_CONTROLS = bytes.maketrans(bytes(range(32)), b" " * 32)


def document(body: bytes) -> "AnswerFields":
    """The answer in JSON's shape, whichever form it came in.

    Raises:
        Transient: the body is damaged, or neither JSON nor XML.
        HostileDocument: it is XML that declares entities.
    """
    start = body.removeprefix(BYTE_ORDER_MARK).lstrip()
    if start[:1] == b"{":
        return AnswerFields(json_object(start))
    if start[:1] == b"<":
        return AnswerFields(json_values.with_few_levels(json_form(xml.tree(start))))
    raise Transient("sent an answer that is neither JSON nor XML")


def json_object(text: bytes) -> dict[str, Any]:
    """A JSON object, read leniently where control characters stand inside strings.

    Raises:
        Transient: it is damaged, or not an object.
    """
    try:
        value = json_values.loaded(text)
    except Transient:
        value = json_values.loaded(text.translate(SPACES_FOR_CONTROLS))
    if not isinstance(value, dict):
        raise Transient("sent JSON that is not an object")
    return value


class AnswerFields:
    """An object of an answer whose fields are read by type; one of another type means a damaged answer."""

    __slots__ = ("values",)

    def __init__(self, values: object) -> None:
        if not isinstance(values, dict):
            raise _unexpected("an object", values)
        self.values: dict[str, Any] = values

    def __contains__(self, name: str) -> bool:
        return self.values.get(name) is not None

    def text(self, name: str) -> str:
        """A string or number as text; empty when it is not there."""
        return as_text(self.values.get(name, ""))

    def number(self, name: str, default: int | None = None) -> int:
        """A number, which the service may write as text; without a default it must be there."""
        value = self.text(name)
        if not value and default is not None:
            return default
        if not re.fullmatch(r"[0-9]{1,18}", value):
            raise _unexpected(f"a number for {name}", value)
        return int(value)

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of strings; empty when it is not there."""
        return tuple(as_text(value) for value in self.items(name))

    def fields(self, name: str) -> "AnswerFields":
        """An object; empty when it is not there."""
        return AnswerFields(self.values.get(name) or {})

    def rows(self, name: str) -> list["AnswerFields"]:
        """A list of objects, or the one object that stands for a list of one."""
        return [AnswerFields(value) for value in self.items(name)]

    def items(self, name: str) -> list[Any]:
        """A list of anything; an object stands for a list of one."""
        value = self.values.get(name) or []
        if not isinstance(value, dict | list):
            raise _unexpected(f"a list for {name}", value)
        return [value] if isinstance(value, dict) else value


def as_text(value: object) -> str:
    """A string or number as text.

    Raises:
        Transient: it is neither.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise _unexpected("text", value)


def _unexpected(expected: str, value: object) -> Transient:
    return Transient(f"sent a damaged answer ({expected} was expected, not {type(value).__name__})")


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
    result = _leaves(root, "Count", "RetMax", "RetStart", "QueryKey", "WebEnv", "QueryTranslation")
    result["idlist"] = _element_texts(root, "IdList/Id")
    result["errorlist"] = {
        "phrasesnotfound": _element_texts(root, "ErrorList/PhraseNotFound"),
        "fieldsnotfound": _element_texts(root, "ErrorList/FieldNotFound"),
    }
    result["warninglist"] = {
        "phrasesignored": _element_texts(root, "WarningList/PhraseIgnored"),
        "quotedphrasesnotfound": _element_texts(root, "WarningList/QuotedPhraseNotFound"),
        "outputmessages": _element_texts(root, "WarningList/OutputMessage"),
    }
    return {"esearchresult": result}


def _elink(root: "Element") -> dict[str, Any]:
    return {"linksets": [_link_set(element) for element in root.iterfind("LinkSet")]}


def _link_set(element: "Element") -> dict[str, Any]:
    return {
        **_leaves(element, "DbFrom", "WebEnv"),
        "ids": _element_texts(element, "IdList/Id"),
        "idchecklist": {  # ncheck and lcheck list UIDs, acheck what each leads to
            "ids": _element_texts(element, "IdCheckList/Id"),
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
        "ERROR": [*_errors(element), *_element_texts(element, "IdCheckList/ERROR")],
    }


def _epost(root: "Element") -> dict[str, Any]:
    return {
        "epostresult": {**_leaves(root, "QueryKey", "WebEnv"), "invalidids": _element_texts(root, "InvalidIdList/Id")}
    }


def _espell(root: "Element") -> dict[str, Any]:
    spelling = _leaves(root, "Database", "Query", "CorrectedQuery")
    return {"espellresult": {**spelling, "replaced": _element_texts(root, "SpelledQuery/Replaced")}}


def _einfo(root: "Element") -> dict[str, Any]:
    if root.find("DbList") is not None:
        return {"einforesult": {"dblist": _element_texts(root, "DbList/DbName")}}
    return {"einforesult": {"dbinfo": [_database(element) for element in root.iterfind("DbInfo")]}}


def _database(element: "Element") -> dict[str, Any]:
    database = _leaves(element, "DbName", "MenuName", "Description", "DbBuild", "Count", "LastUpdate")
    for name, path in (("fieldlist", "FieldList/Field"), ("linklist", "LinkList/Link")):
        database[name] = [{child.tag.lower(): _element_text(child) for child in row} for row in element.iterfind(path)]
    return database


def _esummary(root: "Element") -> dict[str, Any]:
    docsums = {_uid(element): _docsum(element) for element in root.iterfind("DocumentSummarySet/DocumentSummary")}
    docsums |= {_uid(element): _old_docsum(element) for element in root.iterfind("DocSum")}
    # The old form has no docsum of a UID that it does not know, but an error at the root.
    missing = [record for record in map(_MISSING.fullmatch, _all_errors(root)) if record]
    docsums |= {record["uid"]: {"error": record["words"]} for record in missing}
    if not docsums and root.find("DocumentSummarySet") is None:
        return {}
    docsums_with_uid = {uid: {**docsum, "uid": uid} for uid, docsum in docsums.items()}
    return {"result": {"uids": list(docsums_with_uid), **docsums_with_uid}}


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
    members = {name: items if len(items) > 1 else items[0] for name, items in values.items()}
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
    text = _element_text(element)
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
    return _number(_element_text(item)) if kind == "Integer" else _element_text(item)


def _uid(element: "Element") -> str:
    return element.get("uid") or (element.findtext("Id") or "").strip()


def _leaves(element: "Element", *names: str) -> dict[str, Any]:
    return {name.lower(): _element_text(child) for name in names if (child := element.find(name)) is not None}


def _element_texts(element: "Element", path: str) -> list[str]:
    return [_element_text(match) for match in element.iterfind(path)]


def _errors(element: "Element") -> list[str]:
    """Errors of the answer, not those that are one record's."""
    return [words for words in _all_errors(element) if not _MISSING.fullmatch(words)]


def _all_errors(element: "Element") -> list[str]:
    places = [element, *element] if element.tag.lower() == "error" else element
    return [words for place in places if place.tag.lower() == "error" and (words := _element_text(place))]


def _element_text(element: "Element") -> str:
    return "".join(element.itertext()).strip()


def _number(text: str) -> int | str:
    return int(text) if re.fullmatch(r"[0-9]{1,18}", text) else text
