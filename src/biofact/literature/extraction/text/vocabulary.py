"""Word lists that several rules share, verbs in their finite forms, and the stems of words. Pure."""

import re
from functools import lru_cache


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


PEOPLE = words(
    "patient patients participant participants subject subjects individual individuals people persons person adult"
    " adults women woman men man males females children child infants infant neonates neonate newborns newborn babies"
    " baby boys girls boy girl adolescents adolescent teenagers youths youth students student volunteers volunteer"
    " controls mothers mother fathers parents parent nurses respondents smokers runners athletes swimmers cyclists"
    " donors recipients recipient twins survivors caregivers carers veterans workers employees soldiers residents"
    " inmates prisoners elderly pupils schoolchildren preschoolers toddlers inpatients outpatients inpatient outpatient"
    " couples drinkers users carriers relatives probands siblings ambulators nonsmokers seniors refugees immigrants"
    " migrants consumers enrollees attendees interviewees informants households schoolgirls schoolboys players"
    " postmenopausal gravidas primigravidas nulliparas multiparas pregnancies decedents fetuses families speakers"
    " learners farmers offenders employees firefighters dancers musicians gamers undergraduates graduates freshmen"
    " octogenarians centenarians newborn grandparents spouses wives husbands daughters sons beneficiaries multiparous"
    " nulliparous homosexuals homeless"
)
"""Nouns for people who can be subjects."""
PROFESSIONALS = words(
    "physicians doctors clinicians surgeons dentists pharmacists practitioners therapists teachers radiologists"
    " pathologists psychologists midwives professionals trainees interns faculty paramedics providers psychiatrists"
    " anesthesiologists anaesthetists gps leaders managers nurses residents presenters educators"
)
"""Nouns for professionals, who are subjects of surveys and interviews."""
ANIMALS = words(
    "mice rats rabbits dogs cats pigs piglets swine sheep lambs ewes goats cows cattle calves heifers horses"
    " mares monkeys macaques marmosets baboons chimpanzees hamsters gerbils ferrets chickens hens broilers"
    " chicks quails turkeys zebrafish tadpoles beagles boars sows bulls steers pups puppies foals ponies"
    " minipigs goslings ducks drosophila animals voles squirrels bats primates"
)
"""Nouns for animals."""
CASES = frozenset(("cases", "case"))

DETERMINERS = words(
    "the a an these those this that all some most many each every both either neither no other such our their"
    " its his her any several few various different certain both us"
)
PREPOSITIONS = words(
    "of in on for with among amongst between from by at to as during after before within into over per than"
    " under until against towards toward via through throughout across without versus vs v about above below"
    " near despite like including involving regarding concerning following except"
)
AUXILIARIES = words(
    "was were is are be been being am had has have having did do does can could may might will would should"
    " shall must cannot"
)
CONNECTORS = words(
    "and or but nor so yet that which who whom whose where when while whereas because since although though if"
    " unless whether however therefore thus hence then why how what also only not we they it he she i there here"
)
VERBS = words(
    "included enrolled recruited studied analysed analyzed evaluated examined assessed compared identified randomized"
    " randomised assigned reviewed followed obtained comprised consisted showed shows show received underwent"
    " demonstrated revealed resulted found reported reports report presented presents developed remained became"
    " increased decreased improved reduced significantly completed contained includes include comparing include"
    " selected screened surveyed interviewed tested measured collected invited allocated performed conducted"
    " investigated describe describes described present using used consecutively treated observed experienced achieved"
    " occurred provided considered appear appears seem seems reflect reflects need needs remains remain suffer suffers"
    " require requires fed gave injected excluded exclude excluding undergoing receiving requiring mimicking supports"
    " support"
)
"""Verbs that end the words before a noun: we *included* women."""
NO_PREMODIFIER = DETERMINERS | PREPOSITIONS | AUXILIARIES | CONNECTORS | VERBS
RELATION = words(
    "due secondary related exposed resistant refractory admitted referred prior prone according adherence"
    " response attitudes access time resistance exposure sensitivity return relative"
)
"""Words whose ``to`` continues the phrase."""

HARD_END = frozenset(".;:?!,()[]{}=<>≥≤±\u2013—&%")  # dashes that set a phrase apart
"""Signs at which every phrase ends."""
CLAUSE_END = AUXILIARIES | words(
    "which who whom whose where when while whereas because although though if unless whether however therefore"
    " using by via through than versus vs v compared that we they it but showed shows demonstrated revealed"
    " resulted found significantly had received underwent remains remained than according based under while"
    " reduces improves increases decreases prevents inhibits promotes induces affects predicts enhances attenuates"
    " suppresses accelerates impairs reduced improved contributes leads"
)
"""Words at which a phrase ends: zinc *reduced* pain."""
LOOSE_END = PREPOSITIONS | DETERMINERS | CONNECTORS | AUXILIARIES | words(
    "receiving undergoing respectively both either using based compared due necessary useful effective safe"
    " justified beneficial feasible respectively alone significantly"
)  # fmt: skip
"""Words that end no phrase: zinc *in*."""
LOOSE_START = words(
    "the a an our their its this these those both either of that whether to and or any all do does did is are"
    " can should could will the why how what"
)
"""Words that begin no phrase: *the* zinc."""


