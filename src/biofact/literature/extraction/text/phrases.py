"""Noun phrases by their edges, and those that end with a treatment or a disease."""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from operator import itemgetter

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.text.document import Sentence, Token
from biofact.literature.extraction.text.vocabulary import (
    CLAUSE_END,
    HARD_END,
    LOOSE_END,
    LOOSE_START,
    NO_PREMODIFIER,
    RELATION,
)

MOST_WORDS = 15
"""Words of a phrase; longer stretches are clauses."""
SHORTEST_VALUE = 3
"""Characters; shorter ones are initials."""


@lru_cache(maxsize=50_000)
def head_of(word: str) -> str:
    """The word as a head noun: without possessive, and the last part of a compound."""
    bare = word.replace("\u2019", "'").removesuffix("'s").removesuffix("'")
    return bare.rpartition("-")[2]


def phrase_end(tokens: Sequence[Token], start: int, *, stops: Collection[str], most_words: int) -> int:
    """The index after the phrase that begins at ``start``: where punctuation or a word of a new clause comes."""
    last = min(len(tokens), start + most_words)
    index = start
    while index < last:
        word = tokens[index].word
        if word in HARD_END or word in stops:
            break
        if word == "to" and index > start and not is_linking(tokens, index):
            break
        if word == "and" and index + 1 < len(tokens) and tokens[index + 1].word[0].isdigit():
            break  # another group is counted
        index += 1
    return index


def is_linking(tokens: Sequence[Token], index: int) -> bool:
    """Whether a ``to`` continues the phrase, as in due to, or 2 to 15."""
    after = tokens[index + 1].word if index + 1 < len(tokens) else "."
    return tokens[index - 1].word in RELATION or (tokens[index - 1].word[0].isdigit() and after[0].isdigit())


def trim(tokens: Sequence[Token], start: int, end: int) -> tuple[int, int]:
    """The phrase without articles in front and words that lead on at its end."""
    while start < end and tokens[start].word in LOOSE_START:
        start += 1
    while end > start and (tokens[end - 1].word in LOOSE_END or not tokens[end - 1].word[0].isalnum()):
        end -= 1
    return start, end


def phrase(sentence: Sentence, start: int, end: int) -> Finding | None:
    """The words from token ``start`` to ``end`` as a value, without bracketed text."""
    tokens = sentence.tokens
    start, end = trim(tokens, start, end)
    if start >= end:
        return None
    first, last = tokens[start].start, tokens[end - 1].end
    value = " ".join(sentence.plain[first - sentence.start : last - sentence.start].split())
    if len(value) < SHORTEST_VALUE or not any(letter.isalpha() for letter in value):
        return None
    return Finding(value, (sentence.evidence(first, last),))


def token_at(sentence: Sentence, offset: int) -> int:
    """The index of the first token at or after an offset within the sentence."""
    return bisect_left(sentence.tokens, sentence.start + offset, key=itemgetter(0))


def phrase_from(
    sentence: Sentence,
    offset: int,
    *,
    stops: Collection[str] = CLAUSE_END,
    most_words: int = MOST_WORDS,
    limit: int | None = None,
) -> Finding | None:
    """The phrase that begins at an offset within the sentence, and ends before a limit."""
    start = token_at(sentence, offset)
    while start < len(sentence.tokens) and sentence.tokens[start].word in LOOSE_START:
        start += 1
    end = phrase_end(sentence.tokens, start, stops=stops, most_words=most_words)
    return phrase(sentence, start, end if limit is None else min(end, token_at(sentence, limit)))


def phrase_between(sentence: Sentence, first: int, last: int, *, most_words: int = MOST_WORDS) -> Finding | None:
    """The words between two offsets within the sentence, if they are a phrase and not a whole clause."""
    start, end = token_at(sentence, first), token_at(sentence, last)
    start, end = trim(sentence.tokens, start, end)
    return phrase(sentence, start, end) if 0 < end - start <= most_words else None


def whole_sentence(sentence: Sentence) -> Finding:
    """A sentence as the value, on itself."""
    start = sentence.start + len(sentence.text) - len(sentence.text.lstrip())
    end = sentence.start + len(sentence.text.rstrip())
    return Finding(" ".join(sentence.text.split()), (sentence.evidence(start, end),))


