"""``biofact literature``, typed as a person types it; the services are the sandbox."""

import asyncio
import json
import os
import signal
import sys

import pytest

from biofact.core.usage import WrongUsage
from biofact.interfaces.cli import app as cli
from biofact.interfaces.cli import progress
from biofact.interfaces.cli.literature_options import ExtractionOptions, ReviewOptions, ReviewRanking, SearchOptions
from biofact.interfaces.cli.review_commands import folder_name, review_plan
from biofact.literature.review.folder import OUTPUTS
from biofact.literature.review.plan import CRITERIA, SCHEMA, ReviewPlan
from biofact.sandbox import Fault, Sandbox
from tests.each_of import each_of
from tests.literature.made_reviews import GOAL

pytestmark = pytest.mark.quick


@pytest.fixture(autouse=True)
def quick(monkeypatch, tmp_path):
    """A key, which makes the sandbox three times as fast, and a working folder."""
    monkeypatch.setenv("NCBI_API_KEY", "made-up")
    monkeypatch.delenv("BIOFACT_LLM_BASE_URL", raising=False)
    monkeypatch.chdir(tmp_path)


def typed(capsys, *words):
    """Exit code, stdout and stderr of one command."""
    try:
        code = cli.run(("literature", *words))
    except WrongUsage as wrong:
        code = wrong.exit_code
        sys.stderr.write(f"error: {wrong}\nhint: {wrong.hint}\n")
    return code, *capsys.readouterr()


def test_a_pipe_gets_json_and_a_line_for_each_step(capsys, tmp_path):
    code, out, err = typed(capsys, "review", *GOAL.split(), "--sandbox")

    payload = json.loads(out)
    folder = tmp_path / "review-does-metformin-prevent-type-2-diabetes"
    assert code == 0
    assert err.splitlines() == [
        "queries: 3",
        "search: 3",
        "articles: 4",
        "features: 4",
        "scores: 4",
        "ranking: 4",
        "files: 7",
    ]
    assert payload["report"] == f"{folder.name}/report.html"
    assert [row["rank"] for row in payload["top"]] == [1, 2, 3]
    assert {path.name for path in folder.iterdir() if path.is_file()} == set(OUTPUTS)

    code, _, err = typed(capsys, "review", GOAL, "--sandbox", "--top", "3")
    assert code == 2
    assert "was begun with another --top" in err
    assert "hint: Give --output another folder, or --fresh to begin anew here" in err


def test_a_terminal_gets_the_top_three_and_where_the_report_is(capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "120")
    criteria = '{"weights": {"p_value": 1}}'
    _, out, err = typed(capsys, "review", GOAL, "--sandbox", "--output", "here", "--criteria", criteria)

    lines = out.splitlines()
    assert lines[0].split() == ["rank", "score", "relevance", "strength", "id", "year", "title"]
    assert len(lines) == 5
    assert lines[-1] == "4 articles read, 4 ranked. Report: here/report.html"
    assert "note: p_value: missing in" in err


@each_of(
    ("words", "answer"),
    [
        (("review",), "biofact literature review needs GOAL."),
        (("review", "x"), "GOAL: String should have at least 2 characters (given 'x')."),
        (("review", "asthma", "--schema", "{"), "--schema is not JSON"),
        (("review", "asthma", "--schema", "[1]"), "--schema is not an object."),
        (("review", "asthma", "--schema", '{"a": "foo"}'), "--schema: Field 'a' is 'foo'"),
        (
            ("review", "asthma", "--schema", "@nowhere.json"),
            "'nowhere.json' cannot be read: no such file or directory.",
        ),
        (("review", "asthma", "--criteria", '{"weigths": {}}'), "--criteria: 'weigths' is no part of it."),
        (("review", "asthma", "--criteria", "{}"), "--criteria: 'weights' is missing."),
        (("review", "asthma", "--min-score", "2"), "expected a number from 0 to 1"),
        (("review", "asthma", "--max-results", "0"), "--max-results: Input should be greater than or equal to 1"),
        (("review", "asthma", "--from-year", "2020", "--to-year", "2010"), "no year lies between them"),
        (("review", "asthma", "--study-types", "RCT"), "--study-types cannot be 'RCT'."),
        (("train", "a name", "--labels", "l.csv"), "'a name' cannot name a model."),
        (("train", "mine", "--labels", "l.csv"), "'l.csv' cannot be read: no such file or directory."),
        (("train", "mine"), "biofact literature train needs --labels."),
        (("reveiw", "asthma"), "biofact literature has no command 'reveiw'."),
    ],
)
def test_an_impossible_review_is_refused_in_two_lines_before_it_starts(words, answer, capsys, tmp_path):
    code, out, err = typed(capsys, *words)

    error, hint = err.splitlines()
    assert (code, out) == (2, "")
    assert error.startswith("error: ")
    assert answer in error
    assert hint.startswith("hint: ")
    assert list(tmp_path.iterdir()) == []


def test_a_model_that_was_not_trained_is_a_failure(capsys):
    code, _, err = typed(capsys, "review", "asthma", "--score-function", "ml_model", "--model", "mine", "--sandbox")

    assert code == 1
    assert "There is no trained model 'mine'." in err or "ml_model needs scikit-learn and skops" in err


