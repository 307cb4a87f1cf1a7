"""Names of a concept: our own synonyms, MeSH's entry terms, and names that punctuation must not break. Pure.

E. coli bacteraemia   ->  E. coli; bacteraemia
i.v. iron             ->  i.v. iron, and intravenous iron
BRCA1/2 mutations     ->  BRCA1 or BRCA2 mutations
"""

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from biofact.literature.choices import Domain
from biofact.literature.query import lexicon, wording

MOST_SYNONYMS = 5
"""Synonyms of a concept in one query, beside its own names."""
_SHORTEST = 4  # letters of a word that stands alone; shorter words have too many meanings
_LONGEST = 4  # words; authors do not write longer entry terms


@dataclass(frozen=True, slots=True)
class SynonymEntry:
    """A concept with the names that goals and articles use for it."""

    phrase: str
    """The name to look up in MeSH and to search for."""
    names: tuple[str, ...] = ()
    """Other names in a goal. Acronyms differ from words by their capitals."""
    synonyms: tuple[str, ...] = ()
    """Further words to search for, without names that have many other meanings."""
    related: tuple[str, ...] = ()
    """Neighbouring concepts for exploratory queries."""
    domains: tuple[Domain, ...] = ()
    """Domains in which its acronym has this meaning; empty for all domains that no other entry claims."""


def _synonym_entry(line: str) -> SynonymEntry:
    """The entry of a line of the table: phrase | names | synonyms | related | domains."""
    phrase, *fields = (part.strip() for part in line.split("|"))
    names, synonyms, related, domains = (
        tuple(filter(None, (name.strip() for name in part.split(";")))) for part in [*fields, "", "", "", ""][:4]
    )
    return SynonymEntry(phrase, names, synonyms, related, domains)  # type: ignore[arg-type]  # the table is ours


