"""What articles and chapters have in common: authors, abstracts, dates and IDs. Pure."""

from biofact.sandbox.services.pubmed.facts import ArticleFacts, AuthorFacts
from biofact.sandbox.services.pubmed.markup import leaf, listed, node, optional


def author(one: AuthorFacts) -> str:
    """A person or a group, with where they work."""
    places = (node("AffiliationInfo", leaf("Affiliation", place)) for place in one.affiliations)
    return node("Author", _name(one), optional("Identifier", one.orcid, Source="ORCID"), *places, ValidYN="Y")


def _name(one: AuthorFacts) -> str:
    if one.collective:
        return leaf("CollectiveName", one.collective)
    parts = (("ForeName", one.fore), ("Initials", one.initials), ("Suffix", one.suffix))
    return leaf("LastName", one.last) + "".join(optional(name, text) for name, text in parts)


def abstract(article: ArticleFacts) -> str:
    """The abstract by its sections; nothing where there is none."""
    sections = [
        node("AbstractText", passage.text, Label=passage.label, NlmCategory=passage.category)
        for passage in article.abstract
    ]
    rights = node("CopyrightInformation", article.copyright) if article.copyright and sections else ""
    return listed("Abstract", (*sections, rights))


def keyword(word: str) -> str:
    """A keyword; an asterisk before it marks a main point."""
    return node("Keyword", word.removeprefix("*"), MajorTopicYN="Y" if word.startswith("*") else "N")


def history(article: ArticleFacts) -> str:
    """When what happened; here, months and days have no zero in front."""
    return listed("History", (_event(event, iso) for event, iso in article.history))


def _event(event: str, iso: str) -> str:
    date, _, time = iso.partition(" ")
    numbers = [*date.split("-"), *filter(None, time.split(":"))]
    parts = zip(("Year", "Month", "Day", "Hour", "Minute"), numbers, strict=False)
    return node("PubMedPubDate", *(leaf(name, str(int(number))) for name, number in parts), PubStatus=event)


def ids(article: ArticleFacts) -> str:
    """The PMID, then its other IDs."""
    numbered = (("pubmed", article.pmid), *article.ids)
    return listed("ArticleIdList", (leaf("ArticleId", value, IdType=kind) for kind, value in numbered))
