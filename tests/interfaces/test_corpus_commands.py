"""``biofact corpus``: the commands of the guide, in their order, and their refusals."""

import asyncio
import csv
import gzip
import json
import signal
import subprocess
import sys
import threading

import pytest

from biofact.literature.extraction.schema import ExtractionSchema
from biofact.literature.review.plan import SCHEMA
from biofact.sandbox.scripted_model import ScriptedModel, honest
from tests.corpus.made_files import article, xml_file
from tests.interfaces.terminal import at_a_terminal, biofact

pytestmark = pytest.mark.quick


@pytest.fixture
def corpus(capsys, monkeypatch, tmp_path):
    """Types a command of the corpus in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def type_words(words):
        return biofact(capsys, monkeypatch, "corpus", *words.split())

    return type_words


@pytest.mark.processes
def test_the_commands_of_the_guide(corpus, tmp_path):
    plan = json.loads(corpus("plan trials --sandbox --shard-size 40").stdout)
    summary = json.loads(corpus("run trials --jobs 2").stdout)
    stands = json.loads(corpus("status trials").stdout)
    ranked = corpus("rank trials --top 100 --from-year 2015")
    report = json.loads(corpus("report trials").stdout)

    assert (plan["files"], plan["articles"], plan["shards"]) == (2, 108, 4)
    assert (summary["done"], summary["failed"], summary["articles_read"]) == (4, 0, 108)
    assert (stands["done"], stands["read"], stands["unreadable"]) == (4, 108, 0)
    rows = list(csv.DictReader((tmp_path / "trials" / "ranking.csv").read_text("utf-8").splitlines()))
    assert json.loads(ranked.stdout)["ranked"] == len(rows) > 50
    assert [row["rank"] for row in rows[:3]] == ["1", "2", "3"]
    assert all(int(row["year"]) >= 2015 for row in rows)
    assert "3 articles were left out as retracted" in ranked.stderr
    assert "Corpus of 108 articles" in (tmp_path / report["report"]).read_text("utf-8")
    assert corpus("retry trials").stdout == "No shard was given up.\n"


@pytest.mark.processes
def test_parts_do_what_the_plan_says_and_no_other_number_of_them(corpus, tmp_path):
    corpus("plan trials --sandbox --shard-size 40 --parts 3")

    wrong = corpus("run trials --part 1/4")
    codes = [corpus(f"run trials --jobs 1 --part {part}/3").returncode for part in (1, 2, 3)]

    assert wrong.returncode == 2
    assert "The plan has 3 parts, not 4." in wrong.stderr
    assert codes == [0, 0, 0]
    assert json.loads(corpus("status trials").stdout)["done"] == 4
    script = (tmp_path / "trials" / "array.sbatch").read_text("utf-8")
    assert "#SBATCH --array=1-3%3\n" in script
    assert '--part "$SLURM_ARRAY_TASK_ID/3"' in script


@pytest.mark.processes
def test_a_log_has_a_line_for_each_tenth_at_most(corpus):
    corpus("plan trials --sandbox --shard-size 2")

    lines = [line for line in corpus("run trials --jobs 1").stderr.splitlines() if line.startswith("shards: ")]

    assert 5 < len(lines) <= 11
    assert lines[-1].startswith("shards: 54 of 54 done, 108 articles")


def test_a_terminal_shows_a_table(corpus, monkeypatch, tmp_path):
    xml_file(tmp_path / "n1.xml", article(1))
    at_a_terminal(monkeypatch)

    output = corpus("plan trials --input n1.xml").stdout

    assert output.split()[:3] == ["files", "articles", "superseded"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("plan run --input n1.xml n2.xml", "n2.xml: the articles are cut short. Before it stand 1 articles."),
        ("plan run", "There is no input file."),
        ("plan run --input n4.xml", "There is no n4.xml."),
        ("plan run --input run.txt", "no known format"),
        ("plan run --input n1.xml --shard-size 0", "--shard-size is 0."),
        ("plan run --input n1.xml --schema {", "--schema is not JSON"),
        ('plan run --input n1.xml --criteria {"weights":{"colour":1}}', "'colour' has a weight and is not in the"),
        ("plan run --input n1.xml --model", "No model is configured."),
        ("run nowhere", "'nowhere' holds no plan of a corpus."),
        ("rank nowhere --top 0", "error: --top: "),
        ("rank nowhere --min-score 2", "error: --min-score: "),
        ("rank nowhere --from-year 2020 --to-year 2010", "error: from_year is 2020 and to_year is 2010; no year"),
        ("rank nowhere", "'nowhere' holds no plan of a corpus."),
    ],
)
def test_an_impossible_command_is_refused_with_a_hint(corpus, tmp_path, words, message):
    xml_file(tmp_path / "n1.xml", article(1))
    (tmp_path / "run.txt").write_text("text", "utf-8")
    (tmp_path / "n2.xml").write_bytes(xml_file(tmp_path / "n3.xml", article(2), article(3)).read_bytes()[:-60])

    done = corpus(words)

    assert done.returncode == 2
    assert message in done.stderr
    assert "hint: " in done.stderr
    assert not (tmp_path / "run").exists()


def test_damaged_files_are_skipped_if_that_is_requested(corpus, tmp_path):
    xml_file(tmp_path / "n1.xml", article(1))
    (tmp_path / "n2.xml.gz").write_bytes(gzip.compress(b"nothing")[:-4])

    done = corpus("plan run --input n1.xml n2.xml.gz --skip-damaged")

    assert json.loads(done.stdout)["articles"] == 1
    assert "note: Left out: n2.xml.gz: the compressed file is damaged or cut short" in done.stderr


@pytest.fixture
def scripted(monkeypatch):
    """A model on loopback, in a thread of its own, named by the settings."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    answer = honest(ExtractionSchema.read(dict(SCHEMA)))

    def line(chat):
        model.on_question()
        return answer(chat)

    model = ScriptedModel(line)
    model.on_question = lambda: None
    asyncio.run_coroutine_threadsafe(model.__aenter__(), loop).result(10)
    for name, value in (model.environment() | {"BIOFACT_OFFLINE": "0"}).items():  # it is on loopback
        monkeypatch.setenv(name, value)
    yield model
    asyncio.run_coroutine_threadsafe(model.aclose(), loop).result(10)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)
    loop.close()


