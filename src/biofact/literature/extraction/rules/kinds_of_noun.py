"""Nouns that name treatments, diseases or measures, and the phrases that end with one."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.rules.phrases import phrase
from biofact.literature.extraction.rules.text import Sentence
from biofact.literature.extraction.rules.vocabulary import HARD_END, NO_PREMODIFIER

TREATMENT = re.compile(
    r"(?:therap(?:y|ies)|treatments?|surger(?:y|ies)|operations?|chemotherapy|vaccin(?:e|es|ation)|immuni[sz]ations?"
    r"|training|exercises?|program(?:me)?s?|interventions?|supplement(?:s|ation)?|injections?|infusions?|blocks?"
    r"|blockade"
    r"|transplant(?:s|ation)?|ablation|resection|emboli[sz]ation|stimulation|administration|diets?|prophylaxis|feeding"
    r"|regimens?|anti(?:biotics|coagulants|depressants|psychotics|virals)|probiotics?|massage|acupuncture|yoga"
    r"|counsel?ling"
    r"|an(?:a?)esthesia|sedation|ventilation|rehabilitation|physiotherapy|psychotherapy|education|screening|implants?"
    r"|stent(?:s|ing)?|grafts?|grafting|bypass|reconstruction|repair|fixation|replacement|drainage|dialysis"
    r"|h(?:a?)emodialysis"
    r"|irradiation|radiation|laser|drugs?|extracts?|\w{2,}(?:ectom(?:y|ies)|plast(?:y|ies)|ostom(?:y|ies)|otom(?:y|ies)"
    r"|therap(?:y|ies)|centesis|pexy|desis|scopy)|ligation|catheteri[sz]ation|lavage|augmentation|manipulation"
    r"|removal|excision|extraction|insertion|implantation|placement|incision|fusion"
    r"|sutures?|splints?|shunts?|prosthes[ei]s|coaching|telemedicine"
    r"|telehealth|hypothermia|dressings?|ointment|mouthwash(?:es)?|toothpaste|transfusions?|inhalation|mindfulness"
    r"|meditation"
    r"|inhibitors?|agonists?|antagonists?|blockers|statins?|steroids?|corticosteroids?|vitamins?|opioids?|analgesics?"
    r"|\w{3,}(?:mab|nib|statin|pril|sartan|olol|conazole|prazole|cillin|mycin|cycline|floxacin|navir|ciclovir|caine"
    r"|azepam"
    r"|barbital|dipine|gliptin|gliflozin|glutide|parin|platin|taxel|rubicin|solone|onide|trexate|setron|triptan|oxetine"
    r"|idone|zapine|tiapine|tidine|profen|coxib|lukast|tropium|fibrate|thiazide|semide|xaban|grel|poietin|cept|formin"
    r"|amivir|mectin|quine|lamine|cortisone|sone|zolamide|cromolyn))"
)
"""As in: splenectomy."""
DISEASE = re.compile(
    r"(?:\w{3,}(?:itis|osis|[ae]mia|oma|omas|pathy|pathies|plegia|algia|trophy|penia|megaly|ptysis|cele|ectasis"
    r"|rrh(?:o?)ea)"
    r"|cancers?|carcinomas?|diseases?|syndromes?|disorders?|fractures?|failure|infarction|strokes?|diabetes|injur(?:y"
    r"|ies)"
    r"|infections?|tumou?rs?|neoplasms?|lesions?|asthma|obesity|hypertension|depression|pain|sclerosis|covid-19|hiv"
    r"|aids"
    r"|arrest|ulcers?|stenosis|defects?|deficiency|malformations?|metastas[ei]s|malignanc(?:y|ies)|abscess|epilepsy"
    r"|schizophrenia|autism|psychosis|fibrillation|pneumonia|sepsis|malaria|tuberculosis|migraine|headache|insomnia"
    r"|ptsd"
    r"|incontinence|infertility|disabilit(?:y|ies)|impairment|dysfunction|insufficiency|palsy|spasms?|polyps?|cysts?"
    r"|hernia)"
)
"""As in: nephritis."""
NO_DISEASE = re.compile(r"(?:diagnosis|prognosis|apoptosis|analysis|mitosis|biosynthesis|hypothesis|necrosis|academia)")
"""As in: diagnosis."""
MOST_BEFORE = 5
KNOWN = 4096
"""Words remembered; the same come again and again."""


@lru_cache(maxsize=KNOWN)
def is_treatment_noun(word: str) -> bool:
    """Whether the word names something that is given or done."""
    return bool(TREATMENT.fullmatch(word) or TREATMENT.fullmatch(word.rpartition("-")[2]))


@lru_cache(maxsize=KNOWN)
def is_disease_noun(word: str) -> bool:
    """Whether the word names something that people suffer from."""
    last = word.rpartition("-")[2]
    return bool(DISEASE.fullmatch(last) or DISEASE.fullmatch(word)) and not NO_DISEASE.fullmatch(word)


def treatments(sentence: Sentence) -> Iterator[Finding]:
    """The phrases that end with a treatment, in the order of the sentence."""
    return (finding for finding in ending_with(is_treatment_noun, sentence) if is_specific(str(finding.value)))


def diseases(sentence: Sentence) -> Iterator[Finding]:
    """The phrases that end with a disease, in the order of the sentence."""
    found = ending_with(is_disease_noun, sentence)
    return (finding for finding in found if not GENERAL.fullmatch(str(finding.value).lower()))


def ending_with(is_noun: Callable[[str], bool], sentence: Sentence) -> Iterator[Finding]:
    """The phrases that end with such a noun, in the order of the sentence."""
    for index, token in enumerate(sentence.tokens):
        if is_noun(token.word) and not goes_on(sentence, index):
            finding = phrase(sentence, start_of(sentence, index), index + 1)
            if finding is not None:
                yield finding


GENERAL = re.compile(
    r"(?:\w+ )?(?:diseases?|syndromes?|disorders?|lesions?|defects?|dysfunction|impairment|injur(?:y|ies)|treatments?"
    r"|therap(?:y|ies)|interventions?|operations?|surgery|surgeries|drugs?|administration|program(?:me)?s?|infections?)"
)
"""As in: the disease."""
BARE = re.compile(
    r"(?i)(?:the |a |an )?(?:(?:medical|other|such|standard|current|new|novel|different|early|specific|effective"
    r"|conventional"
    r"|various|long-term|therapeutic|clinical|surgical|medical|drug|individual|first|successful|appropriate|optimal"
    r"|potential) )*"
    r"(?:treatments?|therap(?:y|ies)|interventions?|operations?|surgery|surgeries|drugs?|administration|replacement"
    r"|program(?:me)?s?|injections?|extracts?|education|training|inhibitors?|agonists?|antagonists?|regimens?|repair"
    r"|diets?|exercises?|screening|stimulation|management|radiation|reconstruction|implants?|blocks?|blockers"
    r"|drainage)"
)
"""As in: standard treatment."""


def is_specific(value: str) -> bool:
    """Whether the phrase specifies the treatment."""
    return not BARE.fullmatch(value)


def goes_on(sentence: Sentence, index: int) -> bool:
    """Whether the noun only modifies the next one: surgery patients, cancer cells."""
    tokens = sentence.tokens
    if index + 1 >= len(tokens):
        return False
    word = tokens[index + 1].word
    return word not in NO_PREMODIFIER and word not in HARD_END and word[0].isalnum()


def start_of(sentence: Sentence, index: int) -> int:
    """Where the phrase that ends at a noun begins."""
    tokens = sentence.tokens
    first = index
    while first > 0 and index - first < MOST_BEFORE:
        word = tokens[first - 1].word
        if word in NO_PREMODIFIER or word in HARD_END or not word[0].isalnum():
            break
        first -= 1
    return first
