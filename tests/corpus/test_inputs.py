"""Input files yield every article once, in order, in any slices; an unreadable one is an entry with its error."""

import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.corpus import inputs
from biofact.corpus.inputs import InputDamaged, Slice
from biofact.sources.pubmed.parse.split import records
from tests.corpus.made_files import article, deletion, xml, xml_file
from tests.recordings import FOLDER, needs_recordings

pytestmark = pytest.mark.quick

LINES = [{"pmid": 1, "title": "One"}, {"id": "PMID:2", "title": "Two", "abstract": "Text.", "year": 2020}]


def read(path, part=None):
    return [
        (entry.pmid, entry.article.title if entry.article else entry.error)
        for entry in inputs.entries(path, part or Slice())
    ]


def test_a_file_of_pubmed(tmp_path):
    path = xml_file(tmp_path / "n1.xml", article(1, "One"), deletion(7), article(2, "Two", version=3))

    assert read(path) == [("1", "One"), ("2", "Two")]
    assert [entry.version for entry in inputs.entries(path, Slice())] == [1, 3]
    assert [(entry.pmid, entry.is_deletion) for entry in inputs.identifiers(path)] == [
        ("1", False),
        ("7", True),
        ("2", False),
    ]


def test_json_lines_of_our_own_and_of_others(tmp_path):
    path = tmp_path / "articles.jsonl"
    path.write_text("\n\n".join(map(json.dumps, LINES)) + "\n", "utf-8")

    assert read(path) == [("1", "One"), ("2", "Two")]
    second = next(inputs.entries(path, Slice(first=1))).article
    assert (second.id, second.abstract, second.year) == ("PMID:2", "Text.", 2020)


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("no json", "Entry 1 of the file is no JSON object."),
        ("[1]", "Entry 1 of the file is no JSON object."),
        ('{"title": "T"}', "ValueError: It has no PMID: expected pmid, a number, or id, such as PMID:32087273."),
        ('{"pmid": "x1", "title": "T"}', "ValueError: It has no PMID: expected pmid, a number, or id"),
        ('{"pmid": 1}', "ValueError: It has no title."),
        ('{"pmid": 1, "title": "T", "year": "soon"}', "Input should be a valid integer"),
    ],
)
def test_a_line_that_is_no_article_is_an_entry_with_its_error(tmp_path, line, error):
    path = tmp_path / "articles.ndjson"
    path.write_text(f'{line}\n{{"pmid": 2, "title": "Two"}}\n', "utf-8")

    first, second = read(path)

    assert first[1].startswith(error)
    assert second == ("2", "Two")


@pytest.mark.parametrize(
    ("damage", "error"),
    [
        (lambda text: text.replace("<ArticleTitle>", "<ArticleTitle><b>"), "not well-formed"),
        (lambda text: text.replace("<ArticleTitle>Two</ArticleTitle>", ""), "without a title"),
        (lambda text: text.replace("Two", "Two\x00"), "not well-formed"),
        (lambda text: text.replace('<PMID Version="1">2</PMID>', ""), "no PMID"),
    ],
)
def test_a_damaged_article_is_an_entry_and_the_others_are_read(tmp_path, damage, error):
    path = xml_file(tmp_path / "n1.xml.gz", article(1, "One"), damage(article(2, "Two")), article(3, "Three"))

    first, second, third = read(path)

    assert (first, third) == (("1", "One"), ("3", "Three"))
    assert error in second[1]


def test_a_text_of_ten_megabytes_is_refused_and_not_read(tmp_path):
    path = xml_file(tmp_path / "n1.xml", article(1, "x" * 10_000_000), article(2, "Two"))

    (first, error), second = read(path)

    assert first == "1"
    assert error.startswith("Title and abstract are 10,000,")
    assert second == ("2", "Two")


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("cut.xml", xml([article(1), article(2)])[:-40], "the articles are cut short"),
        (
            "cut.xml.gz",
            gzip.compress(xml([article(1), article(2)]))[:-9],
            "the compressed file is damaged or cut short",
        ),
        ("other.xml", b"<html><body>Not found</body></html>", "<html> in place of articles"),
        ("plain.xml.gz", xml([article(1)]), "the compressed file is damaged or cut short"),
        ("entity.xml", b'<!DOCTYPE PubmedArticleSet [<!ENTITY a "b">]><PubmedArticleSet/>', "declares entities"),
        ("empty.xml", b"", "the articles are cut short"),
    ],
)
def test_a_file_that_is_not_whole_is_named_with_the_reason(tmp_path, name, content, reason):
    path = tmp_path / name
    path.write_bytes(content)

    with pytest.raises(InputDamaged) as damage:
        read(path)

    assert str(damage.value).startswith(f"{name}: ")
    assert reason in str(damage.value)


def test_names_say_the_format(tmp_path):
    formats = {"a.xml": "xml", "A.XML.GZ": "xml", "b.jsonl": "ndjson", "b.ndjson.gz": "ndjson", "c.parquet": "parquet"}

    assert {name: inputs.format_of(tmp_path / name) for name in formats} == formats
    for name in ("d.csv", "e", "f.parquet.gz"):
        with pytest.raises(ValueError, match="no known format"):
            inputs.format_of(tmp_path / name)


@settings(max_examples=30)
@given(st.lists(st.integers(1, 4), max_size=6))
def test_slices_together_are_the_file(tmp_path_factory, sizes):
    folder = tmp_path_factory.mktemp("slices")
    count = sum(sizes)
    lines = [{"pmid": pmid, "title": f"Title {pmid}"} for pmid in range(1, count + 1)]
    (text := folder / "a.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    baseline = xml_file(folder / "a.xml", *(article(pmid, f"Title {pmid}") for pmid in range(1, count + 1)))
    offsets = [entry.offset for entry in inputs.identifiers(text)]

    for path, begins in ((text, offsets), (baseline, [0] * count)):
        parts, first = [], 0
        for size in sizes:
            parts += read(path, Slice(first, size, begins[first]))
            first += size
        assert parts == read(path)
        assert len(parts) == count


@needs_recordings
def test_real_files_give_what_the_splitter_gives():
    path = FOLDER / "pubmed" / "fatcat_pubmedsample_2019_partA.xml.gz"
    with gzip.open(path, "rb") as stream:
        expected = [pmid for pmid, xml_ in records(stream) if xml_]

    file_entries = list(inputs.entries(path, Slice()))

    assert [entry.pmid for entry in file_entries] == expected
    assert not [entry.error for entry in file_entries if entry.error]
