"""Identifiers of articles elsewhere, in the one form that each is written in. Pure."""

import re

_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10\.\d{4,9}/\S+)", re.IGNORECASE)
_PMC = re.compile(r"(?:PMC)?(\d+)(?:\.\d+)?", re.IGNORECASE)  # a version counts the deposits of one article


def doi(raw: str) -> str | None:
    """A DOI in its one form, without what makes a link of it; None for what is none."""
    found = _DOI.fullmatch(raw)
    return found[1] if found else None


def pmc(raw: str) -> str | None:
    """A PubMed Central ID in its one form, without version; None for what is none."""
    found = _PMC.fullmatch(raw)
    return f"PMC{found[1]}" if found else None
