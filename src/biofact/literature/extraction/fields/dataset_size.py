"""How many images, texts, visits or other pieces of data were used; people only where they are the unit of data."""

import re
from collections.abc import Iterator

from biofact.literature.extraction.fields.field import COUNT, Field
from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.text.counts import BEFORE_PART, counted_nouns
from biofact.literature.extraction.text.document import Document, Sentence
from biofact.literature.extraction.text.vocabulary import CASES, PEOPLE, words
from biofact.literature.records import Evidence

PICTURES = words(
    "images image scans radiographs x-rays xrays mammograms photographs photos slides micrographs videos clips frames"
    " tiles patches tomograms angiograms ultrasounds echocardiograms pictures mris cts roentgenograms"
)
"""Images as data: 9963 radiographs."""
TEXTS = words(
    "summaries notes reports documents abstracts texts letters transcripts sentences passages messages tweets"
    " posts articles papers narratives reviews comments conversations dialogues emails"
)
"""Texts as data: 500 abstracts."""
RECORDS = words(
    "records visits encounters admissions stays consultations entries instances examinations exams charts prescriptions"
    " claims observations datapoints recordings segments ecgs electrocardiograms electroencephalograms"
    " eegs spectra spectrograms signals heartbeats samples specimens biopsies"
)
"""Records as data: 18,902 visits."""
UNITS = PICTURES | TEXTS | RECORDS
NO_UNIT_BEFORE = words("weekly monthly daily annual yearly follow-up home clinic study")
"""Visits of people who are studied: 40 weekly visits."""
FEWEST = 10
"""Fewer are read by hand: four notes."""
DATA_OF = re.compile(
    r"(?i)\b(?:data|records?|charts|data ?sets?|databases?|registry|images|scans|radiographs|notes|ecgs) "
    r"(?:of|from|on|for|with|comprising|containing|including) (?:a total of |all )?$"
)
"""Words that make people the unit of data. As in: records of ."""


def dataset_size(document: Document) -> Finding | None:
    """The largest number of pieces of data, else the largest number of people whose data are counted."""
    for counts in (_pieces, _people_with_data):
        sentences = (sentence for sentence in document.all_sentences if sentence.role != "background")
        matches = [count for sentence in sentences for count in counts(sentence) if count[0] >= FEWEST]
        if matches:
            largest, evidence = max(matches, key=lambda count: count[0])
            siblings = tuple(Finding(value, (place,)) for value, place in matches if value != largest)
            return Finding(largest, (evidence,), siblings=siblings)
    return None


def _pieces(sentence: Sentence) -> Iterator[tuple[int, Evidence]]:
    """Numbers of pieces of data: 9963 images of 4997 patients."""
    tokens = sentence.tokens
    for value, first, head in counted_nouns(sentence, UNITS):
        is_part = first > 0 and tokens[first - 1].word in BEFORE_PART
        words_between = {token.word for token in tokens[first:head]}
        if not is_part and words_between.isdisjoint(NO_UNIT_BEFORE | PEOPLE):
            yield value, sentence.evidence(tokens[first].start, tokens[head].end)


def _people_with_data(sentence: Sentence) -> Iterator[tuple[int, Evidence]]:
    """Numbers of people whose data were used: records of 18,902 patients."""
    tokens = sentence.tokens
    for value, first, head in counted_nouns(sentence, PEOPLE | CASES):
        if DATA_OF.search(sentence.whole[sentence.start : tokens[first].start]):
            yield value, sentence.evidence(tokens[first].start, tokens[head].end)


DATASET_SIZE = Field(
    name="dataset_size",
    find=dataset_size,
    names=(
        "data_set_size size_of_dataset corpus_size training_set_size training_size n_images image_count "
        "number_of_images number_of_records record_count number_of_data_points data_points n_data_points "
        "number_of_documents document_count data_size"
    ),
    kinds=COUNT,
    unit="items of a data set",
    is_of_study=True,
)
