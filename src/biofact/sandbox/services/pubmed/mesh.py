"""MeSH as a tree: names to descriptors, and a descriptor to those below it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from biofact.sandbox.services.pubmed.facts import DescriptorFacts
from biofact.sandbox.word_index import folded


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
