"""By how much a method is better than another, and what it costs to run."""

import re
from collections.abc import Iterator
from types import MappingProxyType

from biofact.literature.extraction.fields.field import AMOUNT, Field
from biofact.literature.extraction.findings import Finding, Value, main_finding
from biofact.literature.extraction.text.document import Document, Sentence
from biofact.literature.extraction.text.phrases import whole_sentence

METHOD = re.compile(
    r"(?i)\b(?:models?|algorithms?|methods?|networks?|classifiers?|software|tools?|frameworks?|pipelines?"
    r"|architectures?|programs?|implementations?|baselines?|benchmarks?|detectors?|predictors?|transformers?|BERT|CNNs?"
    r"|SVMs?|learning|assistants?|AI|\w*BERT\w*|state[- ]of[- ]the[- ]art)\b"
)
"""Methods that perform. As in: the proposed model."""
QUALITY = re.compile(
    r"(?i)\b(?:accura(?:cy|te)|precision|recall|(?:macro|micro)?-?F(?:1|[- ](?:score|measure))|AU(?:RO|PR)?C|AP\b|mAP"
    r"|Dice|IoU|BLEU|ROUGE|throughput|speed|faster|quicker|performance|outperform\w*|specificity|sensitivity|efficiency"
    r"|state[- ]of[- ]the[- ]art)\b"
)
"""More of it is better. As in: F1."""
COST = re.compile(
    r"(?i)\b(?:error(?:s| rates?)?|(?:run|running|computation(?:al)?|processing|inference|training|execution|reading|"
    r"scan(?:ning)?|acquisition) ?times?|runtime|latency|memory|computational (?:cost|burden)|false (?:positive"
    r"|alarm)s?|RMSE|MAE|parameters)\b"
)
"""Less of it is better. As in: running time."""
NOT_A_METHOD = re.compile(
    r"(?i)\b(?:insulin|baroreflex|contrast|drug|salt|pain|cold|antibiotic|chemo\w*) sensitivity|\b"
    r"(?:exercise|physical|athletic|cognitive|sprint|jump|match|academic|growth|work|memory) performance|\b"
    r"(?:walking|gait|running|conduction|flow) speed|\bworking memory\b|\bmemory (?:task|loss|test|score)"
)
"""Performance of people and bodies. As in: insulin sensitivity."""

_AMOUNT = (
    r"(?P<amount>\d{1,4}(?:[.\u00b7]\d+)?) ?-?"
    r"(?P<unit>%|percent(?:age points?)?\b|points?\b|-?fold\b|times\b|[x\u00d7](?!\w))"
)
_BETTER = (
    r"(?:higher|better|above|greater|more accurate|faster|quicker|improvements?|gains?|increase|speed-?ups?|over the)"
)
_LOWER = r"(?:lower|less|fewer|smaller|reductions?|decrease|shorter)"

AMOUNT_FIRST = re.compile(
    rf"(?i)(?<![\w.]){_AMOUNT}(?: (?!than|and|or|to|of\b)[\w-]+){{0,2}}? (?:(?P<up>{_BETTER})|(?P<down>{_LOWER}))\b"
)
"""A difference before its direction. As in: 6.2 points above."""
CHANGE_BY = re.compile(
    r"(?i)\b(?:(?P<up>improv\w+|increas\w+|boost\w*|rais\w+|outperform\w*|exceed\w*|surpass\w*|better|higher|faster)"
    r"|(?P<down>reduc\w+|decreas\w+|lower\w*|cut\w*|fewer))\b[^.;]{0,80}?\bby "
    rf"(?:(?:about|up to|nearly|almost|approximately|more than|over|around|an average of|at least|roughly) )?{_AMOUNT}"
)
"""A difference after its verb. As in: improved accuracy by 3.4%."""
CHANGE_OF = re.compile(
    r"(?i)\b(?:(?P<up>improvements?|gains?|increases?|speed-?ups?|rises?)|(?P<down>reductions?"
    r"|decreases?)) (?:\w+ ){0,3}?"
    rf"of (?:(?:about|up to|nearly|almost|approximately|more than|over|around|at least) )?\+?{_AMOUNT}"
)
"""A difference after its noun. As in: an increase of 30%."""
FROM_TO = re.compile(
    r"(?i)\b(?:improv\w+|increas\w+|boost\w*|rais\w+"
    r"|rose)\b[^.;]{0,60}?\bfrom (?P<low>\d{1,2}(?:\.\d+)?) ?(?P<percent>%?)"
    r" to (?P<high>\d{1,3}(?:\.\d+)?) ?(?P<same>%?)"
)
"""A rise with both of its ends. As in: improved the AUC from 0.83 to 0.91."""

MAGNITUDE = re.compile(
    r"(?i)\b(?:speed(?:-?up)?(?: improvements?)?|faster|improvements?"
    r"|gains?)\b(?: [\w-]+){0,3}? of (?:[a-z]+ )?(?:than )?"
    r"(?P<of>an?|one|two|three|four|five) orders? of magnitude\b|\b(?P<ahead>an?|one|two|three|four"
    r"|five) orders? of magnitude (?:\w+ )?(?:faster|quicker|better|higher|more accurate)\b"
)
"""Powers of ten in words. As in: an order of magnitude faster."""
_POWERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5}

