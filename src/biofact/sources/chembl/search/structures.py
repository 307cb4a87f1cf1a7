"""Recognition of queries that are structures. Pure."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal

_INCHI_KEY = re.compile(r"(?:InChIKey\s*[=:]\s*)?([A-Z]{14}-[A-Z]{10}-[A-Z])", re.IGNORECASE)
_INCHI = re.compile(r"InChI=1S?/[\w./,()?;+*-]+", re.IGNORECASE)
_IN_BRACKETS = r"\[\d{0,3}(?:[A-Z][a-z]?|[a-z]{1,2})(?:@[@A-Z\d]*)?(?:H\d?)?(?:\++|-+|[-+]\d{1,2})?(?::\d+)?\]"
_ATOM = rf"{_IN_BRACKETS}|Br|Cl|[BCNOPSFIbcnops]"
_TOKEN = re.compile(
    rf"(?P<atom>{_ATOM})|(?P<ring>%\d\d|\d)|(?P<open>\()|(?P<close>\))|(?P<bond>[=#$:/\\])|(?P<dash>[-.])"
)
_PREFIX = re.compile(r"^smiles\s*[:=]\s*", re.IGNORECASE)
_SMILES_LIKE_NAMES = re.compile(r"\[\d+[A-Z][a-z]?\][A-Z]{2,}|.*\(I{2,}\).*")
"""Names that look like SMILES: the tracer [11C]PIB, and metals with their charge, such as Co(II)."""
_SYMBOL = re.compile(r"Br|Cl|[A-Z][a-z]|se|as|[A-Za-z]")
_SMALLEST_RING = 3


@dataclass(frozen=True, slots=True)
class Structure:
    """A structure, and the notation it is written in."""

    notation: Literal["inchi_key", "inchi", "smiles"]
    text: str


def structure_in(query: str) -> Structure | None:
    """The structure that ``query`` is; None when it is a name."""
    query_text = query.strip()
    if match := _INCHI_KEY.fullmatch(query_text):
        return Structure("inchi_key", match[1].upper())
    if _INCHI.fullmatch(query_text):
        return Structure("inchi", f"InChI={query_text[len('InChI=') :]}")
    text = _PREFIX.sub("", query_text)
    is_labelled = text != query_text
    return Structure("smiles", text) if (is_labelled and is_valid(text)) or is_smiles(text) else None


def is_smiles(text: str) -> bool:
    """Whether ``text`` is a SMILES and no name: it has to show bonds, branches, brackets or rings.

    ``CCO`` may be a name as well, and is taken for one, unless ``SMILES:`` stands before it.
    """
    has_signs = any(kind in {"ring", "open"} or part in {"=", "#"} or part[0] == "[" for kind, part in _tokens(text))
    return has_signs and is_valid(text) and not _SMILES_LIKE_NAMES.fullmatch(text)


def is_valid(text: str) -> bool:
    """Whether ``text`` has the form of a SMILES, with all branches and rings closed.

    ``NSC-1122`` is not: its rings would have no atoms.
    """
    tokens = _tokens(text)
    if not tokens or tokens[0][0] != "atom":
        return False
    atoms, depth, last = 0, 0, ""
    rings: dict[str, int] = {}
    for kind, part in tokens:
        if kind == "ring":
            if last not in {"atom", "ring", "bond"}:
                return False
            opening_atom = rings.pop(part, None)
            if opening_atom is None:
                rings[part] = atoms
            elif atoms - opening_atom + 1 < _SMALLEST_RING:
                return False
        atoms += kind == "atom"
        depth += (kind == "open") - (kind == "close")
        if depth < 0:
            return False
        last = kind
    return not (depth or rings or last in {"bond", "dash", "open"})


def heavy_atoms(smiles: str) -> Counter[str]:
    """The number of atoms of each element in a structure, without hydrogen."""
    atoms = [part for kind, part in _tokens(smiles) if kind == "atom"]
    matches = (_SYMBOL.search(part.strip("[]").lstrip("0123456789")) for part in atoms)
    counts = Counter(symbol[0].capitalize() for symbol in matches if symbol)
    del counts["H"]
    return counts


def elements(formula: str) -> Counter[str]:
    """The number of atoms of each element; isotopes of hydrogen are hydrogen, and charges are ignored."""
    counts: Counter[str] = Counter()
    for element, number in re.findall(r"([A-Z][a-z]?)(\d*)", formula):
        counts["H" if element in {"D", "T"} else element] += int(number or 1)
    return counts


def _tokens(text: str) -> list[tuple[str, str]]:
    """Kind and text of each part; empty when there is anything else in between."""
    parts, end = [], 0
    for token in _TOKEN.finditer(text):
        if token.start() != end:
            return []
        parts.append((token.lastgroup or "", token[0]))
        end = token.end()
    return parts if end == len(text) else []
