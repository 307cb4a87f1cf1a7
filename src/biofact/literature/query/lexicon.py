"""Words of a request that are not its subject, and phrases that stay together. All in lower case; pure."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Prepositions, conjunctions, pronouns and auxiliary verbs, which stand between concepts.
_FUNCTION_WORDS = """
    about above across after against along amid among amongst around as at before behind below beneath beside besides
    between beyond by concerning despite during for from given in inside into like near of off on onto outside over per
    regarding since than through throughout to toward towards under until upon using utilizing utilising via within
    whether while whereas because that which who whom whose what when where why how if then so such is are was were be
    been being am do does did done can could may might must shall should will would has have had having it its they
    them their theirs we us our ours i me my you your he she his her there this these those not no also both either
    neither each every other others another more most less least much many very too than based compared comparing
    comparison contrast relative related relating relation respect according due owing with without what's who's how's
    it's there's please help want wants wanted need needs needed looking look like interested trying help hopefully let
    lets
"""
# Verbs for the effect of one thing on another, or for the reader's intention.
_VERBS = """
    find finding identify identifying explore exploring investigate investigating examine examining study studying
    analyze analyse analyzing analysing assess assessing evaluate evaluating understand understanding determine
    determining summarize summarise summarizing search searching retrieve get gather collect list show give discover
    learn describe describing characterize characterise characterizing quantify quantifying map mapping know known
    compare test testing report reported reporting review reviewing discuss explain establish estimate estimating
    measure measuring locate see read consider focusing focus focused focuses involving involve involves including
    include includes concerned published conducted performed dealing addressing address addresses exist exists existing
    improve improves improving improved reduce reduces reducing reduced increase increases increasing increased
    decrease decreases affect affects affecting influence influences influencing influenced cause causes causing caused
    treat treats treated predict predicts lead leads leading promote promotes promoting alter alters altering change
    changes changing contribute contributes contributing modulate modulates modulating regulate regulates regulating
    inhibit inhibits inhibiting induce induces inducing trigger triggers drive drives driving shape shapes protect
    protects protecting enhance enhances enhancing lower lowers lowering raise raises mediate mediates mediating
    associated linked connected undergoing receiving suffering linking carrying following facing living diagnosed work
    works working make makes detect detects support supports supporting apply applied applying use used uses help helps
    helping become becomes play plays take takes taking die dies died dying receive receives shorten shortens perceive
    perceives started start starts stop stops happen happens succeed fail fails relieve relieves avert averts screen
    screens diagnose diagnoses delay delays requires require required deliver delivers delivering restore restores cure
    cures get gets
