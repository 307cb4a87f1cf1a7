"""Calls as no schema allows them: good ones, mutated. Each follows from a seed and its place in the row."""

import copy
import json
import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from biofact.core.tool import ToolSpec, specs_of
from biofact.interfaces import every_source
from biofact.interfaces.schemas import input_schema

Arguments = dict[str, Any]

TEXTS = (
    "",
    " ", "null", "None", "undefined", "true", "2", "50.0", "1e3", "-1", "[]", "{}", '["a"]', '{"a": 1}', "[[", '"',
    "'", "\x00", "\x1b[31m", "\u202eBRCA1", "\ud800", "\udc00\ud800", "\U0001f9ec", "e\u0301", "\uff22\uff32",
    "x" * 301,
    "x" * 5000, "BRCA1", "TP53 mouse", "l(2)gl", "zgc:171673", "NCBIGene:672", "ENSG00000012048", "CHEMBL:25",
    "PMID:1",
    "rs699", "NC_000017.11:43044294:A:G", "UniProtKB:P00533", "chr17:43,044,295-43,125,364", "chr1:5-1",
    "MONDO:0005148",
    "CC(=O)Oc1ccccc1C(=O)O", "BSYNRYMUTXBXSQ-UHFFFAOYSA-N", "NCBIGene:" + "9" * 400, "' OR 1=1 --", "a[b]c[d", "((((",
    "AND OR NOT", "[" * 300, "%s%n{0}", "../../etc/passwd", "2020/13/45", "2020", ">0.7", "gte:nan", "1e999", "-score",
    "articles-000000", "scores-0", "extractions-\u00e9", "array[string]", "number|null", "human",
    "Mus musculus", "9606",
)  # fmt: skip
NUMBERS = (0, 1, -1, 2, 50, 100, 101, 200, 1e3, 50.0, 0.5, 1.5, -0.0, 1e308, 1e-308, 2**31, 2**63, 2**64, 10**18,
           10**30, 10**400, math.inf, -math.inf, math.nan, 9606, 32087273)  # fmt: skip
FRAGMENTS: tuple[Any, ...] = (
    {"sample_size": "number", "effect": {"value": "number", "unit": "string"}, "outcomes": "array[string]"},
    {
        "type": "object",
        "properties": {"p_value": {"type": "number", "minimum": 0}, "design": {"enum": ["RCT", 1, None]}},
    },
    {"weights": {"sample_size": 0.5, "study_type": 0.5}, "normalization_method": "z_score"},
    {"weights": {"x": 1}, "scoring_functions": {"x": {"name": "keyword_match", "keywords": ["death"]}}},
    {"scoring_functions": {"x": {"name": "in_range", "low": 2, "high": 1}}},
    {"boost_recent": True, "boost_high_impact": False, "prefer_review_articles": "true"},
    {"min_citation_count": 10, "journal_whitelist": ["Nature", ""], "exclude_preprints": True, "from_year": 2015},
    {"start_date": "2020/01/01", "end_date": ""},
    {"p_value": 0.05, "source": "GTEx", "tissue": "liver", "score": ">0.7"},
    {"category": "coding", "min_af": 0.01, "max_af": "0.5", "af_source": "gnomad_af_total"},
    {"id": "PMID:99000022"},
    {"id": "PMID:99000022", "title": "x", "status": [{"kind": "retracted"}]},
    {"item_id": "PMID:99000022", "extraction": {"sample_size": 12}},
    {"item_id": "PMID:99000022", "total_score": 0.5, "score_breakdown": {"x": {"score": 1, "weight": 1}}},
    {"success": False, "error": {"code": "UPSTREAM_ERROR"}},
    ["PMID:99000022", 99000022, None],
)
NAMES = ("organism", "species", "limit", "page_size", "max_results", "query", "search_query", "pageSize", "arguments",
         "input", "kwargs", "id", "cursor", "slim", "surprise", "", "\ud800", "__proto__", "self", "client",
         "filters")  # fmt: skip


@dataclass(frozen=True)
class FuzzCall:
    """One call."""

    tool: str
    spec: ToolSpec
    source: str
    arguments: Arguments


