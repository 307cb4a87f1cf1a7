"""What the control group got, where a comparator is only called so."""

import re

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.rules.phrases import phrase_from
from biofact.literature.extraction.rules.text import Document
from biofact.literature.extraction.rules.vocabulary import CLAUSE_END, words

ONLY_CALLED_SO = re.compile(
    r"(?i)(?:the )?(?:(?:control|comparison|comparator) (?:groups?|arms?|conditions?|subjects|participants|patients)"
    r"|controls?)(?: \(\w+\))?"
)
"""As in: control group."""
GIVEN_TO_CONTROLS = re.compile(
    r"(?i)\b(?:controls?|(?:control|comparison|comparator) (?:groups?|arms?|conditions?|subjects|participants"
    r"|patients))"
    r"(?: \([^()]{1,30}\))? (?:who |which |that )?(?:only |just )?"
    r"(?:receiv(?:ed|es?|ing)|(?:was|were|are|is) (?:given|treated with|offered|assigned to|provided with)|got|had"
    r"|underwent|consist(?:ed|s|ing) of|continued(?: with| on)?|took) (?:only |either )?"
)
"""As in: the control group received saline."""
STOPS = CLAUSE_END | words("for at during over after before")
FEWEST_LETTERS = 4


def treatment_of_controls(document: Document, comparator: Finding) -> Finding | None:
    """What the control group got, if the comparator is no more than that and the article says it."""
    if not ONLY_CALLED_SO.fullmatch(str(comparator.value)) or "control" not in document.lower:
        return None
    for sentence in document.sentences:
        if match := GIVEN_TO_CONTROLS.search(sentence.plain):
            finding = phrase_from(sentence, match.end(), stops=STOPS)
            if finding is not None and len(str(finding.value)) >= FEWEST_LETTERS:
                return finding
    return None