"""
SEPARATORS = _words(_FUNCTION_WORDS + _VERBS)
ARTICLES = frozenset({"a", "an", "the", "any", "all", "some", "several", "various", "different", "certain", "own"})

# Nouns of works and of relations, with the adjectives that go with them: dropped at both ends of a phrase.
GENERIC = _words("""
    study studies article articles paper papers publication publications literature research researches evidence work
    works report reports finding findings information knowledge overview overviews summary summaries reference
    references scholarly peer-reviewed journal journals field area areas topic topics question questions
    state-of-the-art state art trial trials new novel emerging innovative existing relevant available important key main
    major current modern latest newest recent recently high-quality good best better possible potential underlying
    specific overall common general comprehensive promising effective real-world connection connections relationship
    relationships link links association associations correlation correlations interplay interaction interactions role
    roles effect effects impact impacts influence influences consequence consequences contribution contributions
    application applications use usage utility utilization uptake implementation implementations advance advances
    development developments trend trends progress approach approaches method methods methodology technique techniques
    strategy strategies mechanism mechanisms pathway model models framework frameworks solution solutions issue issues
    challenge challenges aspect aspects factor factors feature features types type kind kinds ways way example examples
    number amount level levels rate rates way comparison validation evaluation assessment analysis analyses
    investigation exploration understanding extent reduction reductions global adverse inappropriate incomplete
    increased decreased total partial typical catalogue catalogues tool tools variable variables enhancement
    enhancements licensed optimal immediate further sustainability schedule schedules facilitators challenge delivering
    provision network scoping towards toward effective safe safer accurate useful useless beneficial harmful feasible
    natural history success successful patient patients people person persons individual individuals subject subjects
    participant participants population populations case cases cohort cohorts group groups user users
    """)
KEPT_AT_END = frozenset({"analysis", "interaction", "interactions", "rate", "rates", "level", "levels", "pathway"})
"""Generic alone or at the beginning, but part of a name at its end: ``heart rate``, ``survival analysis``."""

# Aspects of a subject, not subjects themselves: a broad query leaves them out first.
ASPECTS = _words("""
    treatment treatments therapy therapies management care diagnosis diagnoses prognosis prevention screening detection
    prediction outcome outcomes risk risks safety efficacy tolerability benefit benefits harm harms prevalence
    incidence mortality morbidity survival epidemiology etiology aetiology pathogenesis pathophysiology progression
    severity symptom symptoms complication complications recurrence relapse cost costs cost-effectiveness quality
    accuracy performance monitoring intervention interventions program programs programme programmes policy policies
    barriers facilitators predictors determinants correlates causes consequences experiences perceptions attitudes
    beliefs adherence compliance access response responses recovery development supplementation administration dose
    dosing hospitalization hospitalizations hospitalisation hospitalisations pandemic carriers adult adults human
    humans male female controls control placebo clinical medical long-term short-term early late onset burden
    hospitalized hospitalised inpatient outpatient classification function functions expression regulation survivors
    practice practices effectiveness sustainability perspective perspectives perceptions views experience infection
    infections factor factors cause men women males females boys girls man woman inpatients middle-aged volunteers i.v.
    p.o. s.c. i.m. prescribing conventional standard usual sham eradication readmission readmissions death deaths
    single awareness measurement measures biomarker biomarkers data
    """)
ENDPOINTS = _words("""
    mortality morbidity survival recurrence relapse hospitalization hospitalizations hospitalisation hospitalisations
    readmission readmissions death deaths complications prognosis
    """)
"""Aspects that have headings worth searching."""
MEASURES = ENDPOINTS | _words("""
    risk risks outcome outcomes administration incidence prevalence
    """)
"""Measures, which stay aspects with an adjective before them: cardiovascular mortality."""
TRAILING = _words("""
    treatment treatments management diagnosis prognosis prevention risk risks outcome outcomes mortality morbidity
    survival prevalence incidence epidemiology etiology aetiology pathogenesis pathophysiology recurrence relapse
    hospitalization hospitalizations hospitalisation hospitalisations supplementation screening detection adherence
    compliance safety efficacy effectiveness tolerability severity prescribing readmission readmissions success burden
    eradication diagnostics intervention interventions programme programmes program programs
    """)
"""Aspects that follow their subject and are a block of their own: asthma hospitalisations."""
SETTINGS = frozenset(
    " ".join(
        """
        hospital; hospitals; inpatients; outpatients; outpatient clinics; clinics; primary care; primary health care;
        general practice; family practice; secondary care; tertiary care; tertiary hospitals; emergency department;
        emergency departments; emergency room; intensive care units; intensive care unit; intensive care; critical
        care; nursing homes; nursing home; care homes; residential care; long-term care; community; communities;
        community settings; rural areas; urban areas; rural; urban; low-income countries; middle-income countries;
        developing countries; endemic countries; high-income countries; low-resource settings; low-income and
        middle-income countries; countries; settings; home; workplace; ambulatory care; United States; United Kingdom;
        U.S.; U.K.; USA; UK; England; Scotland; Wales; Ireland; Canada; Australia; New Zealand; Africa; sub-Saharan
        Africa; South Africa; North Africa; East Africa; West Africa; Asia; South Asia; Southeast Asia; East Asia;
        Europe; North America; South America; Latin America; Middle East; Brazil; China; India; Japan; Korea; South
        Korea; Taiwan; Hong Kong; Thailand; Vietnam; Malaysia; Singapore; Indonesia; Philippines; Pakistan; Bangladesh;
        Nepal; Sri Lanka; Iran; Iraq; Turkey; Israel; Saudi Arabia; Egypt; Ethiopia; Kenya; Uganda; Tanzania; Rwanda;
        Malawi; Zambia; Zimbabwe; Mozambique; Ghana; Nigeria; Cameroon; Senegal; Mali; Sudan; Morocco; Tunisia;
        Algeria; Germany; France; Italy; Spain; Portugal; Netherlands; Belgium; Switzerland; Austria; Poland; Greece;
        Sweden; Norway; Denmark; Finland; Iceland; Russia; Ukraine; Romania; Hungary; Mexico; Argentina; Chile;
        Colombia; Peru; Cuba; Haiti
        """.lower().split()
    ).split("; ")
)
"""Settings of care and places: a block that is offered and not required."""
NOUNS_OF_VERBS = {
    "diagnosing": "diagnosis",
    "screening": "screening",
    "managing": "management",
    "preventing": "prevention",
    "prevent": "prevention",
    "prevents": "prevention",
    "prevented": "prevention",
    "treating": "treatment",
    "predicting": "prediction",
    "detecting": "detection",
    "prescribing": "prescribing",
}
"""Verb forms and the nouns that the query searches for instead."""
POPULATIONS = _words("""
    elderly seniors geriatric children child pediatric paediatric pediatrics childhood adolescents adolescent
    teenagers
    teens youth adolescence infants infant babies newborns newborn neonates neonatal pregnant pregnancy nurses
    """)
"""Single words that are a concept of their own beside their neighbour: childhood asthma."""
QUALIFIERS = frozenset({"medical", "clinical", "human", "biomedical", "patient", "health-related"})
"""Adjectives without which a heading says the same."""

# Phrases that a separator or a generic word must not break.
FIXED = (
    "quality of life", "activities of daily living", "standard of care", "length of stay", "end of life", "end-of-life",
    "point of care", "range of motion", "loss of function", "gain of function", "mechanism of action",
    "internet of things", "out of hospital cardiac arrest", "out-of-hospital cardiac arrest", "failure to thrive",
    "fear of falling", "burden of disease", "social determinants of health", "patent ductus arteriosus",
    "large for gestational age", "small for gestational age", "theory of mind", "sense of coherence",
    "safety and efficacy", "efficacy and safety", "signs and symptoms", "sensitivity and specificity",
    "morbidity and mortality", "head and neck cancer", "head and neck", "foot and mouth disease",
    "hand, foot and mouth disease", "knowledge, attitudes and practices", "wear and tear", "drug and alcohol",
    "mother and child", "in vitro", "in vivo", "in situ", "in utero", "in vitro fertilization", "ex vivo", "de novo",
    "post mortem", "quality of care", "time to treatment", "low birth weight", "end of life care", "face to face",
    "face-to-face", "head of bed", "low back pain", "common cold", "general practitioner", "general practitioners",
    "conflict of interest", "conflicts of interest", "adverse events", "men who have sex with men",
    "low-income and middle-income countries", "lower limb", "lower limbs", "lower extremity", "lower extremities",
    "lower back", "lower respiratory tract", "lower urinary tract", "lower urinary tract symptoms",
    "lower gastrointestinal", "lead poisoning", "lead exposure", "preterm infants", "preterm infant",
    "premature infants", "low birth weight infants", "very low birth weight infants", "older patients", "older adults",
    "mild cognitive impairment", "side effects", "side effect", "adverse effects", "adverse drug reactions",
    "placebo effect", "risk factors", "risk factor", "animal models", "animal model", "mouse models", "mouse model",
    "gender roles", "substance use", "drug use", "opioid use", "tobacco use", "substance use disorder",
    "drug interactions", "protein interactions", "host-pathogen interactions", "young people", "older people",
    "homeless people", "working memory", "decision making", "decision support", "clinical decision support",
    "drug development", "child development", "brain development", "drug discovery", "case fatality", "peer review",
    "public health", "primary care", "intensive care", "palliative care", "health care", "self-care", "day care",
    "social support", "emotion regulation", "gene expression", "gene regulation", "birth control", "infection control",
    "pain management", "self-management", "stress management", "climate change", "behavior change", "behaviour change",
    "medical education", "medication adherence", "big data", "work engagement", "sex work", "shift work", "social work",
    "transcription factor", "transcription factors", "growth factor", "growth factors", "blood type", "cell type",
    "cell types", "personality types", "group therapy", "support groups", "living donor", "learning disabilities",
    "study skills", "screen time", "gut-brain axis", "social media", "word of mouth", "alcohol use",
    "alcohol use disorder", "opioid use disorder", "cannabis use", "cannabis use disorder", "substance use disorders",
    "antibiotic use", "heart rate variability", "evidence-based practice", "evidence-based medicine",
)  # fmt: skip
ANDED_HEADS = _words("""
    breast ovarian lung colon rectal prostate gastric pancreatic liver kidney bladder thyroid cervical skin brain renal
    hepatic cardiac pulmonary vascular maternal neonatal fetal infant physical mental cognitive emotional social sexual
    bacterial viral fungal acute chronic primary secondary male female indoor outdoor anxiety depressive
    """)
"""First words that share the last word of what follows an ``and``: breast and ovarian cancer."""