_TABLE = """
artificial intelligence | AI | AI; machine learning; deep learning | machine learning; deep learning; neural
    networks
machine learning | ML; machine-learning | deep learning; artificial intelligence | deep learning; neural networks
deep learning | DL; deep-learning | deep neural network; convolutional neural network | machine learning
neural networks | neural network; ANN | artificial neural network; deep learning | deep learning
convolutional neural network | CNN; CNNs; convolutional neural networks | deep learning | deep learning
large language models | LLM; LLMs; large language model; ChatGPT; GPT; GPT-4 | large language model; LLM; ChatGPT;
    GPT-4 | natural language processing; chatbot
natural language processing | NLP | text mining; language model | text mining; large language models
BERT | BERT; ClinicalBERT; BioBERT | bidirectional encoder representations from transformers; BioBERT; ClinicalBERT;
    transformer model | natural language processing; language model
transformer models | transformer model; transformer-based model | transformer architecture; BERT | deep learning
text classification |  | document classification; text categorization | text mining; information extraction
clinical text | clinical notes; clinical note; medical text | clinical notes; clinical narratives; medical text;
    electronic health records | electronic health records; discharge summaries
federated learning |  |  | privacy-preserving | machine learning
reinforcement learning |  |  | machine learning
computer vision |  | image recognition; image analysis | deep learning
electronic health records | EHR; EHRs; EMR; EMRs; electronic health record; electronic medical records; electronic
    medical record | EHR; electronic medical records | administrative claims
clinical decision support | clinical decision support systems; decision support; CDSS | decision support; CDSS |
    electronic health records
telemedicine | telehealth; tele-medicine | telehealth; remote consultation; eHealth | mobile health; remote
    monitoring
mobile health | mHealth; mobile apps; smartphone apps; health apps | mHealth; mobile applications; smartphone |
    telemedicine
wearable devices | wearables; wearable sensors; smartwatch; smartwatches | wearables; wearable sensors; smartwatch |
    remote monitoring
virtual reality | VR | VR; augmented reality | augmented reality
internet of things | IoT | IoT; connected devices | wearable devices
social media |  | Twitter; Facebook; Instagram | screen time
blockchain |  | distributed ledger | data security
healthcare | health care | health care; health services | medicine; hospitals
medical diagnosis |  | diagnosis; diagnostic | diagnostic imaging; early diagnosis; clinical decision support
gut microbiome | gut microbiota; intestinal microbiota; intestinal microbiome; gut flora; gut bacteria | gut
    microbiota; intestinal microbiota; gut flora | probiotics; dysbiosis; gut-brain axis
microbiome | microbiota | microbiota | dysbiosis; probiotics
mental health | mental wellbeing; mental well-being | mental disorders; mental illness; psychological well-being |
    depression; anxiety; mood disorders
depression | depressive symptoms | depressive symptoms; depressive disorder | antidepressants; anxiety
major depressive disorder | MDD; major depression | major depression; MDD | antidepressants
treatment-resistant depression | TRD | treatment-refractory depression | ketamine
anxiety |  | anxiety disorders; anxious | depression; stress
stress | psychological stress | psychological stress; distress | cortisol; burnout
burnout | burn-out | professional burnout; emotional exhaustion | job satisfaction; resilience
suicide | suicidality; suicidal ideation; suicidal behavior | suicidal; self-harm | depression
loneliness |  | social isolation | depression
autism | autism spectrum disorder; autism spectrum disorders; ASD; autistic | autistic; ASD | neurodevelopmental
    disorders
attention deficit hyperactivity disorder | ADHD | ADHD | methylphenidate
post-traumatic stress disorder | PTSD; posttraumatic stress disorder | PTSD; posttraumatic stress disorder |
    psychological trauma
obsessive-compulsive disorder | OCD | OCD | exposure therapy
bipolar disorder | BD; bipolar disorders | bipolar depression; mania | lithium
borderline personality disorder | BPD |  | dialectical behavior therapy | psychology
bronchopulmonary dysplasia | BPD |  | premature infants | medical; biology; general
eating disorders | ED; eating disorder | anorexia nervosa; bulimia nervosa | body image | psychology
emergency department | ED; EDs; emergency departments; emergency room | emergency room; emergency service | triage |
    medical; general; technology
cognitive behavioral therapy | CBT; cognitive behavioural therapy; cognitive-behavioral therapy;
    cognitive-behavioural therapy | CBT; cognitive behavior therapy | mindfulness
mindfulness | mindfulness-based intervention; mindfulness-based interventions; mindfulness-based stress reduction |
    meditation; mindfulness-based | stress reduction
motivational interviewing | MI |  | behavior change | psychology
myocardial infarction | MI; heart attack; heart attacks; AMI; STEMI | heart attack; acute coronary syndrome |
    percutaneous coronary intervention | medical; biology; general; technology
COVID-19 | COVID; coronavirus disease 2019; SARS-CoV-2 | SARS-CoV-2; coronavirus disease 2019 | SARS-CoV-2 vaccines
long COVID | post-COVID; post-acute sequelae; PASC; post-COVID-19 condition; post COVID-19 syndrome | post-COVID;
    post-acute COVID-19 syndrome; PASC | fatigue
HIV | human immunodeficiency virus; HIV/AIDS | human immunodeficiency virus | antiretroviral therapy
tuberculosis | TB | mycobacterium tuberculosis | drug resistance
type 2 diabetes | T2D; T2DM; type II diabetes; type 2 diabetes mellitus; diabetes mellitus type 2 | T2DM; type II
    diabetes; NIDDM | insulin resistance; obesity
type 1 diabetes | T1D; T1DM; type 1 diabetes mellitus | T1DM; juvenile diabetes | insulin
diabetes | diabetes mellitus | diabetic | insulin; glycemic control
hypertension | high blood pressure; HTN | high blood pressure | antihypertensive agents
heart failure | HF; CHF; congestive heart failure; HFrEF; HFpEF | cardiac failure | ejection fraction
atrial fibrillation | AF; AFib |  | anticoagulants
stroke | cerebrovascular accident; CVA | cerebrovascular accident; ischemic stroke | thrombolysis
chronic obstructive pulmonary disease | COPD | COPD | spirometry
chronic kidney disease | CKD | chronic renal insufficiency; CKD | dialysis
cancer | tumor; tumors; tumour; tumours; neoplasms; malignancy; malignancies | neoplasms; tumor; malignancy |
    carcinoma
non-small cell lung cancer | NSCLC; non-small-cell lung cancer | NSCLC; non-small cell lung carcinoma | immune
    checkpoint inhibitors
rheumatoid arthritis | RA |  | methotrexate
multiple sclerosis | MS |  | disease-modifying therapy | medical; psychology; general
mass spectrometry | MS | LC-MS | proteomics | biology; technology
inflammatory bowel disease | IBD; inflammatory bowel diseases | Crohn disease; ulcerative colitis | gut microbiome
irritable bowel syndrome | IBS | IBS | gut microbiome
Alzheimer's disease | Alzheimer disease; Alzheimers; Alzheimer's | Alzheimer; Alzheimer's dementia | dementia;
    amyloid beta
Parkinson's disease | Parkinson disease; PD; Parkinsons | parkinsonism | levodopa
obstructive sleep apnea | OSA; obstructive sleep apnoea; sleep apnea | obstructive sleep apnoea | CPAP
body mass index | BMI | BMI | obesity
selective serotonin reuptake inhibitors | SSRI; SSRIs | SSRI; SSRIs | antidepressants
nonsteroidal anti-inflammatory drugs | NSAID; NSAIDs; non-steroidal anti-inflammatory drugs | NSAIDs; non-steroidal
    anti-inflammatory | cyclooxygenase inhibitors
proton pump inhibitors | PPI; PPIs; proton pump inhibitor | omeprazole; proton pump inhibitor | gastroesophageal
    reflux | medical; psychology; general
protein-protein interactions | PPI; PPIs; protein-protein interaction | protein interaction; interactome |
    proteomics | biology; technology
statins | statin; HMG-CoA reductase inhibitors | HMG-CoA reductase inhibitors; atorvastatin | cholesterol
GLP-1 receptor agonists | GLP-1 agonists; GLP-1; GLP1 agonists; GLP-1RA; GLP-1 RAs | GLP-1 agonists; semaglutide;
    liraglutide | obesity
SGLT2 inhibitors | SGLT2; SGLT-2 inhibitors; SGLT2 inhibitor | SGLT-2 inhibitors; empagliflozin; dapagliflozin |
    heart failure
ACE inhibitors | ACE inhibitor; angiotensin-converting enzyme inhibitors | angiotensin-converting enzyme inhibitors
    | hypertension
immune checkpoint inhibitors | checkpoint inhibitors; immune checkpoint inhibitor; immune checkpoint blockade;
    anti-PD-1; PD-1 inhibitors | checkpoint inhibitors; PD-1 inhibitors; immune checkpoint blockade | immunotherapy
CAR T cells | CAR-T; CAR T; CAR-T cells; CAR T-cell; CAR-T cell therapy; CAR T-cell therapy; chimeric antigen
    receptor T cells | chimeric antigen receptor; CAR-T | immunotherapy
CRISPR | CRISPR-Cas9; CRISPR/Cas9; Cas9 | CRISPR-Cas9; genome editing; gene editing | base editing
gene editing | genome editing | genome editing; CRISPR | CRISPR
genome-wide association study | GWAS; genome-wide association studies; genome wide association study | GWAS;
    genome-wide association | polygenic risk score
polygenic risk scores | PRS; polygenic risk score; polygenic scores | polygenic score; genetic risk score |
    genome-wide association study
single-cell RNA sequencing | scRNA-seq; single-cell RNA-seq; single cell sequencing; single-cell sequencing |
    scRNA-seq; single-cell transcriptomics | spatial transcriptomics
next-generation sequencing | NGS; next generation sequencing; high-throughput sequencing | high-throughput
    sequencing; whole exome sequencing | whole genome sequencing
single nucleotide polymorphisms | SNP; SNPs; single nucleotide polymorphism | SNPs; genetic polymorphism |
    genome-wide association study
circulating tumor DNA | ctDNA; circulating tumour DNA | ctDNA; liquid biopsy; cell-free DNA | liquid biopsy
microRNA | miRNA; miRNAs; microRNAs | miRNA; microRNAs | gene expression
DNA methylation |  | methylation; epigenetic | epigenetics
magnetic resonance imaging | MRI | MRI; MR imaging | neuroimaging
computed tomography | CT; CT scan; CT scans | CT scan; computerized tomography | radiology
positron emission tomography | PET | PET-CT | neuroimaging
electroencephalography | EEG | EEG; electroencephalogram | event-related potentials
electrocardiography | ECG; EKG; electrocardiogram; electrocardiograms | ECG; electrocardiogram | arrhythmia
diagnostic imaging | medical imaging; radiological imaging | medical imaging; radiology | deep learning
intensive care units | ICU; ICUs; intensive care unit; critical care | ICU; critical care | critical illness
primary care | primary health care; general practice | primary health care; general practice | general practitioners
quality of life | QoL; health-related quality of life; HRQoL; HRQOL | HRQoL; well-being | patient-reported outcomes
climate change | global warming | global warming; extreme weather | heat waves
air pollution | air pollutants; PM2.5; particulate matter | particulate matter; PM2.5 | environmental exposure
antimicrobial resistance | AMR; antibiotic resistance | antibiotic resistance; drug resistance | antimicrobial
    stewardship
vaccine hesitancy | vaccination hesitancy | vaccination hesitancy; vaccine acceptance; vaccine refusal | vaccination
health disparities | health inequalities; health inequities; health inequity | health inequalities; health
    inequities | social determinants of health
physical activity | exercise | exercise; physical exercise | sedentary behavior
vitamin D | cholecalciferol | cholecalciferol; 25-hydroxyvitamin D | calcium
intermittent fasting | time-restricted eating | time-restricted feeding; time-restricted eating | caloric
    restriction
older adults | elderly; older people; older patients; older persons; seniors; older adult; elderly people; elderly
    patients; geriatric | elderly; older people; geriatric | aging
children | child; pediatric; paediatric; pediatrics; childhood; pediatric patients | child; pediatric; paediatric;
    childhood | parents
adolescents | adolescent; teenagers; teens; youth; young people; adolescence | adolescent; teenagers; youth; young
    people | schools
infants | infant; babies; newborns; newborn; neonates; neonatal | newborn; neonate | premature infants
pregnancy | pregnant women; pregnant; during pregnancy | pregnant women; gestation; maternal | prenatal care
nurses | nurse; nursing staff | nursing staff | burnout
health personnel | healthcare workers; health care workers; healthcare professionals; health professionals; health
    workers | healthcare workers; health professionals | burnout
university students | college students; undergraduates | college students; undergraduate students | academic
    performance
dementia |  | cognitive decline; cognitive impairment | caregivers
ethics | ethical; ethical considerations; ethical implications; bioethics | ethical; bioethics; moral | privacy;
    informed consent; bias
privacy | data privacy | confidentiality; data protection | informed consent
explainability | explainable; interpretability; interpretable; XAI | interpretability; explainable | transparency
"""
SYNONYM_TABLE: tuple[SynonymEntry, ...] = tuple(
    _synonym_entry(line) for line in _TABLE.strip().replace("\n    ", " ").splitlines()
)


