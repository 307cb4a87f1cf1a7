"""A plan cuts files into shards, lets the last version of an article count, and holds a folder to itself."""

import asyncio
import errno
import json
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.core.folder_files import PART
from biofact.corpus import planning
from biofact.corpus.folder import CorpusFolder
from biofact.corpus.planning import InputsRefused, plan
from biofact.corpus.records import CRITERIA, Settings
from biofact.literature import files
from biofact.literature.files import FolderRefused, WriteFailed
from biofact.literature.scoring import ScoringCriteria
from tests.corpus.made_files import article, deletion, xml_file
from tests.each_of import each_of

pytestmark = pytest.mark.quick


def make_plan(folder: Path, paths: Sequence[Path], settings: Settings | None = None, **options):
    return asyncio.run(plan(folder, paths, settings or Settings(), **options))


def places_read(folder, corpus_plan):
    """The PMIDs that are read, file by file."""
    place = CorpusFolder(folder)
    return [
        [entry for entry in range(file.entries) if entry not in place.superseded_in(number, file.superseded)]
        for number, file in enumerate(corpus_plan.files)
    ]


def test_the_last_version_counts_and_deletions_do(tmp_path):
    first = xml_file(tmp_path / "n9.xml", article(1), article(2), article(3))
    second = xml_file(tmp_path / "n10.xml.gz", article(2, version=2), article(4), article(4), deletion(3))
    third = xml_file(tmp_path / "n11.xml", article(4))

    corpus_plan, faults = make_plan(tmp_path / "run", [third, second, first])

    assert [Path(file.path).name for file in corpus_plan.files] == ["n9.xml", "n10.xml.gz", "n11.xml"]
    assert places_read(tmp_path / "run", corpus_plan) == [[0], [0], [0]]
    assert (corpus_plan.articles, faults) == (3, [])


@pytest.mark.processes
def test_processes_find_what_one_does(tmp_path, monkeypatch):
    files = [xml_file(tmp_path / f"n{number}.xml", article(number), deletion(number - 1)) for number in (1, 2, 3)]
    (tmp_path / "n4.xml").write_bytes(files[0].read_bytes()[:-60])
    options = {"skips_damaged": True, "jobs": 2}

    plan_by_one, faults_by_one = make_plan(tmp_path / "one", [*files, tmp_path / "n4.xml"], **options)
    monkeypatch.setattr(planning, "MOST_IN_ONE_PROCESS", 0)
    plan_by_two, faults_by_two = make_plan(tmp_path / "several", [*files, tmp_path / "n4.xml"], **options)

    assert plan_by_two.model_copy(update={"milliseconds": plan_by_one.milliseconds}) == plan_by_one
    assert places_read(tmp_path / "several", plan_by_two) == places_read(tmp_path / "one", plan_by_one) == [[], [], [0]]
    assert faults_by_two == faults_by_one != []


FILES = st.lists(st.lists(st.tuples(st.sampled_from([1, 2, 3, 2**31, 10**17]), st.booleans()), max_size=6), min_size=1)
"""The PMIDs of each file, and whether each is deleted."""


@settings(max_examples=12, derandomize=True)
@given(FILES)
def test_every_pmid_is_read_where_it_stands_last(tmp_path_factory, files):
    assert_read_where_it_stands_last(tmp_path_factory, files)


@pytest.mark.sweep
@settings(max_examples=200)
@given(FILES)
def test_every_pmid_of_any_files_is_read_where_it_stands_last(tmp_path_factory, files):
    assert_read_where_it_stands_last(tmp_path_factory, files)


