"""The stand-ins for ChEMBL, UniChem and PDBe: each takes a request to the rows that answer it. ChEMBL's replay, too."""

import functools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from biofact.sandbox.recordings import Recording, Replay, RequestKey
from biofact.sandbox.services.chembl.corpus import recorded_molecules, resources, rows_of_starter, whole_rows
from biofact.sandbox.services.chembl.requests import (
    BASE_PATH,
    CONTROLS,
    PAGE_CONTROLS,
    PageRequest,
    as_get,
    check_form,
    check_names,
    chembl_refusal,
    is_json,
    is_read,
    page_request,
)
from biofact.sandbox.services.chembl.search import Molecules, NamedTable, target_names
from biofact.sandbox.services.chembl.tables import ResourceTable, Spellings
from biofact.sandbox.sizes import JsonPadding, RecordSize, first_number, scattered
from biofact.sandbox.standin import (
    Refusal,
    RefusingStandIn,
    Reply,
    ServiceRequest,
    StandIn,
    json_refusal,
    json_reply,
    plain_path,
)
from biofact.sandbox.tables import Row, Rows
from biofact.sources.chembl.service import CHEMBL, PDBE, UNICHEM


@functools.cache
def stand_ins(recordings: Path | None = None) -> tuple[StandIn, ...]:
    """ChEMBL, UniChem and PDBe over the starter rows; with recordings, ChEMBL has some 190 molecules more.

    Built once per process: they have no state between requests.
    """
    rows = rows_of_starter()
    molecules = recorded_molecules(recordings) if recordings else ()
    if recordings and not molecules:
        return stand_ins()
    return ChemblStandIn(rows, molecules), UniChemStandIn(rows), PdbeStandIn(rows)


def _drawn_molecules(document: Any) -> Iterator[tuple[str, Row]]:
    """The molecules with their structures, each with its ID; ``only`` may leave out either."""
    for row in document.get("molecules", [document]):
        if row.get("molecule_structures") and "molecule_chembl_id" in row:
            yield row["molecule_chembl_id"], row


def _draw(row: Row, max_bytes: int) -> None:
    """Add the coordinates of a drawing to a molecule, a line an atom."""
    line = "   {:7.4f}   {:7.4f}    0.0000 C   0  0\n"
    count = max(0, max_bytes - 20) // (len(line.format(1, 1)) + 1)  # a line break is two bytes in JSON
    start = first_number(row)
    places = (
        (scattered(2 * number, 10**6) / 1e5, scattered(2 * number + 1, 10**6) / 1e5)
        for number in range(start, start + count)
    )
    atoms = (line.format(x, y) for x, y in places)
    row["molecule_structures"] |= {"molfile": "".join(atoms)}


_MOLECULE_PADDING = JsonPadding(
    path=re.compile(r"/(?:molecule|similarity|substructure).*\.json"),
    # 139 recorded molecules without drawing: 1.4, median 1.7, at most 3.0 kB; the contract has the drawing beside it.
    size=RecordSize(
        4_000, 12_000, "recorded 2019-26, and 70 bytes an atom for the molfile of UPSTREAMS 4: an estimate"
    ),
    records=_drawn_molecules,
    grow=_draw,
)


