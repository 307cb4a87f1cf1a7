"""Every argument of every pubmed_* tool with a wrong type, a wrong value, too many or too long: a table over all."""

import pytest

from biofact.core.json_schema import options
from biofact.core.parameters import values_schema
from biofact.core.tool import specs_of
from biofact.interfaces import every_source
from biofact.literature.pipeline import Pipeline
from tests.marks import requirement
from tests.served import replies

pytestmark = pytest.mark.quick

SPECS = {spec.ref.method: spec for spec in specs_of(Pipeline)}
LONGEST = 2600
"""The most characters of a failure, for any value."""
SCORED_ROWS = [{"item_id": "PMID:11832527", "total_score": 0.5}] * 300
GOOD = {
    "pubmed_generate_query": {"research_goal": "metformin in diabetes"},
    "pubmed_search": {"search_query": "metformin"},
    "pubmed_get_articles": {"pmids": ["PMID:11832527"]},
    "pubmed_extract_features": {"articles": ["PMID:11832527"] * 300, "extraction_schema": {"sample_size": "number"}},
    "pubmed_score_articles": {
        "articles_with_features": [{"item_id": "PMID:11832527", "extraction": {"sample_size": 5}}] * 300,
        "scoring_criteria": {"weights": {"sample_size": 1}},
    },
    "pubmed_filter_rank": {"scored_articles": SCORED_ROWS},
}
OF_OTHER_TYPES = {
    "string": [{"a": 1}, [1, 2]],
    "integer": ["many", {"a": 1}, 1.5],
    "number": ["many", {"a": 1}],
    "boolean": ["perhaps", {"a": 1}],
    "array": [{"a": 1}, 7, "plain words"],
    "object": [[1, 2], 7, "plain words"],
}
LIMITS = {
    "maxLength": lambda limit: "x" * (limit + 1),
    "minLength": lambda limit: "x" * (limit - 1) if limit > 1 else None,
    "maximum": lambda limit: limit + 1,
    "minimum": lambda limit: limit - 1,
    "maxItems": lambda limit: [f"word{place}" for place in range(limit + 1)],
}


def wrong_values(schema, names):
    """Values that a schema refuses, with the words that a hint has to contain."""
    for option in options([schema], names):
        if "enum" in option or "const" in option:
            yield "foo", [repr(item) for item in option.get("enum", [option.get("const")])]
            continue
        for limit, spoilt in LIMITS.items():
            if limit in option and (value := spoilt(option[limit])) is not None:
                yield value, [f"{option[limit]:g}" if option[limit] < 1e6 else str(option[limit])]
        if option.get("items"):
            for value, words in wrong_values(option["items"], names):
                yield [value], words
        for name, part in option.get("properties", {}).items():
            for value, words in wrong_values(part, names):
                yield {name: value}, words
    kinds = {option.get("type") for option in options([schema], names)}
    for value in OF_OTHER_TYPES.get(next(iter(kinds)), ()) if len(kinds) == 1 else ():
        yield value, []


def is_taken(parameter, value):
    """Whether the argument is accepted: a malformed ID fails in its place, journals may come as one text."""
    if parameter.id_kind is not None:
        return isinstance(value, list | str)
    names = {"journal_whitelist", "journal_blacklist"}
    return isinstance(value, dict) and bool(names & set(value)) and "plain words" in value.values()


def cases_of(tool, parameter):
    schema = values_schema(parameter)
    for value, words in wrong_values(schema, schema.get("$defs", {})):
        if not is_taken(parameter, value):
            yield tool, parameter.name, value, words


CASES = [item for tool, spec in SPECS.items() for parameter in spec.parameters for item in cases_of(tool, parameter)]


@pytest.fixture(scope="module")
def failures():
    return replies(*((tool, GOOD[tool] | {name: value}) for tool, name, value, _ in CASES))


def path_of(name, value):
    """The path of the fault in the argument: lists of one and objects of one name hold it."""
    while True:
        if isinstance(value, list) and len(value) == 1:
            name, value = f"{name}[0]", value[0]
        elif isinstance(value, dict) and len(value) == 1 and "a" not in value:
            ((key, value),) = value.items()
            name = f"{name}.{key}"
        else:
            return name, value


def test_the_table_covers_every_argument_that_can_be_wrong():
    assert len(CASES) > 120
    assert {(tool, name) for tool, name, _, _ in CASES} == {
        (tool, parameter.name) for tool, spec in SPECS.items() for parameter in spec.parameters
    }
    assert every_source.client_class("pubmed") is Pipeline


@requirement("004 EH-3")
def test_a_wrong_argument_is_named_with_what_was_given_and_what_is_valid(failures):
    result = [problems(*case, failure) for case, failure in zip(CASES, failures, strict=True)]

    assert [item for of_case in result for item in of_case] == []


def problems(tool, name, value, words, answer):
    """The parts that a failure lacks, or a note that there is none."""
    if not answer.is_failure:
        return [(tool, name, value, "is no failure", answer.text[:300])]
    error = answer.body["error"]
    path, part = path_of(name, value)
    places = error["message"] + error["recovery_hint"]
    is_there = {
        "the code": error["code"] in {"AMBIGUOUS_QUERY", "UNRESOLVED_ENTITY"},
        "the path": path in places or path.split("[")[0].split(".")[0] in error["message"],
        "what was given": given_value(part) in error["message"],
        "what is valid": all(word in error["recovery_hint"] for word in words),
        "a hint": bool(error["recovery_hint"]),
    }
    return [(tool, name, value, lacking_values, error) for lacking_values, result in is_there.items() if not result]


@requirement("004 EH-size")
def test_a_failure_stays_small_and_carries_no_list_back(failures):
    large = [
        (tool, name, value, len(failure.text))
        for (tool, name, value, _), failure in zip(CASES, failures, strict=True)
        if len(failure.text) > LONGEST
        or any(isinstance(item, list) and len(item) >= 10 for item in carried_input(failure))
    ]

    assert large == []


def carried_input(answer):
    """The values of arguments that a failure echoes."""
    return (answer.body.get("error", {}).get("recovery") or {}).get("arguments", {}).values()


def given_value(value):
    """The text about a value that a message has to contain."""
    if isinstance(value, str):
        return repr(value)[:40]
    if isinstance(value, list):
        return f"a list of {len(value)} item" if value else "an empty list"
    return "an object" if isinstance(value, dict) else repr(value)
