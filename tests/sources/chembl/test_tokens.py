"""The tokens that compounds, hits and measurements cost an agent, counted by a real tokenizer.

The budget of a short form is 35 tokens. Names and formulas cost what they cost (a systematic name 80, a formula with
six elements 12): the budget limits the rest, and the number of records beyond 35 tokens with them is printed.
"""

import asyncio
import statistics

import orjson
import pytest
from rs_bpe.bpe import openai

from biofact.core.records import Notice, with_parts
from biofact.sandbox.services.chembl.corpus import rows_of_starter
from biofact.sources.chembl import parse
from biofact.sources.chembl.records import Compound
from tests.marks import requirement
from tests.recordings import needs_recordings
from tests.sandboxed import WHOLE
from tests.sources.chembl.made_client import run
from tests.sources.chembl.recorded_molecules import all_molecules

pytestmark = pytest.mark.quick

TOKENS = openai.o200k_base()
ROWS = rows_of_starter()
COMPOUNDS = [f"CHEMBL:{row['molecule_chembl_id'][6:]}" for row in ROWS["molecule"]]
NAMES = {row["pref_name"] for row in ROWS["molecule"]} - {None}
TARGETS = [f"CHEMBL:{row['target_chembl_id'][6:]}" for row in ROWS["target"]]
QUERIES = sorted(NAMES | {"acid", "hydrochloride", "insulin", "im"})
BUDGET = 35
MOST_BESIDE_NAME = 30  # of a compound: five are left for a name
MOST_BESIDE_NAME_AND_FORMULA = 30  # of a hit, with score and match
MOST_BIOACTIVITY = 130
MOST_TARGET_ROW = 90
MOST_WHOLE = 300  # FR-027
FEWEST_VALUES = 1  # place of the parts with the shortest lists that still have the InChI
OVERESTIMATE = 25  # tokens that a record may be estimated too high, or be kept below its budget to be sure
CUT = {"uniprot": 5, "pdb": 5, "pubchem_substance": 5}


def cost(record):
    return TOKENS.count(record.model_dump_json())


def tokens_without(record, *fields):
    """The tokens of a record without the values of these fields."""
    values = [getattr(record, field) for field in fields]
    return cost(record) - sum(TOKENS.count(value) for value in values if value)


def report_costs(label, costs):
    excess = sum(cost > BUDGET for cost in costs)
    middle = statistics.median(costs)
    spread = f"{min(costs)}-{max(costs)} tokens, half of them {middle:g}"
    print(f"{label}: {spread}; {excess} of {len(costs)} above {BUDGET}")  # noqa: T201


@pytest.fixture(
    scope="module", params=[pytest.param(7, id="a seventh"), pytest.param(1, id="all", marks=pytest.mark.sweep)]
)
def records(request):
    """The answers for every n-th of the compounds, queries and targets of the starter rows."""
    compounds, queries, targets = (compounds[:: request.param] for compounds in (COMPOUNDS, QUERIES, TARGETS))

    async def ask(chembl):
        whole = await asyncio.gather(*(chembl.get_compound(compound) for compound in compounds))
        all_values = await asyncio.gather(*(chembl.get_compound(compound, include=["all"]) for compound in compounds))
        short = await asyncio.gather(*(chembl.get_compound(compound, slim=True) for compound in compounds))
        pages = await asyncio.gather(*(chembl.search_compounds(query) for query in queries))
        bioactivities = await asyncio.gather(
            *(chembl.get_bioactivities(compound, page_size=100) for compound in compounds)
        )
        compounds_for_targets = await asyncio.gather(
            *(chembl.find_compounds_for_target(target, page_size=100) for target in targets)
        )
        lists = [[row for page in page for row in page.items] for page in (pages, bioactivities, compounds_for_targets)]
        return {
            "asked for": compounds,
            "whole": whole,
            "everything": all_values,
            "short": short,
            **dict(zip(("hits", "measured", "working"), lists, strict=True)),
        }

    return run(ask, timing=WHOLE).answer


def test_a_short_compound_stays_within_its_budget_but_for_a_long_name(records):
    short = records["short"]
    report_costs("short compounds", list(map(cost, short)))

    assert max(tokens_without(item, "name") for item in short) <= MOST_BESIDE_NAME
    assert all(cost(item) <= BUDGET for item in short if TOKENS.count(item.name) <= BUDGET - MOST_BESIDE_NAME)


