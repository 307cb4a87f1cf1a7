"""An article cut into sentences and words, each at its place in the text. Every rule reads it from here."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain
from operator import itemgetter
from typing import Any, Literal, NamedTuple, Self, TypeVar

from biofact.literature.extraction.findings import Finding, span
from biofact.literature.extraction.text.literals import may_match, rules_out, search
from biofact.literature.extraction.text.normal_form import NormalText
from biofact.literature.records import Evidence
from biofact.sources.pubmed.records import CanonicalPubMedArticle

Role = Literal[
    "background", "objective", "methods", "participants", "intervention", "outcome", "results", "conclusions",
    "limitations", "title", "",
]  # fmt: skip
"""The rhetorical role of a sentence; empty where the abstract does not show it."""

T = TypeVar("T")

LONGEST_READ = 20_000
"""Characters of an abstract that are read; PubMed's longest are shorter, and a hostile one must not cost more."""
LONGEST_SENTENCE = 2_000
LONGEST_BRACKET = 400

TOKEN = re.compile(r"[^\W\d_][\w'\u2019]*(?:[-\u2010\u2011](?=\w)[\w'\u2019]*)*|\d+(?:[.,·]\d+)*%?|[^\s\w]")
"""As in: aspirin (2.5%)."""
BRACKET = re.compile(r"[()\[\]]")
"""As in: aspirin (100 mg)."""
END = re.compile(r"[.?!][\"”')\]]{0,2}(?:\s+(?=[\"“'(\[]?[A-Z0-9≥>])|(?<=[a-z)\"”' ][.?!])(?=[A-Z][a-z]))|\n\s*")
"""As in: of colds. Zinc."""
ABBREVIATION = re.compile(
    r"(?i)(?:\b(?:vs|v|e\.g|i\.e|al|ca|cf|approx|no|nos|fig|figs|dr|st|spp?|resp|incl)|\b[A-Z]\.[A-Z])\.$"
)
"""As in: aspirin vs."""
LABEL = re.compile(
    r"\s*((?!(?:[^\s:]+ ){0,9}(?:was|were|is|are|had|has|did|we|there|which|that|than|no|with)\b)"
    r"[A-Z][A-Za-z'\u2019,&/ -]{1,60}):(?=\s|$)"
)
"""As in: METHODS: patients."""
HEADING = re.compile(
    r"\s*((?:Study )?(?:Objectives?|Aims?|Purpose|Background|Introduction|Context|Importance|Design|(?:Materials?"
    r"|Patients|Subjects|Participants) and [Mm]ethods?|Methods?(?: and (?:[Rr]esults|[Mm]aterials?|[Ff]indings))?"
    r"|Participants|Setting|Interventions?|Main [Oo]utcome [Mm]easures?|Outcome [Mm]easures?|Measurements?"
    r"|(?:Main )?[Rr]esults?|Findings|Conclusions?|Interpretation|Discussion|Limitations))"
    r"(?:\.(?=\s|$)|[ \u2014\u2013-]{1,3}(?=(?:[A-Z][\w-]*|\d[\d,.]*),? (?!and\b|of\b|for\b)[\w(]))"
)
"""A heading without a colon. As in: Results. A total of, Results Current use was."""
GLUED_LABEL = re.compile(
    r"(Study Design|Objectives?|Aims?|Purpose|Methods?|Results?|Conclusions?|Background)(?=[A-Z][a-z])"
)
"""As in: MethodsPatients were recruited."""