@functools.cache
def _by_name() -> dict[str, list[SynonymEntry]]:
    results: dict[str, list[SynonymEntry]] = {}
    for entry in SYNONYM_TABLE:
        for name in (entry.phrase, *entry.names):
            results.setdefault(name if wording.is_acronym(name) else wording.key(name), []).append(entry)
    return results


def synonym_entry(name: str, domain: Domain | None = None) -> SynonymEntry | None:
    """The entry of a name in a goal of this domain; None if the table has none."""
    entries = _by_name().get(name) or _by_name().get(wording.key(name)) or []
    in_domain = [entry for entry in entries if not entry.domains or (domain or "general") in entry.domains]
    return next(iter(in_domain or entries), None)


def is_ambiguous(name: str) -> bool:
    """Whether a name means different things in different domains."""
    return len(_by_name().get(name, ())) > 1


def all_names() -> Iterator[str]:
    """Every name that a goal may use."""
    for entry in SYNONYM_TABLE:
        yield from dict.fromkeys((entry.phrase, *entry.names))


def choose_synonyms(names: Sequence[str], candidates: Iterable[str]) -> list[str]:
    """At most ``MOST_SYNONYMS`` candidates worth searching for beside ``names``, in their order.

    Left out are names in a card index's order, names that a phrase already in the list finds, too (``congestive heart
    failure`` beside ``heart failure``), plurals and other spellings of one name, and short words of many meanings.
    """
    phrases: list[str] = list(names)
    for candidate in candidates:
        if _is_usable(candidate) and not any(wording.has_phrase(candidate, phrase) for phrase in phrases):
            phrases.append(candidate)
    return phrases[len(names) :][:MOST_SYNONYMS]


