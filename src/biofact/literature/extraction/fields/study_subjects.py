"""Signs of the kind of study: people randomised, or animals, cells or computers studied."""

import re

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.text.document import Document, Sentence
from biofact.literature.extraction.text.literals import search
from biofact.literature.extraction.text.phrases import head_of
from biofact.literature.extraction.text.vocabulary import ANIMALS, CASES, PEOPLE, PROFESSIONALS, words
from biofact.literature.records import Evidence

MIN_POINTS = 3
"""Points that a kind needs."""
HEADING_POINTS, MOST_HEADINGS = 2, 3
"""For each MeSH heading of a kind, up to the second number: Mice, Knockout."""
MOST_WORDS = 8
"""Different words that count, a point each: western blot, plasmids."""
TITLE_POINTS = 2
"""For animals in the title: wound healing in a porcine model."""
FREQUENT_MENTIONS = 4
"""Times that mice, rats or animals are named before that is a point."""
MOST_ASSAY_POINTS = 2
"""For words used of cells only: in vitro."""
COMPUTER_PENALTY = 1
"""Software and algorithms are named in studies of every kind."""

ANIMAL_HEADINGS = frozenset(
    ("Disease Models, Animal", "Mice", "Rats", "Mice, Knockout", "Mice, Inbred C57BL", "Rats, Sprague-Dawley",
     "Rats, Wistar", "Mice, Transgenic", "Rabbits", "Dogs", "Swine", "Zebrafish", "Behavior, Animal", "Macaca mulatta")
)  # fmt: skip
"""MeSH headings of studies on animals."""
IN_VITRO_HEADINGS = frozenset(
    ("Cell Line", "Cell Line, Tumor", "Cells, Cultured", "HeLa Cells", "HEK293 Cells", "In Vitro Techniques",
     "Cell Proliferation", "Transfection", "Mutagenesis, Site-Directed", "Escherichia coli", "Protein Binding",
     "Crystallography, X-Ray", "Structure-Activity Relationship", "Cell Differentiation", "Base Sequence",
     "Bacterial Proteins", "Microbial Sensitivity Tests", "Amino Acid Sequence", "Molecular Sequence Data",
     "Gene Expression Regulation, Bacterial", "Transcription, Genetic", "Recombinant Proteins", "Cloning, Molecular")
)  # fmt: skip
"""MeSH headings of studies on cells and molecules."""
COMPUTER_HEADINGS = frozenset(
    ("Computer Simulation", "Software", "Algorithms", "Molecular Dynamics Simulation", "Models, Theoretical",
     "Computational Biology", "Molecular Docking Simulation", "Sequence Alignment", "Monte Carlo Method",
     "Models, Statistical", "Neural Networks, Computer", "Machine Learning", "Deep Learning")
)  # fmt: skip
"""MeSH headings of studies on computers."""