ROLES: tuple[tuple[Role, re.Pattern[str]], ...] = (
    # As in: limitations of the study.
    ("limitations", re.compile(r"limitation|caveat")),
    # As in: main findings.
    ("results", re.compile(r"result|finding|observation|data synthesis")),
    # As in: main outcome measures.
    ("outcome", re.compile(r"outcome|end ?-?point|measure")),
    # As in: interpretation of findings.
    ("conclusions", re.compile(r"conclu|interpretation|discussion|implication|significance|key point|impact|comment")),
    # As in: aims of the study.
    ("objective", re.compile(r"objective|\baims?\b|purpose|hypothes|question|goal")),
    # As in: study design.
    ("methods", re.compile(r"method|design|search|selection|data|procedure|analys|statistic|synthesis|source")),
    # As in: patients and setting.
    ("participants", re.compile(r"patient|participant|subject|population|sample|setting|\bcases?\b")),
    # As in: exposure to zinc.
    ("intervention", re.compile(r"intervention|exposure|treatment")),
    # As in: context and rationale.
    ("background", re.compile(r"background|context|introduction|rationale|importance")),
)
# Alternatives that begin with a word stand in one group, so that the boundary is searched for once.
AIM = re.compile(
    r"(?i)\b(?:(?:aim(?:s|ed)?|objectives?|purpose|goal|sought|hypothesi[sz]ed?|set out|intended)\b|we (?:\w+ )?"
    r"(?:investigate|examine|evaluate|assess|study|explore|compare|determine)|"
    r"(?:this|the present|the current|present|the \w+) (?:study|trial|work|review|meta-analysis|article|paper) "
    r"(?:\w+ )?(?:investigate|examine|evaluate|assess|explore|compare|determine)|"
    r"(?:conducted|performed|undertaken|carried out|designed) to "
    r"(?:investigate|examine|evaluate|assess|explore|compare|determine)|"
    r"(?:to (?:see|know|learn|find out|test|determine|assess)|we (?:tested|asked)) (?:whether|if)\b)|^(?:\W*To "
    r"(?:investigate|examine|evaluate|assess|study|explore|compare|determine|describe|identify|test|analy[sz]e)\b|"
    r"[^,;]{0,20}\b(?:effects?|influence|role|relationships?|associations?) (?:of|between) [^.;]{5,200} "
    r"(?:was|were|is|are) (?:also )?"
    r"(?:investigated|examined|evaluated|assessed|studied|explored|compared|determined)\b)"
)
"""As in: we aimed to."""
STATISTIC = re.compile(r"(?<![\w.])[pP]\s?[<=>\u2264\u2265]|\d%? ?C\.?I\b")
"""A statistic, which no aim has. As in: P = 0.02"""
AIM_VERB = re.compile(
    r"(?i)^\W*To\b|\b(?:evaluat|assess|compar|investigat|determin|examin|explor|describ|stud(?:y|ied)|report|tests?\b"
    r"|tested|identif|whether|estimat)"
)
"""As in: To evaluate."""
CLOSING = re.compile(
    r"(?i)^\W*(?:in (?:conclusion|summary)|we conclude|overall,|taken together|thus,|therefore,|"
    r"(?:these|our|the|this|present) (?:\w+ )?(?:results?|findings?|data|study|observations?) (?:\w+ )?"
    r"(?:suggest|indicate|demonstrate|support|provide|highlight|show))"
)
"""As in: In conclusion, aspirin."""


class Token(NamedTuple):
    """A word, number or sign."""

    start: int
    end: int
    word: str
    """In lower case."""


class _Cache:
    """A text with the results of rules for it."""

    def cached(self, rule: Callable[[Self], T]) -> T:
        """The result of a rule for this text, computed once."""
        if rule not in self._results:
            self._results[rule] = rule(self)
        result: T = self._results[rule]
        return result

    @cached_property
    def _results(self) -> dict[Callable[[Self], Any], Any]:
        return {}


word_of: Callable[[Token], str] = itemgetter(2)
# The class's own __new__ unpacks its arguments in Python, which takes as long as the rest of making a token.
_token: Callable[[tuple[int, int, str]], Token] = partial(tuple.__new__, Token)