def entry_terms(names: Sequence[str], heading: str, terms: Iterable[str]) -> list[str]:
    """The heading and its entry terms, those most like the words of the goal first.

    If our table has the concept, terms that share no word with the goal are left out: MeSH files egoism under ethics.
    """
    goal_words = {word for name in (*names, heading) for word in re.findall(r"\w+", name.lower())}
    has_ours = any(synonym_entry(name) for name in names)

    def shared(term: str) -> int:
        return len(goal_words & set(re.findall(r"\w+", term.lower())))

    similar_terms = [term for term in terms if shared(term) or not has_ours]
    similar_terms.sort(key=lambda term: (wording.is_acronym(term), -shared(term), len(term.split())))
    return [wording.in_speech(heading), *similar_terms]


def _is_usable(term: str) -> bool:
    words = term.split()
    is_plain = not wording.is_inverted(term) and wording.clean(term) == term and "and" not in words
    return is_plain and len(words) <= _LONGEST and (len(term) >= _SHORTEST or term.isupper())


# Letters for any pattern of words, but never in a goal: they stand for a full stop or a blank inside a name.
_STOP_MARK, _BLANK_MARK = "\ua78f", "\u3164"
_RESTORED = str.maketrans({_STOP_MARK: ".", _BLANK_MARK: " "})