class ChemblStandIn(RefusingStandIn):
    """Answers as ChEMBL does over starter rows, and over recorded molecules that these do not have."""

    service = CHEMBL
    paddings = (_MOLECULE_PADDING,)

    def __init__(self, rows: Rows, recorded_molecules: Iterable[Row] = ()) -> None:
        whole = whole_rows(rows, recorded_molecules)
        molecules = Molecules(whole["molecule"], _spellings(rows.get("molecule", ())))
        targets = NamedTable("target", whole["target"], target_names)
        tables = {name: ResourceTable(resource, whole[name]) for name, resource in resources().items()}
        self._tables = {**tables, "molecule": molecules, "target": targets}
        self._searches = {
            "molecule/search": molecules.search,
            "target/search": targets.search,
            "similarity": molecules.similar,
            "substructure": molecules.with_substructure,
        }
        self._status = {
            "api_version": "sandbox",
            "chembl_db_version": "ChEMBL_37",
            "chembl_release_date": "2026-05-01",
            "status": "UP",
            "activities": len(whole["activity"]),
            "compound_records": len(whole["molecule"]),
            "disinct_compounds": len(whole["molecule"]),  # the real service's spelling
            "publications": len({row["document_chembl_id"] for row in whole["activity"]} - {None}),
            "targets": len(whole["target"]),
        }

    def answer(self, request: ServiceRequest) -> Reply:
        """The answer in ChEMBL's form."""
        request = as_get(request)
        if plain_path(request.path) == SPORE_PATH:
            # The SDK asks for it while it is imported.
            return json_reply(spore(self._tables, request.headers.get("host", "")))
        check_form(request)
        path = plain_path(request.path).removeprefix("/")
        if path in self._searches:
            return self._searches[path](request)
        resource, _, rest = path.partition("/")
        if resource == "status" and not rest:
            check_names(request, CONTROLS - {"only"})
            return json_reply(self._status)
        table = self._tables.get(resource)
        if table is None:
            raise chembl_refusal(f"The sandbox has no resource {resource!r:.80}.", status=404)
        if not rest:
            return table.list_page(request)
        if rest.startswith("set/"):
            return table.set_reply(request, rest.removeprefix("set/"))
        return table.row_reply(request, rest)

    def replay(self, recordings: Sequence[Recording]) -> Replay:
        """The rule by which recorded answers are replayed."""
        return ChemblReplay(recordings)


def _spellings(molecules: Iterable[Row]) -> Spellings:
    """Other SMILES of a molecule, which its row has beside what is sent."""
    spellings: dict[str, frozenset[str]] = {}
    for row in molecules:
        for smiles in row.get("also_smiles", ()):
            canonical = row["molecule_structures"]["canonical_smiles"]
            spellings[smiles] = spellings.get(smiles, frozenset()) | {canonical}
    return spellings


SPORE_PATH = "/spore"


def spore(resources: Mapping[str, ResourceTable], host: str) -> dict[str, Any]:
    """The description of these resources; without a ``host``, without an address.

    A resource that can be searched has a method ``GET_<name>_get_search``. Which other members the real description
    has is not recorded; these are the ones that chembl_webresource_client 0.10.9 reads (new_client.py).
    """
    methods = {name: method for resource, table in resources.items() for name, method in _methods(resource, table)}
    methods["GET_status"] = _method("GET", "/status.json", "status", "")
    address = {"base_url": f"http://{host}/"} if host else {}
    return {"name": "ChEMBL", "version": "sandbox", "expected_status": [200, 400, 404], **address, "methods": methods}


def _methods(resource: str, table: ResourceTable) -> Iterator[tuple[str, dict[str, Any]]]:
    names = (resource, table.plural)
    yield f"GET_{resource}_dispatch_list", _method("GET", f"/{resource}.json", *names)
    yield f"POST_{resource}_dispatch_list", _method("POST", f"/{resource}.json", *names)
    yield f"GET_{resource}_dispatch_detail", _method("GET", f"/{resource}/:{table.key}.json", *names)
    if isinstance(table, NamedTable):
        yield f"GET_{resource}_get_search", _method("GET", f"/{resource}/search.json", *names)


def _method(method: str, path: str, resource: str, plural: str) -> dict[str, Any]:
    return {
        "method": method,
        "path": f"{BASE_PATH}{path}",
        "resource_name": resource,
        "collection_name": plural or None,
        "formats": ["json"],
        "default_format": "application/json",
    }


_FOLDER = "/molecule/"
_SET = "/molecule/set/"
_IGNORED = PAGE_CONTROLS | {"format"}
_OF_DRUGS = {"/mechanism", "/drug_indication"}
_PARENTS = {"parent_molecule_chembl_id__in", "parent_molecule_chembl_id"}


def _request_key(path: str, params: Mapping[str, str | list[str]]) -> RequestKey:
    """The key of a request without its page, which is compared separately."""
    plain = plain_path(path)
    folder, _, uid = plain.rpartition("/")
    return RequestKey.from_parameters(f"{_FOLDER}{uid.upper()}" if f"{folder}/" == _FOLDER else plain, params, _IGNORED)


