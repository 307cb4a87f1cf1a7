"""ChEMBL, UniChem and PDBe as services, and the verdict on their answers by status and text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Literal

from biofact.core.settings import Setting, declare
from biofact.dialects import json_values
from biofact.transport.service import Answer, Request, Service, Verdict

_FAILED = re.compile(r"could not be processed|try again|timed? ?out|backend|unavailable", re.IGNORECASE)


def error_words(body: bytes) -> str | None:
    """The error text of an answer, or None if it has none. Each service has its own field for it."""
    return json_values.error_words(body, "error_message", "exception", "error")


def judge(answer: Answer) -> Verdict:
    """The verdict on an answer. A 404 with any body is refused: the caller knows then that the entry does not exist."""
    verdict = json_values.verdict(answer, error_words(answer.body), _FAILED)
    # An error under a good status is no refusal of the query: it is asked again.
    return verdict or ("transient" if answer.status in range(200, 300) else "refused")


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


JSON = "application/json"
MOST_ROWS = 1000
"""The most rows of one answer; ChEMBL cuts longer lists."""
MOST_FOUND = 10_000
"""Hits of a search that can be reached."""

_NAMES = {"synonym": "molecule_synonyms__molecule_synonym", "preferred": "pref_name"}
_HIT_FIELDS = (
    "molecule_chembl_id,pref_name,molecule_type,max_phase,molecule_hierarchy,molecule_properties,molecule_synonyms"
)
"""The fields of a hit that a search requests."""
_STRUCTURE_FIELDS = f"{_HIT_FIELDS},molecule_structures"
_NOTATION_FILTERS = {
    "inchi_key": "standard_inchi_key",
    "inchi": "standard_inchi",
    "smiles": "canonical_smiles__flexmatch",
}

_TARGET_NAMES = {
    "synonym": "target_components__target_component_synonyms__component_synonym",
    "preferred": "pref_name",
}
_LIGHTEST = ("molecule_properties__full_mwt", "molecule_chembl_id")

NOTATION_NAMES = {"inchi_key": "InChIKey", "inchi": "InChI", "smiles": "SMILES", "chembl_id": "ID"}
"""Notations of a structure, as sentences call them."""

NameComparison = Literal["iexact", "istartswith", "iendswith"]
NameKind = Literal["synonym", "preferred"]
"""Which of a molecule's names: the preferred one is not always among its synonyms."""
PdbeApi = Literal["v1", "v2"]
Filters = tuple[tuple[str, str], ...]
"""Further filters, by field."""


@dataclass(frozen=True, slots=True)
class QueryStructure:
    """The structure of a query, with which molecules are compared."""

    notation: Literal["chembl_id", "smiles"]
    text: str


def molecules(ids: Sequence[str]) -> Request:
    """Molecules by ID, such as ``CHEMBL25``; those that do not exist are listed apart."""
    return _get(f"/molecule/set/{';'.join(ids)}.json")


def search(words: str, offset: int, limit: int) -> Request:
    """Molecules whose names, synonyms or IDs hold these words; three characters at least."""
    request = _get("/molecule/search.json", q=words, limit=limit, offset=offset, only=_HIT_FIELDS)
    return replace(request, part="search")  # it fails while the tables stand (UPSTREAMS 4.2)


def molecules_by_name(
    name: str,
    comparison: NameComparison,
    offset: int,
    limit: int,
    *,
    name_kind: NameKind = "synonym",
    filters: Filters = (),
) -> Request:
    """Molecules with a name of this kind that is, begins or ends like this."""
    return _molecules(offset, limit, **{f"{_NAMES[name_kind]}__{comparison}": name, **dict(filters)})


def molecules_by_spelling(spellings: Sequence[str], name_kind: NameKind) -> Request:
    """Molecules with a name of this kind that is written in one of these ways, letter case included.

    One value is a list with commas between. Of a filter that is given several times each value is one, so that it may
    hold commas (the service's code as it was published, core/resource.py, read 2026-11-23).
    """
    name = f"{_NAMES[name_kind]}__in"
    if not any("," in spelling for spelling in spellings):
        return _molecules(0, MOST_ROWS, **{name: ",".join(spellings)})
    # A single value would be read as a list, and split at its comma: it is given twice.
    values = spellings if len(spellings) > 1 else [*spellings, *spellings]
    request = _molecules(0, MOST_ROWS)
    return replace(request, params=(*request.params, *((name, value) for value in values)))


def with_inchi_keys(inchi_keys: Sequence[str]) -> Request:
    """Molecules of these structures."""
    return _molecules(0, MOST_ROWS, _STRUCTURE_FIELDS, molecule_structures__standard_inchi_key__in=",".join(inchi_keys))


