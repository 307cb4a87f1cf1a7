"""A strict reader of the queries that we write, independent of the code that makes them."""

import re

HEADING_FIELDS = {"MeSH Terms", "MeSH Major Topic"}
WORD_FIELDS = {"Title/Abstract", "Title"}
NEIGHBOUR_ROW = {"Title/Abstract:~0", "Title:~0"}
FIELDS = HEADING_FIELDS | WORD_FIELDS | NEIGHBOUR_ROW | {"Publication Type", "Date - Publication"}
TRIALS = (
    "((randomized controlled trial [pt] OR controlled clinical trial [pt] OR randomized [tiab] OR placebo [tiab]"
    " OR drug therapy [sh] OR randomly [tiab] OR trial [tiab] OR groups [tiab]) NOT (animals [mh] NOT humans [mh]))"
)
"""Box 6.4.a of the Cochrane Handbook 5.1, typed from the page."""

_PIECE = re.compile(
    r'"(?P<text>[^"]*)"\[(?P<field>[^\[\]"]+)\]|(?P<sign>[()])|(?P<operator>AND|OR|NOT|:)|(?P<rest>\S+)'
)
_CONNECTIVES = set(
    "a an and as at by for from in is of on or the to than versus vs via with without et".split()  # noqa: SIM905
)
_WHOLE = ("in vitro", "in vivo", "in situ", "in utero")


def problems(query):
    """The faults of a query; empty if it has none."""
    pieces = list(_PIECE.finditer(query.replace(TRIALS, '"trials"[Publication Type]')))
    texts = [f"stray {piece['rest']!r}" for piece in pieces if piece["rest"]]
    for piece in pieces:
        if piece["field"]:
            texts += [f"{piece[0]}: {problem}" for problem in term_problems(piece["text"], piece["field"])]
    return texts + structure_problems(pieces)


def term_problems(text, field):
    if field not in FIELDS:
        return ["unknown field"]
    if field == "Date - Publication":
        return [] if re.fullmatch(r"\d{4}(/\d\d/\d\d)?", text) else ["no date"]
    words = text.lower().rstrip("*").split()
    checks = {
        "it is empty": not words,
        "it has one letter": len(re.sub(r"[\W_]", "", text)) < 2,
        "blanks": text != " ".join(text.split()),
        "a word of signs alone": any(not re.search(r"\w", word) for word in words),
        "a connective at an end": bool(words)
        and not re.match(r"A \d", text)
        and (words[0] in _CONNECTIVES or words[-1] in _CONNECTIVES)
        and not text.lower().startswith(_WHOLE)
        and len(words) > 1
        and not re.fullmatch(r"(type|group|vitamin|hepatitis|influenza) a", " ".join(words[-2:])),
        "a connective alone": words[:1] == words and bool(words) and words[0] in _CONNECTIVES,
        "an initial that lost its name": bool(re.search(r"(^|\s)[A-Z]\.$", text)),
        "a name that lost its initial": bool(re.match(r"(coli|falciparum|aureus|pylori|difficile|elegans)\b", text)),
        "a letter that lost its word": bool(re.match(r"[a-z]\s", text)) or bool(re.search(r"'$|^'|-$|^-", text)),
        "a wildcard inside": "*" in text[:-1],
        "a wildcard after fewer than four letters": text.endswith("*") and not re.search(r"[\w-]{4,}\*$", text),
        "a wildcard where there can be none": text.endswith("*") and field not in WORD_FIELDS,
        "one word with a distance": field in NEIGHBOUR_ROW and len(re.findall(r"\w+", text)) < 2,
    }
    return [problem for problem, is_there in checks.items() if is_there]


def structure_problems(pieces):
    """Terms and operators take turns, groups are closed and not empty, and no level mixes OR with another."""
    result, levels, is_term_due = [], [set()], True
    for piece in pieces:
        if piece["sign"] == "(":
            result += [] if is_term_due else ["an operator is missing before ("]
            levels.append(set())
        elif piece["sign"] == ")":
            result += ["an empty group, or an operator before )"] if is_term_due else []
            result += ["a ) too many"] if len(levels) == 1 else []
            levels = levels[:-1] or [set()]
        elif piece["operator"]:
            result += [f"{piece['operator']} after nothing"] if is_term_due else []
            levels[-1].add(piece["operator"])
            result += ["OR beside another operator"] if "OR" in levels[-1] and len(levels[-1]) > 1 else []
            is_term_due = True
        elif piece["field"]:
            result += [] if is_term_due else ["an operator is missing"]
            is_term_due = False
    return (
        result + (["it ends with an operator"] if is_term_due else []) + (["a ( too many"] if len(levels) > 1 else [])
    )


def texts(query):
    """The texts that a query searches for in words or headings, in lower case."""
    terms = _PIECE.finditer(query.replace(TRIALS, '"trials"[Publication Type]'))
    return [term["text"].lower() for term in terms if term["field"] in HEADING_FIELDS | WORD_FIELDS | NEIGHBOUR_ROW]


def is_searched(expected, query):
    """Whether a text of the query contains the words, or is a stem of them; PubMed ignores commas."""
    expected = expected.lower().replace(",", "")
    return any(
        expected in text
        or (text.endswith("*") and expected.startswith(text[:-1]) and " " not in expected[len(text) - 1 :])
        for text in texts(query)
    )