def assert_read_where_it_stands_last(tmp_path_factory, files):
    folder = tmp_path_factory.mktemp("versions")
    expected, paths = {}, []
    for number, records in enumerate(files):
        texts = [deletion(pmid) if is_deletion else article(pmid, "T", "") for pmid, is_deletion in records]
        paths.append(xml_file(folder / f"n{number}.xml", *texts))
        in_file = {}
        for place, pmid in enumerate(pmid for pmid, is_deletion in records if not is_deletion):
            in_file[pmid] = (number, place)
        for pmid in [pmid for pmid, is_deletion in records if is_deletion]:
            expected.pop(pmid, None)
        expected |= in_file
    if not any(not is_deletion for records in files for _, is_deletion in records):
        with pytest.raises(InputsRefused, match="no article"):
            make_plan(folder / "run", paths)
        return

    corpus_plan, _ = make_plan(folder / "run", paths)

    places = [
        (number, place) for number, places in enumerate(places_read(folder / "run", corpus_plan)) for place in places
    ]
    assert sorted(places) == sorted(expected.values())


def test_shards_and_parts_have_every_article_once(tmp_path):
    paths = [xml_file(tmp_path / f"n{n}.xml", *(article(10 * n + i) for i in range(7))) for n in (1, 2)]

    corpus_plan, _ = make_plan(tmp_path / "run", paths, shard_size=3, parts=4)

    assert [(shard.file, shard.first, shard.count, shard.is_last) for shard in corpus_plan.shards] == [
        *((0, 0, 3, False), (0, 3, 3, False), (0, 6, 1, True)),
        *((1, 0, 3, False), (1, 3, 3, False), (1, 6, 1, True)),
    ]
    numbers = [shard.number for part in range(1, 5) for shard in corpus_plan.part(part)]
    assert sorted(numbers) == list(range(6))
    assert make_plan(tmp_path / "other", paths, shard_size=10, parts=200)[0].parts == 2


def test_damaged_files_are_named_together_and_can_be_skipped(tmp_path):
    good = xml_file(tmp_path / "n1.xml", article(1))
    cut = tmp_path / "n2.xml"
    cut.write_bytes(xml_file(tmp_path / "n3.xml", article(2), article(3)).read_bytes()[:-30])
    (other := tmp_path / "n4.xml").write_text("<html></html>", "utf-8")

    with pytest.raises(InputsRefused) as refusal:
        make_plan(tmp_path / "run", [good, cut, other])
    corpus_plan, faults = make_plan(tmp_path / "run", [good, cut, other], skips_damaged=True)

    assert str(refusal.value).startswith("2 of the input files cannot be read. n2.xml: the articles are cut short.")
    assert "n4.xml: <html> in place of articles." in str(refusal.value)
    assert [Path(file.path).name for file in corpus_plan.files] == ["n1.xml"]
    assert len(faults) == 2


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        ([], "no input file"),
        (["n1.xml", "n1.xml"], "Given more than once: n1.xml"),
        (["n1.csv"], "no n1.csv"),
        (["n1.txt"], "no known format"),
    ],
)
def test_files_that_make_no_corpus_are_refused(tmp_path, names, reason):
    for name in ("n1.xml", "n1.txt"):
        xml_file(tmp_path / name, article(1))

    with pytest.raises(InputsRefused, match=reason):
        make_plan(tmp_path / "run", [tmp_path / name for name in names])
    assert not (tmp_path / "run").exists()


def test_the_same_plan_continues_and_another_is_refused(tmp_path):
    path = xml_file(tmp_path / "n1.xml", article(1), article(2))
    first, _ = make_plan(tmp_path / "run", [path])

    assert make_plan(tmp_path / "run", [path])[0].key == first.key
    for options, difference in (
        ({"shard_size": 1}, "another shard size"),
        ({"settings": Settings(score_function="composite")}, "another score function"),
        (
            {"settings": Settings(extraction_schema={"study_type": "string"}, criteria=schema_of("study_type"))},
            "schema and",
        ),
    ):
        with pytest.raises(FolderRefused, match=difference):
            make_plan(tmp_path / "run", [path], **options)
    xml_file(path, article(1), article(3))
    with pytest.raises(FolderRefused, match="other input files"):
        make_plan(tmp_path / "run", [path])