def with_structure(notation: str, text: str) -> Request:
    """Molecules of the structure that an InChIKey, InChI or SMILES writes; a SMILES however ChEMBL spells it."""
    return _molecules(0, MOST_ROWS, _STRUCTURE_FIELDS, **{f"molecule_structures__{_NOTATION_FILTERS[notation]}": text})


def mechanisms_of(parents: Sequence[str]) -> Request:
    """The mechanisms of drugs and their salts."""
    return _get("/mechanism.json", parent_molecule_chembl_id__in=",".join(parents), limit=MOST_ROWS)


def mechanisms_on(targets: Sequence[str]) -> Request:
    """Which drugs work on these targets."""
    return _get("/mechanism.json", target_chembl_id__in=",".join(targets), limit=MOST_ROWS)


def indications_of(parents: Sequence[str]) -> Request:
    """The indications of drugs and their salts, trials included."""
    return _get("/drug_indication.json", parent_molecule_chembl_id__in=",".join(parents), limit=MOST_ROWS)


def targets(ids: Sequence[str]) -> Request:
    """Targets by ID."""
    return _get("/target.json", target_chembl_id__in=",".join(ids), limit=MOST_ROWS)


def targets_with(accession: str) -> Request:
    """Targets that have this UniProt entry as a component."""
    return _get("/target.json", target_components__accession=accession, limit=MOST_ROWS)


def target_search(words: str, offset: int, limit: int, filters: Filters = ()) -> Request:
    """Targets whose names, synonyms or accessions hold these words."""
    # As of molecules, the search fails while the tables stand: it has a breaker of its own.
    request = _get("/target/search.json", q=words, limit=limit, offset=offset, **dict(filters))
    return replace(request, part="search")


def targets_by_name(name: str, name_kind: NameKind, filters: Filters = ()) -> Request:
    """Targets whose preferred name, or a name of a component, is this one."""
    return _get("/target.json", **{f"{_TARGET_NAMES[name_kind]}__iexact": name, **dict(filters)}, limit=MOST_ROWS)


def similar(structure: QueryStructure, threshold: int, offset: int, limit: int) -> Request:
    """Molecules with at least this similarity in percent, the most similar first."""
    params: dict[str, str | int] = {structure.notation: structure.text, "similarity": threshold}
    return _get("/similarity.json", **params, limit=limit, offset=offset, only=f"{_HIT_FIELDS},similarity")


def superstructures(structure: QueryStructure, offset: int, limit: int) -> Request:
    """Molecules that hold this structure, the lightest first."""
    request = _get(
        "/substructure.json", **{structure.notation: structure.text}, limit=limit, offset=offset, only=_HIT_FIELDS
    )
    return replace(request, params=(*request.params, *(("order_by", name) for name in _LIGHTEST)))


def activities(order: str, offset: int, limit: int, **filters: str) -> Request:
    """Measurements; ``order`` is of fields with commas between, each with a hyphen for descending."""
    request = _get("/activity.json", **filters, limit=limit, offset=offset)
    return replace(request, params=(*request.params, *(("order_by", name) for name in order.split(","))))


def id_lookup(chembl_id: str) -> Request:
    """The kind of an ID: compound, target, assay or document."""
    return replace(_get(("chembl_id_lookup", f"{chembl_id}.json")), is_absent=_is_unknown_id)


def _is_unknown_id(answer: Answer) -> bool:
    """Whether a 404 is ChEMBL's own: its framework writes the reason in JSON, or sends no body at all."""
    return _has_reason(answer) or (answer.status == HTTPStatus.NOT_FOUND and not answer.body.strip())


_has_reason = json_values.not_found("error_message")


def ids_lookup(ids: Sequence[str]) -> Request:
    """The kinds of IDs; those that never existed are left out."""
    return _get("/chembl_id_lookup.json", chembl_id__in=",".join(ids), limit=MOST_ROWS)


def status() -> Request:
    """The release."""
    return _get("/status.json")


def structure_ids(inchi_key: str) -> Request:
    """A structure's IDs in other databases."""
    return Request(UNICHEM, "/compounds", method="POST", json={"type": "inchikey", "compound": inchi_key}, accept=JSON)


def structures_with(source: int, compound_id: str) -> Request:
    """The structures with an ID in another database, by UniChem's number of that. Slower to answer than InChIKeys."""
    body = {"type": "sourceID", "compound": compound_id, "sourceID": source}
    return Request(UNICHEM, "/compounds", method="POST", json=body, accept=JSON)