@dataclass
class Pool:
    """The parts of good calls, with those of earlier answers."""

    good: list[tuple[str, ToolSpec, Arguments]]
    cursors: list[str] = field(default_factory=list)
    parts: list[Any] = field(default_factory=lambda: list(FRAGMENTS))
    """Lists and objects of the pipeline's steps, of which fragments go anywhere."""


def pool() -> Pool:
    """The good calls that the sources show of their tools."""
    good = []
    for source in every_source.toolsets():
        examples = every_source.examples(source)
        for spec in specs_of(every_source.client_class(source)):
            example_arguments = [dict(example.arguments) for example in examples if example.tool == spec.ref.method]
            good += [(source, spec, arguments) for arguments in example_arguments]
    return Pool(good)


def draw_call(pool: Pool, seed: int, place: int) -> FuzzCall:
    """The call at a place of the row that a seed gives."""
    dice = random.Random(f"{seed}:{place}")
    source, spec, arguments = dice.choice(pool.good)
    arguments = copy.deepcopy(arguments)
    _add_options(dice, spec, arguments)
    for _ in range(dice.choice((0, 1, 1, 1, 1, 2, 2, 3))):
        arguments = dice.choice(MUTATIONS)(dice, pool, arguments)
    return FuzzCall(str(spec.ref), spec, source, arguments)


def any_value(dice: random.Random, pool: Pool, depth: int = 0) -> Any:
    """Any value at all."""
    simple: dict[Callable[[], Any], int] = {
        lambda: dice.choice(TEXTS): 35,
        lambda: dice.choice(NUMBERS): 15,
        lambda: dice.choice((None, True, False)): 10,
    }
    nested: dict[Callable[[], Any], int] = {
        lambda: copy.deepcopy(dice.choice(pool.parts)): 10,
        lambda: _deep(dice): 2,
        lambda: dice.choice(pool.cursors or TEXTS): 4,
        lambda: [any_value(dice, pool, depth + 1) for _ in range(dice.choice((0, 1, 1, 2, 5)))]: 12,
        lambda: {_key(dice): any_value(dice, pool, depth + 1) for _ in range(dice.choice((0, 1, 2, 3)))}: 12,
    }
    choices = simple if depth > 3 else simple | nested
    return dice.choices(list(choices), list(choices.values()))[0]()


def _key(dice: random.Random) -> str:
    return dice.choice((*NAMES, *TEXTS))


def _deep(dice: random.Random) -> Any:
    value: Any = dice.choice(TEXTS)
    for _ in range(dice.choice((5, 63, 65, 150, 400))):
        value = [value] if dice.random() < 0.5 else {"a": value}
    return value


def _add_options(dice: random.Random, spec: ToolSpec, arguments: Arguments) -> None:
    """Some of the optional arguments, with values that their schemas allow, and those next to them."""
    for name, schema in input_schema(spec)["properties"].items():
        if name not in arguments and name != "cursor" and dice.random() < 0.06:
            arguments[name] = _fitting_value(dice, schema)


def _fitting_value(dice: random.Random, schema: Mapping[str, Any]) -> Any:
    if "enum" in schema:
        return dice.choice(schema["enum"])
    match schema.get("type"):
        case "integer" | "number":
            low, high = schema.get("minimum", 0), schema.get("maximum", 100)
            return dice.choice((low, low, high, high + 1, str(low), float(low)))
        case "boolean":
            return dice.choice((True, False, "true", "no", 1))
        case "array":
            return [_fitting_value(dice, schema.get("items", {})) for _ in range(dice.choice((1, 1, 2)))]
        case "object":
            return copy.deepcopy(dice.choice([fragment for fragment in FRAGMENTS if isinstance(fragment, dict)]))
    return dice.choice(TEXTS)


def _name(dice: random.Random, arguments: Arguments) -> str | None:
    return dice.choice(list(arguments)) if arguments else None


