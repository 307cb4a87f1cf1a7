"""MeSH as a tree, and NCBI's MeSH database as E-utilities serve it, from the descriptors that we hold."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from biofact.sandbox.services.pubmed.facts import DescriptorFacts
from biofact.sandbox.standin import Refusal, Reply
from biofact.sandbox.tables import starter_rows, without
from biofact.sandbox.word_index import WordIndex, folded


class MeshTree:
    """Descriptors by their names, entry terms and places in the tree."""

    def __init__(self, descriptors: Iterable[DescriptorFacts]) -> None:
        self.descriptors = tuple(descriptors)
        self.by_ui = {one.ui: one for one in self.descriptors}
        self.by_uid = {one.uid: one for one in self.descriptors}
        self._by_name: dict[str, DescriptorFacts] = {}
        self._by_place: defaultdict[str, list[str]] = defaultdict(list)
        for one in self.descriptors:
            for number in one.tree_numbers:
                self._by_place[number].append(one.ui)
        headings = [(one.name, one) for one in self.descriptors]
        entries = [(term, one) for one in self.descriptors for term in one.entry_terms]
        for name, named in (*headings, *entries):  # headings first: none is another's entry term
            self._by_name.setdefault(folded(name), named)
            self._by_name.setdefault(_turned(name), named)

    def named(self, phrase: str) -> DescriptorFacts | None:
        """The descriptor with this name, entry term or UI, in any case; ``type 2 diabetes`` without its commas."""
        return self._by_name.get(folded(phrase)) or self.by_ui.get(phrase.strip().upper())

    def below(self, ui: str) -> set[str]:
        """The UIs of a descriptor and of all that are narrower."""
        own = self.by_ui[ui].tree_numbers if ui in self.by_ui else ()
        found = {
            narrower
            for number in own
            for place, uis in self._by_place.items()
            if place.startswith(f"{number}.")
            for narrower in uis
        }
        return {ui, *found}

    def around(self, number: str) -> tuple[Sequence[str], Sequence[str]]:
        """The UIs of the descriptor above a place in the tree, and of those right below it."""
        parent = number.rpartition(".")[0]
        depth = number.count(".") + 1
        children = [
            ui
            for place, uis in self._by_place.items()
            if place.startswith(f"{number}.") and place.count(".") == depth
            for ui in uis
        ]
        return self._by_place.get(parent, []), children


def _turned(name: str) -> str:
    """The name in the order of speech: ``neural networks computer`` turned to ``computer neural networks``."""
    head, _, tail = name.partition(", ")
    return folded(f"{tail} {head}")


_FIELDS = starter_rows(__package__, "mesh_field.jsonl")
_BY_SPELLING = {
    spelling: row["name"].lower()
    for row in _FIELDS
    for spelling in (row["name"].lower(), row["fullname"].lower(), *row["also"])
}
_TEXT_ONLY = b"Bad Request (400): the sandbox has no records of mesh; ask esummary."


class MeshDatabase:
    """The MeSH database of some descriptors."""

    name = "mesh"

    def __init__(self, mesh: MeshTree) -> None:
        self._mesh = mesh
        self._words = WordIndex()
        for one in mesh.descriptors:
            self._words.add(one.uid, " ".join((one.name, *one.entry_terms, one.scope_note, one.ui)))

    def lookup(self, field: str, phrase: str) -> Sequence[str] | None:
        """UIDs that match one phrase in one field, both in lower case; None for an unknown field."""
        tag = _BY_SPELLING.get(field)
        return None if tag is None else list(dict.fromkeys(self._found(tag, phrase.strip())))

    def _found(self, tag: str, phrase: str) -> Iterator[str]:
        match tag:
            case "uid":
                yield from (phrase,) if phrase in self._mesh.by_uid else ()
            case "filt":
                yield from self._mesh.by_uid if phrase == "all" else ()
            case "type":
                yield from self._mesh.by_uid if phrase in {"descriptor", "mesh"} else ()
            case "mhui":
                yield from (one.uid for one in self._mesh.descriptors if one.ui.lower() == phrase)
            case "tn":
                yield from (one.uid for one in self._mesh.descriptors if phrase.upper() in one.tree_numbers)
            case "mesh":
                yield from self._named(phrase)
            case _:
                yield from self._named(phrase)
                yield from self._holding(phrase, is_note=tag == "scop")

    def _named(self, phrase: str) -> Iterator[str]:
        """By a whole name; with ``*``, by its beginning."""
        if descriptor := self._mesh.named(phrase):
            yield descriptor.uid
        if phrase.endswith("*"):
            beginning = folded(phrase)
            for one in self._mesh.descriptors:
                if any(folded(name).startswith(beginning) for name in (one.name, *one.entry_terms)):
                    yield one.uid

    def _holding(self, phrase: str, *, is_note: bool) -> Iterator[str]:
        """By words side by side in a name, or in the note."""
        words = folded(phrase).split()
        if not words:
            return
        held = self._words.holders_of_prefix(words[-1]) if phrase.endswith("*") else self._words.holders(words[-1])
        wanted = f" {' '.join(words)}" + ("" if phrase.endswith("*") else " ")
        for uid in held:
            one = self._mesh.by_uid[uid]
            texts = (one.scope_note,) if is_note else (one.name, *one.entry_terms, one.scope_note, one.ui)
            if any(wanted in f" {folded(text)} " for text in texts):
                yield uid

    def all_uids(self) -> Collection[str]:
        """Every UID."""
        return self._mesh.by_uid.keys()

    def rank(self, uids: Iterable[str], sort: str) -> list[str]:
        """By heading for ``name``; else the shortest heading first, which the words fill best."""
        named = sorted(uids, key=lambda uid: self._mesh.by_uid[uid].name.lower())
        return named if sort.lower() == "name" else sorted(named, key=lambda uid: len(self._mesh.by_uid[uid].name))

    def docsum(self, uid: str) -> dict[str, Any] | None:
        """The esummary object; None for an unknown UID."""
        one = self._mesh.by_uid.get(uid)
        return self._docsum(one) if one else None

    def _docsum(self, one: DescriptorFacts) -> dict[str, Any]:
        return {
            "uid": one.uid,
            "ds_recordtype": "descriptor",
            "ds_meshui": one.ui,
            "ds_scopenote": one.scope_note,
            "ds_yearintroduced": "",
            "ds_meshterms": [one.name, *one.entry_terms],
            "ds_subheading": [],
            "ds_papx": [],
            "ds_previousindexing": [],
            "ds_seerelated": [],
            "ds_palist": [],
            "ds_idxlinks": [self._place(number) for number in one.tree_numbers],
            "ds_headingmappedto": "",
            "ds_headingmappedtolist": [],
        }

    def _place(self, number: str) -> dict[str, Any]:
        """Where it stands in the tree; UIDs of what is right above and below."""
        above, below = self._mesh.around(number)
        uids = [int(self._mesh.by_ui[ui].uid) for ui in above]
        return {
            "parent": uids[0] if uids else 0,
            "treenum": number,
            "children": [int(self._mesh.by_ui[ui].uid) for ui in below],
        }

    def fetch(self, _uids: Sequence[str]) -> Iterator[bytes]:
        """No record: NCBI writes those of MeSH as text only, which nothing here reads.

        Raises:
            Refusal: always.
        """
        raise Refusal(Reply(_TEXT_ONLY, "text/plain; charset=UTF-8", 400))

    def links(self, _uid: str, _linkname: str) -> Sequence[str] | None:
        """Nothing: no links lead from here; None for any name."""
        return None

    def linknames(self, _db: str) -> Sequence[str]:
        """None."""
        return []

    def info(self) -> dict[str, Any]:
        """The description of the database for einfo."""
        fields = [without(row, "also") for row in _FIELDS]
        return {"menuname": "MeSH", "description": "MeSH Database", "fields": fields, "links": []}