_GENERA = """
    Acinetobacter baumannii | Aspergillus fumigatus | Bacillus anthracis cereus subtilis | Bacteroides fragilis
    Bordetella pertussis | Borrelia burgdorferi | Brucella melitensis | Caenorhabditis elegans | Campylobacter jejuni
    Candida albicans auris glabrata | Chlamydia trachomatis | Clostridioides difficile | Clostridium botulinum difficile
    perfringens tetani | Cryptococcus neoformans | Danio rerio | Drosophila melanogaster | Entamoeba histolytica |
    Enterobacter cloacae Enterococcus faecalis faecium | Escherichia coli | Giardia lamblia | Haemophilus influenzae |
    Helicobacter pylori Homo sapiens | Klebsiella pneumoniae | Legionella pneumophila | Leishmania donovani infantum
    major | Listeria monocytogenes | Mus musculus | Mycobacterium tuberculosis leprae bovis avium abscessus |
    Mycoplasma pneumoniae genitalium Neisseria gonorrhoeae meningitidis | Plasmodium falciparum vivax malariae knowlesi
    ovale | Pneumocystis jirovecii Proteus mirabilis | Pseudomonas aeruginosa | Rattus norvegicus | Saccharomyces
    cerevisiae | Salmonella enterica typhi Schistosoma mansoni haematobium japonicum | Serratia marcescens | Shigella
    flexneri sonnei | Staphylococcus aureus epidermidis | Stenotrophomonas maltophilia | Streptococcus pneumoniae
    pyogenes agalactiae mutans | Toxoplasma gondii Treponema pallidum | Trichomonas vaginalis | Trypanosoma cruzi
    brucei | Vibrio cholerae | Xenopus laevis Yersinia pestis enterocolitica | Arabidopsis thaliana | Wuchereria
    bancrofti | Strongyloides stercoralis | Akkermansia muciniphila | Faecalibacterium prausnitzii | Porphyromonas
    gingivalis | Fusobacterium nucleatum
"""
_ROUTES = {
    "i.v.": "intravenous", "i.m.": "intramuscular", "s.c.": "subcutaneous", "p.o.": "oral", "i.p.": "intraperitoneal",
    "i.t.": "intrathecal", "i.d.": "intradermal", "i.n.": "intranasal",
    "u.s.": "United States", "u.k.": "United Kingdom",
}  # fmt: skip
"""Abbreviations with full stops and their long forms."""