HARDWARE = re.compile(
    r"\b(?:GPUs?|CPUs?|TPUs?|FPGAs?|FLOPs|GFLOPs|(?i:graphics (?:processors?|cards?|processing units?)|(?:processor"
    r"|CPU)"
    r" cores?|laptops?|desktop (?:computer|PC)|workstations?|supercomputers?|(?:gigabytes|GB|MB|megabytes) of"
    r" (?:memory|RAM)|RAM\b|(?:personal|single) computer))\b"
)
"""Hardware that a program runs on. As in: eight graphics processors."""
RUN = re.compile(
    r"(?i)\b(?:train(?:ing|ed)?|inference|comput\w+|process(?:ing|es)?|runs?|running|execut\w+|simulat\w+|takes?|took"
    r"|requir\w+|needs?|converg\w+|within|in)\b[^.;]{0,60}?\b(?:\d+(?:\.\d+)?|one|two|three|few|several) ?"
    r"(?:ms|milliseconds?|s|sec|seconds?|min|minutes?|h|hours?|days?)\b"
)
"""How long it runs. As in: Training took 72 hours."""
COSTLY = re.compile(
    r"(?i)\bcomput(?:ational(?:ly)?|ation|ing|e) ?-?(?:costs?|times?|burden|complexity|demand\w*|expens\w+|overhead"
    r"|efficien\w+|intensive|load|effort|resources|requirements?|inexpensive|cheap)\b|\b(?:time|space) complexity\b"
    r"|\b\d+(?:\.\d+)? ?(?:million|billion|M|B) (?:trainable )?parameters\b|\b(?:run ?-?times?|running times?)\b"
    r"|\borders? of magnitude (?:faster|less|fewer)\b|\b(?:times|fold) (?:\w+ )?faster (?:than|overall)\b"
    r"|\b(?:execution|training|inference) times?\b|\bmemory (?:footprint|usage|consumption)\b|\bper CPU[- ]hour\b"
    r"|\bin linear (?:space|time)\b|\bspeed-?ups?\b|\bspeed improvements?\b"
)
"""Computational cost in words. As in: low computational cost."""
PROGRAM = re.compile(
    r"(?i)\b(?:models?|algorithms?|networks?|software|programs?|pipelines?|implementations?|simulations?|code|BERT"
    r"|aligners?|alignments?|align|filters?|servers?|comput\w+|O\()"
)
"""Programs that run on a computer. As in: the network."""

MEASURE_REACH = 40
"""Characters behind a difference within which its measure is named."""


def performance_improvement(document: Document) -> Finding | None:
    """Percent or percentage points by which a method is better, also computed from ratios and from two ends."""
    return main_finding([finding for sentence in document.own_sentences for finding in _improvements(sentence)])


def computational_cost(document: Document) -> Finding | None:
    """The sentences that say on what, how long or how cheaply a program runs."""
    return main_finding(
        [whole_sentence(sentence) for sentence in document.own_sentences if _states_cost(sentence.text)]
    )


def _improvements(sentence: Sentence) -> Iterator[Finding]:
    text = sentence.text
    is_measured = QUALITY.search(text) or COST.search(text)
    if not is_measured or not METHOD.search(text) or NOT_A_METHOD.search(text):
        return
    for pattern in (AMOUNT_FIRST, CHANGE_BY, CHANGE_OF):
        yield from (_by_amount(sentence, match) for match in pattern.finditer(text) if _is_better(match, text))
    for match in MAGNITUDE.finditer(text):
        power = _POWERS[(match["of"] or match["ahead"]).lower()]
        # ten times as fast is 900 % faster
        yield _improvement(sentence, match, float(10 ** (power + 2) - 100), is_derived=True)
    for match in FROM_TO.finditer(text):
        low, high = float(match["low"]), float(match["high"])
        if QUALITY.search(match.group()) and match["percent"] == match["same"] and low < high:
            # ends between 0 and 1 are shares: their difference counts in hundredths
            points = (high - low) * (1 if match["percent"] or high > 1 else 100)
            yield _improvement(sentence, match, round(points, 6), is_derived=True)


def _is_better(match: re.Match[str], text: str) -> bool:
    """Whether more of what is good is stated, or less of what costs; the measure named first is the one meant."""
    window = text[match.start() : match.end() + MEASURE_REACH]
    cost, quality = COST.search(window), QUALITY.search(window)
    is_of_cost = cost is not None and (quality is None or cost.start() < quality.start())
    return is_of_cost if match["down"] else not is_of_cost and bool(quality or QUALITY.search(text))


def _by_amount(sentence: Sentence, match: re.Match[str]) -> Finding:
    """The stated difference; a ratio becomes the percent by which it exceeds 1."""
    amount, is_ratio = float(match["amount"].replace("\u00b7", ".")), not match["unit"].lower().startswith(("%", "p"))
    return _improvement(sentence, match, round((amount - 1) * 100, 6) if is_ratio else amount, is_derived=is_ratio)


def _improvement(sentence: Sentence, match: re.Match[str], value: float, *, is_derived: bool) -> Finding:
    improvement: dict[str, Value] = {"value": value, "unit": "%", "text": " ".join(match.group().split())}
    return Finding(improvement, (sentence.evidence_of(match),), is_derived=is_derived)


def _states_cost(text: str) -> bool:
    if COSTLY.search(text):
        return bool(PROGRAM.search(text) or METHOD.search(text))
    return bool(HARDWARE.search(text) and (RUN.search(text) or PROGRAM.search(text)))


PERFORMANCE_IMPROVEMENT = Field(
    name="performance_improvement",
    find=performance_improvement,
    names=(
        "performance_gain performance_gains improvement_over_baseline improvement_percent "
        "performance_improvement_percent improvement_over_state_of_the_art"
    ),
    kinds=AMOUNT,
    parts=MappingProxyType({"value": "number percent", "unit": "", "text": ""}),
    unit="percent or points",
)


COMPUTATIONAL_COST = Field(
    name="computational_cost",
    find=computational_cost,
    names=(
        "computational_costs compute_cost computational_requirements computation_cost "
        "computational_resources compute_requirements training_cost"
    ),
)