def test_a_model_reads_within_its_budget_and_a_second_run_asks_only_about_the_rest(corpus, scripted, tmp_path):
    xml_file(tmp_path / "n1.xml", *(article(number) for number in range(1, 31)))
    corpus("plan trials --input n1.xml --model --shard-size 10")
    first = corpus("run trials --budget-tokens 6000 --at-once 2")
    second = corpus("run trials")

    stopped, completed = json.loads(first.stdout), json.loads(second.stdout)
    assert (first.returncode, second.returncode) == (1, 0)
    assert "note: 30 articles to ask about, some " in first.stderr
    assert "note: The budget of 6,000 tokens will stop it before its end" in first.stderr
    assert "note: Stopped by the budget: " in first.stderr
    assert stopped["articles_read"] + completed["articles_read"] == 30 == len(scripted.chats)
    assert completed["tokens_paid_before"] == stopped["tokens"] < 8_000
    assert stopped["tokens"] + completed["tokens"] == scripted.tokens
    stands = json.loads(corpus("status trials").stdout)
    assert (stands["shards"], stands["done"], stands["read"], stands["remaining_seconds"]) == (3, 3, 30, 0)
    assert stands["per_second"] > 0


def test_articles_read_by_a_model_are_ranked_and_reported(corpus, scripted, tmp_path):
    xml_file(tmp_path / "n1.xml", *(article(number) for number in range(1, 4)))
    corpus("plan trials --input n1.xml --model")
    corpus("run trials")

    ranked = json.loads(corpus("rank trials --from-year 2015").stdout)
    recent = corpus("rank trials --from-year 2021")
    report = json.loads(corpus("report trials").stdout)

    assert ranked["ranked"] == 3
    assert json.loads(recent.stdout)["ranked"] == 0
    assert "Corpus of 3 articles" in (tmp_path / report["report"]).read_text("utf-8")
    assert corpus("retry trials").stdout == "No shard was given up.\n"


@pytest.mark.processes
def test_a_stopped_run_prints_how_to_continue_and_asks_nothing_again(corpus, scripted, tmp_path):
    corpus("plan trials --sandbox --model")
    scripted.on_question = lambda: len(scripted.chats) == 3 and process.send_signal(signal.SIGTERM)
    options = ("--budget-tokens", "100000", "--at-once", "2")
    command = [sys.executable, "-m", "biofact", "corpus", "run", "trials", *options]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        stdout, stderr = process.communicate(timeout=60)
    scripted.on_question = lambda: None
    result = corpus("run trials")

    assert (process.returncode, stdout) == (130, "")
    assert stderr.endswith(
        "error: The run was stopped.\n"
        "hint: What is done is kept; continue with: biofact corpus run trials --budget-tokens 100000 --at-once 2\n"
    )
    assert "Traceback" not in stderr
    assert result.returncode == 0
    assert len(scripted.chats) == 108


def test_the_plan_of_a_command_fixes_the_reader(corpus, scripted, monkeypatch, tmp_path):
    xml_file(tmp_path / "n1.xml", article(1))
    plan = corpus("plan trials --input n1.xml --model")
    assert "sbatch" not in plan.stderr

    assert "--jobs is not for a corpus that a model reads." in corpus("run trials --jobs 2").stderr
    assert "--jobs is not for a corpus that a model reads." in corpus("run trials --jobs 0").stderr
    monkeypatch.setenv("BIOFACT_LLM_MODEL", "another")
    assert "'trials' is to be read by the model 'scripted', not by 'another'." in corpus("run trials").stderr
    assert not scripted.chats
