"""Every recorded gene record and summary, compared with a second reader of the tests' own."""

import functools
import json
from collections import Counter

import pytest

from biofact.dialects import eutils
from biofact.sources.entrez import parse
from tests.each_of import each_of
from tests.recordings import recording
from tests.sources.entrez import gene_reader
from tests.sources.entrez.recorded_genes import RECORDINGS

pytestmark = pytest.mark.quick

LARGE = [name for name in RECORDINGS if any(part in name for part in ("_3627_", "_50943_", "_2833_"))]
SMALL = [name for name in RECORDINGS if name not in LARGE]
both_sizes = pytest.mark.parametrize(
    "names", [SMALL, pytest.param(LARGE, marks=pytest.mark.sweep)], ids=["small", "large"]
)


@functools.cache
def cut(name, trim):
    ((_, record),) = parse.GeneSplitter(trim).feed(recording(name))
    return record


@both_sizes
def test_no_fact_of_a_recorded_gene_is_wrong_lost_or_invented(subtests, names):
    for name in names:
        with subtests.test(name=name):
            (root,) = gene_reader.records(name)

            gene = parse.gene(cut(name, parse.annotated)).gene.selected(["all"])

            assert gene.model_dump(mode="json") == gene_reader.gene(root)


@both_sizes
def test_no_generif_of_a_recorded_gene_is_wrong_lost_or_invented(subtests, names):
    for name in names:
        with subtests.test(name=name):
            (root,) = gene_reader.records(name)

            rifs = [rif.model_dump(mode="json") for rif in parse.generifs(cut(name, parse.with_generifs)).rows]

            assert word_counts(rifs) == word_counts(gene_reader.generifs(root))
            newest = [int(rif["pmids"][0].removeprefix("PMID:")) for rif in rifs]
            assert newest == sorted(newest, reverse=True)


def word_counts(rows):
    return Counter(json.dumps(row, sort_keys=True) for row in rows)


@both_sizes
def test_recorded_genes_have_the_annotations_that_were_counted_by_hand(subtests, names):
    counts = {  # GO terms, phenotypes, GeneRIFs: counted in the recordings by their elements
        "4747_older": (15, 2, 43),
        "gene_test": (52, 4, 191),
        "2833": (24, 0, 272),
        "3627": (51, 0, 645),
        "50943": (87, 1, 1030),
        "916": (50, 1, 37),
        "9606_SEC": (0, 0, 0),
    }
    for name in names:
        with subtests.test(name=name):
            (expected,) = [value for part, value in counts.items() if part in name]
            gene = parse.gene(cut(name, parse.annotated)).gene

            rifs = parse.generifs(cut(name, parse.with_generifs)).rows

            assert (len(gene.go_terms), len(gene.phenotypes), len(rifs)) == expected


@each_of("name", ["esummary_gene_3845_json_pori.json", "klortho_esummary.gene.xml"])
def test_no_fact_of_a_recorded_summary_is_wrong_lost_or_invented(name):
    ((uid, values),) = eutils.summaries(recording(f"entrez/{name}")).docsums.items()
    docsum = parse.docsum(values)
    candidate = docsum.candidate(match="symbol", score=1.0).model_dump(mode="json", exclude={"score", "match"})
    symbol = values["nomenclaturesymbol"] or values["name"]
    full_name = values["nomenclaturename"] or values["description"]
    aliases = [item for item in values["otheraliases"].split(", ") if item and item != symbol]
    names = [item for item in values["otherdesignations"].split("|") if item and item not in (full_name, "")]

    assert candidate == gene_reader.gene_of(
        id=f"NCBIGene:{uid}",
        symbol=symbol,
        organism=values["organism"]["scientificname"],
        name=full_name,
        description=values["description"] if values["description"] != full_name else None,
        aliases=aliases[:10],
        other_designations=names[:3],
        taxon_id=int(values["organism"]["taxid"]),
        chromosome=values["chromosome"],
        map_location=values["maplocation"],
    )
    assert list(docsum.aliases) == aliases
    assert list(docsum.designations) == names
