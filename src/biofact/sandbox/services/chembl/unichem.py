"""The stand-in for UniChem: the IDs of a structure in other databases. Shapes follow the documentation."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import orjson

from biofact.sandbox.services.chembl.facts import ChemblFacts
from biofact.sandbox.standin import Ask, Refusal, RefusingStandIn, Reply, written
from biofact.sources.chembl.service import UNICHEM

_CHEMBL = 1
_SOURCES: dict[int, tuple[str, str, str]] = {
    _CHEMBL: ("chembl", "ChEMBL", "https://www.ebi.ac.uk/chembldb/compound/inspect/"),
    2: ("drugbank", "DrugBank", "http://www.drugbank.ca/drugs/"),
    3: ("pdb", "PDBe (Protein Data Bank Europe)", "http://www.ebi.ac.uk/pdbe-srv/pdbechem/chemicalCompound/show/"),
    4: (
        "gtopdb",
        "Guide to Pharmacology",
        "http://www.guidetopharmacology.org/GRAC/LigandDisplayForward?ligandId=",
    ),
    6: (
        "kegg_ligand",
        "KEGG (Kyoto Encyclopedia of Genes and Genomes) Ligand",
        "http://www.genome.jp/dbget-bin/www_bget?",
    ),
    7: (
        "chebi",
        "ChEBI (Chemical Entities of Biological Interest).",
        "http://www.ebi.ac.uk/chebi/searchId.do?chebiId=CHEBI%3A",
    ),
    9: ("zinc", "ZINC", "http://zinc15.docking.org/substances/"),
    14: ("fdasrs", "FDA/USP Substance Registration System (SRS)", ""),
    15: ("surechembl", "SureChEMBL", "https://www.surechembl.org/chemical/"),
    17: ("pharmgkb", "PharmGKB", "http://www.pharmgkb.org/drug/"),
    18: ("hmdb", "Human Metabolome Database (HMDB)", "http://www.hmdb.ca/metabolites/"),
    22: ("pubchem", "PubChem Compounds", "http://pubchem.ncbi.nlm.nih.gov/compound/"),
    31: (
        "bindingdb",
        "BindingDB",
        "http://www.bindingdb.org/bind/chemsearch/marvin/MolStructure.jsp?monomerid=",
    ),
    34: ("drugcentral", "DrugCentral", "http://drugcentral.org/drugcard/"),
}
"""By UniChem's number: short name, long name, what stands before an ID in its link; as recorded, but UNII's link."""
_KINDS = ("inchikey", "inchi", "sourceID", "uci")
_KEYS = {"type", "compound", "sourceID"}

Ids = tuple[tuple[int, str], ...]


class UniChemStandIn(RefusingStandIn):
    """Answers as UniChem does over what ``facts`` know of structures elsewhere, and in ChEMBL."""

    service = UNICHEM

    def __init__(self, facts: ChemblFacts) -> None:
        self._inchis = {one.structure.inchi_key: one.structure.inchi for one in facts.molecules if one.structure}
        self._ids = _ids(facts)
        self._keys = {"inchikey": {key: key for key in self._ids}}
        self._keys["inchi"] = {inchi: key for key, inchi in self._inchis.items()}
        self._keys["sourceID"] = {f"{number}:{uid}": key for key, ids in self._ids.items() for number, uid in ids}
        # UniChem's own numbers are not among the facts; these tell structures apart, and no more.
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
            return _sources(path.removeprefix("/sources").removeprefix("/"))
        raise _refused(f"The sandbox has no {ask.path}.", status=404)

    def _compounds(self, body: Mapping[str, Any]) -> Reply:
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

    def _compound(self, key: str) -> dict[str, Any]:
        return {
            "inchi": {"inchi": self._inchis.get(key)},
            "sources": [_source_of(number, uid) for number, uid in self._ids[key]],
            "standardInchiKey": key,
            "uci": self._numbers[key],
        }


def _ids(facts: ChemblFacts) -> dict[str, Ids]:
    """The IDs of each structure: ChEMBL's own, which UniChem has too, and those of the other sources."""
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for molecule in facts.molecules:
        if molecule.structure:
            found[molecule.structure.inchi_key].append((_CHEMBL, molecule.id))
    for one in facts.elsewhere:
        found[one.inchi_key] += one.ids
    return {key: tuple(dict.fromkeys(ids)) for key, ids in found.items()}


def _source_of(number: int, uid: str) -> dict[str, Any]:
    short, long, url = _SOURCES.get(number, (f"source_{number}", "", ""))
    return {
        "compoundId": uid,
        "id": number,
        "longName": long,
        "shortName": short,
        "url": f"{url}{uid}" if url else None,
    }


def _sources(wanted: str) -> Reply:
    rows = [
        {
            "UCICount": None,
            "baseIdUrl": url or None,
            "lastUpdated": None,
            "name": short,
            "nameLabel": short,
            "nameLong": long,
            "sourceID": number,
        }
        for number, (short, long, url) in _SOURCES.items()
        if wanted in {"", str(number)}
    ]
    return written({"response": "Success" if rows else "Not found", "sources": rows, "totalSources": len(rows)})


def _check(ask: Ask, method: str) -> None:
    if ask.method != method:
        raise _refused(f"{ask.path} is asked with {method}.", status=405)
    if ask.params:
        raise _refused(f"{ask.path} has no parameters.")


def _body(ask: Ask) -> dict[str, Any]:
    try:
        body = orjson.loads(ask.body)
    except orjson.JSONDecodeError as error:
        raise _refused("The body is not JSON.") from error
    if not isinstance(body, dict) or not body.keys() >= {"type", "compound"}:
        raise _refused("The body is an object with type and compound.")
    if unknown := sorted(body.keys() - _KEYS):
        raise _refused(f"The body has {', '.join(unknown)}, of which the sandbox knows nothing.")
    if body["type"] not in _KINDS:
        raise _refused(f"type is one of {', '.join(_KINDS)}.")
    if body["type"] == "sourceID" and "sourceID" not in body:
        raise _refused("With type sourceID the number of the source is needed.")
    return body


def _refused(words: str, *, status: int = 400) -> Refusal:
    return Refusal(written({"error": words}, status=status))
