"""Articles and rankings in the formats of other programs: RIS, BibTeX, CSV, JSON Lines. Pure, same input same text."""

from biofact.literature.exports.bibtex import bibtex
from biofact.literature.exports.jsonl import json_lines
from biofact.literature.exports.ris import ris
from biofact.literature.exports.tables import features_table, ranking_table, table

__all__ = ["bibtex", "features_table", "json_lines", "ranking_table", "ris", "table"]