def _genera() -> Iterator[tuple[str, str]]:
    """Every species of the table with its genus."""
    genus = ""
    for word in _GENERA.replace("|", " ").split():
        genus = word if word[0].isupper() else genus
        if word != genus:
            yield word, genus


_SPECIES: dict[str, list[str]] = {}
for _epithet, _genus in _genera():
    _SPECIES.setdefault(_epithet, []).append(_genus)
_EPITHETS = "|".join(_SPECIES)
_ORGANISM = re.compile(
    rf"\b(?P<genus>[A-Z][a-z]{{0,4}})(?P<stop>\.\s?)(?P<middle>[a-z]\.\s?)?(?P<species>[a-z]{{4,}}(?:-[a-z]+)?)\b"
    rf"|\b(?P<bare>[A-Z])\s(?P<known>(?i:{_EPITHETS}))\b|\b(?P<full>[A-Z][a-z]{{3,}})\s(?P<named>{_EPITHETS})\b"
)
"""As in: E. coli, T. b. gambiense, H pylori, Toxoplasma gondii."""
_INITIAL_AFTER = re.compile(
    r"(?i)\b(?:vitamins?|hepatitis|types?|groups?|class|grade|stage|factor|protein|influenza|part|phase)\s$"
)
"""Words before a letter that begins no species. As in: vitamin D. supplementation."""
_SAINT = re.compile(r"\b(?:St\.?|Saint)\s(?P<name>[A-Z][a-z]+(?:'s)?)(?P<wort>\s[Ww]ort\b)?")
"""As in: St. John's wort, St. Louis encephalitis."""
_STOPPED_ABBREVIATION = re.compile(r"(?<![\w.])(?:[A-Za-z]\.){2,}(?:[A-Za-z]\b)?")
"""As in: i.v., U.S."""
_FILLERS = re.compile(r"(?i)(?<![\w.])(?:e\.g\.|i\.e\.|etc\.|et\sal\.?|a\.k\.a\.|[bt]\.i\.d\.|q\.(?:i\.)?d\.)")
"""Abbreviations that name nothing. As in: e.g., b.i.d."""
_SHORT_WITH = re.compile(r"(?i)(?<!\w)w/(o\b)?")
_SUSPENDED_HYPHEN = re.compile(r"(?i)\b(\w+)-\s+(and|or|to|versus|vs\.?)\s+(\w+)-(\w+)")
"""As in: pre- and post-operative."""
_AGES = re.compile(r"(?i)\baged\s+(?:over|under|above|below|between)?\s*\d+\S*(?:\s*(?:to|and|-)\s*\d+)?(?:\s+years?)?")
"""As in: aged 65 to 80 years."""
_VERSUS_SIGN = re.compile(r"(?<![\w.-])[Vv][Ss](?:\.|(?=\s))|(?<![\w.-])v\.?(?=\s\w)")
_TITLE_STOP = re.compile(r"(?i)\b(dr|mr|mrs|prof|cf|no|approx|resp|subsp|var)\.(?=\s)")
_EVERY_SPECIES = re.compile(r"(?i)\b([A-Z][a-z]{3,})\sspp?(?:\.|\b)")
"""As in: Candida spp."""
_PERSON = re.compile(r"\b[A-Z]\.\s(?=[A-Z][a-z]{2,}\b)")
"""As in: H. Pylori, J. Smith."""
_DOSE = re.compile(
    r"(?i)(?<![\w.-])\d[\d.,]*(?:\s?(?:-|to|/)\s?\d[\d.,]*)?\s?(?:%|(?:(?:[mkn\u00b5\u03bc]|mc)?g|[md]?l|iu|[mn]mol|units?)"
    r"(?:\s?/\s?(?:[mkd]?[glh]|kg|day|week|min|dl|ml))*(?![\w-]))|[<>\u2264\u2265]=?\s?\d[\d.,]*(?:\s?(?:years?|months?|weeks?)\b)?"
)
"""As in: 5 mg/kg, 10%, >70 years."""
_NUMBER_LIST = re.compile(r"\b([A-Za-z][A-Za-z-]+)(\d+)((?:/\d+)+)(?![\w/])")
"""As in: BRCA1/2."""


