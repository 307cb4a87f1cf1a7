"""202 goals as people write them, each with subjects that its sensitive query must have, and may not require (!).

Written before any query was made of them: goal | subject; subject; !optional
"""

_TABLE = """
E. coli bacteraemia treatment | E. coli; bacteraemia; bacteremia; !treatment
P. falciparum resistance to artemisinin | P. falciparum; artemisinin
St. John's wort for depression | St. John's wort; depression
i.v. iron vs. oral iron in chronic kidney disease | i.v. iron; chronic kidney disease; !oral iron
H. pylori eradication and gastric cancer | H. pylori; gastric cancer
S. aureus nasal carriage in surgical patients | S. aureus
C. difficile infection after antibiotics | C. difficile; antibiotics
M. tuberculosis drug resistance in South Africa | M. tuberculosis; !South Africa
C. elegans models of ageing | C. elegans; ageing; aging
D. melanogaster sleep behaviour | D. melanogaster; sleep
S. cerevisiae stress response | S. cerevisiae
P. aeruginosa biofilms in cystic fibrosis | P. aeruginosa; biofilm; cystic fibrosis
K. pneumoniae carbapenem resistance | K. pneumoniae
A. baumannii outbreaks in intensive care units | A. baumannii; !intensive care
Candida spp. in the oral cavity | Candida
T. b. gambiense sleeping sickness diagnosis | T. b. gambiense
E coli O157:H7 in beef | E coli
H pylori in children | H pylori
Treatment of T. cruzi infection with benznidazole | T. cruzi; benznidazole
N. gonorrhoeae susceptibility to ceftriaxone | N. gonorrhoeae; ceftriaxone
L. monocytogenes in pregnancy | L. monocytogenes; pregnan
B. pertussis vaccination of mothers | B. pertussis
Toxoplasma gondii and schizophrenia | Toxoplasma gondii; schizophrenia
Escherichia coli urinary tract infection recurrence | Escherichia coli; urinary tract infection; !recurrence
Effect of S.c. versus i.v. trastuzumab on patient preference | trastuzumab
p.o. versus i.v. antibiotics for osteomyelitis | antibiotic; osteomyelitis
Ginkgo vs. placebo for tinnitus | ginkgo; tinnitus; !placebo
St. Louis encephalitis in the U.S. | St. Louis encephalitis
St. Jude valve thrombosis | St. Jude
Does vitamin B. supplementation help neuropathy? | vitamin B; neuropathy
Aspirin vs clopidogrel after stroke | aspirin; stroke; !clopidogrel
Laparoscopic versus open appendectomy in adults | appendectomy; !adults
Early versus late tracheostomy in ventilated patients | tracheostomy
CBT compared with antidepressants for panic disorder | cognitive behavioral therapy; panic disorder; !antidepressant
Is acupuncture better than sham acupuncture for migraine? | acupuncture; migraine
Exercise rather than medication for knee osteoarthritis | exercise; knee osteoarthritis; !medication
Warfarin compared to apixaban in atrial fibrillation: bleeding risk | warfarin; atrial fibrillation; !apixaban
Telehealth versus face-to-face care for anxiety | telehealth; anxiety; !face-to-face
Methotrexate relative to adalimumab for psoriasis | methotrexate; psoriasis; !adalimumab
Robot-assisted v conventional prostatectomy | prostatectomy
BRCA1/2 mutations and ovarian cancer | BRCA1; BRCA2; ovarian cancer
TP53 mutations in acute myeloid leukaemia | TP53; acute myeloid leukaemia; acute myeloid leukemia
APOE \u03b54 and Alzheimer's disease | APOE; Alzheimer
TNF-\u03b1 blockers in uveitis | TNF-alpha; uveitis
IL-17A inhibitors for psoriatic arthritis | IL-17A; psoriatic arthritis
IL-4/IL-13 signalling in atopic dermatitis | IL-4; IL-13; atopic dermatitis
\u03b2-blockers after myocardial infarction | beta-blocker; myocardial infarction
\u03b1-synuclein in Parkinson's disease | alpha-synuclein; Parkinson
NF-\u03baB activation in sepsis | NF-kappaB; sepsis
A\u03b242 as a biomarker of dementia | Abeta42; dementia
TGF-\u03b21 in keloid | TGF-beta1; keloid
PPAR\u03b3 agonists and fatty liver | PPARgamma; fatty liver
PD-1/PD-L1 blockade in melanoma | PD-1; PD-L1; melanoma
HER2+ breast cancer and trastuzumab | HER2; breast cancer; trastuzumab
KRAS G12C inhibitors in non-small cell lung cancer | KRAS G12C; non-small cell lung cancer
CFTR modulators in cystic fibrosis | CFTR; cystic fibrosis
miR-21 in glioma | miR-21; glioma
p53 and apoptosis | p53; apoptosis
CD4+ T cells in HIV | CD4; HIV
CYP2C19 genotype and clopidogrel response | CYP2C19; clopidogrel
HLA-B*57:01 and abacavir hypersensitivity | HLA-B; abacavir
5-HT3 antagonists for postoperative nausea | 5-HT3; nausea
\u03949-THC exposure in adolescents | THC; adolescent
\u03b3-secretase inhibitors | gamma-secretase
\u03c9-3 fatty acids and cardiovascular disease | omega-3 fatty acid; cardiovascular disease
25(OH)D levels and fractures | OH; fracture
SCN5A variants in Brugada syndrome | SCN5A; Brugada syndrome
mTOR inhibition and longevity | mTOR; longevity
What is the best treatment for plantar fasciitis? | plantar fasciitis; !treatment
Is metformin safe in heart failure? | metformin; heart failure
Does zinc shorten the common cold? | zinc; common cold
Can probiotics prevent necrotising enterocolitis in preterm infants? | probiotic; necrotizing enterocolitis; preterm
Should children with otitis media get antibiotics? | otitis media; antibiotic
How effective is mindfulness for chronic pain? | mindfulness; chronic pain
Which antidepressants cause weight gain? | antidepressant; weight gain
Why do statins cause muscle pain? | statin; muscle pain
Who benefits from bariatric surgery? | bariatric surgery
When should dialysis be started in acute kidney injury? | dialysis; acute kidney injury
Are e-cigarettes effective for smoking cessation? | e-cigarette; smoking cessation
Do school-based interventions reduce childhood obesity? | school-based intervention; obesity
What are the risk factors for post-operative delirium? | delirium
What is known about the natural history of hepatitis C? | hepatitis C
Would screening for lung cancer reduce mortality? | lung cancer; !mortality
Is there a link between coffee and pancreatic cancer? | coffee; pancreatic cancer
Has telemedicine improved diabetes care? | telemedicine; diabetes
How do nurses perceive bullying? | nurse; bullying
How accurate is CT for diagnosing appendicitis? | computed tomography; appendicitis; !diagnosing
Diagnosing pulmonary embolism with D-dimer | pulmonary embolism; D-dimer; !diagnosing
MRI for diagnosing multiple sclerosis in adults | MRI; multiple sclerosis; !adults; !diagnosing
Mortality of COVID-19 in adults with diabetes | COVID-19; diabetes; !mortality; !adults
Hospital mortality after hip fracture | hip fracture; !mortality
Survival of adults with glioblastoma treated with temozolomide | glioblastoma; temozolomide; !adults; !survival
Sepsis in the emergency department: lactate-guided resuscitation | sepsis; lactate; !emergency department
Antibiotic stewardship in primary care | antibiotic stewardship; !primary care
Falls prevention in nursing homes | fall; !nursing home
Hand hygiene compliance in hospitals | hand hygiene; !hospital
Postpartum haemorrhage in low-income countries | postpartum haemorrhage; postpartum hemorrhage; !low-income countries
Quality of life of men with prostate cancer | prostate cancer; !men
Adverse effects of clozapine | clozapine
Safety and efficacy of JAK inhibitors in alopecia areata | JAK inhibitor; alopecia areata
Prevalence of anaemia in pregnant women in Ethiopia | anaemia; anemia; pregnan; !Ethiopia
Incidence of Guillain-Barr\u00e9 syndrome after vaccination | Guillain-Barr; vaccin
Cost-effectiveness of HPV vaccination in girls | HPV; !cost-effectiveness
Oesophageal cancer screening in Barrett's oesophagus | oesophageal cancer; esophageal cancer; Barrett
Paediatric tumour surgery outcomes | tumour; tumor
Randomised trials of oestrogen for hot flushes | oestrogen; estrogen; hot flush
Foetal alcohol syndrome diagnosis | foetal alcohol syndrome; fetal alcohol syndrome
Hypoglycaemia in neonates | hypoglycaemia; hypoglycemia; neonat
Anaesthesia for caesarean section | anaesthesia; anesthesia; caesarean section; cesarean section
Orthopaedic implant infection | orthopaedic implant infection
Leukemia relapse after transplantation | leukemia; leukaemia; transplantation
Diarrhea in travelers | diarrhea; diarrhoea; travelers; travellers
Behavior therapy for insomnia | behavior therapy; behaviour therapy; insomnia
Pediatric asthma hospitalization | asthma; !hospitalization
Counseling for teenage mothers | counseling; counselling
Gynecologic oncology fellowship burnout | burnout
Hemorrhagic stroke rehabilitation | hemorrhagic stroke; haemorrhagic stroke
Pre-eclampsia and aspirin | pre-eclampsia; preeclampsia; aspirin
Follow-up after day-case surgery | day-case surgery
Self-management of COPD | self-management; chronic obstructive pulmonary disease
Non-alcoholic fatty liver disease and vitamin E | nonalcoholic fatty liver disease; vitamin E
Anti-TNF therapy and tuberculosis reactivation | anti-TNF; tuberculosis
Vitamin D supplementation for fractures in older adults | vitamin D; fracture; older adult
Vitamin C for sepsis | vitamin C; sepsis
Hepatitis B vaccine in dialysis patients | hepatitis B; dialysis
Influenza A virus in swine | influenza A virus; swine
Group B streptococcus in neonates | group B streptococcus; neonat
Type 2 diabetes and periodontitis | type 2 diabetes; periodontitis
Factor V Leiden and venous thrombosis | factor V Leiden; venous thrombosis
Stage III colon cancer adjuvant chemotherapy | colon; adjuvant; chemotherapy
Phase 3 trials of semaglutide for obesity | semaglutide; obesity
RCTs of cannabidiol in epilepsy | cannabidiol; epilepsy
Randomized controlled trials of yoga for low back pain since 2015 | yoga; low back pain
Systematic reviews of exergames for balance in the elderly | exergame; elderly
Case reports of scurvy in the last 10 years | scurvy
Cohort studies of glyphosate and lymphoma | glyphosate; lymphoma
Meta-analyses on intermittent fasting | intermittent fasting
Metformin in PCOS (polycystic ovary syndrome) | metformin; polycystic ovary syndrome
Chronic fatigue syndrome (CFS) and graded exercise therapy (GET) | chronic fatigue syndrome; graded exercise therapy
ADHD medication and growth | attention deficit hyperactivity disorder
NSAIDs and acute kidney injury | nonsteroidal anti-inflammatory drug; acute kidney injury
PTSD in veterans: EMDR | post-traumatic stress disorder; veteran; EMDR
ECMO for ARDS | ECMO; ARDS
TAVI vs SAVR | TAVI; !SAVR
GLP-1 agonists for NASH | GLP-1 receptor agonist; NASH
IBS and low FODMAP diet | IBS; low FODMAP diet
HIV/AIDS stigma in sub-Saharan Africa | HIV; stigma; !sub-Saharan Africa
SGLT2 inhibitors in HFpEF | SGLT2 inhibitor; heart failure
DOACs in antiphospholipid syndrome | DOAC; antiphospholipid syndrome
ctDNA for minimal residual disease | circulating tumor DNA; minimal residual disease
Kidney transplantation in patients >70 years | kidney transplant
Effect of 5 mg/kg ketamine on status epilepticus | ketamine; status epilepticus
10% glucose gel for neonatal hypoglycemia | glucose gel
Low-dose aspirin (75-100 mg) in pregnancy | aspirin; pregnan
Omega-3 (EPA/DHA) and depression | omega-3; depression
COVID-19 & mental health of students | COVID-19; mental health; student
Sleep, diet and exercise in shift workers | sleep; shift worker
Breast and ovarian cancer risk in BRCA2 carriers | breast cancer; ovarian cancer; BRCA2
Head and neck cancer radiotherapy | head and neck cancer; radiotherapy
Hand, foot and mouth disease vaccines | hand, foot and mouth disease; vaccine
"Pay for performance" in hospitals | pay for performance
Attitudes towards "assisted dying" among physicians | assisted dying; physician
in vitro fertilization success and BMI | in vitro fertilization; body mass index
Ex vivo lung perfusion | lung perfusion
De novo mutations in autism | autism
Sjogren's syndrome and dry eye | Sjogren; dry eye
M\u00e9ni\u00e8re's disease betahistine | betahistine
Crohn's disease and smoking | Crohn; smoking
Down's syndrome screening with cfDNA | Down; cfDNA
Long COVID fatigue in health care workers | long COVID; fatigue
Gut microbiota and obesity in mice | gut microbiota; obesity
CRISPR-Cas9 off-target effects | CRISPR-Cas9
Single-cell RNA-seq of the human pancreas | single-cell RNA; pancreas
Deep learning for detecting diabetic retinopathy | deep learning; diabetic retinopathy
Machine learning to predict sepsis in ICU patients | machine learning; sepsis; !ICU
ChatGPT in medical education | ChatGPT; medical education
Wearable devices to detect atrial fibrillation | wearable device; atrial fibrillation
Zika virus and microcephaly in Brazil | Zika virus; microcephaly; !Brazil
Malaria chemoprophylaxis for travellers to endemic countries | malaria; chemoprophylaxis; traveller; traveler
Japanese encephalitis vaccine safety | Japanese encephalitis; vaccine
Anticoagulants for cancer-associated thrombosis | anticoagulant; thrombosis
Physiotherapy after anterior cruciate ligament reconstruction | physiotherapy; anterior cruciate ligament reconstruction
Diabtes and metformn | diabtes; metformn
Prognosis of amyotrophic lateral sclerosis, excluding case reports | amyotrophic lateral sclerosis; !prognosis
Stroke in patients without atrial fibrillation | stroke
Suicide prevention in schools | suicide; !prevention
Smoking cessation before surgery: what works? | smoking cessation; surgery
Psilocybin, LSD or MDMA for depression | psilocybin; LSD; MDMA; depression
Deprescribing in older people near the end of life | deprescribing; older people; end of life
Lead poisoning in children | lead poisoning; child
Palliative care needs of homeless people | palliative care; homeless
Medication adherence apps for hypertension | medication adherence; hypertension
Gestational diabetes and metformin | gestational diabetes; metformin
Acute respiratory infections and vitamin D: effect sizes | respiratory infection; vitamin D
Rabies post-exposure prophylaxis | rabies; post-exposure prophylaxis; postexposure prophylaxis
Tranexamic acid in trauma: CRASH-2 | tranexamic acid; trauma
Endometriosis pain and dienogest | endometriosis; dienogest
Cataract surgery under topical anaesthesia | cataract surgery; topical anaesthesia; topical anesthesia
Green tea (Camellia sinensis) and LDL cholesterol | green tea; LDL cholesterol
Snake bite antivenom (Bothrops spp.) | snake bite; antivenom
Chikungunya arthritis, long-term | chikungunya
Burnout among doctors - causes | burnout; doctor
"""
LINES = [line.split(" | ") for line in _TABLE.strip().splitlines()]
GOALS: dict[str, list[str]] = {goal: expected.split("; ") for goal, expected in LINES}
