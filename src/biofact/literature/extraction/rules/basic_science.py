"""Whether a study was done on animals, in a dish or on a computer, by how much its words say so."""

import re

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.rules.literals import search
from biofact.literature.extraction.rules.text import Document
from biofact.literature.records import Evidence

ENOUGH = 3
"""Points that a kind needs."""
HEADING_POINTS, MOST_HEADINGS = 2, 3
"""For each MeSH heading of a kind, up to so many: Mice, Knockout."""
MOST_WORDS = 8
"""Different words that count, a point each: western blot, plasmids."""
TITLE_POINTS = 2
"""For animals in the title: wound healing in a porcine model."""
OFTEN = 4
"""Times that mice, rats or animals are named before that is a point."""
MOST_ASSAY_POINTS = 2
"""For words used of cells only: in vitro."""
COMPUTER_PENALTY = 1
"""Software and algorithms are named in studies of every kind."""

ANIMAL_HEADINGS = frozenset(
    ("Disease Models, Animal", "Mice", "Rats", "Mice, Knockout", "Mice, Inbred C57BL", "Rats, Sprague-Dawley",
     "Rats, Wistar", "Mice, Transgenic", "Rabbits", "Dogs", "Swine", "Zebrafish", "Behavior, Animal", "Macaca mulatta")
)  # fmt: skip
DISH_HEADINGS = frozenset(
    ("Cell Line", "Cell Line, Tumor", "Cells, Cultured", "HeLa Cells", "HEK293 Cells", "In Vitro Techniques",
     "Cell Proliferation", "Transfection", "Mutagenesis, Site-Directed", "Escherichia coli", "Protein Binding",
     "Crystallography, X-Ray", "Structure-Activity Relationship", "Cell Differentiation", "Base Sequence",
     "Bacterial Proteins", "Microbial Sensitivity Tests", "Amino Acid Sequence", "Molecular Sequence Data",
     "Gene Expression Regulation, Bacterial", "Transcription, Genetic", "Recombinant Proteins", "Cloning, Molecular")
)  # fmt: skip
COMPUTER_HEADINGS = frozenset(
    ("Computer Simulation", "Software", "Algorithms", "Molecular Dynamics Simulation", "Models, Theoretical",
     "Computational Biology", "Molecular Docking Simulation", "Sequence Alignment", "Monte Carlo Method",
     "Models, Statistical", "Neural Networks, Computer", "Machine Learning", "Deep Learning")
)  # fmt: skip

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
DISH_WORDS = re.compile(
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
DISH_STRONG = re.compile(
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
    """Animal, in vitro or computational study, where the words say so often enough; else none."""
    kinds = (
        ("animal study", ANIMAL_WORDS, ANIMAL_HEADINGS, title_bonus(document)),
        ("in vitro study", DISH_WORDS, DISH_HEADINGS, assay_bonus(document)),
        ("computational study", COMPUTER_WORDS, COMPUTER_HEADINGS, -COMPUTER_PENALTY),
    )
    scores = [word_score(document, headings, words) + bonus for _, words, headings, bonus in kinds]
    best = scores.index(max(scores))
    kind, words, headings, _ = kinds[best]
    return finding_of_kind(document, kind, words, headings) if scores[best] >= ENOUGH else None


def word_score(document: Document, headings: frozenset[str], words: re.Pattern[str]) -> int:
    """Points for headings and for different words of a kind."""
    by_headings = HEADING_POINTS * min(MOST_HEADINGS, len(document.mesh & headings))
    return by_headings + min(MOST_WORDS, len(words_found(document, words)))


def title_bonus(document: Document) -> int:
    """Points for a title that names animals, and for an abstract that often does."""
    is_often = sum(document.lower.count(word) for word in ("mice", "rats", "animals")) >= OFTEN
    return TITLE_POINTS * bool(search(ANIMAL_TITLE, document.title.lower, document.title.lower)) + is_often


def assay_bonus(document: Document) -> int:
    """Points for words used of cells and assays only."""
    return min(MOST_ASSAY_POINTS, len(words_found(document, DISH_STRONG)))


def words_found(document: Document, words: re.Pattern[str]) -> set[str]:
    """The different words of a kind."""
    return set(words.findall(document.lower)) if document.can_hold(words) else set()


def finding_of_kind(document: Document, kind: str, words: re.Pattern[str], headings: frozenset[str]) -> Finding:
    """The kind on the first word for it, else on a heading."""
    for sentence in document.all_sentences:
        if match := words.search(sentence.text.lower()) if len(sentence.text.lower()) == len(sentence.text) else None:
            return Finding(kind, (sentence.evidence_of(match),))
    name = next((name for name in sorted(document.mesh & headings)), None)
    if name is None:  # letters whose lower case is longer: the whole title is the evidence
        return Finding(kind, (document.title.evidence(0, document.title.end),))
    return Finding(kind, (Evidence(where="mesh", quote=name),))