# A look at the first letter spares the list at the end of every word, which is a boundary as its beginning is.
ANIMAL_WORDS = re.compile(
    r"\b(?=\w)(?:mice|rats|rabbits|piglets|pigs|dogs|sheep|macaques?|monkeys|hamsters|zebrafish|calves|chickens"
    r"|broilers|hens|mouse (?:models?|strains?)|rat models?|animal models?|knock-?out mouse|murine model|beagles?"
    r"|ewes|cows|horses|guinea pigs|lambs|drosophila|c\. elegans|in vivo|cats|murine|wistar|sprague[- ]dawley|c57bl"
    r"|balb|(?:male|female|adult|pregnant|neonatal) (?:[\w/-]+ ){0,2}(?:rats|mice)|(?:rats|mice|animals) were"
    r"|xenografts?|sham[- ]\w+|euthani[sz]ed|sacrificed|offspring|animals|i\.p|intraperitoneal(?:ly)?|gavage|"
    r"(?:diabetic|transgenic|mutant|deficient) (?:mouse|mice|rats?)|rhesus|primates)\b"
)
"""As in: adult male rats were fed."""
ANIMAL_TITLE = re.compile(
    r"\b(?=\w)(?:mice|mouse|rats?|murine|rabbits?|piglets?|pigs?|swine|porcine|dogs?|canine|sheep|macaques?|monkeys?"
    r"|hamsters?"
    r"|zebrafish|cats|chickens?|broilers|guinea pigs?|lambs|ewes|cows|calves|heifers|horses?|rodents?|ferrets)\b"
)
"""In a title these say what was studied, if only once. As in: wound healing in a porcine model."""
IN_VITRO_WORDS = re.compile(
    r"\b(?=\w)(?:in vitro|cell lines?|cultured (?:\w+ )?cells|ic50|ec50|western blot\w*|transfect\w+|plasmids?|mutants?"
    r"|hela|hek ?293\w*|recombinant|wild[- ]type|deletion strain|enzymatic|inhibitory (?:activity|effect)"
    r"|agonists?|antagonists?|mitochondria|binding (?:sites?|affinity|studies)|gene cluster|receptors? expressed"
    r"|crystal structure|mutagenesis|stem cells|progenitor cells|comet assay|immunohistochemistry|in culture"
    r"|smooth muscle strips|specimens|purified|kinetics|cysteine|transcription(?:al)?|homologous|escherichia coli"
    r"|spermatozoa|composite|assays?|fibroblasts|epithelial cells|biofilms?|isolates|antimicrobial activity"
    r"|antibacterial|cytotoxic\w*|mrnas?|knock-?down|silencing|over-?express\w+|(?:up|down)-?regulat\w+|apoptosis"
    r"|phosphorylat\w+|signal?ling|cell (?:growth|proliferation|viability|migration|invasion|death|cycle)"
    r"|transcriptom\w+|proteom\w+|rna-seq|q?pcr|elisa|flow cytometry|enzymes?|inhibitors?|cell types?"
    r"|nanoparticles|promoter|cytokines|supernatants?|conditioned medi(?:a|um)|homologs?|macromolecular)\b"
)
"""As in: cells were transfected with plasmids."""
CELL_WORDS = re.compile(
    r"\b(?=\w)(?:in vitro|cell lines?|ic50|ec50|western blot\w*|transfect\w+|in culture|hela|hek ?293\w*|cultured)\b"
)
"""As in: in vitro."""
COMPUTER_WORDS = re.compile(
    r"\b(?=\w)(?:in silico|molecular dynamics|simulat(?:ion|ions|ed)|algorithms?|software|computational|docking"
    r"|web ?server|bioinformatics?|phylogenetic (?:tree|analysis)|sequence alignments?|source code|open-source"
    r"|neural networks?|machine learning|deep learning|mathematical model\w*|finite element|monte carlo"
    r"|time complexity|database|markov model|data ?sets?|benchmark\w*|r package|python)\b"
)
"""As in: molecular dynamics simulations."""


def basic_science(document: Document) -> Finding | None:
    """An animal, in vitro or computational study, if enough words and headings are of that kind; else None."""
    # words that are used of cells and assays only count once more
    assay_bonus = min(MOST_ASSAY_POINTS, len(words_found(document, CELL_WORDS)))
    kinds = (
        ("animal study", ANIMAL_WORDS, ANIMAL_HEADINGS, title_bonus(document)),
        ("in vitro study", IN_VITRO_WORDS, IN_VITRO_HEADINGS, assay_bonus),
        ("computational study", COMPUTER_WORDS, COMPUTER_HEADINGS, -COMPUTER_PENALTY),
    )
    scores = [word_score(document, headings, words) + bonus for _, words, headings, bonus in kinds]
    best = scores.index(max(scores))
    kind, words, headings, _ = kinds[best]
    return finding_of_kind(document, kind, words, headings) if scores[best] >= MIN_POINTS else None


def word_score(document: Document, headings: frozenset[str], words: re.Pattern[str]) -> int:
    """Points for headings and for different words of a kind."""
    by_headings = HEADING_POINTS * min(MOST_HEADINGS, len(document.mesh & headings))
    return by_headings + min(MOST_WORDS, len(words_found(document, words)))


