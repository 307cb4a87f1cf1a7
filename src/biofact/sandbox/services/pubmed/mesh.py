"""MeSH as a tree, and NCBI's MeSH database as E-utilities serve it, from the descriptors that we hold."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from biofact.sandbox.dialects.eutils.database import ServedDatabase
from biofact.sandbox.services.pubmed.facts import DescriptorFacts
from biofact.sandbox.standin import Refusal, Reply
from biofact.sandbox.tables import drop_fields, starter_rows
from biofact.sandbox.word_index import WordIndex, folded, phrase_text


class MeshTree:
    """Descriptors by their names, entry terms and places in the tree."""

    def __init__(self, descriptors: Iterable[DescriptorFacts]) -> None:
        self.descriptors = tuple(descriptors)
        self.by_ui = {descriptor.ui: descriptor for descriptor in self.descriptors}
        self.by_uid = {descriptor.uid: descriptor for descriptor in self.descriptors}
        self._by_name: dict[str, DescriptorFacts] = {}
        self._by_place: defaultdict[str, list[str]] = defaultdict(list)
        for descriptor in self.descriptors:
            for number in descriptor.tree_numbers:
                self._by_place[number].append(descriptor.ui)
        headings = [(descriptor.name, descriptor) for descriptor in self.descriptors]
        entries = [(term, descriptor) for descriptor in self.descriptors for term in descriptor.entry_terms]
        for name, match in (*headings, *entries):  # headings first: none is another's entry term
            self._by_name.setdefault(folded(name), match)
            # Diabetes Mellitus, Type 2: behind the comma, first.
            self._by_name.setdefault(_in_spoken_order(name), match)

    def find(self, phrase: str) -> DescriptorFacts | None:
        """The descriptor with this name, entry term or UI, in any case; ``type 2 diabetes`` without its commas."""
        return self._by_name.get(folded(phrase)) or self.by_ui.get(phrase.strip().upper())

    def narrower_uis(self, ui: str) -> set[str]:
        """The UIs of a descriptor and of all that are narrower."""
        numbers = self.by_ui[ui].tree_numbers if ui in self.by_ui else ()
        return {ui, *(narrower for number in numbers for _, narrower in self._below(number))}

    def neighbors(self, number: str) -> tuple[Sequence[str], Sequence[str]]:
        """The UIs of the descriptor above a place in the tree, and of those one level below it."""
        children = [ui for place, ui in self._below(number) if place.count(".") == number.count(".") + 1]
        return self._by_place.get(number.rpartition(".")[0], []), children

    def _below(self, number: str) -> Iterator[tuple[str, str]]:
        """Each place below a number of the tree, and the UI of a descriptor there."""
        return ((place, ui) for place, uis in self._by_place.items() if place.startswith(f"{number}.") for ui in uis)


def _in_spoken_order(name: str) -> str:
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


def _texts(descriptor: DescriptorFacts) -> tuple[str, ...]:
    return (descriptor.name, *descriptor.entry_terms, descriptor.scope_note, descriptor.ui)


class MeshDatabase(ServedDatabase):
    """The MeSH database of some descriptors."""

    name = "mesh"

    def __init__(self, mesh: MeshTree) -> None:
        self._mesh = mesh
        self._words = WordIndex()
        for descriptor in mesh.descriptors:
            self._words.add(descriptor.uid, " ".join(_texts(descriptor)))

    def lookup(self, field: str, phrase: str) -> Sequence[str] | None:
        """UIDs that match one phrase in one field, both in lower case; None for an unknown field."""
        tag = _BY_SPELLING.get(field)
        return None if tag is None else list(dict.fromkeys(self._find_uids(tag, phrase.strip())))

    def _find_uids(self, tag: str, phrase: str) -> Iterator[str]:
        match tag:
            case "uid":
                yield from (phrase,) if phrase in self._mesh.by_uid else ()
            case "filt":
                yield from self._mesh.by_uid if phrase == "all" else ()
            case "type":
                yield from self._mesh.by_uid if phrase in {"descriptor", "mesh"} else ()
            case "mhui":
                yield from (descriptor.uid for descriptor in self._mesh.descriptors if descriptor.ui.lower() == phrase)
            case "tn":
                yield from (
                    descriptor.uid for descriptor in self._mesh.descriptors if phrase.upper() in descriptor.tree_numbers
                )
            case "mesh":
                yield from self._uids_with_name(phrase)
            case _:
                yield from self._uids_with_name(phrase)
                yield from self._uids_with_words(phrase, is_note=tag == "scop")

    def _uids_with_name(self, phrase: str) -> Iterator[str]:
        """The UIDs of descriptors with this name; with ``*``, with a name that begins like it."""
        if descriptor := self._mesh.find(phrase):
            yield descriptor.uid
        if phrase.endswith("*"):
            beginning = folded(phrase)
            for descriptor in self._mesh.descriptors:
                if any(folded(name).startswith(beginning) for name in (descriptor.name, *descriptor.entry_terms)):
                    yield descriptor.uid

    def _uids_with_words(self, phrase: str, *, is_note: bool) -> Iterator[str]:
        """The UIDs of descriptors with these words side by side in a text, or in the note."""
        words = folded(phrase).split()
        if not words:
            return
        uids = self._words.holders_of_prefix(words[-1]) if phrase.endswith("*") else self._words.holders(words[-1])
        text = phrase_text(phrase)
        for uid in uids:
            descriptor = self._mesh.by_uid[uid]
            texts = (descriptor.scope_note,) if is_note else _texts(descriptor)
            if any(text in f" {folded(value)} " for value in texts):
                yield uid

    def all_uids(self) -> Collection[str]:
        """Every UID."""
        return self._mesh.by_uid.keys()

    def rank(self, uids: Iterable[str], sort: str) -> list[str]:
        """By heading for ``name``; else the shortest heading first, which the words fill best."""
        by_name = sorted(uids, key=lambda uid: self._mesh.by_uid[uid].name.lower())
        return by_name if sort.lower() == "name" else sorted(by_name, key=lambda uid: len(self._mesh.by_uid[uid].name))

    def docsum(self, uid: str) -> dict[str, Any] | None:
        """The esummary object; None for an unknown UID."""
        if (descriptor := self._mesh.by_uid.get(uid)) is None:
            return None
        return {
            "uid": descriptor.uid,
            "ds_recordtype": "descriptor",
            "ds_meshui": descriptor.ui,
            "ds_scopenote": descriptor.scope_note,
            "ds_yearintroduced": "",
            "ds_meshterms": [descriptor.name, *descriptor.entry_terms],
            "ds_subheading": [],
            "ds_papx": [],
            "ds_previousindexing": [],
            "ds_seerelated": [],
            "ds_palist": [],
            "ds_idxlinks": [self._place(number) for number in descriptor.tree_numbers],
            "ds_headingmappedto": "",
            "ds_headingmappedtolist": [],
        }

    def _place(self, number: str) -> dict[str, Any]:
        """A place in the tree, with the UIDs one level above and below."""
        parents, children = self._mesh.neighbors(number)
        uids = [[int(self._mesh.by_ui[ui].uid) for ui in uis] for uis in (parents, children)]
        return {"parent": next(iter(uids[0]), 0), "treenum": number, "children": uids[1]}

    def fetch(self, _uids: Sequence[str]) -> Iterator[bytes]:
        """No record: NCBI writes those of MeSH as text only, which nothing here reads.

        Raises:
            Refusal: always.
        """
        raise Refusal(Reply(_TEXT_ONLY, "text/plain; charset=UTF-8", 400))

    def links(self, _uid: str, _linkname: str) -> Sequence[str] | None:
        """None for any name: MeSH has no links here."""
        return None

    def info(self) -> dict[str, Any]:
        """The description of the database for einfo."""
        fields = [drop_fields(row, "also") for row in _FIELDS]
        return {"menuname": "MeSH", "description": "MeSH Database", "fields": fields, "links": []}
