"""The answers of the tools to false replies about the made compounds, and rows for these replies."""

from tests.sources.chembl.made_client import fixed_answer, list_answer, run
from tests.sources.chembl.made_compounds import FACTS


def run_tool(tool, *arguments, faults=(), **options):
    return run(lambda chembl: getattr(chembl, tool)(*arguments, **options), *faults, facts=FACTS).answer


def compound(*faults, **options):
    return run_tool("get_compound", "CHEMBL:1", faults=faults, **{"include": ["all"], **options})


def bioactivities(*faults, **options):
    return run_tool("get_bioactivities", "CHEMBL:1", faults=faults, **options)


def of_target(*faults, **options):
    return run_tool("find_compounds_for_target", "CHEMBL:100", faults=faults, **options)


def activity(number, **options):
    known_values = {
        "activity_id": number,
        "molecule_chembl_id": "CHEMBL1",
        "parent_molecule_chembl_id": "CHEMBL1",
        "target_chembl_id": "CHEMBL100",
        "pchembl_value": "7.00",
        "standard_type": "IC50",
    }
    return {**known_values, **options}


def activities(*rows):
    """These rows as the answer to the next question."""
    return fixed_answer(list_answer("activities", list(rows)), "/activity.json", times=1)