def title_bonus(document: Document) -> int:
    """Points for a title that names animals, and for an abstract that often does."""
    is_often = sum(document.lower.count(word) for word in ("mice", "rats", "animals")) >= FREQUENT_MENTIONS
    return TITLE_POINTS * bool(search(ANIMAL_TITLE, document.title.lower, document.title.lower)) + is_often


def words_found(document: Document, words: re.Pattern[str]) -> set[str]:
    """The different words of a kind."""
    return set(words.findall(document.lower)) if document.can_hold(words) else set()


def finding_of_kind(document: Document, kind: str, words: re.Pattern[str], headings: frozenset[str]) -> Finding:
    """The kind on the first word for it, else on a heading."""
    for sentence in document.all_sentences:
        if len(sentence.lower) == len(sentence.text) and (match := words.search(sentence.lower)):
            return Finding(kind, (sentence.evidence_of(match),))
    name = min(document.mesh & headings, default=None)
    if name is None:  # letters whose lower case is longer: the whole title is the evidence
        return Finding(kind, (document.title.evidence(0, document.title.end),))
    return Finding(kind, (Evidence(where="mesh", quote=name),))


TRIAL = "randomized controlled trial"
SECONDARY = "secondary analysis of a randomized trial"

TRIAL_NAME = re.compile(
    r"(?i)\brandomi[sz]ed\b(?:(?:,|/|-|;)?(?: and)?[\s/-]+(?!(?:to|into|in|of|for|was|were|by|at|from|between|who"
    r"|blocks?|that|and|or|patients|participants|subjects|women|men|adults|children)\b)[\w+:.]+"
    r"(?: ?\([^()]{1,40}\))?){0,9}?(?:,|-)?[\s-]+(?:trials?|stud(?:y|ies)|cross-?\s?over|design|comparison"
    r"|investigation|evaluation|fashion|manner|experiment|intervention|RCTs?)\b|\brandomi[sz]ed,?[- ]controlled\b"
    r"|\bcross-?over\b[^.]{0,60}\brandom|\brandom\w*\b[^.;]{0,60}\bcross-?\s?over\b|\brandomi[sz]ed:"
)
"""As in: a randomized, double-blind, placebo-controlled trial."""
RANDOMISED_ACT = re.compile(
    r"(?i)\brandomly,? (?:(?:and|then) )?(?:\w+ly )?(?:assigned|assigning|allocated|allocating|divided|classified"
    r"|grouped|separated|randomi[sz]ed|placed|distributed|split|given|received|selected to receive|chosen to receive)\b"
    r"|\b(?:assigned|allocated|divided|distributed|separated),? (?:\w+ly )?(?:randomly|at random)\b|\bat random (?:to"
    r"|into)\b|\brandom number table\b|\b(?:was|were|are|been) (?:[^\W\d][\w-]* ){0,3}randomi[sz]ed\b|\b(?:we|trial"
    r"|study|investigators)(?: \w+)?,? randomi[sz]ed\b(?! (?:controlled|clinical|trial|stud))"
    r"|\bunderwent randomi[sz]ation\b|\brandomi[sz]ation (?:of (?:patients|participants|subjects)|was (?:stratified"
    r"|performed|done|carried out|by)|took place|to (?:receive|either))|\brandom(?:i[sz]ed)? (?:allocation"
    r"|assignment)\b|\brandomi[sz]ed(?: \(?\d+:\d+(?::\d+)*\)?,?)? "
    r"(?:to|into|in a|between|before|within)\b|\brandomi[sz]ed (?:patients|participants|subjects|women|men|adults"
    r"|children|\d+)\b|\b(?:patients|participants|subjects|women|men|adults|children) randomi[sz]ed\b"
)
"""As in: 120 patients were randomly assigned to zinc."""
# Alternatives that begin with a word stand in one group, so that the boundary is searched for once.
OTHER_TRIALS = re.compile(
    r"(?i)\b(?:randomly (?:assigned|allocated|divided|split|selected|grouped|separated) (?:in)?to (?:[\w-]+ ){0,3}"
    r"(?:training|validation|test|testing|derivation|development)\b|randomly assigned to (?:[\w-]+ ){0,3}(?:readers"
    r"|observers|reviewers|raters)\b"
    r"|randomi[sz]ed,?(?:[- ,]+\w+){0,5}[- ](?:trials?|stud(?:y|ies)) (?:\w+ )?(?:is|are|were|would be|should be) "
    r"(?:\w+ )?(?:needed|required|warranted|lacking|necessary|recommended|scarce)"
    r"|(?:further|future|larger?|more|additional|previous(?:ly)?|prior|other|recent|published|earlier|existing|few|no"
    r"|several|some|most|available) (?:[\w-]+,? ){0,4}randomi[sz]ed"
    r"|(?:need|needed|needs|necessary|required|warranted|lack|absence|paucity|evidence|await\w*|examined|confirmed"
    r"|tested|support\w*|data|results|shown|demonstrated) (?:\w+ ){0,2}(?:for|of|in|by|from) (?:[\w-]+,? ){0,5}"
    r"randomi[sz]ed,?(?:[- ,]+\w+){0,5}[- ](?:trials|studies)\b|randomi[sz]ed,?(?:[- ,]+\w+){0,5}[- ](?:trials"
    r"|studies) (?:have|has|had|show|suggest|of)\b|randomi[sz]ed order|non-?\s?randomi[sz]ed|(?:un|pseudo-?"
    r"|quasi-?)randomi[sz]|(?:not|never|without|nor|neither|rather than|instead of) (?:[\w-]+ ){0,3}random|(?:reviews?"
    r"|meta-?analys[ei]s|search(?:es|ed)?|compared with|unlike|versus) (?:\w+ ){0,3}(?:all |published )?"
    r"randomi[sz]ed,?(?:[- ,]+\w+){0,5}[- ](?:trials|studies)"
    r"|(?:order|sequences?|intervals?|positions?|stimul\w+|blocks?)\b[^.,;]{0,30} (?:was|were|are|is) (?:\w+ )?"
    r"randomi[sz]ed)|mendelian randomi[sz]ation"
)
"""As in: further randomised trials."""
PLURAL_TRIALS = re.compile(r"(?i)(?:trials|studies|RCTs)$")
"""As in: randomised trials."""
OWN_TRIALS = re.compile(r"(?i)\b(?:two|three|four|both|these|our|[2-4])\b(?:,? [\w-]+){0,4},? ?$")
"""Words that make several trials the article's own. As in: these double-blind """
CALLED_TRIAL = re.compile(r"(?i)\b(?:trials?|RCTs?|controlled)\b")
"""As in: a cluster-randomised trial."""
OWN_STUDY = re.compile(r"(?i)\b(?:we|this|our|was|were|the present)\b")
"""As in: we did a trial."""
ORDER = re.compile(r"(?i)\brandomi[sz]ed order|\brandom order")
"""As in: both drugs were given in a randomised order."""
CROSSOVER = re.compile(r"(?i)\bcross-?\s?over\b")
"""As in: a crossover design."""
ANALYSED_AGAIN = re.compile(
    r"(?i)\b(?:secondary|post[- ]?hoc|ancillary|exploratory|sub-?group|sub-?study|pooled|retrospective|additional"
    r"|unplanned|nested|cost-effectiveness|economic) (?:[\w-]+ )?(?:analys[ei]s|evaluations?|stud(?:y|ies)|in|of"
    r"|within)\b[^.;]{0,120}\brandomi[sz]ed|\b(?:data|samples|specimens|tumou?rs|tissue|images|records)\b[^.;]{0,60}\b(?:from|of"
    r"|in|within) (?:[\w-]+,? ){0,8}randomi[sz]ed,?(?:[- ,]+\w+){0,6}[- ](?:trials?|stud(?:y|ies))\b"
    r"|\brandomi[sz]ed[^.;:]{0,80}: an? (?:secondary|post[- ]?hoc|ancillary|exploratory|sub-?group) analysis\b"
)
"""As in: a secondary analysis of a randomised trial."""
RANDOMISED_UNITS = (
    PEOPLE
    | PROFESSIONALS
    | CASES
    | words("schools practices clinics hospitals villages clusters wards communities eyes")
) - words("controls users carriers learners homes")
"""Units of randomisation in trials of people."""
BENCH_TITLE = re.compile(
    r"(?i)\b(?:mice|mouse|rats?|murine|rabbits?|piglets?|pigs?|swine|porcine|dogs?|canine|sheep|macaques?|monkeys?"
    r"|hamsters?|zebrafish|cats?|chickens?|broilers?|guinea pigs?|lambs?|ewes|cows?|dairy|calves|heifers?|horses?"
    r"|rodents?|ferrets?|animals?|in vitro|ex vivo|cell lines?|extracted teeth)\b"
)
"""As in: healing in a porcine model."""


