"""elink: from the records of one database to those of another."""

from collections.abc import Iterable, Sequence
from typing import Any

from biofact.sandbox.dialects.eutils import replies
from biofact.sandbox.dialects.eutils.replies import Element
from biofact.sandbox.dialects.eutils.requests import OMITTED, EutilsRequest, bad_request
from biofact.sandbox.standin import Reply

_UNSCORED = 0  # the score of a link that was not computed from similarity


def elink(request: EutilsRequest) -> Reply:
    """Links of each group of UIDs: those in one ``id`` are merged, a repeated ``id`` gets its own set."""
    is_json = request.is_json
    command = request.ask.one("cmd", "neighbor")
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
    if is_json:
        return replies.json_reply("elink", {"linksets": sets} if is_complete else {"linksets": sets, "ERROR": OMITTED})
    content = [_set_element(link_set) for link_set in sets]
    return replies.xml_reply("eLinkResult", content if is_complete else [*content, Element("ERROR", OMITTED)], depth=0)


def _groups(request: EutilsRequest) -> tuple[list[list[str]], bool]:
    """The UIDs to link, and whether these are all that were given: malformed ones are left out."""
    history_uids = request.history_uids()
    if history_uids is not None:
        return [history_uids], True
    given = [[uid.strip() for uid in value.split(",") if uid.strip()] for value in request.ask.many("id")]
    groups = [[uid for uid in group if uid.isdecimal()] for group in given]
    if not any(groups):
        raise request.failure(OMITTED if any(given) else "Supplied id parameter is empty.")
    return [group for group in groups if group], groups == given


def _linknames(request: EutilsRequest) -> Sequence[str]:
    linkname = request.ask.one("linkname")
    names = [linkname] if linkname else request.database.linknames(request.ask.one("db"))
    for name in names:
        if request.database.links("0", name) is None:
            raise request.failure(f"Invalid link name: {name:.60}")
    return names


def _linked(request: EutilsRequest, uids: Sequence[str]) -> dict[str, list[str]]:
    """By link name, what the UIDs lead to; names without links are left out."""
    found = {name: _merged(request.database.links(uid, name) or () for uid in uids) for name in _linknames(request)}
    return {name: links for name, links in found.items() if links}


def _merged(lists: Iterable[Sequence[str]]) -> list[str]:
    """One list as it is; several as one, highest first (recorded: elink of two articles, 2025)."""
    several = [links for links in lists if links]
    if len(several) == 1:
        return list(several[0])
    return sorted({uid for links in several for uid in links}, key=int, reverse=True)


def _target(linkname: str) -> str:
    return linkname.split("_")[1]


def _neighbors(request: EutilsRequest, uids: list[str]) -> dict[str, Any]:
    is_scored = request.ask.one("cmd") == "neighbor_score"
    databases = [
        {
            "dbto": _target(name),
            "linkname": name,
            "links": [{"id": uid, "score": _UNSCORED} for uid in links] if is_scored else links,
        }
        for name, links in _linked(request, uids).items()
    ]
    return {"ids": uids, "linksetdbs": databases} if databases else {"ids": uids}


def _history(request: EutilsRequest, uids: list[str]) -> dict[str, Any]:
    web_env, histories = request.ask.one("WebEnv"), []
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
    """Whether there is any link; none leads out of NCBI, as lcheck would tell."""
    if request.ask.one("cmd") == "lcheck":
        return {"idchecklist": {"ids": [{"value": uid, "haslinkout": "N"} for uid in uids]}}
    there = {uid: "Y" if _linked(request, [uid]) else "N" for uid in uids}
    return {"idchecklist": {"ids": [{"value": uid, "hasneighbor": has} for uid, has in there.items()]}}


def _set_element(link_set: dict[str, Any]) -> Element:
    content = [Element("DbFrom", link_set["dbfrom"])]
    if "ids" in link_set:
        content.append(Element("IdList", [Element("Id", uid) for uid in link_set["ids"]]))
    content += [_links_element(row) for row in link_set.get("linksetdbs", ())]
    content += [
        Element("LinkSetDbHistory", _leaves(row, _HISTORY_NAMES)) for row in link_set.get("linksetdbhistories", ())
    ]
    if "webenv" in link_set:
        content.append(Element("WebEnv", link_set["webenv"]))
    if "idchecklist" in link_set:
        content.append(Element("IdCheckList", _checked(link_set["idchecklist"])))
    return Element("LinkSet", content)


_HISTORY_NAMES = ("DbTo", "LinkName", "QueryKey")
_LINK_INFO_NAMES = ("DbTo", "LinkName", "MenuTag", "HtmlTag", "Priority")
_FLAG_NAMES = {"haslinkout": "HasLinkOut", "hasneighbor": "HasNeighbor"}


def _leaves(row: dict[str, Any], names: tuple[str, ...]) -> list[Element]:
    return [Element(name, row[name.lower()]) for name in names]


def _links_element(row: dict[str, Any]) -> Element:
    links = [
        Element("Link", [Element("Id", link["id"]), Element("Score", str(link["score"]))])
        if isinstance(link, dict)
        else Element("Link", [Element("Id", link)])
        for link in row["links"]
    ]
    return Element("LinkSetDb", [*_leaves(row, ("DbTo", "LinkName")), *links])


def _checked(checks: dict[str, Any]) -> list[Element]:
    if "ids" in checks:
        return [
            Element(
                "Id", row["value"], {_FLAG_NAMES[flag]: value for flag, value in row.items() if flag in _FLAG_NAMES}
            )
            for row in checks["ids"]
        ]
    return [
        Element(
            "IdLinkSet",
            [
                Element("Id", row["id"]),
                *(Element("LinkInfo", _leaves(kind, _LINK_INFO_NAMES)) for kind in row["linkinfos"]),
            ],
        )
        for row in checks["idlinksets"]
    ]