def protect_names(goal: str) -> str:
    """The goal with marks for stops and blanks inside names, without doses, and with numbered symbols in full."""
    goal = _SUSPENDED_HYPHEN.sub(
        r"\1-\4 \2 \3-\4", _SHORT_WITH.sub(lambda match: "without " if match[1] else "with ", goal)
    )
    goal = _NUMBER_LIST.sub(_numbered_symbols, _AGES.sub(" ; ", goal))
    goal = _FILLERS.sub(" , ", _DOSE.sub(" ; ", goal))
    goal = _TITLE_STOP.sub(r"\1", _VERSUS_SIGN.sub("versus", _EVERY_SPECIES.sub(r"\1", goal)))
    goal = _STOPPED_ABBREVIATION.sub(lambda match: _protected(match[0]), goal)
    goal = _SAINT.sub(lambda match: _protected(match[0]), goal)
    goal = _ORGANISM.sub(_protected_organism, goal)
    return _PERSON.sub(
        lambda match: match[0] if _INITIAL_AFTER.search(goal[: match.start()]) else _protected(match[0]), goal
    )


def restore_names(text: str) -> str:
    """A part of a goal from ``protect_names`` as it was written."""
    return text.translate(_RESTORED)


def stands_apart(piece: str) -> bool:
    """Whether a protected name is a subject whatever its neighbours are: an organism, a saint's wort."""
    name = restore_names(piece)
    return name != piece and (is_organism(name) or name.lower().endswith("wort"))


def has_stops(name: str) -> bool:
    """Whether a name has parts without a meaning of their own: E. coli, St. Louis, i.v."""
    return re.search(r"(?:^|[\s.])\w{1,3}\.", name) is not None or is_organism(name)


def is_organism(name: str) -> bool:
    """Whether a name is a species, by initial or in full."""
    match = _ORGANISM.fullmatch(name)
    return match is not None and _is_organism(match)


def full_names(name: str) -> list[str]:
    """The long forms of a name with an initial or stops, such as *Escherichia coli*; and the short forms."""
    results = [re.sub(rf"(?i)(?<![\w.]){re.escape(short)}(?=\s|$)", long, name) for short, long in _ROUTES.items()]
    if (match := _ORGANISM.search(name)) and _is_organism(match):
        results += [name.replace(match[0], other) for other in _organism_names(match)]
    return [result for result in dict.fromkeys(results) if result != name]


def initial_form(heading: str) -> str:
    """An organism's heading as papers shorten it: ``S. aureus``; empty for what is no species."""
    match = re.fullmatch(r"([A-Z])[a-z]{2,} ([a-z]{3,})", heading)
    return f"{match[1]}. {match[2]}" if match else ""


def _organism_names(match: re.Match[str]) -> list[str]:
    if match["full"]:
        return [f"{match['full'][0]}. {match['named']}"]
    start = (match["genus"] or match["bare"]).lower()
    species = (match["species"] or match["known"]).lower()
    initials = [] if match["middle"] else [f"{start[0].upper()}. {species}"]
    return initials + [f"{genus} {species}" for genus in _SPECIES.get(species, ()) if genus.lower().startswith(start)]


def _is_organism(match: re.Match[str]) -> bool:
    if match["full"]:
        return match["full"] in _SPECIES[match["named"]]
    if match["bare"]:
        return any(genus.startswith(match["bare"]) for genus in _SPECIES[match["known"].lower()])
    is_word = match["species"] in lexicon.SEPARATORS | lexicon.GENERIC | lexicon.ASPECTS
    before = match.string[: match.start()]
    return (
        not is_word and not _INITIAL_AFTER.search(before) and (len(match["genus"]) == 1 or match["species"] in _SPECIES)
    )


def _numbered_symbols(match: re.Match[str]) -> str:
    name, first, numbers = match.groups()
    return " or ".join(f"{name}{number}" for number in [first, *numbers.strip("/").split("/")])


def _protected_organism(match: re.Match[str]) -> str:
    """The organism protected, ``P.vivax`` as ``P. vivax``; another match as it is."""
    return _protected(re.sub(r"\.(?=[a-z])", ". ", match[0])) if _is_organism(match) else match[0]


def _protected(name: str) -> str:
    return name.replace(".", _STOP_MARK).replace(" ", _BLANK_MARK)