def randomised(document: Document) -> Finding | None:
    """A randomised trial on its first words, beginning with the title; None if animals or things were randomised."""
    if (document.mesh and "Humans" not in document.mesh) or BENCH_TITLE.search(document.title.text):
        return None
    for sentence in document.all_sentences:
        match = trial_words(document, sentence) if sentence.role != "background" else None
        if match and (is_of_people(document, sentence) or is_called_trial(document, sentence, match)):
            return Finding(TRIAL, (sentence.evidence_of(match),))
    return None


def trial_words(document: Document, sentence: Sentence) -> re.Match[str] | None:
    """The words by which a sentence makes this study randomised: its name rather than the act."""
    if "andom" not in sentence.text:
        return None
    if OTHER_TRIALS.search(sentence.text):
        # a random order of treatments makes a trial only of a crossover
        is_crossover = ORDER.search(sentence.text) and CROSSOVER.search(document.lower)
        return ORDER.search(sentence.text) if is_crossover else None
    trial_name = TRIAL_NAME.search(sentence.text) if sentence.role != "conclusions" else None
    is_own_trial = trial_name and (
        not PLURAL_TRIALS.search(trial_name.group()) or OWN_TRIALS.search(sentence.text[: trial_name.start()])
    )
    return trial_name if is_own_trial else RANDOMISED_ACT.search(sentence.text)