def _replace(dice: random.Random, pool: Pool, arguments: Arguments) -> Arguments:
    name = _name(dice, arguments) or dice.choice(NAMES)
    return {**arguments, name: any_value(dice, pool)}


def _insert(dice: random.Random, pool: Pool, arguments: Arguments) -> Arguments:
    return {**arguments, dice.choice(NAMES): any_value(dice, pool)}


def _drop(dice: random.Random, _: Pool, arguments: Arguments) -> Arguments:
    name = _name(dice, arguments)
    return {other: value for other, value in arguments.items() if other != name}


def _rename(dice: random.Random, _: Pool, arguments: Arguments) -> Arguments:
    name, new = _name(dice, arguments), dice.choice(NAMES)
    return {new if other == name else other: value for other, value in arguments.items()}


def _stringify(dice: random.Random, _: Pool, arguments: Arguments) -> Arguments:
    name = _name(dice, arguments)
    if name is None:
        return arguments
    text = dice.choice((json.dumps, str))(arguments[name])
    return {**arguments, name: text[: dice.choice((len(text), len(text), max(1, len(text) // 2)))]}


def _rewrap(dice: random.Random, _: Pool, arguments: Arguments) -> Arguments:
    name = _name(dice, arguments)
    if name is None or dice.random() < 0.2:
        return {dice.choice(("arguments", "input", "kwargs", "params")): arguments}
    value = arguments[name]
    return {**arguments, name: value[0] if isinstance(value, list) and value else [value]}


def _change_inside(dice: random.Random, pool: Pool, arguments: Arguments) -> Arguments:
    """Something else at any depth."""
    return _changed(dice, arguments, lambda _: any_value(dice, pool))


def _similar_value(dice: random.Random, pool: Pool, arguments: Arguments) -> Arguments:
    """Something else of the same kind at any depth: what the types let through."""

    def other(value: Any) -> Any:
        if isinstance(value, bool):
            return not value
        if isinstance(value, str):
            return dice.choice(TEXTS)
        if isinstance(value, int | float):
            return dice.choice(NUMBERS)
        nested = [part for part in pool.parts if isinstance(part, type(value))]
        return copy.deepcopy(dice.choice(nested)) if nested else value

    return _changed(dice, arguments, other)


def _changed(dice: random.Random, arguments: Arguments, other: Callable[[Any], Any]) -> Arguments:
    changed = copy.deepcopy(arguments)
    holder: Any = changed
    for _ in range(8):
        keys: Sequence[Any] = list(holder) if isinstance(holder, dict) else range(len(holder))
        if not keys:
            break
        key = dice.choice(keys)
        if isinstance(holder[key], dict | list) and holder[key] and dice.random() < 0.8:
            holder = holder[key]
        else:
            holder[key] = other(holder[key])
            break
    return changed


def _spoil(dice: random.Random, _: Pool, arguments: Arguments) -> Arguments:
    """A letter that does not belong there, within a text."""
    texts = [name for name, value in arguments.items() if isinstance(value, str) and value]
    if not texts:
        return arguments
    name = dice.choice(texts)
    place = dice.randrange(len(arguments[name]) + 1)
    extra = dice.choice(
        ("\ud83d", "\x00", "\u200b", "\u202e", '"', "'", "[", "(", "\\", "%", "\n", " " * 300, "é" * 300)
    )
    return {**arguments, name: arguments[name][:place] + extra + arguments[name][place:]}


def _cursor(dice: random.Random, pool: Pool, arguments: Arguments) -> Arguments:
    """A cursor of whichever tool, whole or cut."""
    if not pool.cursors:
        return arguments
    text = dice.choice(pool.cursors)
    return {**arguments, "cursor": dice.choice((text, text[:-2], text[1:], text + "=", text * 3))}


Mutation = Callable[[random.Random, Pool, Arguments], Arguments]
MUTATIONS: tuple[Mutation, ...] = (
    _replace, _insert, _drop, _rename, _stringify, _rewrap, _change_inside, _change_inside, _spoil, _cursor,
    _similar_value, _similar_value, _similar_value, _similar_value, _similar_value, _similar_value,
)  # fmt: skip
