"""Each task of the cookbook, at a terminal, in a program and for an agent, prints the documented output."""

import re

import pytest

from biofact.interfaces.mcp.server import gateway
from tests import documents, virtual_time
from tests.documents import is_part, is_shown, program_output, run_program
from tests.served import served

pytestmark = pytest.mark.quick

TEXT = documents.read("docs/cookbook.md")
TASKS = dict(re.findall(r"^### (\d+\. [^\n]+)\n(.*?)(?=^##|\Z)", TEXT, re.MULTILINE | re.DOTALL))


def some_tasks(*remainders):
    """Each task; quick are those whose number has this remainder by three, the others are for a sweep."""
    tiers = {task: number % 3 in remainders for number, task in enumerate(TASKS, 1)}
    return pytest.mark.parametrize(
        "task",
        [pytest.param(task, marks=pytest.mark.quick if quick else pytest.mark.sweep) for task, quick in tiers.items()],
    )


def test_there_are_thirty_tasks_each_in_three_ways():
    assert len(TASKS) == 30
    for number, (title, task) in enumerate(TASKS.items(), 1):
        assert title.startswith(f"{number}. ")
        assert [len(documents.blocks(task, language)) for language in ("console", "python", "json")] == [1, 1, 1]


@some_tasks(0, 1)
def test_a_command_prints_what_is_written(task, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (command,) = documents.commands(TASKS[task])

    done = documents.typed(command, capsys, monkeypatch)

    assert is_shown(command.expected_output, done.stdout + done.stderr), done.stdout + done.stderr
    assert done.returncode == (1 if "error: " in command.expected_output else 0)


@some_tasks(2)
def test_a_program_prints_what_is_written(task, on_sandbox):
    (program,) = documents.blocks(TASKS[task], "python")

    output = run_program(program)

    assert re.fullmatch(re.escape(program_output(program)).replace(re.escape("..."), r"(?s:.*?)"), output), output


def test_an_agent_is_answered_what_is_written():
    mistakes = virtual_time.run(wrong_answers())

    assert mistakes == []


async def wrong_answers():
    """The tasks with a call whose answer differs from the one shown, with the answer."""
    async with served(server=gateway) as agent:
        return [(title, wrong) for title, task in TASKS.items() if (wrong := await wrong_answer(agent, task))]


async def wrong_answer(agent, task):
    """The first answer of a task that differs from the one shown."""
    collection = ""
    for call, expected_answer in documents.calls(documents.blocks(task, "json")[0]):
        arguments = {
            name: collection if value == "{collection}" else value for name, value in call["arguments"].items()
        }
        answer = await agent.call(call["tool"], arguments)
        collection = answer.body.get("collection", "")
        if answer.is_failure or not is_part(expected_answer, answer.body):
            return answer.body
    return None
