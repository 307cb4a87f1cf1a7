"""Which field of technology an article is of, and on which benchmarks it tests."""

import re
from collections.abc import Iterator

from biofact.literature.extraction.fields.claims import key_contribution
from biofact.literature.extraction.fields.field import Field
from biofact.literature.extraction.fields.performance import METHOD
from biofact.literature.extraction.findings import Finding, main_finding
from biofact.literature.extraction.text.document import Document, Sentence
from biofact.literature.records import Evidence

FIELD = re.compile(
    r"(?i)\b(?:(?:deep|machine|reinforcement|federated|transfer|representation) learning|artificial intelligence"
    r"|natural language processing|text mining|computer vision|(?:large |pre-?trained )?language models?|BERT|ChatGPT"
    r"|GPT-\d|(?:(?:convolutional|recurrent|graph|artificial|deep) )?neural networks?|knowledge graphs?"
    r"|image (?:segmentation|processing|analysis)|computer[- ]aided (?:detection|diagnosis)|speech recognition"
    r"|clinical decision support|data mining|bioinformatics|computational biology|systems biology"
    r"|(?:molecular dynamics|Monte Carlo|computer|multi-?scale) simulations?|simulation environment|molecular docking"
    r"|robot(?:ics?|-assisted)|wearables?|telemedicine|telehealth|mHealth|virtual reality|augmented reality"
    r"|(?:3D|three-dimensional|bio) ?-?(?:printing|printed)|internet of things|blockchain|brain[- ]computer interfaces?"
    r"|biosens(?:ors?|ing)|microfluidics?|lab-on-a-chip|organ-on-a-chip|nanotechnology|nanofabrication"
    r"|optogenetics|mass spectrometry|proteomics|metabolomics|(?:DNA |RNA )?microarrays?"
    r"|(?:next-generation|high-throughput|nanopore|single-cell|whole-genome|whole-exome) (?:RNA )?sequencing|RNA-seq"
    r"|CRISPR(?:[-/]Cas\d*)?|(?:gene|genome|base|prime) editing|synthetic biology|sequence alignments?|software)\b"
)
"""Names of fields of technology. As in: deep learning."""
HEADINGS = frozenset(
    (
        "Machine Learning", "Supervised Machine Learning", "Unsupervised Machine Learning", "Deep Learning",
        "Artificial Intelligence", "Neural Networks, Computer", "Natural Language Processing", "Data Mining",
        "Decision Support Systems, Clinical", "Image Processing, Computer-Assisted",
        "Image Interpretation, Computer-Assisted", "Diagnosis, Computer-Assisted", "Pattern Recognition, Automated",
        "Computational Biology", "Systems Biology", "Computer Simulation", "Molecular Dynamics Simulation",
        "Molecular Docking Simulation", "Software", "Robotics", "Robotic Surgical Procedures",
        "Wearable Electronic Devices", "Telemedicine", "Virtual Reality", "Augmented Reality",
        "Printing, Three-Dimensional", "Brain-Computer Interfaces", "Biosensing Techniques", "Microfluidics",
        "Lab-On-A-Chip Devices", "Nanotechnology", "Optogenetics", "Mass Spectrometry", "Proteomics", "Metabolomics",
        "Oligonucleotide Array Sequence Analysis", "High-Throughput Nucleotide Sequencing", "CRISPR-Cas Systems",
        "Gene Editing", "Synthetic Biology", "Sequence Alignment",
    )
)  # fmt: skip
"""MeSH headings of such fields."""

