"""Ensembl REST as a service, and what its answers mean by status and words."""

import re
from http import HTTPStatus

from biofact.core.settings import Setting, declare
from biofact.dialects import json_values
from biofact.transport.service import HOUR, Answer, Service, Verdict

_ABSENT = re.compile(r"not found|No valid lookup found|No object found|No archive found", re.IGNORECASE)
_SPECIES = re.compile(r"internal name for species|anything about the species", re.IGNORECASE)
_PLACE = re.compile(r"\b(?:slice|region|location|coordinate|coord_?system|assembly)\b", re.IGNORECASE)
_FAILED = re.compile(r"something bad has happened|backend|try again|timed? ?out", re.IGNORECASE)


def error_words(body: bytes) -> str | None:
    """What an answer says went wrong: the text of ``{"error": ...}``; None when it is something else."""
    return json_values.error_words(body, "error")


def is_about_species(words: str) -> bool:
    """Whether Ensembl says that it does not have a species."""
    return _SPECIES.search(words) is not None


def is_about_place(words: str) -> bool:
    """Whether Ensembl says that it does not have a chromosome, a part of it, or an assembly."""
    return _PLACE.search(words) is not None and _SPECIES.search(words) is None


def says_absent(words: str) -> bool:
    """Whether Ensembl says that it has no such thing."""
    return _ABSENT.search(words) is not None and _FAILED.search(words) is None


def judge(answer: Answer) -> Verdict:
    """What an answer means: Ensembl says 400 for what does not exist, and for its own failures as well.

    That there is no such thing is an answer, and good; its reader sees whether it speaks of what was asked.
    """
    words = error_words(answer.body)
    if found := json_values.verdict(answer, words, _FAILED):
        return found
    return "good" if says_absent(words or "") and answer.status == HTTPStatus.BAD_REQUEST else "refused"


ENSEMBL = Service(
    name="ensembl",
    title="Ensembl REST",
    base_url=declare(
        Setting(
            "BIOFACT_ENSEMBL_URL",
            "Where Ensembl's REST service is; https://grch37.rest.ensembl.org has human genes on GRCh37.",
            default="https://rest.ensembl.org",
        )
    ),
    per_second=15.0,
    longest_pause_seconds=HOUR,  # its quota renews by the clock hour
    judge=judge,
    licence="Ensembl data are free of restrictions on use (https://www.ensembl.org/info/about/legal/disclaimer.html).",
    probe_path="/info/ping",
)
"""55,000 requests an hour for a client, 15 a second on average (Ensembl REST wiki, Rate Limits, 2025-09-15)."""
