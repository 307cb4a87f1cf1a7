"""ChEMBL, UniChem and PDBe as services, and what their answers mean by status and words."""

import re

from biofact.core.settings import Setting, declare
from biofact.dialects import json_values
from biofact.transport.service import Answer, Service, Verdict

_FAILED = re.compile(r"could not be processed|try again|timed? ?out|backend|unavailable", re.IGNORECASE)


def error_words(body: bytes) -> str | None:
    """What an answer says went wrong; None when it is something else. Each service has its own word for it."""
    return json_values.error_words(body, "error_message", "exception", "error")


def judge(answer: Answer) -> Verdict:
    """What an answer means. A 404 is refused, whatever it is made of: whoever asked knows what does not exist then."""
    found = json_values.verdict(answer, error_words(answer.body), _FAILED)
    return found or ("transient" if answer.status in range(200, 300) else "refused")


CHEMBL = Service(
    name="chembl",
    title="ChEMBL",
    base_url=declare(
        Setting(
            "BIOFACT_CHEMBL_URL",
            "Where ChEMBL's web services are.",
            default="https://www.ebi.ac.uk/chembl/api/data",
        )
    ),
    per_second=10.0,
    judge=judge,
    form_headers=(("X-HTTP-Method-Override", "GET"),),
    reads_pairs=True,
    licence="ChEMBL data are CC BY-SA 3.0; attribution: ChEMBL, https://www.ebi.ac.uk/chembl/",
    probe_path="/status.json",
)
"""No limit is published; 10 a second is the specification's own number."""

UNICHEM = Service(
    name="unichem",
    title="UniChem",
    base_url=declare(
        Setting(
            "BIOFACT_UNICHEM_URL",
            "Where UniChem is, which knows a structure's IDs in other databases.",
            default="https://www.ebi.ac.uk/unichem/api/v1",
        )
    ),
    per_second=3.0,
    judge=judge,
    licence="Subject to EMBL-EBI's terms of use (https://www.ebi.ac.uk/about/terms-of-use).",
    probe_path="/sources",
)
"""No limit is published; 3 a second is fair use as we read it."""

PDBE = Service(
    name="pdbe",
    title="PDBe",
    base_url=declare(
        Setting(
            "BIOFACT_PDBE_URL",
            "Where PDBe is, which knows the PDB entries that hold a ligand.",
            default="https://www.ebi.ac.uk/pdbe/api",
        )
    ),
    per_second=5.0,
    judge=judge,
    licence="PDB data are CC0 1.0 (https://www.wwpdb.org/about/usage-policies).",
    probe_path="/pdb/compound/in_pdb/AIN",
)
"""No limit is published; 5 a second is fair use as we read it."""