def entries_with(ligand: str, api: PdbeApi = "v1") -> Request:
    """The PDB entries that hold a ligand. That v2 has this path and answers alike is unverified."""
    path = ("pdb" if api == "v1" else api, "compound", "in_pdb", ligand)
    return Request(PDBE, path, accept=JSON, is_absent=json_values.not_found(), is_gone=is_gone)


def is_gone(answer: Answer) -> bool:
    """Whether a service reports that it has a path no more."""
    return answer.status in _GONE_STATUSES


_GONE_STATUSES = frozenset(
    {HTTPStatus.MOVED_PERMANENTLY, HTTPStatus.PERMANENT_REDIRECT, HTTPStatus.NOT_FOUND, HTTPStatus.GONE}
)


def _molecules(offset: int, limit: int, fields: str = _HIT_FIELDS, **filters: str) -> Request:
    return _get("/molecule.json", **filters, limit=limit, offset=offset, only=fields)


def _get(path: str | tuple[str, ...], **params: str | int) -> Request:
    return Request(CHEMBL, path, tuple((name, str(value)) for name, value in params.items()), accept=JSON)


_MEASUREMENT_FILTERS = {"target_chembl_id__in": "CHEMBL203", "pchembl_value__isnull": "false"}
_ASPIRIN = QueryStructure("smiles", "CC(=O)Oc1ccccc1C(=O)O")

PROBES = (
    ("the release", status()),
    ("whether only= keeps a search short", search("imatinib", 0, 3)),
    ("whether the search finds beginnings", search("imat", 0, 3)),
    ("synonyms that begin so", molecules_by_name("imat", "istartswith", 0, 3, filters=(("max_phase", "4"),))),
    ("several molecules, one of which is none", molecules(("CHEMBL25", "CHEMBL999999999"))),
    ("what does not exist", id_lookup("CHEMBL999999999")),
    ("mechanisms of several", mechanisms_of(("CHEMBL941", "CHEMBL25"))),
    ("a structure by its SMILES", with_structure("smiles", "CC(=O)Oc1ccccc1C(=O)O")),
    ("a structure elsewhere", structure_ids("BSYNRYMUTXBXSQ-UHFFFAOYSA-N")),
    ("UniChem's databases", Request(UNICHEM, "/sources")),
    ("targets by ID", targets(("CHEMBL203", "CHEMBL2363049"))),
    ("targets of a UniProt entry", targets_with("P00533")),
    ("measurements in order", activities("-pchembl_value,activity_id", 0, 3, **_MEASUREMENT_FILTERS)),
    (
        "measurements of a type, a kind of assay and a potency",
        activities(
            "-pchembl_value,activity_id",
            0,
            3,
            **_MEASUREMENT_FILTERS,
            standard_type="Ki",
            assay_type="B",
            pchembl_value__gte="8",
        ),
    ),
    ("names that end so", molecules_by_name("tinib", "iendswith", 0, 3)),
    ("several names", molecules_by_spelling(("IMATINIB", "CARBIDOPA"), "preferred")),
    ("several names, one of them with a comma", molecules_by_spelling(("Water, purified", "Glivec"), "synonym")),
    ("several IDs of other kinds", ids_lookup(("CHEMBL203", "CHEMBL25", "CHEMBL999999999"))),
    ("several InChIKeys", with_inchi_keys(("BSYNRYMUTXBXSQ-UHFFFAOYSA-N", "KTUFNOKKBVMGRW-UHFFFAOYSA-N"))),
    ("a preferred name", molecules_by_name("carbidopa", "iexact", 0, 3, name_kind="preferred")),
    ("a structure by its InChIKey", with_structure("inchi_key", "BSYNRYMUTXBXSQ-UHFFFAOYSA-N")),
    ("PDB entries of a ligand", entries_with("AIN")),
    ("PDB entries of a ligand by PDBe's API v2", entries_with("AIN", "v2")),
    ("a ligand that PDBe's API v2 does not know", entries_with("ZZZZZ", "v2")),
    ("targets by words", target_search("EGFR", 0, 3)),
    ("targets by words, of one organism", target_search("EGFR", 0, 3, (("tax_id__in", "9606"),))),
    ("targets by a gene symbol", targets_by_name("EGFR", "synonym")),
    ("compounds like a SMILES", similar(_ASPIRIN, 70, 0, 3)),
    ("the least threshold", similar(_ASPIRIN, 40, 0, 3)),
    ("compounds like a compound", similar(QueryStructure("chembl_id", "CHEMBL25"), 70, 0, 3)),
    ("compounds that hold a structure", superstructures(_ASPIRIN, 0, 3)),
    ("whether a substructure may be short", superstructures(QueryStructure("smiles", "CCO"), 0, 3)),
)