class ChemblReplay:
    """Replays recorded answers, the best of those that fit."""

    def __init__(self, recordings: Sequence[Recording]) -> None:
        self._rows: dict[RequestKey, list[Recording]] = defaultdict(list)
        for row in recordings:
            if row.fidelity != "wrapper":  # records in a list that is not the service's
                self._rows[_request_key(row.path, row.params)].append(row)

    def __call__(self, raw: ServiceRequest) -> Reply | None:
        """The recorded answer to ``request``; None when there is none."""
        if not is_read(raw) or not is_json(raw):
            return None
        try:
            raw = as_get(raw)
        except Refusal:
            return None
        request = _request_key(raw.path, raw.parameters)
        if request.path.startswith(_SET):
            return None if request.filters else self._set_reply(request.path.removeprefix(_SET).split(";"))
        try:
            page = page_request(raw)
        except Refusal:
            return None
        candidates = (_on_page(row, page) for row in self._rows.get(request, ()))
        return next(filter(None, candidates), None) or self._of_parent(request, page)

    def _set_reply(self, ids: Sequence[str]) -> Reply | None:
        """The records of all requested IDs in their order, or None if any of them has no recording."""
        records = [self._record(uid, is_alone=len(ids) == 1) for uid in ids]
        return None if None in records else json_reply({"molecules": records})

    def _record(self, uid: str, *, is_alone: bool) -> Row | None:
        rows = self._rows.get(RequestKey(f"{_FOLDER}{uid.upper()}", frozenset()), ())
        row = next((recording for recording in rows if is_alone or not recording.is_last_resort), None)
        record: Row | None = orjson.loads(row.body()) if row else None
        return record

    def _of_parent(self, request: RequestKey, page: PageRequest) -> Reply | None:
        """The recorded answer of one molecule as a parent, if all rows name it as their parent."""
        # Any other filter might leave rows out.
        [(name, values)] = request.filters if len(request.filters) == 1 else [("", ())]
        if request.path not in _OF_DRUGS or name not in _PARENTS or len(values) != 1:
            return None
        for other in (*sorted(_PARENTS), "molecule_chembl_id"):
            for row in self._rows.get(RequestKey(request.path, frozenset({(other, values)})), ()):
                reply = _on_page(row, page)
                if reply is not None and _are_of(orjson.loads(row.body()), values[0]):
                    return reply
        return None


def _on_page(recording: Recording, page: PageRequest) -> Reply | None:
    """The recorded answer if it is the page that is wanted, or can be: because it holds every row there is."""
    body = recording.body()
    document = orjson.loads(body)
    meta = document.get("page_meta")
    if meta is None:
        return Reply(body, recording.content_type)
    is_complete = meta["offset"] == 0 and meta["next"] is None
    if recording.is_last_resort and not is_complete:
        return None
    if (meta["limit"], meta["offset"]) == (page.limit, page.offset):
        return Reply(body, recording.content_type)
    if is_complete and page.offset == 0 and meta["total_count"] <= page.limit:
        return json_reply({**document, "page_meta": {**meta, "limit": page.limit}})
    return None


def _are_of(document: Mapping[str, Any], parent: str) -> bool:
    """Whether all rows of a list have this parent; old rows have only the molecule."""
    rows = next(value for name, value in document.items() if name != "page_meta")
    parents = {row.get("parent_molecule_chembl_id", row["molecule_chembl_id"]) for row in rows}
    return parents == {parent}


_CHEMBL = 1
_KINDS = ("inchikey", "inchi", "sourceID", "uci")
_KEYS = {"type", "compound", "sourceID"}


