"""How many images, texts, visits or other pieces of data were used; people only where their data are counted by them."""

import re
from collections.abc import Iterator

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.rules.counts import BEFORE_PART, counted_nouns
from biofact.literature.extraction.rules.text import Document, Sentence
from biofact.literature.extraction.rules.vocabulary import CASES, PEOPLE, words

PICTURES = words(
    "images image scans radiographs x-rays xrays mammograms photographs photos slides micrographs videos clips frames"
    " tiles patches tomograms angiograms ultrasounds echocardiograms pictures mris cts roentgenograms"
)
TEXTS = words(
    "summaries notes reports documents abstracts texts letters transcripts sentences passages messages tweets"
    " posts articles papers narratives reviews comments conversations dialogues emails"
)
RECORDS = words(
    "records visits encounters admissions stays consultations entries instances examinations exams charts prescriptions"
    " claims observations datapoints recordings segments ecgs electrocardiograms electroencephalograms"
    " eegs spectra spectrograms signals heartbeats samples specimens biopsies"
)
UNITS = PICTURES | TEXTS | RECORDS
NO_UNIT_BEFORE = words("weekly monthly daily annual yearly follow-up home clinic study")
"""Visits of people who are studied: 40 weekly visits."""
FEWEST = 10
"""Fewer are read by hand: four notes."""
DATA_OF = re.compile(
    r"(?i)\b(?:data|records?|charts|data ?sets?|databases?|registry|images|scans|radiographs|notes|ecgs) "
    r"(?:of|from|on|for|with|comprising|containing|including) (?:a total of |all )?$"
)
"""What makes people the unit of data. As in: records of ."""


def dataset_size(document: Document) -> Finding | None:
    """The most pieces of data that are counted, else the most people whose data are."""
    for counts in (_pieces, _people_with_data):
        found = [one for sentence in document.all_sentences for one in counts(sentence) if _is_own(sentence, one)]
        if found:
            best = max(found, key=lambda one: int(one.value))
            return Finding(best.value, best.evidence, others=tuple(one for one in found if one.value != best.value))
    return None


def _is_own(sentence: Sentence, count: Finding) -> bool:
    """Whether it is of the study itself, and more than a handful."""
    return sentence.role != "background" and int(count.value) >= FEWEST


def _pieces(sentence: Sentence) -> Iterator[Finding]:
    """Numbers of pieces of data: 9963 images of 4997 patients."""
    tokens = sentence.tokens
    for value, first, head in counted_nouns(sentence, UNITS):
        is_part = first > 0 and tokens[first - 1].word in BEFORE_PART
        between = {token.word for token in tokens[first:head]}
        if not is_part and between.isdisjoint(NO_UNIT_BEFORE | PEOPLE):
            yield Finding(value, (sentence.evidence(tokens[first].start, tokens[head].end),))


def _people_with_data(sentence: Sentence) -> Iterator[Finding]:
    """Numbers of people whose data are told of: records of 18,902 patients."""
    tokens = sentence.tokens
    for value, first, head in counted_nouns(sentence, PEOPLE | CASES):
        if DATA_OF.search(sentence.whole[sentence.start : tokens[first].start]):
            yield Finding(value, (sentence.evidence(tokens[first].start, tokens[head].end),))