TREATMENT = re.compile(
    r"(?:therap(?:y|ies)|treatments?|surger(?:y|ies)|operations?|chemotherapy|vaccin(?:e|es|ation)|immuni[sz]ations?"
    r"|training|exercises?|program(?:me)?s?|interventions?|supplement(?:s|ation)?|injections?|infusions?|blocks?"
    r"|blockade|transplant(?:s|ation)?|ablation|resection|emboli[sz]ation|stimulation|administration|diets?|prophylaxis"
    r"|feeding|regimens?|anti(?:biotics|coagulants|depressants|psychotics|virals)|probiotics?|massage|acupuncture|yoga"
    r"|counsel?ling|an(?:a?)esthesia|sedation|ventilation|rehabilitation|physiotherapy|psychotherapy|education"
    r"|screening|implants?|stent(?:s|ing)?|grafts?|grafting|bypass|reconstruction|repair|fixation|replacement|drainage"
    r"|dialysis|h(?:a?)emodialysis|irradiation|radiation|laser|drugs?|extracts?|\w{2,}(?:ectom(?:y|ies)|plast(?:y|ies)"
    r"|ostom(?:y|ies)|otom(?:y|ies)|therap(?:y|ies)|centesis|pexy|desis|scopy)|ligation|catheteri[sz]ation|lavage"
    r"|augmentation|manipulation|removal|excision|extraction|insertion|implantation|placement|incision|fusion|sutures?"
    r"|splints?|shunts?|prosthes[ei]s|coaching|telemedicine|telehealth|hypothermia|dressings?|ointment|mouthwash(?:es)?"
    r"|toothpaste|transfusions?|inhalation|mindfulness|meditation|inhibitors?|agonists?|antagonists?|blockers|statins?"
    r"|steroids?|corticosteroids?|vitamins?|opioids?|analgesics?|\w{3,}(?:mab|nib|statin|pril|sartan|olol|conazole"
    r"|prazole|cillin|mycin|cycline|floxacin|navir|ciclovir|caine|azepam|barbital|dipine|gliptin|gliflozin|glutide"
    r"|parin|platin|taxel|rubicin|solone|onide|trexate|setron|triptan|oxetine|idone|zapine|tiapine|tidine|profen|coxib"
    r"|lukast|tropium|fibrate|thiazide|semide|xaban|grel|poietin|cept|formin|amivir|mectin|quine|lamine|cortisone|sone"
    r"|zolamide|cromolyn))"
)
"""As in: laparoscopic splenectomy."""
DISEASE = re.compile(
    r"(?:\w{3,}(?:itis|osis|[ae]mia|oma|omas|pathy|pathies|plegia|algia|trophy|penia|megaly|ptysis|cele|ectasis"
    r"|rrh(?:o?)ea)|cancers?|carcinomas?|diseases?|syndromes?|disorders?|fractures?|failure|infarction|strokes?"
    r"|diabetes|injur(?:y|ies)|infections?|tumou?rs?|neoplasms?|lesions?|asthma|obesity|hypertension|depression|pain"
    r"|sclerosis|covid-19|hiv|aids|arrest|ulcers?|stenosis|defects?|deficiency|malformations?|metastas[ei]s"
    r"|malignanc(?:y|ies)|abscess|epilepsy|schizophrenia|autism|psychosis|fibrillation|pneumonia|sepsis|malaria"
    r"|tuberculosis|migraine|headache|insomnia|ptsd|incontinence|infertility|disabilit(?:y|ies)|impairment|dysfunction"
    r"|insufficiency|palsy|spasms?|polyps?|cysts?|hernia)"
)
"""As in: lupus nephritis."""
NO_DISEASE = re.compile(r"(?:diagnosis|prognosis|apoptosis|analysis|mitosis|biosynthesis|hypothesis|necrosis|academia)")
"""As in: early diagnosis."""
MOST_BEFORE = 5
"""Words of a phrase before its last noun: early oral zinc therapy."""
MOST_REMEMBERED = 4096
"""Words whose kind is remembered; the same words recur."""


@lru_cache(maxsize=MOST_REMEMBERED)
def is_treatment_noun(word: str) -> bool:
    """Whether the word names something that is given or done."""
    return bool(TREATMENT.fullmatch(word) or TREATMENT.fullmatch(word.rpartition("-")[2]))


@lru_cache(maxsize=MOST_REMEMBERED)
def is_disease_noun(word: str) -> bool:
    """Whether the word names something that people suffer from."""
    last = word.rpartition("-")[2]
    return bool(DISEASE.fullmatch(last) or DISEASE.fullmatch(word)) and not NO_DISEASE.fullmatch(word)


def treatments(sentence: Sentence) -> Iterator[Finding]:
    """The phrases that end with a treatment, in the order of the sentence."""
    return (finding for finding in phrases_ending_with(is_treatment_noun, sentence) if is_specific(str(finding.value)))


def phrases_ending_with(is_noun: Callable[[str], bool], sentence: Sentence) -> Iterator[Finding]:
    """The phrases that end with such a noun, in the order of the sentence."""
    for index, token in enumerate(sentence.tokens):
        if is_noun(token.word) and not modifies_next(sentence, index):
            finding = phrase(sentence, phrase_start(sentence, index), index + 1)
            if finding is not None:
                yield finding


BARE = re.compile(
    r"(?i)(?:the |a |an )?(?:(?:medical|other|such|standard|current|new|novel|different|early|specific|effective"
    r"|conventional|various|long-term|therapeutic|clinical|surgical|medical|drug|individual|first|successful"
    r"|appropriate|optimal|potential) )*"
    r"(?:treatments?|therap(?:y|ies)|interventions?|operations?|surgery|surgeries|drugs?|administration|replacement"
    r"|program(?:me)?s?|injections?|extracts?|education|training|inhibitors?|agonists?|antagonists?|regimens?|repair"
    r"|diets?|exercises?|screening|stimulation|management|radiation|reconstruction|implants?|blocks?|blockers|drainage)"
)
"""As in: standard treatment."""


def is_specific(value: str) -> bool:
    """Whether the phrase specifies the treatment."""
    return not BARE.fullmatch(value)


def modifies_next(sentence: Sentence, index: int) -> bool:
    """Whether the noun only modifies the next one: surgery patients, cancer cells."""
    tokens = sentence.tokens
    if index + 1 >= len(tokens):
        return False
    word = tokens[index + 1].word
    return word not in NO_PREMODIFIER and word not in HARD_END and word[0].isalnum()


def phrase_start(sentence: Sentence, index: int) -> int:
    """The index of the first token of the phrase that ends at a noun."""
    tokens = sentence.tokens
    first = index
    while first > 0 and index - first < MOST_BEFORE:
        word = tokens[first - 1].word
        if word in NO_PREMODIFIER or word in HARD_END or not word[0].isalnum():
            break
        first -= 1
    return first
