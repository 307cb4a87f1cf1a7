"""A database of three genes, small enough to know by heart."""

from collections.abc import Iterable, Iterator, Sequence

_PROLOG = (
    b'<?xml version="1.0" ?>\n<!DOCTYPE Entrezgene-Set PUBLIC "-//NLM//DTD NCBI-Entrezgene, 21st January 2005//EN" '
    b'"https://www.ncbi.nlm.nih.gov/data_specs/dtd/NCBI_Entrezgene.dtd">\n<Entrezgene-Set>\n'
)
_RECORD = """<Entrezgene>
  <Entrezgene_track-info><Gene-track><Gene-track_geneid>{uid}</Gene-track_geneid></Gene-track></Entrezgene_track-info>
  <Entrezgene_type value="protein-coding">6</Entrezgene_type>
  <Entrezgene_gene><Gene-ref><Gene-ref_locus>{symbol}</Gene-ref_locus></Gene-ref></Entrezgene_gene>
</Entrezgene>
"""
_GENES = {
    "7157": ("TP53", "tumor protein p53", "Homo sapiens", "human", 9606, "17"),
    "22059": ("Trp53", "transformation related protein 53", "Mus musculus", "mouse", 10090, "11"),
    "30590": ("tp53", "tumor protein p53", "Danio rerio", "zebrafish", 7955, "5"),
}
_LINKS = {"7157": ["31000003", "31000002", "31000001"], "22059": ["31000004", "31000002"]}


class ThreeGenes:
    """TP53 of human, mouse and zebrafish."""

    name = "gene"

    def lookup(self, field: str, phrase: str) -> Sequence[str] | None:
        if field == "prop":
            return list(_GENES) if phrase in {"alive", "genetype protein coding"} else []
        if field == "mdat":
            return ["7157"] if phrase == "2024:2025" else []
        if field not in {"all fields", "sym", "orgn", "organism", "title", "chr", "uid"}:
            return None
        return [uid for uid in _GENES if _matches(phrase, _words(uid, field))]

    def all_uids(self) -> list[str]:
        return list(_GENES)

    def rank(self, uids: Iterable[str], sort: str) -> list[str]:
        return sorted(uids, key=lambda uid: _GENES[uid][0] if sort == "name" else int(uid))

    def docsum(self, uid: str) -> dict[str, object] | None:
        if uid not in _GENES:
            return None
        symbol, name, scientific, common, taxon, chromosome = _GENES[uid]
        return {
            "uid": uid,
            "name": symbol,
            "description": name,
            "status": "",
            "currentid": "",
            "chromosome": chromosome,
            "otheraliases": "P53 & others",
            "mim": ["191170"] if uid == "7157" else [],
            "genomicinfo": [
                {"chrloc": chromosome, "chraccver": "NC_000017.11", "chrstart": 7687489, "chrstop": 7668420}
            ],
            "geneweight": 5,
            "organism": {"scientificname": scientific, "commonname": common, "taxid": taxon},
        }

    def fetch(self, uids: Sequence[str]) -> Iterator[bytes]:
        yield _PROLOG
        for uid in uids:
            if uid in _GENES:
                yield _RECORD.format(uid=uid, symbol=_GENES[uid][0]).encode()
        yield b"</Entrezgene-Set>\n"

    def links(self, uid: str, linkname: str) -> Sequence[str] | None:
        return _LINKS.get(uid, []) if linkname in self.linknames("pubmed") else None

    def linknames(self, db: str) -> Sequence[str]:
        return ["gene_pubmed"] if db in {"", "pubmed"} else []

    def info(self) -> dict[str, object]:
        return {
            "menuname": "Gene",
            "description": "Gene database",
            "fields": [
                {"name": "ALL", "fullname": "All Fields", "description": "All terms from all searchable fields"},
                {"name": "UID", "fullname": "UID", "description": "Unique number"},
            ],
            "links": [
                {
                    "name": "gene_pubmed",
                    "menu": "PubMed Links",
                    "description": "Articles about the gene",
                    "dbto": "pubmed",
                }
            ],
        }


def _words(uid: str, field: str) -> set[str]:
    symbol, name, scientific, common, taxon, chromosome = _GENES[uid]
    organism = {scientific.lower(), common, f"txid{taxon}", "vertebrates"}
    words = {
        "sym": {symbol.lower()},
        "orgn": organism,
        "organism": organism,
        "title": {name, *name.split()},
        "chr": {chromosome},
        "uid": {uid},
    }
    return words.get(field) or {name, *name.split(), symbol.lower(), *scientific.lower().split(), common, uid}


def _matches(phrase: str, words: set[str]) -> bool:
    if phrase.endswith("*"):
        return any(word.startswith(phrase[:-1]) for word in words)
    return phrase in words
