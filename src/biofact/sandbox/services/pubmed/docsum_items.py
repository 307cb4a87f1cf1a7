"""The items of esummary's first version, which XML is in unless ``version=2.0`` is asked for.

As Biopython records it (Tests/Entrez/esummary1.xml); that has articles without a DOI, whose place is not recorded.
"""

from collections.abc import Iterator
from typing import Any

from biofact.sandbox.dialects.eutils.replies import Item
from biofact.sandbox.services.pubmed.facts import ArticleFacts
from biofact.sandbox.services.pubmed.medline import printed_place

_LANGUAGES = {"eng": "English", "ger": "German", "nor": "Norwegian", "spa": "Spanish", "swe": "Swedish"}
_STAGES = {"3": "epublish", "4": "ppublish", "10": "aheadofprint"}


def items(article: ArticleFacts, summary: dict[str, Any]) -> Iterator[Item]:
    """The items of an article, of which ``summary`` is the second version."""
    yield from (("PubDate", "Date", summary["pubdate"]), ("EPubDate", "Date", summary["epubdate"]))
    yield "Source", "String", summary["source"]
    yield _listed("AuthorList", "Author", [author["name"] for author in summary["authors"]])
    for name in ("LastAuthor", "Title", "Volume", "Issue", "Pages"):
        yield name, "String", summary[name.lower()]
    yield _listed("LangList", "Lang", [_LANGUAGES.get(code, code) for code in summary["lang"]])
    for name in ("NlmUniqueID", "ISSN", "ESSN"):
        yield name, "String", summary[name.lower()]
    yield _listed("PubTypeList", "PubType", summary["pubtype"])
    yield "RecordStatus", "String", summary["recordstatus"]
    yield "PubStatus", "String", _STAGES.get(summary["pubstatus"], "")
    ids = summary["articleids"]
    yield "ArticleIds", "List", [(row["idtype"], "String", row["value"]) for row in ids]
    yield from (("DOI", "String", row["value"]) for row in ids if row["idtype"] == "doi")
    yield "History", "List", [(event["pubstatus"], "Date", event["date"]) for event in summary["history"]]
    related = [f"{row['reftype']}: {row['refsource']}" for row in summary["references"]]
    yield _listed("References", "Reference", related)
    yield "HasAbstract", "Integer", str(int("Has Abstract" in summary["attributes"]))
    yield "PmcRefCount", "Integer", str(summary["pmcrefcount"] or 0)
    yield "FullJournalName", "String", summary["fulljournalname"]
    yield "ELocationID", "String", summary["elocationid"]
    yield "SO", "String", printed_place(article)


def _listed(name: str, member: str, values: list[str]) -> Item:
    return name, "List", [(member, "String", value) for value in values]