def test_a_short_hit_costs_little_besides_its_name_and_formula(records):
    short = [row.slim() for row in records["hits"]]
    report_costs("short hits", list(map(cost, short)))
    report_costs("short hits beside their names", [tokens_without(row, "name") for row in short])

    assert len(short) > len(records["asked for"])
    assert max(tokens_without(row, "name", "molecular_formula") for row in short) <= MOST_BESIDE_NAME_AND_FORMULA


def test_a_whole_compound_stays_within_its_budget(records):
    report_costs("whole compounds", list(map(cost, records["whole"])))

    assert [item.id for item in records["whole"]] == records["asked for"]
    assert len(COMPOUNDS) > 140
    assert max(map(cost, records["whole"])) <= MOST_WHOLE


@requirement("002 FR-027")
@needs_recordings
def test_every_recorded_molecule_stays_within_the_budget():
    compounds = [
        parse.compound(orjson.dumps(molecule), parse.SideFacts(release="ChEMBL_37")) for molecule in all_molecules()
    ]
    costs = [cost(item.selected()) for item in compounds]
    report_costs("recorded compounds", costs)

    assert len(costs) > 180
    assert max(costs) <= MOST_WHOLE


@requirement("002 FR-027")
def test_of_a_whole_compound_nothing_of_the_nine_fields_goes_without_a_word(records):
    """Compared with the whole record: the notice names each part that is cut, with the word that gets it."""
    for cut, whole in zip(records["whole"], records["everything"], strict=True):
        text = " ".join(notice.message for notice in cut.notices)
        for field in ("id", "name", "molecular_formula", "molecular_weight", "molecule_type", "max_phase", "parent"):
            assert getattr(cut, field) == getattr(whole, field)
        for field in ("smiles", "inchi", "canonical_name"):
            assert getattr(cut, field) == getattr(whole, field) or f"no {field}" in text
        assert len(cut.synonyms) <= 10
        assert cut.synonyms == whole.synonyms or f"{len(cut.synonyms)} of {len(whole.synonyms)}" in text
        for key, values in whole.cross_references.model_dump(exclude_none=True).items():
            kept_values = getattr(cut.cross_references, key)
            assert len(kept_values) <= CUT.get(key, 10**9)
            assert kept_values == values or f"{key} {len(kept_values)} of {len(values)}" in text


@requirement("002 FR-027")
def test_an_inchi_is_dropped_only_if_there_is_no_room_for_it(records):
    """A fourth synonym does not replace it: with three values of each list the record would still be too long."""
    pairs = [(cut, whole) for cut, whole in zip(records["whole"], records["everything"], strict=True) if whole.inchi]
    remainder = [(cut, whole) for cut, whole in pairs if cut.inchi is None]
    print(f"{len(remainder)} of {len(pairs)} whole compounds have no room for their InChI")  # noqa: T201

    assert 0 < len(remainder) <= 0.47 * len(pairs)
    for _, whole in remainder:
        record, cuts = with_parts(whole, Compound.tighter_parts[FEWEST_VALUES], ())
        assert record.inchi == whole.inchi
        assert cost(record.noted([Notice(code="LIST_CUT", message=cuts)] if cuts else [])) > MOST_WHOLE - OVERESTIMATE


def test_a_whole_hit_stays_within_its_budget(records):
    report_costs("whole hits", list(map(cost, records["hits"])))

    assert (
        max(tokens_without(row, "name") - sum(cost_of_form(form) for form in row.salt_forms) for row in records["hits"])
        <= 85
    )


def cost_of_form(form):
    return TOKENS.count(form.model_dump_json()) + 1


def test_a_measurement_stays_within_its_budget(records):
    report_costs("measurements", list(map(cost, records["measured"])))

    texts = {f"CHEMBL{item[7:]}" for item in records["asked for"]}
    of_these = [row for row in ROWS["activity"] if row["molecule_chembl_id"] in texts]
    assert len(records["measured"]) == len(of_these) > 0
    assert max(map(cost, records["measured"])) <= MOST_BIOACTIVITY


def test_a_compound_of_a_target_stays_within_its_budget(records):
    report_costs("compounds of targets", list(map(cost, records["working"])))

    assert max(map(cost, records["working"])) <= MOST_TARGET_ROW
