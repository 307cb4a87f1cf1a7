"""What is filed under a heading: MeSH with subheadings and all that is narrower, publication types, author names."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from biofact.sandbox.services.pubmed.corpus import ArticleCorpus
from biofact.sandbox.services.pubmed.facts import AuthorFacts, Heading
from biofact.sandbox.services.pubmed.starters import publication_types, subheadings
from biofact.sandbox.word_index import folded


@dataclass(frozen=True, slots=True)
class Filed:
    """Finds the articles under a MeSH heading such as ``neoplasms`` or ``neoplasms/drug therapy``."""

    is_major: bool = False
    """Only as a main point of the article."""
    is_exploded: bool = True
    """Under narrower headings, too."""

    def __call__(self, corpus: ArticleCorpus, phrase: str) -> Iterator[str]:
        """The PMIDs; none for a heading that there is not."""
        name, _, aspect = phrase.partition("/")
        if name.endswith("*"):
            prefix = folded(name)
            uis = {one.ui for one in corpus.mesh.descriptors if folded(one.name).startswith(prefix)}
        else:
            descriptor = corpus.mesh.named(name)
            uis = {descriptor.ui} if descriptor else set()
        if self.is_exploded:
            uis = {below for ui in uis for below in corpus.mesh.below(ui)}
        for pmid in dict.fromkeys(pmid for ui in uis for pmid in corpus.by_descriptor.get(ui, ())):
            if any(self._fits(heading, uis, aspect.strip()) for heading in corpus.articles[pmid].mesh):
                yield pmid

    def _fits(self, heading: Heading, uis: set[str], aspect: str) -> bool:
        if heading.descriptor.ui not in uis:
            return False
        aspects = [one for one in heading.qualifiers if one.name == aspect] if aspect else []
        if aspect:
            return any(one.is_major or not self.is_major for one in aspects)
        return heading.is_major or not self.is_major


def find_subheading(corpus: ArticleCorpus, phrase: str) -> Iterator[str]:
    """The articles of which some heading has this subheading."""
    for pmid, article in corpus.articles.items():
        if any(one.name == phrase for heading in article.mesh for one in heading.qualifiers):
            yield pmid


def find_type(corpus: ArticleCorpus, phrase: str) -> Iterator[str]:
    """The articles of a publication type, or of one that belongs to it, such as trials of phase III to trials."""
    wanted = {name for name in publication_types() if _is_of(name, folded(phrase), is_prefix=phrase.endswith("*"))}
    for pmid, article in corpus.articles.items():
        if wanted & {*article.type_names}:
            yield pmid


def _is_of(name: str, wanted: str, *, is_prefix: bool) -> bool:
    while name:
        if folded(name) == wanted or (is_prefix and folded(name).startswith(wanted)):
            return True
        name = publication_types()[name][1]
    return False


def is_subheading(phrase: str) -> bool:
    """Whether MeSH has such a subheading."""
    return phrase in subheadings()


def author_names(author: AuthorFacts) -> Iterable[str]:
    """What finds an author: ``Smith``, ``Smith J``, ``Smith JP``, the full name, the group's name."""
    if author.collective:
        return (author.collective,)
    initials = author.initials
    shortened = (f"{author.last} {initials[:count]}" for count in range(1, len(initials) + 1))
    full = (f"{author.last} {author.fore}", f"{author.fore} {author.last}")
    return (author.last, author.short, *shortened, *full)