class UniChemStandIn(RefusingStandIn):
    """Answers as UniChem does over its rows, and those of ChEMBL's molecules."""

    service = UNICHEM

    def __init__(self, rows: Rows) -> None:
        self._sources = {row["sourceID"]: row for row in rows.get("unichem_source", ())}
        structures = [row["molecule_structures"] for row in rows.get("molecule", ()) if row["molecule_structures"]]
        self._inchis = {structure["standard_inchi_key"]: structure["standard_inchi"] for structure in structures}
        self._ids = _ids_by_structure(rows)
        self._keys = {"inchikey": {key: key for key in self._ids}}
        self._keys["inchi"] = {inchi: key for key, inchi in self._inchis.items()}
        self._keys["sourceID"] = {f"{number}:{uid}": key for key, ids in self._ids.items() for number, uid in ids}
        # The rows do not have UniChem's own numbers; these tell structures apart, and no more.
        self._keys["uci"] = {str(number): key for number, key in enumerate(self._ids, 1)}
        self._numbers = {key: int(number) for number, key in self._keys["uci"].items()}

    def answer(self, request: ServiceRequest) -> Reply:
        """The answer in UniChem's form."""
        path = request.path.removesuffix("/")
        if path == "/compounds":
            _check_bare(request, "POST")
            return self._compounds(_unichem_body(request))
        if path == "/sources" or path.startswith("/sources/"):
            _check_bare(request, "GET")
            return self._source_list(path.removeprefix("/sources").removeprefix("/"))
        raise json_refusal(f"The sandbox has no {request.path}.", status=404)

    def _compounds(self, body: Row) -> Reply:
        kind, compound_id = body["type"], str(body["compound"])
        if kind == "sourceID":
            compound_id = f"{body['sourceID']}:{compound_id}"
        key = self._keys[kind].get(compound_id)
        compounds = [] if key is None else [self._compound(key)]
        response = "Success" if compounds else "Not found"
        return json_reply({"compounds": compounds, "response": response, "totalCompounds": len(compounds)})

    def _compound(self, key: str) -> Row:
        return {
            "inchi": {"inchi": self._inchis.get(key)},
            "sources": [self._source_of(number, uid) for number, uid in self._ids[key]],
            "standardInchiKey": key,
            "uci": self._numbers[key],
        }

    def _source_of(self, number: int, uid: str) -> Row:
        source = self._sources.get(number, {"name": f"source_{number}", "nameLong": "", "baseIdUrl": None})
        return {
            "compoundId": uid,
            "id": number,
            "longName": source["nameLong"],
            "shortName": source["name"],
            "url": source["baseIdUrl"] and f"{source['baseIdUrl']}{uid}",
        }

    def _source_list(self, source_id: str) -> Reply:
        rows = [row for number, row in self._sources.items() if source_id in {"", str(number)}]
        return json_reply({"response": "Success" if rows else "Not found", "sources": rows, "totalSources": len(rows)})


def _ids_by_structure(rows: Rows) -> dict[str, dict[tuple[int, str], None]]:
    """Source and ID of each structure: ChEMBL's own, which UniChem has too, and those of the other sources."""
    structures: dict[str, dict[tuple[int, str], None]] = {}
    for molecule in rows.get("molecule", ()):
        if structure := molecule["molecule_structures"]:
            structures.setdefault(structure["standard_inchi_key"], {})[_CHEMBL, molecule["molecule_chembl_id"]] = None
    for compound in rows.get("unichem_compound", ()):
        ids = structures.setdefault(compound["standardInchiKey"], {})
        ids |= {(source["id"], source["compoundId"]): None for source in compound["sources"]}
    return structures


def _check_bare(request: ServiceRequest, method: str) -> None:
    """Refuse another method, and any parameter."""
    if request.method != method:
        raise json_refusal(f"{request.path} is asked with {method}.", status=405)
    if request.params:
        raise json_refusal(f"{request.path} has no parameters.")


def _unichem_body(request: ServiceRequest) -> Row:
    body = request.json_object
    if body is None or not body.keys() >= {"type", "compound"}:
        raise json_refusal("The body is a JSON object with type and compound.")
    if unknown := sorted(body.keys() - _KEYS):
        raise json_refusal(f"The body has {', '.join(unknown)}, of which the sandbox knows nothing.")
    if body["type"] not in _KINDS:
        raise json_refusal(f"type is one of {', '.join(_KINDS)}.")
    if body["type"] == "sourceID" and "sourceID" not in body:
        raise json_refusal("With type sourceID the number of the source is needed.")
    return body


_PATH = re.compile(r"/(?:pdb|v2)/compound/in_pdb/([^/]+)")


class PdbeStandIn(RefusingStandIn):
    """Answers as PDBe does over the rows of ligands, by its API v1 and alike by v2, which is unverified."""

    service = PDBE

    def __init__(self, rows: Rows) -> None:
        self._ligands = {row["code"]: row["entries"] for row in rows.get("pdb_ligand", ())}

    def answer(self, request: ServiceRequest) -> Reply:
        """The answer in PDBe's form: the entries by the code; an unknown code is 404 with an empty object."""
        match = _PATH.fullmatch(request.path.removesuffix("/"))
        if match is None:
            raise json_refusal(f"The sandbox has no {request.path}.", status=404)
        _check_bare(request, "GET")
        entries = self._ligands.get(match[1])
        return json_reply({match[1]: entries} if entries else {}, status=200 if entries else 404)
