"""The forms of words: British and American spelling, number, hyphens, order, asterisks."""

import pytest

from biofact.literature.query import synonyms, terms, wording
from tests.each_of import each_of
from tests.literature.query_syntax import term_problems

pytestmark = pytest.mark.quick

# British and American, as in the spelling lists of the BMJ's and the AMA's style guides.
PAIRS = """
    anaemia anemia, tumour tumor, hospitalisation hospitalization, counselling counseling, haemorrhage hemorrhage
    bacteraemia bacteremia, oesophagus esophagus, diarrhoea diarrhea, foetal fetal, paediatric pediatric
    orthopaedic orthopedic, randomised randomized, behaviour behavior, oedema edema, caesarean cesarean
    aetiology etiology, faecal fecal, oestrogen estrogen, necrotising necrotizing, ageing aging, signalling signaling
    dyspnoea dyspnea, coeliac celiac, leucocyte leukocyte, sulphonamide sulfonamide, centre center, fibre fiber
    programme program, analyse analyze, travellers travelers, ischaemic ischemic, hypoglycaemia hypoglycemia
    labour labor, colour color, haematuria hematuria, methaemoglobin methemoglobin, apnoea apnea
    utilisation utilization,
    gastro-oesophageal gastro-esophageal, anaesthesia anesthesia, uraemia uremia, grey gray, oestradiol estradiol
""".replace("\n", ",").split(",")
WORDS = """
    exercise disease increased premise academia epidemic impede speed expedite pedal fetch laboratory colorectal
    estimate hemisphere hemiplegia supervised phased revised precise promise raised laryngeal humoral biased prognosis
    diagnosis analysis paralysis chromosome size prize programming programmed fecund restricted noise dose disguise
    television advised franchise cruise merchandise expertise surprise rise wise likewise advertise circumcised
    compromised improvise paradise emergency filter accelerate coagulation western cholesterol polyester
""".split()  # noqa: SIM905


@each_of("pair", [pair.strip() for pair in PAIRS if pair.strip()])
def test_a_word_is_known_in_both_spellings(pair):
    british, american = pair.split()

    assert (wording.american(british), wording.british(american)) == (american, british)
    assert (wording.american(american), wording.british(british)) == (american, british)


@each_of("word", WORDS)
def test_a_word_with_one_spelling_stays(word):
    assert wording.spellings(word) == [word]


@pytest.mark.parametrize("word", ["gastroesophageal", "phytoestrogen"])
def test_an_american_compound_is_not_mistaken_for_british(word):
    assert wording.american(word) == word


@each_of(
    ("phrase", "forms"),
    [
        ("vaccine", ["vaccine*"]),
        ("vaccines", ["vaccine*"]),
        ("gene", ["gene", "genes"]),  # gene* would find generations
        ("gene therapy", ["gene therap*"]),
        ("biopsies", ["biops*"]),
        ("diagnosis", ["diagnos*"]),
        ("metastases", ["metastas*"]),
        ("mice", ["mice", "mouse"]),
        ("pregnant women", ["pregnant women", "pregnant woman"]),
        ("children", ["child*"]),
        ("type 2 diabetes", ["type 2 diabet*"]),
        ("rheumatoid arthritis", ["rheumatoid arthritis"]),
        ("Zika virus", ["Zika virus*"]),
        ("SSRIs", ["SSRIs", "SSRI"]),
        ("primary care", ["primary care"]),  # care* would find careers
        ("hospital bed", ["hospital bed", "hospital beds"]),  # three letters are too few
        ("BRCA1", ["BRCA1"]),
    ],
)
def test_a_phrase_is_searched_for_in_both_numbers(phrase, forms):
    assert wording.numbers(phrase) == forms


@each_of(
    ("word", "root"),
    [
        ("vaccination", "vaccin"),
        ("transplantations", "transplant"),
        ("infection", "infect"),
        ("hypertension", "hypertens"),
        ("pregnancy", "pregnan"),
        ("resistance", "resistan"),
        ("deprescribing", "deprescrib"),
        ("medication", "medicat"),  # not medic
        ("position", "position"),  # not posit
    ],
)
def test_a_sensitive_query_cuts_to_the_root_of_a_family(word, root):
    assert wording.root(word) == root


@each_of(
    ("phrase", "texts"),
    [
        ("Diabetes, Gestational", ["Gestational diabet*"]),
        ("pre-eclampsia", ["pre-eclampsia*", "preeclampsia*", "pre eclampsia*"]),
        ("nonalcoholic", ["nonalcoholic*", "non-alcoholic*"]),
        ("leukaemia", ["leukaemia*", "leukemia*"]),
        ("E. coli", ["E. coli"]),
        ("Hand, Foot and Mouth Disease", ["Hand Foot and Mouth Disease*"]),
        ("Guillain-Barr\u00e9 syndrome", ["Guillain-Barre syndrome*", "Guillain Barre syndrome*"]),
        ("radiolog*", ["radiolog*"]),
        ("Aged", []),  # "aged 3 to 5" is about no old people
        ("B", []),
        ("of the", []),
    ],
)
def test_a_phrase_stands_in_titles_in_these_forms(phrase, texts):
    forms = [form.text for form in terms.free_text([phrase])]

    assert [text.lower() for text in forms] == [text.lower() for text in texts]
    assert [problem for text in forms for problem in term_problems(text, "Title/Abstract")] == []


def test_words_within_a_truncated_one_are_dropped_and_kept_for_other_searches():
    (form,) = terms.free_text(["fatty liver", "fatty live"])

    assert form.text == "fatty live*"
    assert {"fatty liver", "fatty live"} <= set(form.whole)


@each_of(
    ("name", "other_values"),
    [
        ("E. coli", ["Escherichia coli"]),
        ("H pylori", ["H. pylori", "Helicobacter pylori"]),
        ("Toxoplasma gondii", ["T. gondii"]),
        ("M. pneumoniae", ["Mycoplasma pneumoniae"]),
        ("S. pneumoniae", ["Streptococcus pneumoniae"]),
        ("i.v. iron", ["intravenous iron"]),
        ("metformin", []),
    ],
)
def test_a_short_name_is_searched_for_in_full(name, other_values):
    assert synonyms.full_names(name) == other_values


@each_of(
    ("text", "is_organism"),
    [
        ("C. elegans", True),
        ("T. b. gambiense", True),
        ("Escherichia coli", True),
        ("vitamin D", False),
        ("E. treatment", False),
    ],
)
def test_an_organism_is_distinguished_from_other_names(text, is_organism):
    assert synonyms.is_organism(text) is is_organism
