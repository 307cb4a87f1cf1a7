"""UniProt entries of approved drugs against ChEMBL's own recorded mapping of targets (SC-006), value by value.

PubChem, DrugBank, KEGG and the PDB have no recording that knows them: those are held against starter facts only.
"""

import asyncio

from biofact.sandbox.services.chembl.rows import rows_of_starter
from tests.recordings import needs_recordings, recording
from tests.sandboxed import WHOLE
from tests.sources.chembl.made_client import run

APPROVED = [
    f"CHEMBL:{row['molecule_chembl_id'][6:]}" for row in rows_of_starter()["molecule"] if row["max_phase"] == "4.0"
]


def mapping():
    """The accessions of each target of release 32."""
    found = {}
    for line in recording("bulk/chembl_32_uniprot_mapping.txt").decode().splitlines():
        if not line.startswith("#"):
            accession, target, *_ = line.split("\t")
            found.setdefault(f"CHEMBL:{target[6:]}", set()).add(f"UniProtKB:{accession}")
    return found


@needs_recordings
def test_more_than_95_of_100_uniprot_entries_of_approved_drugs_are_those_of_the_recorded_mapping():
    async def ask(chembl):
        return await asyncio.gather(*(chembl.get_compound(one, include=["all"]) for one in APPROVED))

    known = mapping()
    pairs = []
    for drug in run(ask, timing=WHOLE).answer:
        expected = {value for one in drug.mechanisms for value in known.get(one.target, ())}
        pairs += [(drug.id, value, value in expected) for value in drug.cross_references.uniprot or ()]
        pairs += [(drug.id, value, False) for value in expected - {*(drug.cross_references.uniprot or ())}]
    drugs, right = {drug for drug, _, _ in pairs}, sum(is_right for _, _, is_right in pairs)
    print(f"{len(drugs)} approved drugs, {right} of {len(pairs)} UniProt entries right")  # noqa: T201

    assert right > 0.95 * len(pairs)
    assert len(drugs) > 50
