"""Outcomes with what the same clause states of them: effect, interval, p-value and comparator."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from biofact.literature.extraction.fields import effects, p_values
from biofact.literature.extraction.fields.labelling.chain import Span, spans
from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.text.document import Document, Sentence
from biofact.literature.extraction.text.phrases import head_of, is_treatment_noun, phrase_between, phrase_from
from biofact.literature.extraction.text.vocabulary import CLAUSE_END, PEOPLE, stem, words

NAME_END = (CLAUSE_END - {"under", "based"}) | words(
    "among for during following between across compared assessed measured defined evaluated with at from after"
    " before favored favoured occurred differed remained did tended improved decreased increased declined fell rose"
    " as per over relative within until when such including"
)
"""Words that end the name of an outcome."""
_RANKED = (
    r"\b(?:co-?)?(?:primary|main|principal|chief)(?: [\w-]+){0,3}? "
    r"(?:end ?-?points?|outcomes?|variables?|efficacy (?:measures?|parameters?))"
)
PRIMARY_OUTCOME = re.compile(
    rf"(?i)(?<!for the )(?<!of the )(?<!in the )(?<!on the ){_RANKED}"
    r"(?: (?:measures?|variables?|parameters?|criteri(?:on|a)))?(?: (?:of|in|for|at) (?:this |the |our )?"
    r"(?:study|trial|(?:final |main )?analysis|efficacy|interest))?"
    r"(?:,? (?:was|were|is|are|included|includes|will be|of)(?: defined as)?|:|,(?! and\b)| \()\s?"
    r"(?P<y>(?:the )?\d{1,3}[- ](?:days?|weeks?|months?|years?)\b|[^\d\W].{2})"
)
"""As in: the primary outcome was mortality."""
OUTCOME_FIRST = re.compile(
    r"(?i)(?:^\W*|[;:] |\band )(?P<y>[^\d\W][^.;:]{2,140}?)"
    r"(?:,? (?:was|were|is|being|served as|constituted|formed|as|which was|which were)|,| \() ?"
    rf"(?:the |our |a )?{_RANKED}\b(?! (?:was|were|is|are|included)\b)"
)
"""As in: mortality was the primary outcome."""
PRIMARY_NAMED = re.compile(r"(?i)\b(?:co-?)?(?:primary|main|principal)(?: [\w-]+){0,3}? (?:end ?-?points?|outcomes?)\b")
"""As in: for the primary outcome."""
SECONDARY_LIST = re.compile(
    r"(?i)\bsecondary(?: [\w-]+){0,2}? (?:end ?-?points?|outcomes?)(?: (?:measures?|variables?|parameters?))?"
    r"(?: (?:was|were|included|include|are|will be)(?: defined as)?|:)\s(?P<y>[^.;:]{3,300})"
)
"""As in: secondary outcomes were pain, sleep and fever."""
AT_START = re.compile(
    r"(?i)^[\s,;:]*(?:(?:and|but|while|whereas|however|moreover|furthermore|similarly|overall|also|likewise|finally"
    r"|consequently)\b,?\s*|(?:in|at|after|among|during|for|by|of|on|with|within|over|from|when|since|between"
    r"|compared (?:with|to)|as compared|relative to|secondary outcomes?:?)\b[^,]{1,90},\s*)*"
    r"(?:(?:the|an?|no|both|all|mean|median|and|for)\s+)*"
)
"""Words before the subject. As in: In the zinc group, the"""
RATIO_FOR = re.compile(
    r"(?i)(?:(?:hazards?|odds|risk|rate) ratios?|(?:relative|absolute) risks?(?: reduction)?),? (?:for|of|in) (?:the )?"
    r"(?P<y>[^\d\W].{2})"
)
"""As in: hazard ratio for death."""
LEAD_IN = re.compile(
    r"(?i)(?:(?:the|an?|mean|median|average|adjusted|crude|estimated|lower|higher|increased|reduced|decreased|greater"
    r"|fewer|more|less|significant(?:ly)?)\s+)*(?:(?:(?:overall|relative|total|lower|higher) )?(?:risks?|odds|hazards?"
    r"|likelihood|probability|chances?) (?:of|for) (?:an? |the )?)?(?=[^\W\d_]{3})"
)
"""Words before the outcome itself. As in: the mean pain score"""
NO_NAME = re.compile(
    r"(?i)^(?:(?:one|two|three|four|five|six|seven|eight|nine|ten)(?!-)|most|many|some|more|fewer|half|also|in|on|to|of|by|at|with"
    r"|abstract|confirmed|calculated|consequently|finally|notably|significantly)\b|^(?:co-)?(?:administration|treatment"
    r"|therapy|supplementation|use|addition|intake) (?:of|with)\b|^\d+(?![-\d])|\b(?:provided|required|produced"
    r"|caused|gave"
    r"|led|resulted|combined|superior|effective|versus|vs|results)\b"
    r"|\b(?:primary|secondary)(?: \w+){0,3} (?:outcomes?|end ?-?points?)\b"
)
"""As in: Five of the nine lambs."""
EMPTY_NAME = re.compile(
    r"(?:it|this|that|these|those|they|there|which|who|no|none|all|both|each|results?|findings?|data|effects?|studies"
    r"|treatments?|interventions?|comparisons?|study|trials?|groups?|arms?|patients?|significan\w+|(?:\w+ )?values?"
    r"|(?:\w+ )*analys[ei]s|(?:\w+ )?differences?|bias|associations?|correlations?|reductions?|improvements?|changes?"
    r"|increases?|decreases?|outcomes?|end ?points?|similar\w*|p|ci|n|(?:hazards?|odds|risk|rate) ratios?"
    r"|relative risks?|higher|lower|greater|better|respectively|excess|estimates?|unaffected|immediately"
    r"|(?:(?:adjusted|unadjusted|crude|pooled|summary|overall|corresponding|multivariable) )*(?:(?:incidence"
    r"|hazards?|odds|risk|rate"
    r"|relative|mean|risk|prevalence) )*(?:ratios?|risks?|differences?|[acs]?[HOIR]RRs?|[ac]?[HO]Rs?"
    r"|S?MDs?)(?: (?:against|versus|of|with) .*)?"
    r"|.*\b(?:groups?|arms?|who|patients|women|men|participants|subjects|children|adults|infants))"
)
"""Phrases that are no name of an outcome. As in: the zinc group"""
RESULT_BREAK = re.compile(r"(?i);|,? (?:whereas|while|but)\b|, and\b")
"""Words that part a sentence into results. As in: fell, whereas pain rose."""


Test = Literal["interaction", "heterogeneity", "model", ""]
ResultRole = Literal[
    "primary", "", "sensitivity", "secondary", "safety", "subgroup", "interaction", "baseline", "heterogeneity",
    "model", "trend", "within group",
]  # fmt: skip
"""Empty where the text says none; ``sensitivity`` is another analysis of an outcome, as per protocol or unadjusted."""
TESTS: tuple[tuple[Test, re.Pattern[str]], ...] = (
    # As in: P for interaction = 0.59.
    ("interaction", re.compile(r"(?i)\binteractions?\b|\beffect modif|\bp ?[- ]?int\b")),
    # As in: I2 = 21%, P for heterogeneity = 0.22.
    (
        "heterogeneity",
        re.compile(
            r"(?i)\bheterogene|\bI ?(?:2|\u00b2|\(2\)|-squared?)(?!\w)|\bcochran'?s? q\b|\begger|\bbegg|\bfunnel|"
            r"publication bias|small-study|\binconsistency\b|node-split"
        ),
    ),
    # As in: Hosmer-Lemeshow P = 0.4.
    (
        "model",
        re.compile(
            r"(?i)\bhosmer|\bgoodness of fit|\bshapiro|\bnormality\b|\bschoenfeld|\bcollinear|\bcalibration\b"
            r"|\blikelihood[- ]ratio|\bmauchly|\bsphericity|\bproportional(?:ity)? (?:hazards|odds)|\bcarry-?over\b"
            r"|\bperiod effects?\b|\bsequence effects?\b|\btrends?\b"
        ),
    ),
)
"""The tests of p-values that are of no outcome, by the words next to them."""
NEXT_TO = 40
"""Characters before a p-value that say what it is of."""
MOST_RESULTS = 200
"""Results of one abstract that are read."""
LONG_NAME = re.compile(r"(?:(?!,|;|\.(?:\s|$)| with | and the | as | compared | versus ).){3,110}")
"""As in: a reduction of at least 75% in the score."""
MOST_LONG = 18
"""Words of a long name."""
PREDICATE = re.compile(
    r"(?i)(?:not|also|similar|significant|lower|higher|rarer|better|worse|met|reached|achieved|assessed|measured)\b"
)
"""A predicate of an outcome, which is no name. As in: met in both groups"""
MIN_PRIMARY = 0.5
"""The least probability that a mention is called primary."""
LONGEST_NAME = 12
"""Words of an outcome."""
RESULT_ROLES = frozenset(("results", "", "conclusions"))
STOP_WORDS = words("of the a an and in to for with at or rate rates risk incidence mean median score scores")
"""Words that many outcomes share."""
CLOSING = re.compile(r"[^()\[\]]{0,60}[)\]]")
"""As in: = 0.04)."""


class Clause(NamedTuple):
    """A part of a sentence that states one result; offsets are those of the sentence."""

    sentence: Sentence
    start: int
    end: int
    statistics: tuple[Finding, ...]

    @property
    def plain(self) -> str:
        """The words of the clause, without brackets."""
        return self.sentence.plain[self.start : self.end]

    @property
    def text(self) -> str:
        """The clause with its brackets."""
        return self.sentence.text[self.start : self.end]

    def limit(self, offset: int) -> int | None:
        """The end of a name that begins at an offset of the clause: before the first statistic behind it."""
        places = ((finding.evidence[0].start or 0) - self.sentence.start for finding in self.statistics)
        return next((place for place in places if place > self.start + offset), None)


class StatedOutcomes(NamedTuple):
    """The outcomes that the text calls primary and secondary."""

    primary: tuple[Finding, ...]
    secondary: tuple[Finding, ...]


class StatedResult(NamedTuple):
    """The statistics of a clause, and what they are of."""

    clause: Clause
    name: Finding | None
    """The outcome."""
    test: Test = ""
    """The test that its p-value is of, if that is none of the outcome itself."""

    @property
    def effect(self) -> Finding | None:
        """The effect with its interval."""
        return next((finding for finding in self.clause.statistics if not is_p_value(finding)), None)

    @property
    def p_value(self) -> Finding | None:
        """The p-value."""
        return next(filter(is_p_value, self.clause.statistics), None)


def is_p_value(finding: Finding) -> bool:
    """Whether a statistic is a p-value; else it is an effect."""
    return isinstance(finding.value, dict) and "operator" in finding.value


def stated_results(document: Document) -> list[StatedResult]:
    """Each result, in the order of the text."""
    results: list[StatedResult] = []
    for sentence, statistics in statistics_by_sentence(document).values():
        for clause in clauses(sentence, statistics) if sentence.role in RESULT_ROLES else ():
            results += _by_test(clause, document)
        if len(results) >= MOST_RESULTS:
            break
    return results[:MOST_RESULTS]


def outcome_of(clause: Clause, document: Document) -> Finding | None:
    """The outcome that a clause names last before its first statistic."""
    end = clause.statistics[0].evidence[0].start or 0
    start = clause.sentence.start + clause.start
    mentions = (span for span in document.cached(spans) if span.field == "outcome" and span.sentence is clause.sentence)
    named = [span for span in mentions if start <= span.tokens[0].start and span.tokens[-1].end <= end]
    if named:
        return finding_of(named[-1])
    ratio = RATIO_FOR.search(clause.plain)
    names = name_at(clause.sentence, clause.start + ratio.start("y")) if ratio else []
    return names[0] if names else None


def _by_test(clause: Clause, document: Document) -> Iterator[StatedResult]:
    """The results of a clause: that of its outcome, and apart from it each p-value of another test."""
    name = outcome_of(clause, document)
    own, tests = list[Finding](), list[tuple[Finding, Test]]()
    done = clause.start
    for finding in clause.statistics:
        start, end = (
            (place or 0) - clause.sentence.start for place in (finding.evidence[0].start, finding.evidence[0].end)
        )
        text = clause.sentence.text
        test = test_of(text[done:start], text[start:end]) if is_p_value(finding) else ""
        tests += [(finding, test)] if test else []
        own += [] if test else [finding]
        done = end
    if own:
        yield StatedResult(clause._replace(statistics=tuple(own)), name)
    for finding, test in tests:
        yield StatedResult(clause._replace(statistics=(finding,)), name, test)


def test_of(before: str, within: str) -> Test:
    """The test that a p-value is of, by the words before it, and by those that are a part of it: P for trend."""
    near = before[-NEXT_TO:]
    return next((test for test, pattern in TESTS if pattern.search(within) or pattern.search(near)), "")


def is_same_outcome(first: str, second: str) -> bool:
    """Whether two names are of one outcome: the words of one are all in the other."""
    first_stems, second_stems = content_stems(first), content_stems(second)
    return bool(first_stems and second_stems) and (first_stems <= second_stems or second_stems <= first_stems)


def content_stems(name: str) -> frozenset[str]:
    """The stems that distinguish an outcome from others."""
    return frozenset(
        stem(word.removesuffix("s")) for word in re.findall(r"[a-z0-9]+", name.lower()) if word not in STOP_WORDS
    )


def stated_outcomes(document: Document) -> StatedOutcomes:
    """The outcomes that the text names as primary and secondary ones."""
    primary: list[Finding] = []
    secondary: list[Finding] = []
    can_be_named = any(map(document.can_hold, (PRIMARY_OUTCOME, OUTCOME_FIRST, SECONDARY_LIST)))
    for sentence in document.all_sentences if can_be_named else ():
        is_predicate = sentence.role in {"results", "conclusions"}  # there the primary outcome was rare, or lower
        for match in sentence.matches(PRIMARY_OUTCOME):
            if not is_predicate or sentence.text[: match.start("y")].rstrip()[-1] in ",:(":
                primary += primary_name(sentence, match.start("y"), len(sentence.text))
        for match in () if primary else sentence.matches(OUTCOME_FIRST):
            lead = AT_START.match(sentence.plain[match.start("y") :])
            primary += primary_name(sentence, match.start("y") + (lead.end() if lead else 0), match.end("y"))
        for match in sentence.matches_plain(SECONDARY_LIST):
            for part in re.finditer(r"(?:and |the )*(?P<name>(?:(?!, | and )[^,;])+)", match["y"]):
                start, end = (match.start("y") + offset for offset in part.span("name"))
                finding = phrase_between(sentence, start, end, most_words=LONGEST_NAME)
                secondary += [finding] if finding is not None and is_name(str(finding.value).lower()) else []
    measured = next((sentence for sentence in document.sentences if sentence.role == "outcome"), None)
    if not primary and measured is not None:  # as under: Main outcome measures
        lead = AT_START.match(measured.plain)
        primary += primary_name(measured, lead.end() if lead else 0, len(measured.text))
    for span in document.cached(spans):
        is_known = any(is_same_outcome(span.text, str(outcome.value)) for outcome in primary)
        if span.primary > MIN_PRIMARY and not is_known:
            primary.append(finding_of(span))
    return StatedOutcomes(tuple(primary), tuple(secondary))


def finding_of(span: Span) -> Finding:
    """A mention of an outcome on its words, without those that any outcome can have."""
    lead = LEAD_IN.match(span.text)
    length = lead.end() if lead else 0
    start, end = span.tokens[0].start, span.tokens[-1].end
    return Finding(span.text[length:], (span.sentence.evidence(min(start + length, end - 1), end),))


def primary_name(sentence: Sentence, offset: int, limit: int) -> list[Finding]:
    """The outcome that is called primary and begins at an offset: its words may be such as name no other outcome."""
    if names := name_at(sentence, offset, limit):
        return names
    stretch = LONG_NAME.match(sentence.text, offset, limit)
    finding = phrase_between(sentence, offset, stretch.end(), most_words=MOST_LONG) if stretch else None
    return [finding] if finding is not None and not PREDICATE.match(str(finding.value)) else []


def name_at(sentence: Sentence, offset: int, limit: int | None = None) -> list[Finding]:
    """The outcome that begins at an offset of the sentence, before a limit; none if its words are no outcome."""
    finding = phrase_from(sentence, offset, stops=NAME_END, most_words=LONGEST_NAME, limit=limit)
    return [finding] if finding is not None and is_name(str(finding.value).lower()) else []


def is_name(value: str) -> bool:
    """Whether a phrase can name an outcome: neither people, nor a treatment, nor a word for any result."""
    if NO_NAME.search(value) or EMPTY_NAME.fullmatch(value):
        return False
    last = value.rsplit(maxsplit=1)[-1]
    return head_of(last) not in PEOPLE and not (is_treatment_noun(last) and " of " not in value)


def statistics_by_sentence(document: Document) -> dict[int, tuple[Sentence, list[Finding]]]:
    """The effects and p-values of each sentence that states some, by its offset, in the order of the text."""
    by_start: dict[int, tuple[Sentence, list[Finding]]] = {}
    for sentence, finding in (*document.cached(effects.all_effects), *document.cached(p_values.all_p_values)):
        by_start.setdefault(sentence.start, (sentence, []))[1].append(finding)
    for _, findings in by_start.values():
        findings.sort(key=lambda finding: finding.evidence[0].start or 0)
    return dict(sorted(by_start.items()))


def clauses(sentence: Sentence, statistics: Sequence[Finding]) -> Iterator[Clause]:
    """The parts of a sentence that state an effect or a p-value each; these in the order of the text."""
    cuts = [match.start() for match in RESULT_BREAK.finditer(sentence.plain)]
    start, group = 0, list[Finding]()
    for place, statistic in enumerate(statistics):
        group.append(statistic)
        end = (statistic.evidence[0].end or 0) - sentence.start
        after = (statistics[place + 1].evidence[0].start or 0) - sentence.start if place + 1 < len(statistics) else None
        # HR 0.7 (p = 0.01): two statistics of one result
        if after is None or begins_result(group, statistics[place + 1]) or names_new_outcome(sentence, end, after):
            closed = bracket_end(sentence.text, end)
            first = max([start, *(cut for cut in cuts if cut < (group[0].evidence[0].start or 0) - sentence.start)])
            last = min([cut for cut in cuts if cut >= closed] or [len(sentence.text)])
            yield Clause(sentence, first, last if after is None else min(last, after), tuple(group))
            start, group = closed, []


def begins_result(group: Sequence[Finding], statistic: Finding) -> bool:
    """Whether a further statistic is of another result: an effect behind a p-value where there is one already."""
    return is_p_value(group[-1]) and not is_p_value(statistic) and not all(map(is_p_value, group))


def names_new_outcome(sentence: Sentence, end: int, after: int) -> bool:
    """Whether words that can name another outcome stand between two statistics."""
    gap = sentence.plain[end:after]
    return bool(re.search(r"[^\W\d_]{3}", gap)) and not re.fullmatch(
        r"[\s,;]*(?:with|and)?[\s,;]*(?:an? |the )?(?:p|respectively)?[\s,;]*", gap, re.IGNORECASE
    )


def bracket_end(text: str, offset: int) -> int:
    """The offset after the bracket that holds a statistic."""
    match = CLOSING.match(text, offset)
    return match.end() if match else offset
