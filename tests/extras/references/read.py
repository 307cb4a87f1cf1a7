"""Reads an RIS and a BibTeX file with rispy and pybtex, lets a CSL processor cite rispy's references, writes all."""

import json
import sys
import warnings
from pathlib import Path

import rispy
from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle, formatter
from citeproc.source.json import CiteProcJSON
from pybtex.database import parse_file

TYPES = {"JOUR": "article-journal", "CHAP": "chapter", "BOOK": "book", "UNPB": "manuscript"}
"""A RIS reference in CSL; citeproc-py reads no BibTeX with a macro such as ``textless``."""


def csl(reference):
    """A reference of rispy as CSL has it."""
    people = [
        dict(zip(("family", "given", "suffix"), name.split(", "), strict=False))
        for name in reference.get("authors", [])
    ]
    item = {
        "id": reference["accession_number"],
        "type": TYPES[reference["type_of_reference"]],
        "title": reference["title"],
        "author": people,
        "issued": {"date-parts": [[int(reference["year"])]]},
        "container-title": reference.get("secondary_title"),
        "volume": reference.get("volume"),
        "page": "-".join(filter(None, (reference.get("start_page"), reference.get("end_page")))),
    }
    return {name: value for name, value in item.items() if value}


def main():
    """Write the references as JSON."""
    ris, bib = sys.argv[1:]
    by_rispy = rispy.loads(Path(ris).read_text("utf-8"))
    by_pybtex = {
        key: {
            "type": entry.type,
            "authors": [" ".join(person.last_names) for person in entry.persons.get("author", [])],
            **dict(entry.fields.items()),
        }
        for key, entry in parse_file(bib, bib_format="bibtex").entries.items()
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        style = CitationStylesStyle("harvard-cite-them-right", validate=False)
        cited = CitationStylesBibliography(
            style, CiteProcJSON([csl(reference) for reference in by_rispy]), formatter.plain
        )
        for reference in by_rispy:
            cited.register(Citation([CitationItem(reference["accession_number"])]))
        by_csl = [str(item) for item in cited.bibliography()]
    sys.stdout.write(json.dumps({"rispy": by_rispy, "pybtex": by_pybtex, "csl": by_csl}))


if __name__ == "__main__":
    main()
