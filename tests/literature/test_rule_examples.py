"""Every rule of thumb has an example of its use beside it, and matches it."""

import ast
import importlib
import inspect
import re
from pathlib import Path

import pytest

from biofact.literature import extraction

pytestmark = pytest.mark.quick

FOLDER = Path(extraction.__file__).parent
PACKAGE = "biofact.literature"
MODULES = sorted(
    [
        f"{PACKAGE}.query.cues",
        f"{extraction.__name__}.meanings",
        *(
            ".".join((extraction.__name__, *file.relative_to(FOLDER).with_suffix("").parts))
            for folder in ("fields", "text")
            for file in (FOLDER / folder).rglob("*.py")
            if file.name != "__init__.py"
        ),
    ]
)
LISTS = {
    f"{extraction.__name__}.fields.follow_up": ("SURE_FORMS", "TIMED_FORMS", "TREATED_FORMS"),
    f"{extraction.__name__}.fields.study_type": ("TITLE_RULES", "ABSTRACT_RULES"),
    f"{extraction.__name__}.fields.effects": ("NAMES",),
    f"{extraction.__name__}.text.document": ("ROLES",),
    f"{PACKAGE}.query.cues": ("_DESIGNS",),
}
"""Tuples of patterns, each with a comment above it."""
EXAMPLE = re.compile(r"\bAs in: (?P<example>.+?)\s*$", re.DOTALL)


def assigned(module):
    """Each name that a module assigns, the value, and the docstring behind it."""
    body = ast.parse(inspect.getsource(module)).body
    for node, after in zip(body, [*body[1:], None], strict=True):
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name):
            is_text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            yield target.id, node.value, str(after.value.value) if is_text else ""


def patterns(name):
    module = importlib.import_module(name)
    for constant, _, text in assigned(module):
        if isinstance(pattern := getattr(module, constant), re.Pattern):
            yield constant, pattern, text


def rows(name):
    """Each pattern of a tuple, with the comment above it."""
    module = importlib.import_module(name)
    lines = inspect.getsource(module).splitlines()
    for constant, value, _ in assigned(module):
        if constant in LISTS[name]:
            for node, row in zip(value.elts, getattr(module, constant), strict=True):
                yield f"{constant}[{ast.unparse(node)[:30]}]", pattern_of(row), lines[node.lineno - 2]


def pattern_of(row):
    """The pattern of a row, which is one or holds one; a plain text beside it is its name."""
    parts = row if isinstance(row, tuple) else (row,)
    compiled = next((part for part in parts if isinstance(part, re.Pattern)), None)
    return compiled or re.compile(max(parts, key=lambda text: len(re.findall(r"[\\?|()]", text))), re.IGNORECASE)


def cases():
    """Each rule's name, its pattern, and the text beside it."""
    for read_module, modules in ((patterns, MODULES), (rows, LISTS)):
        for module in modules:
            for constant, pattern, text in read_module(module):
                yield f"{module.rpartition('.')[2]}.{constant}", pattern, text


def is_found(pattern, text):
    """Whether the pattern matches the example in a text; false if there is no example."""
    match = EXAMPLE.search(text)
    return bool(match and (pattern.search(match["example"].removesuffix(".")) or pattern.search(match["example"])))


def test_a_rule_finds_the_example_beside_it():
    rules_with_texts = list(cases())

    assert [
        f"{name}: {text.strip() or 'write an example behind it, as in: As in: effects of zinc.'}"
        for name, pattern, text in rules_with_texts
        if not is_found(pattern, text)
    ] == []
    assert len(rules_with_texts) > 200