@dataclass(frozen=True)
class Sentence(_Cache):
    """A sentence of the title or abstract. Offsets are those of the whole title or abstract, in normal form."""

    part: str
    whole: str
    start: int
    end: int
    plain: str
    """As long as the sentence, with blanks in place of bracketed text."""
    role: Role

    @cached_property
    def text(self) -> str:
        """The sentence with its brackets."""
        return self.whole[self.start : self.end]

    @cached_property
    def lower(self) -> str:
        """The text in lower case, to check cheaply whether a pattern can match it."""
        return self.text.lower()

    @cached_property
    def plain_lower(self) -> str:
        """``plain`` in lower case."""
        return self.lower if self.plain == self.text else self.plain.lower()

    def search(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The first match in ``text``."""
        return search(pattern, self.text, self.lower)

    def search_plain(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The first match in ``plain``."""
        return search(pattern, self.plain, self.plain_lower)

    def matches(self, pattern: re.Pattern[str]) -> Iterable[re.Match[str]]:
        """All matches in ``text``."""
        return () if rules_out(pattern, self.lower) else pattern.finditer(self.text)

    def matches_plain(self, pattern: re.Pattern[str]) -> Iterable[re.Match[str]]:
        """All matches in ``plain``."""
        return () if rules_out(pattern, self.plain_lower) else pattern.finditer(self.plain)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """Words, numbers and signs outside brackets."""
        if self.plain == self.text:
            return self.all_tokens
        plain, offset = self.plain, self.start
        return tuple([token for token in self.all_tokens if not plain[token.start - offset].isspace()])

    @cached_property
    def all_tokens(self) -> tuple[Token, ...]:
        """Words, numbers and signs, those within brackets included."""
        offset = self.start
        return tuple([_token((offset + m.start(), offset + m.end(), m[0].lower())) for m in TOKEN.finditer(self.text)])

    @cached_property
    def all_words(self) -> list[str]:
        """The words of all tokens, in order."""
        return list(map(word_of, self.all_tokens))

    @cached_property
    def words(self) -> frozenset[str]:
        """The distinct words outside brackets."""
        return frozenset(map(word_of, self.tokens))

    def evidence(self, start: int, end: int) -> Evidence:
        """The evidence from ``start`` to ``end`` of the whole."""
        return span(self.part, self.whole, start, end)

    def evidence_of(self, match: re.Match[str], group: int | str = 0) -> Evidence:
        """A match in ``text`` or ``plain`` as evidence."""
        return self.evidence(self.start + match.start(group), self.start + match.end(group))


class Document(_Cache):
    """An article as the rules read it."""

    def __init__(self, article: CanonicalPubMedArticle) -> None:
        self.article = article

    @cached_property
    def abstract(self) -> str:
        """The abstract in normal form, cut at the longest length that is read."""
        return self._normal["abstract"].text

    @cached_property
    def _normal(self) -> Mapping[str, NormalText]:
        title, abstract = self.article.title[:LONGEST_SENTENCE], (self.article.abstract or "")[:LONGEST_READ]
        return {"title": NormalText.of(title), "abstract": NormalText.of(abstract)}

    def located(self, finding: Finding) -> Finding:
        """A finding on evidence from the article as it is written."""
        evidence = tuple(
            self._normal[piece.where].located(piece) if piece.where in self._normal else piece
            for piece in finding.evidence
        )
        return replace(finding, evidence=evidence, siblings=tuple(map(self.located, finding.siblings)))

    @cached_property
    def title(self) -> Sentence:
        """The title as one sentence."""
        text = visible = self._normal["title"].text
        if visible.startswith("["):  # as PubMed marks a title that was translated
            visible = " " + visible[1:].replace("]", " ")
        return Sentence("title", text, 0, len(visible), without_brackets(visible), "title")

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences of the abstract, in order."""
        return tuple(abstract_sentences(self.abstract))

    @cached_property
    def own_sentences(self) -> tuple[Sentence, ...]:
        """The sentences of the abstract that may speak of the article's own work."""
        return tuple(sentence for sentence in self.sentences if sentence.role not in {"background", "limitations"})

    @cached_property
    def all_sentences(self) -> tuple[Sentence, ...]:
        """The title, then the abstract."""
        return (self.title, *self.sentences)

    @cached_property
    def word_counts(self) -> Mapping[str, int]:
        """How often each word comes outside brackets."""
        return Counter(map(word_of, chain.from_iterable(sentence.tokens for sentence in self.all_sentences)))

    @cached_property
    def lower(self) -> str:
        """Title and abstract in lower case, to ask cheaply whether a word is there at all."""
        return f"{self.title.whole}\n{self.abstract}".lower()

    def can_hold(self, pattern: re.Pattern[str]) -> bool:
        """Whether a pattern can match anywhere in title or abstract; a quick check before the sentences."""
        return may_match(pattern, self.lower)

    @cached_property
    def mesh(self) -> frozenset[str]:
        """Names of the headings."""
        return frozenset(heading.name for heading in self.article.mesh)


def without_brackets(text: str) -> str:
    """The text with blanks in place of brackets after a space; those inside a word, as in m(2), stay."""
    open_at: list[int] = []
    cuts: list[tuple[int, int]] = []
    for match in BRACKET.finditer(text):
        index = match.start()
        if match.group() in "([":
            open_at.append(index)
        elif open_at:
            start = open_at.pop()
            is_apart = start == 0 or text[start - 1].isspace()
            cuts += [(start, index + 1)] if is_apart and index - start < LONGEST_BRACKET else []
    return blank_out(text, cuts)


def blank_out(text: str, cuts: list[tuple[int, int]]) -> str:
    """The text with blanks in place of the cuts, which may lie within each other."""
    parts: list[str] = []
    copied = 0
    for start, end in sorted(cuts):
        if end > copied:
            start = max(start, copied)  # noqa: PLW2901  # a cut within one that is already blank
            parts += [text[copied:start], "\0" * (end - start)]
            copied = end
    return ("".join(parts) + text[copied:]).replace("\0", " ")


def abstract_sentences(text: str) -> Iterator[Sentence]:
    """The sentences of an abstract with their roles."""
    plain = without_brackets(text)
    role: Role = ""
    is_labelled = False
    for start, end in cut_long(sentence_bounds(plain)):
        label = (
            LABEL.match(plain, start, end) or HEADING.match(plain, start, end) or GLUED_LABEL.match(plain, start, end)
        )
        label_role = role_of(label.group(1)) if label else ""
        if label and (label_role or is_heading(label)):
            role, is_labelled = label_role, True
            start = label.end()  # noqa: PLW2901  # the label is no part of the sentence
        sentence_role = role if is_labelled else guessed_role(plain[start:end])
        if sentence_role in {"background", "objective"} and is_labelled:
            # sections on the aim often begin with background, introductions often end with the aim
            is_aim = sentence_role == "objective" and AIM_VERB.search(plain[start:end])
            sentence_role = "objective" if is_aim or AIM.search(plain, start, end) else "background"
        if plain[start:end].strip():
            yield Sentence("abstract", text, start, end, plain[start:end], sentence_role)


def sentence_bounds(plain: str) -> Iterator[tuple[int, int]]:
    """The bounds of the sentences: start and end of each."""
    start = 0
    for match in END.finditer(plain):
        end = match.start() + 1
        if match.group()[0] == "." and ABBREVIATION.search(plain, max(start, end - 8), end):
            continue
        yield start, end
        start = match.end()
    yield start, len(plain)


def is_heading(label: re.Match[str]) -> bool:
    """Whether words before a colon are a section heading, although their role is unknown."""
    return (
        label.re is LABEL
        and label.group(1).isupper()
        and (label.start() == 0 or label.string[label.start() - 1] == "\n")
    )


def cut_long(bounds: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The same bounds, with every stretch longer than a sentence cut into pieces."""
    for start, end in bounds:
        for offset in range(start, max(end, start + 1), LONGEST_SENTENCE):
            yield offset, min(end, offset + LONGEST_SENTENCE)


def role_of(label: str) -> Role:
    """The role of a section with this label."""
    lower = label.lower()
    return next((role for role, pattern in ROLES if pattern.search(lower)), "")


def guessed_role(text: str) -> Role:
    """The role of a sentence in an abstract without labels, as far as its words show it."""
    if CLOSING.search(text):
        return "conclusions"
    return "objective" if search(AIM, text, text.lower()) and not STATISTIC.search(text) else ""