BENCHMARK = re.compile(
    r"\b(?:MIMIC(?:-(?:III|IV|II|CXR))?|i2b2(?: \d{4})?|n2c2(?: \d{4})?|ImageNet|CIFAR-100?|F?MNIST|MS ?COCO|SuperGLUE"
    r"|SQuAD|BLURB|PubMedQA|MedQA|BioASQ|MMLU|CheXpert|ChestX-ray(?:8|14)|PadChest|BraTS(?: ?\d{2,4})?|HAM10000|LUNA16"
    r"|LIDC-IDRI|BioCreative(?: [IVX]+)?|CASP\d{1,2}|BAliBASE(?: ?\d(?:\.\d)?)?|MoleculeNet|Tox21|PDBbind|DUD-E|MIT-BIH"
    r"|PTB-XL|MSD|PASCAL VOC|Cityscapes|KITTI)\b"
)
"""Names of benchmarks without another meaning. As in: MIMIC-III and ImageNet."""
_NAME = r"(?:[A-Z][A-Za-z]*[A-Z0-9][\w-]*|[A-Za-z]+\d[\w-]*[a-z]\d?)(?: (?:19|20)\d\d| v?\d(?:\.\d)?)?"
_SETS = r"(?:benchmark|leaderboard|corpus|corpora|test set|(?:benchmark(?:ing)? |public |test |reference )?data ?set)s?"
BEFORE = re.compile(rf"(?P<names>\b{_NAME}(?:, {_NAME})*(?:,? and {_NAME})?) (?i:{_SETS})\b")
"""Names before what they are. As in: the CheXpert dataset."""
CONTEST = re.compile(r"\b[A-Z][A-Za-z]*[A-Z][\w-]* (?:19|20)\d\d(?= (?i:challenge|shared task|competition)\b)")
"""A name with its year; without one, LPS and the like are challenges, too. As in: ISIC 2018 challenge."""
AFTER = re.compile(
    r"\b(?i:benchmarks?|(?:benchmark|public|test) data ?sets?)(?: for [\w -]{3,40})? ?"
    rf"(?:(?i:were|was|are|is|such as|including|namely|called)"
    rf"|[:,(]) ?(?:the )?(?P<names>{_NAME}(?:, {_NAME})*(?:,? and {_NAME})?)"
)
"""Names after it. As in: the benchmarks were MIMIC-III and i2b2 2010."""
ONE_NAME = re.compile(rf"\b{_NAME}")
"""One of them. As in: ISIC 2018."""
EVALUATION = re.compile(
    r"(?i)\b(?:benchmark\w*|evaluat\w+|validat\w+|test(?:ed|ing|s)?|train(?:ed|ing)|perform(?:s|ed|ance)|accuracy"
    r"|experiments?|outperform\w*|achiev\w+|challenge|compar\w+|state[- ]of[- ]the[- ]art)\b"
)
"""Words for work on a benchmark. As in: evaluated."""
KIND_OF_DATA = re.compile(
    r"^(?:(?:sn|sc|ds|ss|mi|m|t|r|lnc|circ)?[RD]NA|MRI|fMRI|EEG|ECG|EKG|EMG|MEG|PET|SPECT|CT|OCT|SNPs?|GWAS|QTL|eQTL"
    r"|EHR|EMR|RCT|ChIP|ATAC|LC|GC|MS|NMR|NIR|GPS|GIS|WGS|WES|NGS|HIV|HPV|HCV|HBV|COVID|SARS|AI|ML|NLP|CNN|BERT|QA|ICU"
    r"|USA?|UK|EU|GSE\d+|GDS\d+|GPL\d+|\w+-seq|\dD|[IVX]+|UV|PCR|ELISA|GEO|TCGA|GTEx|SEER|NHANES|AIDS|BRCA\d?)$"
)
"""Kinds of data, methods, places and sources in capitals, which are no benchmarks. As in: MRI."""


def technology_domain(document: Document) -> Finding | None:
    """The field named in title, keywords, what the authors say they present, and MeSH headings, in this order.

    The rest of an abstract names tools that are only used.
    """
    title = document.title
    findings = [Finding(match.group(), (title.evidence_of(match),)) for match in FIELD.finditer(title.text)]
    keywords = filter(FIELD.search, document.article.keywords)
    findings += [Finding(keyword, (Evidence(where="keywords", quote=keyword),)) for keyword in keywords]
    contribution = document.cached(key_contribution)
    if contribution is not None:
        findings += [finding for claim in contribution.series for finding in _fields_in_quote(claim)]
    findings += [Finding(name, (Evidence(where="mesh", quote=name),)) for name in sorted(document.mesh & HEADINGS)]
    return main_finding(_distinct(findings))


def benchmarks_used(document: Document) -> Finding | None:
    """The named data sets and challenges on which a method is tested; data that are only analysed are none."""
    sentences = (
        sentence
        for sentence in document.own_sentences
        if EVALUATION.search(sentence.text) and METHOD.search(sentence.text)
    )
    return main_finding(_distinct([finding for sentence in sentences for finding in _benchmarks(sentence)]))


def _fields_in_quote(claim: Finding) -> Iterator[Finding]:
    (evidence,) = claim.evidence
    start = evidence.start or 0
    for match in FIELD.finditer(evidence.quote):
        place = Evidence(
            where=evidence.where,
            quote=evidence.quote[match.start() : match.end()],
            start=start + match.start(),
            end=start + match.end(),
        )
        yield Finding(match.group(), (place,))


def _benchmarks(sentence: Sentence) -> Iterator[Finding]:
    """Each name with its place, in the order of the text."""
    text = sentence.text
    places = {match.span() for pattern in (BENCHMARK, CONTEST) for match in pattern.finditer(text)}
    for match in (*BEFORE.finditer(text), *AFTER.finditer(text)):
        places |= {name_match.span() for name_match in ONE_NAME.finditer(text, *match.span("names"))}
    end = 0
    # of names that begin alike the longest comes first
    for first, last in sorted(places, key=lambda place: (place[0], -place[1])):
        name = text[first:last]
        if first >= end and not KIND_OF_DATA.match(name):
            end = last
            yield Finding(name, (sentence.evidence(sentence.start + first, sentence.start + last),))


def _distinct(findings: list[Finding]) -> list[Finding]:
    """Findings of different names, each at its first place."""
    by_name: dict[str, Finding] = {}
    for finding in findings:
        by_name.setdefault(str(finding.value).lower(), finding)
    return list(by_name.values())


TECHNOLOGY_DOMAIN = Field(
    name="technology_domain",
    find=technology_domain,
    names="technology technology_field technology_area technical_domain tech_domain",
)


BENCHMARKS_USED = Field(
    name="benchmarks_used",
    find=benchmarks_used,
    names="benchmarks benchmark benchmark_used benchmark_datasets benchmark_dataset evaluation_benchmarks",
)
