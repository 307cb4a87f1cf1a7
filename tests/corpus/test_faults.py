"""Files that are damaged, changed or poisoned, and disks that are full: named in plain words, the rest processed."""

import asyncio
import contextlib
import gzip
import pickle
import shutil
import sys
import time

import pytest

from biofact.corpus import shards
from biofact.corpus.folder import CorpusFolder, status
from biofact.corpus.planning import InputsRefused
from biofact.corpus.records import VERSION
from biofact.corpus.runs import ProcessEngine, retry, run
from biofact.corpus.shards import run_shard
from biofact.literature.files import FolderRefused, WriteFailed
from tests.corpus.made_corpora import contents_of, done, lines, make_plan, of_version, pubmed, record, stamps
from tests.each_of import each_of

pytestmark = pytest.mark.quick

GOOD = "".join(record(str(pmid), "Zinc for colds", "We randomly assigned 20 adults.") for pmid in range(101, 111))
ENTITIES = (
    '<?xml version="1.0"?>\n<!DOCTYPE PubmedArticleSet [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>\n'
)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "corpus"


@pytest.fixture
def good(tmp_path):
    return lines(tmp_path / "good.jsonl", range(1, 7))


def read(folder, plan):
    """All rows of a run, in the order of its shards."""
    place = CorpusFolder(folder)
    return [row for shard in plan.shards for row in shards.read_rows(place.rows_file(shard.number))]


def refusal_of(folder, *paths):
    with pytest.raises(InputsRefused) as refusal:
        make_plan(folder, *paths)
    assert not folder.exists()
    return str(refusal.value)


def cut_short(path):
    path.write_bytes(path.read_bytes()[:-40])


def corrupt(path):
    body = bytearray(path.read_bytes())
    body[len(body) // 2] ^= 0xFF
    path.write_bytes(body)


def ended_early(path):
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes())[:-40]))


@pytest.mark.parametrize("damage", [cut_short, corrupt, ended_early])
def test_a_damaged_file_is_named_at_planning_and_can_be_skipped(tmp_path, folder, good, damage):
    bad = pubmed(tmp_path / "bad.xml.gz", GOOD)
    damage(bad)

    message = refusal_of(folder, bad, good)
    plan = make_plan(folder, bad, good, skips_damaged=True)

    assert message.startswith("1 of the input files cannot be read. bad.xml.gz: ")
    assert [file.path for file in plan.files] == [str(good)]
    assert done(folder).is_complete


@pytest.mark.parametrize(
    "damage", [corrupt, *(pytest.param(damage, marks=pytest.mark.sweep) for damage in (cut_short, ended_early))]
)
def test_a_file_that_is_damaged_after_planning_fails_and_the_others_are_done(tmp_path, folder, good, damage):
    bad = pubmed(tmp_path / "bad.xml.gz", GOOD)
    plan = make_plan(folder, bad, good)
    damage(bad)

    end = done(folder)

    assert end.failed == {0: "bad.xml.gz is not the file that the run was planned with."}
    assert CorpusFolder(folder).attempts(0) == 3
    assert set(stamps(folder, plan)) == {1}


def test_files_that_are_swapped_after_planning_are_not_read_as_each_other(tmp_path, folder, good):
    first_file, second_file = (
        lines(tmp_path / "one.jsonl", range(101, 105)),
        lines(tmp_path / "two.jsonl", range(201, 205)),
    )
    plan = make_plan(folder, good, first_file, second_file)
    for path, body in ((first_file, second_file.read_bytes()), (second_file, first_file.read_bytes())):
        path.write_bytes(body)

    end = done(folder)

    assert sorted(end.failed.values()) == [
        f"{name} is not the file that the run was planned with." for name in ("one.jsonl", "two.jsonl")
    ]
    assert set(stamps(folder, plan)) == {0}


def test_a_file_that_is_gone_is_named_and_its_shard_done_when_it_is_back(folder, good):
    plan = make_plan(folder, good)
    body = good.read_bytes()
    good.unlink()

    end = done(folder)
    good.write_bytes(body)
    tried_again = CorpusFolder(folder).forget_failures()

    assert end.failed == {0: f"{good}: No such file or directory."}
    assert tried_again == [0]
    assert done(folder).is_complete
    assert len(read(folder, plan)) == 6


