"""Outcomes with what the same clause states of them: effect, interval, p-value and comparator."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from biofact.literature.extraction.fields import effects, p_values
from biofact.literature.extraction.findings import Finding, Value, main_finding
from biofact.literature.extraction.text.document import Document, Sentence
from biofact.literature.extraction.text.literals import rules_out
from biofact.literature.extraction.text.phrases import head_of, is_treatment_noun, phrase_between, phrase_from
from biofact.literature.extraction.text.vocabulary import CLAUSE_END, PEOPLE, stem, words
from biofact.literature.records import Evidence

NAME_END = (CLAUSE_END - {"under", "based"}) | words(
    "among for during following between across compared assessed measured defined evaluated with at from after"
    " before favored favoured occurred differed remained did tended improved decreased increased declined fell rose"
    " as per over relative within until when such including"
)
"""Words that end the name of an outcome."""
PRIMARY_OUTCOME = re.compile(
    r"(?i)\b(?:co-?)?(?:primary|main|principal)(?: [\w-]+){0,3}? (?:end ?-?points?|outcomes?)"
    r"(?: (?:measures?|variables?|parameters?|criteri(?:on|a)))?(?: (?:of|in|for) (?:this|the|our) "
    r"(?:study|trial|analysis))?(?:,? (?:was|were|is|are|included|includes|will be|of)(?: defined as)?|:|,| \()\s?"
    r"(?P<y>[^\d\W].{2})"
)
"""As in: the primary outcome was mortality."""
PRIMARY_NAMED = re.compile(r"(?i)\b(?:co-?)?(?:primary|main|principal)(?: [\w-]+){0,3}? (?:end ?-?points?|outcomes?)\b")
"""As in: for the primary outcome."""
SECONDARY_OUTCOME = re.compile(r"(?i)\bsecondary(?: [\w-]+){0,3}? (?:end ?-?points?|outcomes?)\b")
"""As in: a secondary outcome."""
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
VERB = re.compile(
    r"(?i)\s(?:was|were|is|are|did|had|occurred|differed|remained|tended|improved|decreased|increased|declined|fell|rose"
    r"|favou?red|showed|changed|dropped|reached|lasted|worsened|has|have|developed|appeared|at)\b"
)
"""As in: mortality was."""
RATIO_FOR = re.compile(
    r"(?i)(?:(?:hazards?|odds|risk|rate) ratios?|(?:relative|absolute) risks?(?: reduction)?),? (?:for|of|in) (?:the )?"
    r"(?P<y>[^\d\W].{2})"
)
"""As in: hazard ratio for death."""
CHANGE_IN = re.compile(
    r"(?i)\b(?:differences?|reductions?|improvements?|increases?|decreases?|changes?|effects?|impact|benefits?|gains?"
    r"|declines?) (?:was |were )?(?:also )?(?:\w+ed )?(?:in|on|of|for) (?:the |mean |median )*(?P<y>[^\d\W].{2})"
)
"""As in: no significant difference in mortality."""
ASSOCIATION = re.compile(
    r"(?i)\bassociated with (?:an? |the )?(?:\w+ly )?(?:(?:lower|higher|reduced|increased|decreased|improved|better"
    r"|worse|longer|shorter|greater|fewer) )?(?:risks? of (?:an? )?)?(?P<y>[^\d\W].{2})"
)
"""As in: associated with lower mortality."""
BETTER_VALUE = re.compile(
    r"(?i)\b(?:had|have|showed|reported|experienced|exhibited|demonstrated|achieved|resulted in|led to|produced"
    r"|there (?:was|were)) (?:\w+ly )?(?:an? )?(?:\w+ly )?(?:lower|higher|better|worse|fewer|greater|longer|shorter"
    r"|less|more|improved|reduced|increased|decreased)(?: and \w+er)? (?:mean |median )?(?P<y>[^\d\W].{2})"
)
"""As in: had significantly lower pain scores."""
CHANGE_OF = re.compile(
    r"(?i)(?<!was )(?<!were )(?<!is )(?<!ly )\b(?:\w+ly )?(?:reduced|increased|improved|decreased|lowered|raised"
    r"|prolonged|shortened|prevented|enhanced|alleviated|reduces|improves|increases|affected|attenuated) "
    r"(?:the |mean )?(?P<y>(?!by|from|to|in|at|with|compared|significantly|more|less|over|after|and|for|versus|vs)"
    r"(?:[^\d\W].{2}|\d+-\w.{2}))"
)
"""As in: zinc significantly reduced mortality."""
BY_FORM = (RATIO_FOR, CHANGE_IN, ASSOCIATION, BETTER_VALUE, CHANGE_OF)
"""Forms by which a clause names its outcome, the surest first."""
NO_NAME = re.compile(
    r"(?i)^(?:one|two|three|four|five|six|seven|eight|nine|ten|most|many|some|more|fewer|half|also|in|on|to|of|by|at|with"
    r"|abstract|confirmed|calculated|consequently|finally|notably|significantly)\b|^(?:co-)?(?:administration|treatment"
    r"|therapy|supplementation|use|addition|intake) (?:of|with)\b|^\d+(?!-)|\b(?:provided|required|produced|caused|gave"
    r"|led|resulted|combined|superior|effective|versus|vs|results)\b"
    r"|\b(?:primary|secondary)(?: \w+){0,3} (?:outcomes?|end ?-?points?)\b"
)
"""As in: Five of the nine lambs."""
EMPTY_NAME = re.compile(
    r"(?:it|this|that|these|those|they|there|which|who|no|none|all|both|each|results?|findings?|data|effects?|studies"
    r"|treatments?|interventions?|comparisons?|study|trials?|groups?|arms?|patients?|significan\w+|(?:\w+ )?values?"
    r"|(?:\w+ )*analys[ei]s|(?:\w+ )?differences?|bias|associations?|correlations?|reductions?|improvements?|changes?"
    r"|increases?|decreases?|outcomes?|end ?points?|similar\w*|p|ci|n|(?:hazards?|odds|risk|rate) ratios?"
    r"|relative risks?|higher|lower|greater|better|respectively"
    r"|.*\b(?:groups?|arms?|who|patients|women|men|participants|subjects|children|adults|infants))"
)
"""Phrases that are no name of an outcome. As in: the zinc group"""
COMPARISON = re.compile(
    r"(?i)\b(?:compared (?:with|to)|versus|vs\.?|relative to|than|over)(?: (?:with|in|for|to|those|patients|that|on"
    r"|receiving|the))* (?P<c>[^\d\W][\w -]{2,80}?)(?=\s*(?:[,;.()\[\]]|$|\b(?:at|in|for|and|was|were|had|after|during"
    r"|did|showed|with|over|but|except|who|which|that|when|while|as|by|on|from)\b))"
)
"""As in: compared with placebo."""
NO_COMPARATOR = re.compile(
    r"(?i)(?:baseline|before|expected|one|half|it|that|did|was|were|this|time|normal|usual)\b(?! care)"
)
"""Earlier values, which are no comparator. As in: baseline and before"""
RESULT_BREAK = re.compile(r"(?i);|,? (?:whereas|while|but)\b|, and\b")
"""Words that part a sentence into results. As in: fell, whereas pain rose."""


MOST_ROWS = 12
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


class StatedOutcomes(NamedTuple):
    """The outcomes that the text calls primary and secondary."""

    primary: tuple[Finding, ...]
    secondary: tuple[Finding, ...]

    def rank_of(self, name: str) -> bool | None:
        """Whether an outcome is a primary one; None where the text does not say."""
        if any(is_same_outcome(name, str(outcome.value)) for outcome in self.primary):
            return True
        return False if any(is_same_outcome(name, str(outcome.value)) for outcome in self.secondary) else None


def outcome_results(document: Document) -> Finding | None:
    """The outcomes, primary ones first, each with the statistics of its own clause."""
    stated_names = stated_outcomes(document)
    rows = [
        row
        for sentence, statistics in statistics_by_sentence(document).values()
        if sentence.role in RESULT_ROLES
        for clause in clauses(sentence, statistics)
        for row in row_of(clause, stated_names)
    ]
    names = list(map(name_of, rows))
    rows += [
        Finding({"name": outcome.value, "primary": is_primary}, outcome.evidence)
        for outcomes, is_primary in ((stated_names.primary, True), (stated_names.secondary, False))
        for outcome in unmatched(outcomes, names)
    ]
    rows.sort(key=lambda row: {True: 0, None: 1, False: 2}[is_primary(row)])  # secondary outcomes last
    return main_finding(rows[:MOST_ROWS])


def merge_rows(rows: Sequence[Finding], outcomes: Sequence[Finding]) -> list[Finding]:
    """The rows, and one for each further outcome, by its name alone."""
    new_outcomes = unmatched(outcomes, list(map(name_of, rows)))
    return [*rows, *(Finding({"name": outcome.value}, outcome.evidence) for outcome in new_outcomes)][:MOST_ROWS]


def unmatched(outcomes: Sequence[Finding], names: Sequence[str]) -> list[Finding]:
    """The outcomes that have none of these names."""
    return [outcome for outcome in outcomes if not any(is_same_outcome(str(outcome.value), name) for name in names)]


def add_row_names(outcomes: Sequence[Finding], rows: Sequence[Finding]) -> list[Finding]:
    """The outcomes, and those of the rows that are not among them, on the evidence of their rows."""
    findings = [replace(outcome, siblings=()) for outcome in outcomes]
    for row in rows:
        if not any(is_same_outcome(name_of(row), str(outcome.value)) for outcome in findings):
            findings.append(Finding(name_of(row), row.evidence))
    return findings


def name_of(row: Finding) -> str:
    """The outcome of a row."""
    return str(row.value["name"]) if isinstance(row.value, dict) else ""


def is_primary(row: Finding) -> bool | None:
    """Whether a row is of a primary outcome; None where the text does not say."""
    primary = row.value.get("primary") if isinstance(row.value, dict) else None
    return primary if isinstance(primary, bool) else None


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
    can_be_named = document.can_hold(PRIMARY_OUTCOME) or document.can_hold(SECONDARY_LIST)
    for sentence in document.all_sentences if can_be_named else ():
        for match in sentence.matches(PRIMARY_OUTCOME):
            primary += name_at(sentence, match.start("y"))
        for match in sentence.matches_plain(SECONDARY_LIST):
            for part in re.finditer(r"(?:and |the )*(?P<name>(?:(?!, | and )[^,;])+)", match["y"]):
                start, end = (match.start("y") + offset for offset in part.span("name"))
                finding = phrase_between(sentence, start, end, most_words=LONGEST_NAME)
                secondary += [finding] if finding is not None and is_name(str(finding.value).lower()) else []
    return StatedOutcomes(tuple(primary), tuple(secondary))


def name_at(sentence: Sentence, offset: int) -> list[Finding]:
    """The outcome that begins at an offset of the sentence; none if its words are no outcome."""
    finding = phrase_from(sentence, offset, stops=NAME_END, most_words=LONGEST_NAME)
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


def row_of(clause: Clause, stated_names: StatedOutcomes) -> Iterator[Finding]:
    """The row of a clause that names its outcome."""
    name = outcome_of(clause, stated_names)
    if name is None:
        return
    value: dict[str, Value] = {"name": name.value}
    rank = rank_in(clause, name, stated_names)
    value |= {} if rank is None else {"primary": rank}
    comparator = comparator_of(clause)
    for finding in clause.statistics:
        value = statistic(finding) | value  # the first of a kind stands
    value |= {"comparator": comparator.value} if comparator else {}
    yield Finding(
        value, (covering_evidence(clause.sentence, [name, *clause.statistics, *([comparator] if comparator else [])]),)
    )


def statistic(finding: Finding) -> dict[str, Value]:
    """An effect with its interval, or a p-value, as parts of a row."""
    value = finding.value
    if not isinstance(value, dict):
        return {}
    if "operator" in value:
        return {"p_value": value}
    interval: dict[str, Value] = {name: value[name] for name in ("low", "high", "level") if name in value}
    return {"effect": value, **({"interval": interval} if interval else {})}


def covering_evidence(sentence: Sentence, findings: Sequence[Finding]) -> Evidence:
    """The stretch of the sentence that covers all findings; evidence elsewhere is left out."""
    pieces = [piece for finding in findings for piece in finding.evidence if piece.where == sentence.part]
    spans = [
        (piece.start or 0, piece.end or 0) for piece in pieces if sentence.start <= (piece.start or 0) < sentence.end
    ]
    return sentence.evidence(min(start for start, _ in spans), max(end for _, end in spans))


def clauses(sentence: Sentence, statistics: Sequence[Finding]) -> Iterator[Clause]:
    """The parts of a sentence that state an effect or a p-value each; these in the order of the text."""
    cuts = [match.start() for match in RESULT_BREAK.finditer(sentence.plain)]
    start, group = 0, list[Finding]()
    for place, statistic in enumerate(statistics):
        group.append(statistic)
        end = (statistic.evidence[0].end or 0) - sentence.start
        after = (statistics[place + 1].evidence[0].start or 0) - sentence.start if place + 1 < len(statistics) else None
        # HR 0.7 (p = 0.01): two statistics of one result
        if after is None or names_new_outcome(sentence, end, after):
            closed = bracket_end(sentence.text, end)
            first = max([start, *(cut for cut in cuts if cut < (group[0].evidence[0].start or 0) - sentence.start)])
            last = min([cut for cut in cuts if cut >= closed] or [len(sentence.text)])
            yield Clause(sentence, first, last if after is None else min(last, after), tuple(group))
            start, group = closed, []


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


def outcome_of(clause: Clause, stated_names: StatedOutcomes) -> Finding | None:
    """The outcome of a clause: by a form, the primary one if the clause only mentions that, else its subject."""
    plain, lower = clause.plain, clause.plain.lower()
    for form in BY_FORM:
        for match in () if rules_out(form, lower) else form.finditer(plain):
            if names := name_at(clause.sentence, clause.start + match.start("y")):
                return names[0]
    if PRIMARY_NAMED.search(plain) and stated_names.primary:
        return stated_names.primary[0]
    return subject_of(clause)


def subject_of(clause: Clause) -> Finding | None:
    """The subject of a clause, if it can be an outcome."""
    lead = AT_START.match(clause.plain)
    first = lead.end() if lead else 0
    verb = VERB.search(clause.plain, first)
    if verb is None and not re.search(r"[^\W\d_]{4}", clause.plain[first:]):
        return None
    names = name_at(clause.sentence, clause.start + first)
    return names[0] if names else None


def rank_in(clause: Clause, name: Finding, stated_names: StatedOutcomes) -> bool | None:
    """Whether the outcome of a clause is primary, by the clause itself or by the text elsewhere."""
    if PRIMARY_NAMED.search(clause.plain) and not SECONDARY_OUTCOME.search(clause.plain):
        return True
    return False if SECONDARY_OUTCOME.search(clause.plain) else stated_names.rank_of(str(name.value))


def comparator_of(clause: Clause) -> Finding | None:
    """The comparator that the clause names."""
    for match in COMPARISON.finditer(clause.plain):
        if not NO_COMPARATOR.match(match["c"]):
            first = clause.sentence.start + clause.start + match.start("c")
            name = match["c"].rstrip()
            return Finding(name, (clause.sentence.evidence(first, first + len(name)),))
    return None