def test_words_become_a_plan():
    review_options = ReviewOptions(
        GOAL,
        SearchOptions(keywords=["adults"], time_frame="last_year", max_results=9),
        ExtractionOptions(schema='{"sample_size": "integer", "dose": "string"}'),
        ReviewRanking(top=3, boost_recent=True, journal_whitelist=["BMJ"]),
    )
    made_rows = review_plan(review_options, None)

    assert made_rows.request.keywords == ["adults"]
    assert made_rows.criteria.weights == {"sample_size": CRITERIA.weights["sample_size"]}
    assert made_rows.ranking.filters.journal_whitelist == ["BMJ"]
    assert made_rows.command() == (
        f"biofact literature review '{GOAL}' --time-frame last_year --keywords adults --max-results 9"
        """ --schema '{"sample_size": "integer", "dose": "string"}'"""
        f" --criteria '{json.dumps(made_rows.criteria.model_dump())}'"
        " --top 3 --boost-recent --journal-whitelist BMJ --rules"
    )


def test_the_command_that_continues_names_the_folder_of_the_sandbox(tmp_path):
    made_rows = review_plan(ReviewOptions(GOAL, sandbox=tmp_path), None)

    assert made_rows.command() == f"biofact literature review '{GOAL}' --sandbox --rules"
    assert made_rows.command(tmp_path) == f"biofact literature review '{GOAL}' --sandbox={tmp_path} --rules"


def test_a_schema_of_other_fields_is_scored_by_all_of_them():
    made_rows = review_plan(
        ReviewOptions(GOAL, extraction=ExtractionOptions(schema='{"dose": "string", "route": "string"}')), None
    )

    assert made_rows.criteria.weights == {"dose": 1.0, "route": 1.0}


def test_the_usual_plan_extracts_what_reviewers_note():
    made_rows = review_plan(ReviewOptions(GOAL), None)

    assert made_rows == ReviewPlan.model_validate_json(made_rows.model_dump_json())
    assert made_rows.extraction_schema == SCHEMA
    assert not {"p_value", "effect_size"} & set(made_rows.criteria.weights)


@pytest.mark.parametrize(
    ("goal", "name"),
    [(GOAL, "review-does-metformin-prevent-type-2-diabetes"), ("../../etc/passwd", "review-etc-passwd")],
)
def test_a_folder_is_named_after_the_goal(goal, name):
    assert folder_name(goal) == name


def test_goals_in_other_letters_have_folders_of_their_own():
    assert folder_name("糖尿病") != folder_name("高血圧")


def test_bars_show_every_step_at_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    with progress.show_steps() as show_steps:
        show_steps("queries", 0, 3)
        show_steps("queries", 3, 3)
        show_steps("articles", 2, 9)

    err = capsys.readouterr().err
    assert "queries" in err
    assert "3/3" in err
    assert "2/9" in err


FAULT = Fault("delay", path="efetch", seconds=60)


async def stopped(*words):
    """Exit code and stderr of the command when Ctrl-C is pressed while it waits for articles that never come."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # else a suite in the background has it ignored by all
    async with Sandbox() as sandbox:
        sandbox.faults.set(FAULT)
        environment = {**os.environ, **sandbox.environment(), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        command = (sys.executable, "-m", "biofact", "literature", "review", *words)
        subprocess_exec = await asyncio.create_subprocess_exec(
            *command, env=environment, stderr=asyncio.subprocess.PIPE
        )
        try:
            while sandbox.faults.all():  # until the request is there that the fault strikes
                assert subprocess_exec.returncode is None
                await asyncio.sleep(0.01)
            subprocess_exec.send_signal(signal.SIGINT)
            _, err = await asyncio.wait_for(subprocess_exec.communicate(), 120)
        finally:
            if subprocess_exec.returncode is None:
                subprocess_exec.kill()
                await subprocess_exec.wait()
        return subprocess_exec.returncode, err.decode()


@pytest.mark.processes
@pytest.mark.skipif(sys.platform == "win32", reason="signals differ there")
def test_ctrl_c_prints_the_command_that_continues(tmp_path):
    code, err = asyncio.run(stopped(GOAL, "--output", "run"))

    assert code == 130
    error, hint = [line for line in err.splitlines() if line.startswith(("error", "hint"))]
    assert error == "error: The review was stopped."
    assert hint == f"hint: What is done is kept; continue with: biofact literature review '{GOAL}' --rules --output run"
    assert "Traceback" not in err
    assert list((tmp_path / "run" / ".work" / "search").iterdir())


def test_a_service_that_is_down_is_reported_with_the_command_to_continue(capsys, monkeypatch):
    monkeypatch.setenv("BIOFACT_OFFLINE", "1")
    monkeypatch.setenv("BIOFACT_CACHE_DIR", "cache")
    code, out, err = typed(capsys, "review", "asthma", "--output", "run")

    error, hint = err.splitlines()
    assert (code, out) == (1, "")
    assert error == "error: NCBI E-utilities was not asked: BIOFACT_OFFLINE is set and the answer is not in the cache."
    assert hint.endswith("What is done is kept; continue with: biofact literature review asthma --rules --output run")