def test_a_folder_of_something_else_is_refused_and_unchanged(tmp_path):
    path = xml_file(tmp_path / "n1.xml", article(1))
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "thesis.txt").write_text("mine", "utf-8")

    with pytest.raises(FolderRefused, match="not of a corpus"):
        make_plan(tmp_path / "run", [path])
    assert [file.name for file in (tmp_path / "run").iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize(
    ("criteria", "reason"),
    [
        ({"weights": {"colour": 1}}, "'colour' has a weight and is not in the schema"),
        ({"weights": {"outcome": 1}, "scoring_functions": {"outcome": "keyword_match"}}, "needs keywords"),
        ({"weights": {"outcome": 1}, "scoring_functions": {"outcome": "text_similarity"}}, "all articles"),
    ],
)
def test_scores_that_need_all_texts_at_once_are_refused(tmp_path, criteria, reason):
    path = xml_file(tmp_path / "n1.xml", article(1))

    with pytest.raises(ValueError, match=reason):
        make_plan(tmp_path / "run", [path], Settings(criteria=ScoringCriteria.model_validate(criteria)))


def test_every_feature_has_a_function_that_is_fixed_by_the_schema():
    schema = {"n": "integer", "done": "boolean", "arms": "array[string]", "text": "string", "effect_size": "number"}
    criteria = ScoringCriteria(weights=dict.fromkeys([*schema, "hazard_ratio"], 1.0))

    fixed = Settings(extraction_schema=schema | {"hazard_ratio": "number"}, criteria=criteria).fixed()

    functions = {name: function["name"] for name, function in fixed.criteria.scoring_functions.items()}
    kinds = {"n": "log_scale", "done": "boolean", "arms": "count", "text": "text_quality"}
    assert functions == kinds | {"effect_size": "effect", "hazard_ratio": "effect"}
    assert json.loads(fixed.model_dump_json()) == json.loads(fixed.fixed().model_dump_json())


def schema_of(feature):
    return CRITERIA.model_copy(
        update={"weights": {feature: 1.0}, "scoring_functions": {feature: CRITERIA.scoring_functions[feature]}}
    )


def stopped_plan(folder: Path, paths: Sequence[Path], name: str) -> None:
    """A plan whose process is stopped when it writes the file of this name."""

    def write(file, content):
        if file.name == name:
            (file.parent / f"{PART}abc").path.write_bytes(content[:10])
            raise WriteFailed(str(file), OSError(errno.ENOSPC, "No space left on device"))
        written(file, content)

    written = files.write
    with patch.object(files, "write", write), pytest.raises(WriteFailed, match="no space left"):
        make_plan(folder, paths)


@each_of("name", ["00000.npz", "plan.json"])
def test_a_plan_that_was_stopped_goes_on_by_the_same_command(tmp_path, name):
    folder = tmp_path / name
    paths = [xml_file(tmp_path / "n1.xml", article(1), article(2)), xml_file(tmp_path / "n2.xml", article(2))]
    stopped_plan(folder, paths, name)

    corpus_plan, _ = make_plan(folder, paths)

    assert places_read(folder, corpus_plan) == [[0], [0]]


def test_a_plan_of_other_files_takes_nothing_over_from_one_that_was_stopped(tmp_path):
    paths = [xml_file(tmp_path / "n1.xml", article(1), article(2)), xml_file(tmp_path / "n2.xml", article(2))]
    stopped_plan(tmp_path / "run", paths, "plan.json")

    corpus_plan, _ = make_plan(tmp_path / "run", paths[:1])

    assert places_read(tmp_path / "run", corpus_plan) == [[0, 1]]


@each_of("name", ["notes.txt", "shards/00000.json", "failures/00000-1.json", "superseded/notes.txt", "other/a"])
def test_what_no_plan_leaves_behind_is_not_overwritten(tmp_path, name):
    folder = tmp_path / name.replace("/", "-")
    (folder / name).parent.mkdir(parents=True)
    (folder / name).write_text("mine")

    with pytest.raises(FolderRefused, match="holds something that is not of a corpus"):
        make_plan(folder, [xml_file(tmp_path / "n1.xml", article(1))])
    assert [path.name for path in folder.rglob("*") if path.is_file()] == [(folder / name).name]
