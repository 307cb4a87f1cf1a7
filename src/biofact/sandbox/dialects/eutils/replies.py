"""Answers of E-utilities: XML with its DOCTYPEs, and JSON of the same content. Pure."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from biofact.sandbox.standin import Reply

XML = "text/xml; charset=UTF-8"
JSON = "application/json; charset=UTF-8"
TEXT = "text/plain; charset=UTF-8"

_DECLARATION = '<?xml version="1.0" encoding="UTF-8" ?>\n'
_EUTILS_DTD = '<!DOCTYPE {root} PUBLIC "-//NLM//DTD {name} {date}//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/{date}/{file}.dtd">\n'
_SPELL_PROLOG = (
    '<?xml version="1.0"?>\n<!DOCTYPE eSpellResult PUBLIC "-//NLM//DTD eSpellResult, 23 November 2004//EN" '
    '"https://www.ncbi.nlm.nih.gov/entrez/query/DTD/eSpell.dtd">\n'
)


def _doctype(root: str, name: str, date: str, file: str = "") -> str:
    return _DECLARATION + _EUTILS_DTD.format(root=root, name=name, date=date, file=file or name)


_PROLOGS = {
    "eSearchResult": _doctype("eSearchResult", "esearch", "20060628"),
    "eSummaryResult": _doctype("eSummaryResult", "esummary v1", "20041029", "esummary-v1"),
    "eFetchResult": _doctype("eEfetchResult", "efetch", "20131226"),
    "eLinkResult": _doctype("eLinkResult", "elink", "20101123"),
    "ePostResult": _doctype("ePostResult", "epost", "20090526"),
    "eInfoResult": _doctype("eInfoResult", "einfo", "20190110"),
    "eSpellResult": _SPELL_PROLOG,
}
# esummary XML has a DTD for each database; gene's has this date, and the spelling of these elements.
_DOCSUM_DTD_DATE = "20150202"
_SPELLINGS = (
    "error CurrentID GeneticSource MapLocation OtherAliases OtherDesignations NomenclatureSymbol NomenclatureName "
    "NomenclatureStatus GenomicInfo GeneWeight ChrSort ChrStart ChrStop ChrLoc ChrAccVer ExonCount ScientificName "
    "CommonName TaxID LocationHist AnnotationRelease AssemblyAccVer "
    # PubMed's and MeSH's, as an answer of 2012 spells them
    "PubDate EPubDate AuthType ClusterID LastAuthor SortTitle NlmUniqueID ISSN ESSN PubType RecordStatus PubStatus "
    "ArticleIds IdType IdTypeN PmcRefCount FullJournalName ELocationID DocType SrcContribList BookTitle SrcDate "
    "PublisherLocation PublisherName ReportNumber AvailableFromURL LocationLabel DocContribList DocDate BookName "
    "SortPubDate SortFirstAuthor VernacularTitle RefSource RefType DS_RecordType DS_MeSHUI DS_ScopeNote "
    "DS_YearIntroduced DS_MeshTerms DS_Subheading DS_PaPx DS_PreviousIndexing DS_SeeRelated DS_PaList DS_IdxLinks "
    "TreeNum DS_HeadingMappedTo DS_HeadingMappedToList"
)
_DOCSUM_NAMES = {name.lower(): name for name in _SPELLINGS.split()}
_DOCSUM_ITEMS = {
    "mim": "int",
    "authors": "Author",
    "lang": "string",
    "pubtype": "flag",
    "articleids": "ArticleId",
    "history": "PubMedPubDate",
    "references": "Reference",
    "attributes": "flag",
    "ds_meshterms": "string",
    "ds_idxlinks": "LinksType",
    "children": "int",
}
_NUMBERS = {"status", "currentid"}  # XML writes 0 where JSON has an empty string (esummary gene, both recorded)


@dataclass(frozen=True, slots=True)
class Element:
    """An XML element: text, or further elements."""

    name: str
    content: str | Sequence["Element"] = ""
    attributes: Mapping[str, str] | None = None

    def lines(self, depth: int = 0) -> Iterable[str]:
        """The element in lines, indented by tabs."""
        indent = "\t" * depth
        start = self.name + "".join(f" {name}={quoteattr(value)}" for name, value in (self.attributes or {}).items())
        if isinstance(self.content, str):
            yield f"{indent}<{start}>{escape(self.content)}</{self.name}>" if self.content else f"{indent}<{start}/>"
            return
        yield f"{indent}<{start}>"
        for element in self.content:
            yield from element.lines(depth + 1)
        yield f"{indent}</{self.name}>"


def xml_reply(root: str, content: Sequence[Element], *, status: int = 200, prolog: str = "", depth: int = 1) -> Reply:
    """A whole XML answer; ``depth`` is how far the root's children are indented."""
    lines = [f"<{root}>", *(line for element in content for line in element.lines(depth)), f"</{root}>", ""]
    return Reply(((prolog or _PROLOGS[root]) + "\n".join(lines)).encode(), XML, status)


def json_reply(kind: str, content: Mapping[str, Any], *, status: int = 200) -> Reply:
    """A whole JSON answer."""
    whole = {"header": {"type": kind, "version": "0.3"}, **content}
    return Reply(json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode(), JSON, status)


def text_reply(text: str, *, status: int = 200) -> Reply:
    """A plain text answer."""
    return Reply(text.encode(), TEXT, status)


