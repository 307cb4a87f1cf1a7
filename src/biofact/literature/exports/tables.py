"""Rankings and features as CSV. Pure."""

from collections.abc import Iterable, Mapping, Sequence

from biofact.literature.ranking.candidates import RankedRow
from biofact.literature.ranking.flat import Cell, columns_of, flat_rows, flatten
from biofact.literature.records import CanonicalPubMedExtraction
from biofact.tables.spreadsheet import csv_text


def ranking_table(rows: Sequence[RankedRow]) -> str:
    """The ranking, one article a line, in the columns of the format analysis_ready."""
    return table(columns_of(rows), flat_rows(rows))


def features_table(extractions: Sequence[CanonicalPubMedExtraction]) -> str:
    """What each article states, one article a line: the value of each field and its evidence."""
    results = []
    for one in extractions:
        cells: dict[str, Cell] = {"item_id": one.item_id}
        article = one.original_article
        own = {"title": article.title, "year": article.year, "journal": article.journal} if article else {}
        cells |= {name: value for name, value in own.items() if value is not None}
        cells |= dict(flatten(one.extraction, "feature:"))
        evidence = one.extraction_metadata.evidence if one.extraction_metadata else {}
        for field, places in evidence.items():
            cells[f"evidence:{field}"] = " | ".join(place.quote for place in places)
        results.append(cells)
    fields = dict.fromkeys(name.partition(":")[2] for cells in results for name in cells if ":" in name)
    pairs = [f"{kind}:{field}" for field in sorted(fields) for kind in ("feature", "evidence")]
    return table(["item_id", "title", "year", "journal", *pairs], results)


def table(columns: Sequence[str], rows: Iterable[Mapping[str, Cell]]) -> str:
    """Header and rows as CSV."""
    return csv_text([columns, *([row.get(name) for name in columns] for row in rows)])
