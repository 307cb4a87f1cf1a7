"""An agent that follows the text of a prompt to the letter, and knows nothing else."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

STEP = re.compile(r"^(\d+)\. (.*(?:\n   .*)*)", re.MULTILINE)
CALL = re.compile(r"call `(\w+)` with `(.*?)`")
KEEP = re.compile(r"Keep `<(\w+)>` = `([\w.*]+)`(?: if it (does not )?begins? with `([^`]+)`)?")
STOP_IF = re.compile(r"Stop if there is `([\w.]+)`: (.*)")
STOP_WITHOUT = re.compile(r"Stop without `<(\w+)>`: (.*)")
READ_ON = re.compile(r"Read on with `cursor`, at most (\d+) pages")
PLACE = re.compile(r'"<(\w+)>"')


@dataclass(frozen=True)
class Step:
    """A numbered step: its number, tool, arguments and text."""

    number: int
    tool: str
    arguments: str
    text: str


@dataclass
class Journey:
    """The course of an agent that follows a text."""

    calls: list[tuple[str, dict[str, Any], dict[str, Any]]] = field(default_factory=list)
    kept: dict[str, Any] = field(default_factory=dict)
    skipped: list[int] = field(default_factory=list)
    failures: list[dict[str, Any]] = field(default_factory=list)
    suggestions: list[dict[str, Any]] = field(default_factory=list)
    stop: str = ""
    """The instruction of the text for the case in which it stops."""

    @property
    def tools(self) -> list[str]:
        return [tool for tool, _, _ in self.calls]


def steps(text: str) -> list[Step]:
    """The numbered steps of a text, each with its one call."""
    found_steps = []
    for number, body in STEP.findall(text):
        ((tool, arguments),) = CALL.findall(body)
        found_steps.append(Step(int(number), tool, arguments, body))
    return found_steps


async def follow(text: str, call: Any) -> Journey:
    """Make the calls that a text names, until it stops or ends; ``call(tool, arguments)`` answers."""
    journey = Journey()
    for step in steps(text):
        if set(PLACE.findall(step.arguments)) - set(journey.kept):
            journey.skipped.append(step.number)
            continue
        arguments = json.loads(PLACE.sub(lambda place: json.dumps(journey.kept[place[1]]), step.arguments))
        answer = await answered(journey, call, step.tool, arguments)
        for name, path, is_other, beginning in KEEP.findall(step.text):
            values = [value for value in found_at(answer, path.split(".")) if fits(value, beginning) != bool(is_other)]
            if values:
                journey.kept[name] = list(dict.fromkeys(values)) if "*" in path else values[0]
        if stop := reason_to_stop(step, journey, answer):
            journey.stop = stop
            break
        for _ in range(*pages(step)):
            if cursor := answer.get("pagination", {}).get("cursor"):
                answer = await answered(journey, call, step.tool, {**arguments, "cursor": cursor})
    return journey


async def answered(journey: Journey, call: Any, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The answer to a call, after its recovery if that is the same call; empty if there is none."""
    answer = await call(tool, arguments)
    journey.calls.append((tool, arguments, answer))
    if answer.get("success") is not False:
        return answer
    journey.failures.append(answer["error"])
    recovery = answer["error"].get("recovery", {})
    if not recovery:
        return {}
    second_tool, corrected = recovery.get("tool", tool), recovery.get("arguments", arguments)
    second = await call(second_tool, corrected)
    journey.calls.append((second_tool, corrected, second))
    if second.get("success") is False:
        return {}
    if second_tool != tool:
        journey.suggestions.append(second)
        return {}
    return second


def reason_to_stop(step: Step, journey: Journey, answer: dict[str, Any]) -> str:
    """The instruction of the step for a case in which it stops, or an empty text."""
    for path, instruction in STOP_IF.findall(step.text):
        if any(found_at(answer, path.split("."))):
            return instruction
    for name, instruction in STOP_WITHOUT.findall(step.text):
        if name not in journey.kept:
            return instruction
    return ""


def fits(value: Any, beginning: str) -> bool:
    """Whether a value has this beginning; every value has the empty one."""
    return not beginning or str(value).startswith(beginning)


def pages(step: Step) -> tuple[int, int]:
    """The pages after the first that a step asks for."""
    limit = READ_ON.search(step.text)
    return (1, int(limit[1])) if limit else (1, 1)


def found_at(answer: Any, path: list[str]) -> list[Any]:
    """The values at a path; ``*`` is every item of a list."""
    if not path:
        return [answer]
    name, *rest = path
    if name == "*":
        return [value for item in answer or [] for value in found_at(item, rest)]
    if isinstance(answer, list):
        return found_at(answer[int(name)], rest) if int(name) < len(answer) else []
    return found_at(answer[name], rest) if isinstance(answer, dict) and name in answer else []