def is_of_people(document: Document, sentence: Sentence) -> bool:
    """Whether those who are randomised in the sentence can be people."""
    if not sentence.words.isdisjoint(ANIMALS):
        return False
    return not RANDOMISED_UNITS.isdisjoint(map(head_of, sentence.words)) or document.cached(names_people)


def is_called_trial(document: Document, sentence: Sentence, match: re.Match[str]) -> bool:
    """Whether the article calls itself a trial, of letters or of schools perhaps, and is none of animals or cells."""
    is_trial = CALLED_TRIAL.search(match.group()) is not None and OWN_STUDY.search(sentence.text) is not None
    return (sentence.role == "title" or is_trial) and document.cached(basic_science) is None


def names_people(document: Document) -> bool:
    """Whether title or abstract name people, and animals no more often."""
    return times_named(document, RANDOMISED_UNITS) > times_named(document, ANIMALS)


def times_named(document: Document, heads: frozenset[str]) -> int:
    """How often title and abstract have one of these nouns."""
    return sum(times for word, times in document.word_counts.items() if head_of(word) in heads)


def is_secondary(finding: Finding, document: Document) -> bool:
    """Whether the sentence that names the trial analyses it again for another question."""
    evidence = finding.evidence[-1]
    sentences = (
        sentence
        for sentence in document.all_sentences
        if sentence.part == evidence.where and sentence.start <= (evidence.start or 0) < sentence.end
    )
    return any(ANALYSED_AGAIN.search(sentence.text) for sentence in sentences)