BASES = words(
    "include enroll recruit analyse analyze evaluate examine assess compare identify randomize randomise assign obtain"
    " comprise consist show receive demonstrate reveal find develop remain become improve reduce complete contain"
    " describe select collect allocate perform conduct investigate observe experience achieve occur provide consider"
    " appear seem reflect require suffer inhibit prevent promote attenuate induce protect suppress enhance alleviate"
    " ameliorate restore modulate stimulate impair reverse affect mitigate predict lower abolish disrupt augment"
    " exacerbate trigger facilitate accelerate regulate mediate confer drive alter contribute produce elevate diminish"
    " aggravate worsen shorten prolong rescue counteract eliminate maintain determine potentiate sensitize activate"
    " upregulate downregulate suggest indicate explore discuss seek propose hypothesize correlate associate confirm"
    " establish apply exhibit undergo administer inject generate calculate estimate yield differ vary allow enable"
    " serve depend involve relate explain detect characterize characterise quantify validate verify reach fail exceed"
    " grow persist"
)
"""Regular verbs of abstracts, in their base form."""
IRREGULAR = words(
    "shown found led grew fell rose sought underwent undergone gave given became seen saw took taken made make makes"
    " making having began begun wrote got held kept met blocked blocking caused causing linked noted documented"
    " recorded supported supporting expressed influenced influencing presenting resulting reporting plays acted"
)
"""Irregular forms, and verbs of which only some forms count."""
OFTEN_NO_VERBS = words(
    "contains delayed increased decreased improved reduced related associated developing suffering restoring involved"
    " activated lowered administered elevated impaired induced prolonged shortened enhanced altered selected required"
    " remaining becoming estimated established used present presents treated need needs support supports report reports"
)
"""Forms that are as often adjectives before a noun."""


def verb_forms(verb: str) -> frozenset[str]:
    """The regular forms of a verb."""
    third = f"{verb}es" if verb.endswith(("s", "sh", "ch")) else f"{verb}s"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return frozenset((verb, f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing"))
    base = verb.removesuffix("e")
    return frozenset((verb, third, f"{base}ed", f"{base}ing"))


FINITE = frozenset().union(*map(verb_forms, BASES), IRREGULAR, VERBS) - OFTEN_NO_VERBS
"""Forms that are verbs rather than adjectives or nouns."""


_STOPS = (
    "a an the of in on at to for with by and or from as is are was were be been being has have had did do does than"
    " that this these those between among vs versus into during after before per it its their his her which who whom"
    " whose such via using used we our they there also both each"
)
_TAILS = (
    "izations ization ations ation nesses ness ingly edly ments ment ities ity ically ically ives ive ions ion ings"
    " ing ies ied ers ed es er ly al ic s e y"
)
STOP_WORDS = frozenset(_STOPS.split())
"""Words that a value may have and its quote may not."""
NEGATIONS = frozenset(("no", "not", "non", "without", "never", "neither", "nor", "cannot", "lack", "lacked", "lacking"))
"""Words that turn what follows into its opposite."""

_SHORTEST = 4
_SHORTEST_BEGINNING = 5
_MOST_MORE = 2
_BRITISH = re.compile(r"is(?=(?:e|ed|es|er|ers|ing|ation|ations)$)")
"""As in: randomised and stabilised"""
_ENDINGS = {letter: tuple(tail for tail in _TAILS.split() if tail[-1] == letter) for letter in "sycgdtrlen"}
"""By their last letter, longer ones first."""


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word in small letters without its ending, in American spelling."""
    plain = _BRITISH.sub("iz", word)
    plain = plain.replace("aem", "em").replace("oed", "ed").replace("tumour", "tumor").replace("aed", "ed")
    for ending in _ENDINGS.get(plain[-1:], ()):
        if plain.endswith(ending) and len(plain) - len(ending) >= _SHORTEST:
            return plain[: -len(ending)].rstrip("ei")
    return plain


def is_same_stem(first: str, second: str) -> bool:
    """Whether two stems are of one word: equal, or hardly longer than the other."""
    if first == second:
        return True
    short, long = sorted((first, second), key=len)
    is_alike = long.startswith(short) and len(long) - len(short) <= _MOST_MORE
    return is_alike and len(short) >= _SHORTEST_BEGINNING and not long[len(short) :].isdigit()
