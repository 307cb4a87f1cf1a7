"""The articles of an input file, one after the other: PubMed XML, NDJSON or Parquet, compressed or not."""

from biofact.corpus.inputs.entries import Entry, InputDamaged
from biofact.corpus.inputs.formats import SUFFIXES, InputFormat, format_of
from biofact.corpus.inputs.reading import Slice, entries, identifiers

__all__ = ["SUFFIXES", "Entry", "InputDamaged", "InputFormat", "Slice", "entries", "format_of", "identifiers"]
