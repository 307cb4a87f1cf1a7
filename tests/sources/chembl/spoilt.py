"""Documents with one value replaced by any other or removed, and values that no record may hold."""

import copy

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

_SURPRISES = st.sampled_from(
    [
        *(
            "",
            " ",
            "\t\n",
            "-1",
            "0",
            "1",
            "nan",
            "inf",
            "-inf",
            "1e999",
            "4.0",
            "0x1",
            "1_0",
            "\u0665",
            "\u00b2",
            "null",
        ),
        *("CHEMBL", "CHEMBL25", "SID: 1", "-1.0", "4", "true"),
        *(-1, 0, 1, 4, 10**30, -0.0, 0.5, 1e308, True, False, None),
        *([], {}, [None], [[]], [{}], [""], {"": None}, {"a": None}),
    ]
)
_LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | _SURPRISES
)
RECURSIVE = st.recursive(
    _LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
)


def of_any(examples: int) -> settings:
    """Settings for this number of documents, the same ones each time."""
    return settings(
        max_examples=examples, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )


def places(document: object, path: tuple = ()) -> list[tuple]:
    """The path to every value in a document, without the document itself."""
    children = document.items() if isinstance(document, dict) else enumerate(document)
    result = []
    for key, value in children:
        result.append((*path, key))
        if isinstance(value, dict | list):
            result += places(value, (*path, key))
    return result


@st.composite
def spoilt(draw: st.DrawFn, document: dict) -> dict:
    """The document with some of its values replaced or removed."""
    damaged_value = copy.deepcopy(document)
    *way, last = draw(st.sampled_from(places(document)))
    parent = damaged_value
    for key in way:
        parent = parent[key]
    if isinstance(parent, dict) and draw(st.booleans()) and draw(st.booleans()):
        del parent[last]
    else:
        parent[last] = draw(RECURSIVE)
    return damaged_value


def empty_values(record: object, path: str = "") -> list[str]:
    """The paths at which a record holds null or an empty text."""
    if record is None or (isinstance(record, str) and not record.strip()):
        return [path]
    if isinstance(record, dict):
        return [empty_value for key, value in record.items() for empty_value in empty_values(value, f"{path}.{key}")]
    if isinstance(record, list):
        return [
            empty_value
            for position, value in enumerate(record)
            for empty_value in empty_values(value, f"{path}[{position}]")
        ]
    return []