@pytest.mark.processes
@pytest.mark.skipif(sys.platform == "win32", reason="a limit of files is POSIX's")
def test_a_disk_that_refuses_writes_stops_the_run_and_keeps_what_is_done(tmp_path, folder, good):
    large = lines(tmp_path / "large.jsonl", range(1001, 1401))
    plan = make_plan(folder, good, large, shard_size=1000)

    with _files_of(16 << 10), pytest.raises(WriteFailed, match=r"cannot be written: file too large\.") as failure:
        asyncio.run(run(folder, ProcessEngine(1)))

    assert "What is done so far is kept." in failure.value.hint
    assert set(stamps(folder, plan)) == {0}
    assert not [name for name in contents_of(folder) if name.startswith(".part-")]
    assert not CorpusFolder(folder).failures.entries()
    assert done(folder).is_complete


@contextlib.contextmanager
def _files_of(size):
    """A limit on the size of files, for this process and those that it starts."""
    import resource  # noqa: PLC0415  # POSIX's

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_an_error_that_stops_a_run_comes_whole_from_another_process():
    for failure in (
        WriteFailed("/disk/a", OSError(28, "No space left on device")),
        FolderRefused("It is another's.", hint="Give another."),
    ):
        restored_failure = pickle.loads(pickle.dumps(failure))

        assert (type(restored_failure), str(restored_failure), restored_failure.hint) == (
            type(failure),
            str(failure),
            failure.hint,
        )


def test_a_folder_of_another_plan_is_refused_and_unchanged(tmp_path, folder, good):
    make_plan(folder, good)
    done(folder)
    before = contents_of(folder)

    with of_version("2"), pytest.raises(FolderRefused, match="holds a run with another version of biofact"):
        make_plan(folder, good)
    with pytest.raises(FolderRefused, match="holds a run with other input files"):
        make_plan(folder, lines(tmp_path / "other.jsonl", range(1, 9)))

    assert contents_of(folder) == before


def test_a_shard_of_another_plan_does_not_count_as_done(tmp_path, folder, good):
    other = tmp_path / "other"
    with of_version("2"):
        make_plan(other, good)
        done(other)
    plan = make_plan(folder, good)
    for name, content in contents_of(other).items():
        (folder / "shards" / name).write_bytes(content)

    assert stamps(folder, plan) == {}
    assert done(folder).is_complete
    assert {row["code_version"] for row in read(folder, plan)} == {VERSION}


def test_code_of_another_version_adds_nothing_to_what_is_done(folder, good):
    """For instance, a task of an array on a machine that was updated, or a worker of Dask that joins late."""
    plan = make_plan(folder, good)
    run_shard(folder, 0)
    before = contents_of(folder)
    message = f"was planned by biofact {VERSION}, and biofact 2 was to do its shards"

    with of_version("2"):
        for do in (lambda: run_shard(folder, 1), lambda: done(folder), lambda: asyncio.run(run(folder, part=1))):
            with pytest.raises(FolderRefused, match=message) as refusal:
                do()
            assert refusal.value.hint.startswith(f"Install biofact {VERSION} to go on")

    assert contents_of(folder) == before
    assert len(stamps(folder, plan)) == 1


HUGE_LINES = {
    record("1", "Zinc <b>for</i> colds"): ("1", "The record is not well-formed: mismatched tag"),
    record("2", "Zinc &b; colds"): ("2", "The record is not well-formed: undefined entity"),
    record("3", "Zinc \x01 colds"): ("3", "The record is not well-formed: not well-formed (invalid token)"),
    record("4" * 30, "Zinc"): (None, f"'PMID:{'4' * 30}' is not a PubMed ID"),
    record("-5", "Zinc"): (None, "The article has no PMID."),
    record("", "Zinc"): (None, "The article has no PMID."),
    record("7", "A" * 10_000_000): (
        "7",
        "Title and abstract are 10,000,007 characters long; at most 200,000 are read.",
    ),
}


