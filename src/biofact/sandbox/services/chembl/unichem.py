"""The stand-in for UniChem: the IDs of a structure in other databases. Shapes follow the documentation."""

from biofact.sandbox.standin import Ask, RefusingStandIn, Reply, refused, written
from biofact.sandbox.tables import Row, Rows
from biofact.sources.chembl.service import UNICHEM

_CHEMBL = 1
_KINDS = ("inchikey", "inchi", "sourceID", "uci")
_KEYS = {"type", "compound", "sourceID"}


class UniChemStandIn(RefusingStandIn):
    """Answers as UniChem does over its rows, and those of ChEMBL's molecules."""

    service = UNICHEM

    def __init__(self, rows: Rows) -> None:
        self._sources = {row["sourceID"]: row for row in rows.get("unichem_source", ())}
        structures = [row["molecule_structures"] for row in rows.get("molecule", ()) if row["molecule_structures"]]
        self._inchis = {one["standard_inchi_key"]: one["standard_inchi"] for one in structures}
        self._ids = _ids(rows)
        self._keys = {"inchikey": {key: key for key in self._ids}}
        self._keys["inchi"] = {inchi: key for key, inchi in self._inchis.items()}
        self._keys["sourceID"] = {f"{number}:{uid}": key for key, ids in self._ids.items() for number, uid in ids}
        # The rows do not have UniChem's own numbers; these tell structures apart, and no more.
        self._keys["uci"] = {str(number): key for number, key in enumerate(self._ids, 1)}
        self._numbers = {key: int(number) for number, key in self._keys["uci"].items()}

    def answer(self, ask: Ask) -> Reply:
        """The answer in UniChem's form."""
        path = ask.path.removesuffix("/")
        if path == "/compounds":
            _check(ask, "POST")
            return self._compounds(_body(ask))
        if path == "/sources" or path.startswith("/sources/"):
            _check(ask, "GET")
            return self._found_sources(path.removeprefix("/sources").removeprefix("/"))
        raise refused(f"The sandbox has no {ask.path}.", status=404)

    def _compounds(self, body: Row) -> Reply:
        kind, wanted = body["type"], str(body["compound"])
        if kind == "sourceID":
            wanted = f"{body['sourceID']}:{wanted}"
        key = self._keys[kind].get(wanted)
        found = [] if key is None else [self._compound(key)]
        return written(
            {
                "compounds": found,
                "response": "Success" if found else "Not found",
                "totalCompounds": len(found),
            }
        )

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

    def _found_sources(self, wanted: str) -> Reply:
        rows = [row for number, row in self._sources.items() if wanted in {"", str(number)}]
        return written({"response": "Success" if rows else "Not found", "sources": rows, "totalSources": len(rows)})


def _ids(rows: Rows) -> dict[str, dict[tuple[int, str], None]]:
    """Source and ID of each structure: ChEMBL's own, which UniChem has too, and those of the other sources."""
    found: dict[str, dict[tuple[int, str], None]] = {}
    for molecule in rows.get("molecule", ()):
        if structures := molecule["molecule_structures"]:
            found.setdefault(structures["standard_inchi_key"], {})[_CHEMBL, molecule["molecule_chembl_id"]] = None
    for compound in rows.get("unichem_compound", ()):
        ids = found.setdefault(compound["standardInchiKey"], {})
        ids |= {(source["id"], source["compoundId"]): None for source in compound["sources"]}
    return found


def _check(ask: Ask, method: str) -> None:
    if ask.method != method:
        raise refused(f"{ask.path} is asked with {method}.", status=405)
    if ask.params:
        raise refused(f"{ask.path} has no parameters.")


def _body(ask: Ask) -> Row:
    body = ask.json_object
    if body is None or not body.keys() >= {"type", "compound"}:
        raise refused("The body is a JSON object with type and compound.")
    if unknown := sorted(body.keys() - _KEYS):
        raise refused(f"The body has {', '.join(unknown)}, of which the sandbox knows nothing.")
    if body["type"] not in _KINDS:
        raise refused(f"type is one of {', '.join(_KINDS)}.")
    if body["type"] == "sourceID" and "sourceID" not in body:
        raise refused("With type sourceID the number of the source is needed.")
    return body