def search(result: Mapping[str, Any], *, is_json: bool) -> Reply:
    """An esearch answer from its JSON object."""
    if is_json:
        return json_reply("esearch", {"esearchresult": result})
    content = "".join(_search_xml(result))
    return Reply((_PROLOGS["eSearchResult"] + f"<eSearchResult>{content}</eSearchResult>\n").encode(), XML)


def _search_xml(result: Mapping[str, Any]) -> Iterable[str]:
    """The elements on one line, only the IDs on their own, with the blanks of the real service."""
    for key, name in (
        ("ERROR", "ERROR"),
        ("count", "Count"),
        ("retmax", "RetMax"),
        ("retstart", "RetStart"),
        ("querykey", "QueryKey"),
        ("webenv", "WebEnv"),
    ):
        if key in result:
            yield _leaf(name, result[key])
    if "idlist" not in result:
        return
    ids = "".join(f"{_leaf('Id', uid)}\n" for uid in result["idlist"])
    yield f"<IdList>\n{ids}</IdList>" if ids else "<IdList/>"
    yield _group(
        "TranslationSet",
        [_indented_element("Translation", item, 4, ("From", "To")) for item in result["translationset"]],
    )
    if "translationstack" in result:
        yield f"<TranslationStack>{''.join(map(_stacked, result['translationstack']))}  </TranslationStack>"
    yield _leaf("QueryTranslation", result["querytranslation"])
    for key, name in (("errorlist", "ErrorList"), ("warninglist", "WarningList")):
        if key in result:
            yield _group(
                name, [_leaf(_NOTE_NAMES[kind], note) for kind, notes in result[key].items() for note in notes]
            )


_NOTE_NAMES = {
    "phrasesnotfound": "PhraseNotFound",
    "fieldsnotfound": "FieldNotFound",
    "phrasesignored": "PhraseIgnored",
    "quotedphrasesnotfound": "QuotedPhraseNotFound",
    "outputmessages": "OutputMessage",
}


def _leaf(name: str, text: str) -> str:
    return f"<{name}>{escape(text)}</{name}>"


def _group(name: str, items: Sequence[str]) -> str:
    return f"<{name}>{''.join(items)}</{name}>" if items else f"<{name}/>"


def _indented_element(name: str, item: Mapping[str, str], depth: int, members: Sequence[str]) -> str:
    blank = " " * depth
    inner = "".join(f"{blank} {_leaf(member, item[member.lower()])}" for member in members)
    return f"<{name}>{inner}{blank}</{name}>"


def _stacked(item: Mapping[str, str] | str) -> str:
    if isinstance(item, str):
        return f"   {_leaf('OP', item)}"
    return f"   {_indented_element('TermSet', item, 3, ('Term', 'Field', 'Count', 'Explode'))}"


def summaries(db: str, docsums: Mapping[str, Mapping[str, Any]], *, build: str, is_json: bool) -> Reply:
    """An esummary answer, JSON or XML of version 2.0, in the order of ``docsums``."""
    if is_json:
        return json_reply("esummary", {"result": {"uids": list(docsums), **docsums}})
    rows = [
        Element("DocumentSummary", [_docsum_element(*item) for item in row.items() if item[0] != "uid"], {"uid": uid})
        for uid, row in docsums.items()
    ]
    summary_set = Element("DocumentSummarySet", [Element("DbBuild", build), *rows], {"status": "OK"})
    prolog = _doctype("eSummaryResult", f"esummary {db}", _DOCSUM_DTD_DATE, f"esummary_{db}")
    return xml_reply("eSummaryResult", [summary_set], prolog=prolog, depth=0)


Item = tuple[str, str, "str | Sequence[Item]"]
"""Name, type and value of an item of a summary in esummary's first version; a ``List`` holds further items."""


def item_summaries(docsums: Mapping[str, Sequence[Item] | None]) -> Reply:
    """An esummary answer in XML of the first version; an error in place of an unknown UID, whose items are None."""
    rows = [
        Element("ERROR", f"UID={uid}: cannot get document summary")
        if items is None
        else Element("DocSum", [Element("Id", uid), *map(_item_element, items)])
        for uid, items in docsums.items()
    ]
    return xml_reply("eSummaryResult", rows, depth=0)


def _item_element(item: Item) -> Element:
    name, kind, value = item
    content = value if isinstance(value, str) else [_item_element(member) for member in value]
    return Element("Item", content, {"Name": name, "Type": kind})


def _docsum_element(key: str, value: object) -> Element:
    name = _DOCSUM_NAMES.get(key, key.capitalize())
    match value:
        case dict():
            return Element(name, [_docsum_element(*item) for item in value.items()])
        case list():
            item_name = _DOCSUM_ITEMS.get(key, f"{name}Type")
            return Element(name, [_docsum_item(item_name, item) for item in value])
        case _:
            return Element(name, "0" if value == "" and key in _NUMBERS else str(value))


def _docsum_item(name: str, item: object) -> Element:
    members = [_docsum_element(*member) for member in item.items()] if isinstance(item, dict) else str(item)
    return Element(name, members)


def failure(kind: str, message: str, *, is_json: bool = False, status: int = 200) -> Reply:
    """An ERROR in place of an answer of esearch, esummary, efetch, elink, epost or einfo."""
    if not is_json:
        return xml_reply(f"e{kind[1:].capitalize()}Result", [Element("ERROR", message)], status=status)
    contents: dict[str, dict[str, Any]] = {
        "esearch": {"esearchresult": {"ERROR": message}},
        "esummary": {"esummaryresult": [message]},
        "einfo": {"einforesult": {"dbinfo": [message]}},
    }
    return json_reply(kind, contents.get(kind, {"ERROR": message}), status=status)