def test_poisoned_articles_are_rows_with_their_errors_and_the_others_are_read(tmp_path, folder):
    plan = make_plan(folder, pubmed(tmp_path / "poisoned.xml.gz", record("100", "Iron") + "".join(HUGE_LINES) + GOOD))

    assert done(folder).is_complete
    errors = [(row["pmid"], row["error"]) for row in read(folder, plan) if row["status"] == "error"]
    assert [pmid for pmid, _ in errors] == [pmid for pmid, _ in HUGE_LINES.values()]
    for (_, error), (_, expected) in zip(errors, HUGE_LINES.values(), strict=True):
        assert error.startswith(expected)
        assert len(error) <= 300
    good = [row["pmid"] for row in read(folder, plan) if row["status"] == "read"]
    assert good == [str(pmid) for pmid in range(100, 111)]


def test_poisoned_lines_are_rows_with_their_errors_and_the_others_are_read(folder, good):
    huge_articles = (
        '{"pmid": 901, "title": "Zinc"',
        "[" * 100_000,
        "null",
        '{"pmid": 902, "title": {"a": 1}}',
        '{"pmid": 903, "title": "\\ud800"}',
        f'{{"pmid": {"9" * 30}, "title": "Zinc"}}',
        f'{{"pmid": 904, "title": "{"A" * 10_000_000}"}}',
    )
    good.write_text("\n".join((*huge_articles, good.read_text("utf-8"))), "utf-8")
    plan = make_plan(folder, good)

    assert done(folder).is_complete
    rows_read = read(folder, plan)
    assert [row["status"] for row in rows_read] == ["error"] * len(huge_articles) + ["read"] * 6
    assert max(len(row["error"]) for row in rows_read[: len(huge_articles)]) <= 300


@pytest.mark.parametrize(
    ("prolog", "records", "reason"),
    [
        (ENTITIES, record("1", "&b;") + GOOD, "it declares entities or a DTD of its own, as no file of PubMed does."),
        ("", record("1", "A" * (33 << 20)) + GOOD, "one of its articles is too large to be one."),
        ("", "<html>not found</html>", ""),
    ],
    ids=["entities", "an article of 33 MB", "a page"],
)
def test_a_file_that_could_harm_its_reader_is_refused_and_named(tmp_path, prolog, records, reason):
    bad, good = pubmed(tmp_path / "bad.xml.gz", records, prolog), lines(tmp_path / "good.jsonl", range(1, 7))

    message = refusal_of(tmp_path / "corpus", bad, good)

    assert message.startswith(f"1 of the input files cannot be read. bad.xml.gz: {reason}")
    assert make_plan(tmp_path / "corpus", bad, good, skips_damaged=True).articles == 6


SLOW = ("1", "1 ", "(", "n = 12, ", "1 ± 2 ", "\u0301", "&lt;b>", "zinc versus ", "http://a.")


@pytest.mark.parametrize(
    ("length", "limit"), [(5_000, 3), pytest.param(190_000, 60, marks=pytest.mark.sweep, id="as an article may be")]
)
def test_texts_that_are_made_to_be_slow_take_seconds_at_most(tmp_path, folder, length, limit):
    """A reader that scanned a text again for each of its words would take hours."""
    texts = [unit * (length // len(unit)) for unit in SLOW]
    records = "".join(record(str(pmid), "Zinc", text) for pmid, text in enumerate(texts, 1))
    plan = make_plan(folder, pubmed(tmp_path / "hostile.xml.gz", records + GOOD))
    start = time.process_time()

    assert done(folder).is_complete
    assert time.process_time() - start < limit
    assert [row["status"] for row in read(folder, plan)] == ["read"] * (len(SLOW) + 10)


@each_of("content", [b"", b"{", b"[]", b'{"shard": 0}', b"\x13\xff", b"null"])
def test_a_damaged_failure_is_named_by_what_reads_it_and_forgotten_by_a_retry(folder, good, content):
    shutil.rmtree(folder, ignore_errors=True)
    plan = make_plan(folder, good)
    place = CorpusFolder(folder)
    for _ in range(3):
        place.keep_failure(0, "the disk is on fire")
    file = place.failures / "00000-3.json"
    file.path.write_bytes(content)

    with pytest.raises(FolderRefused, match=r"failures/00000-3\.json' is damaged"):
        status(folder)
    with pytest.raises(FolderRefused, match=r"failures/00000-3\.json' is damaged"):
        place.failed(plan)

    assert retry(folder) == 1
    assert status(folder).failing == {}
