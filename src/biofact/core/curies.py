"""IDs as people write and link them, with prefixes, marks and web addresses, to the form that sources read. Pure."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import unquote

from biofact.core.xrefs import ENSEMBL_GENE, ENSEMBL_TRANSCRIPT, REGISTRY

_SEPARATOR = r"(?:\s*[:=#/|_]\s*|\s+)"
_NUMBER = r"0*(?P<id>[1-9]\d{0,11})"
_UNIPROT = REGISTRY["uniprot"].form.partition(":")[2]
_ENSEMBL = rf"(?:{ENSEMBL_GENE}|{ENSEMBL_TRANSCRIPT}|ENS[A-Z]*P\d{{11}}|FBpp\d{{7}})"
_COPY_NUMBER = r"(?:[._]\d{1,2})?"  # of R's make.unique, .1, or of GENCODE's annotation lifted to GRCh37, _4


@dataclass(frozen=True)
class IdSpace:
    """The IDs of one database, as people write them."""

    local: str
    """Regular expression of an ID behind a prefix, in any letter case; the group ``id`` of it, if it has one."""
    prefixes: tuple[str, ...] = ()
    """Names of the database in front of an ID; for a blank in one people write any sign or none."""
    bare: str = ""
    """Regular expression of an ID that shows its database without a prefix; empty where none does."""
    template: str = "{}"
    """The form that sources read."""
    letter_case: Callable[[str], str] = str.upper
    pages: tuple[str, ...] = ()
    """Web addresses of records, as ``page_form`` reads them."""

    def read(self, text: str) -> str | None:
        """The ID that the whole of ``text`` is, in the form that sources read."""
        match = next((match for form in self._patterns if (match := form.fullmatch(text))), None)
        return self.template.format(self.letter_case(match["id"])) if match else None

    def read_local(self, text: str) -> str | None:
        """The ID that ``text`` is where its database is known from elsewhere, as in the address of a page."""
        return self.read(text) or self.read(f"{self.prefixes[0]}:{text}")

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """Regular expressions of a whole text that is such an ID."""
        prefixes = "|".join(map(_prefix_form, self.prefixes)) or r"(?!)"
        prefixed = rf"(?:(?:{prefixes}){_SEPARATOR})+{_with_group(self.local)}"
        bare = rf"(?:(?:{prefixes}){_SEPARATOR})*{_with_group(self.bare)}"
        return (prefixed, bare) if self.bare else (prefixed,)

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile(form, re.IGNORECASE | re.ASCII) for form in self.forms)


def _with_group(form: str) -> str:
    return f"(?:{form})" if "(?P<id>" in form else f"(?P<id>{form})"


def _prefix_form(prefix: str) -> str:
    words = r"[\s._/-]*".join(map(re.escape, prefix.split(" ")))
    return rf"{words}(?:[\s_-]*(?:id|no|number|accession)\.?)?"


_SPACES = (
    IdSpace(
        r"[1-9]\d{0,9}",
        ("ncbi gene", "gene id", "entrez gene", "entrez", "ncbi", "locuslink", "hsa", "mmu", "rno", "dre"),  # KEGG's
        template="NCBIGene:{}",
    ),
    IdSpace(_NUMBER, ("hgnc",), template="HGNC:{}"),
    IdSpace(
        rf"(?P<id>{_ENSEMBL}(?:\.\d{{1,3}})?){_COPY_NUMBER}",
        ("ensembl", "ensembl gene", "ensembl transcript", "ensembl protein", "flybase", "fb", "wormbase", "wb"),
        bare=rf"(?P<id>(?:{_ENSEMBL}|LRG_\d+)(?:\.\d{{1,3}})?){_COPY_NUMBER}",
        letter_case=str,
    ),
    IdSpace(_NUMBER, ("mgi",), template="MGI:{}"),
    IdSpace(_NUMBER, ("rgd",), template="RGD:{}", pages=("rgd.mcw.edu/rgdweb/report/gene/main.html?id={}",)),
    IdSpace(r"ZDB-[A-Z]+-\d{6}-\d+", ("zfin",), bare=r"ZDB-[A-Z]+-\d{6}-\d+", template="ZFIN:{}"),
    IdSpace(r"S\d{9}", ("sgd",), template="SGD:{}", pages=("yeastgenome.org/locus/{}",)),
    IdSpace(
        rf"(?P<id>(?:{_UNIPROT})(?:-\d{{1,3}})?)(?:\.\d{{1,3}})?(?:\|\w+)?",  # the version of its sequence, the name
        (
            "uniprot",
            "uniprotkb",
            "uniprotkb swiss prot",
            "uniprotkb trembl",
            "swiss prot",
            "uniprot isoform",
            "sp",
            "tr",
        ),
        template="UniProtKB:{}",
        pages=(
            "uniprot.org/uniprot/{}",
            "uniprot.org/uniprotkb/{}",
            "ebi.ac.uk/interpro/protein/*/{}",
            "alphafold.ebi.ac.uk/entry/{}",
        ),
    ),
    IdSpace(r"rs[1-9]\d{0,11}", ("dbsnp", "snp", "rsid"), bare=r"(?-i:rs)[1-9]\d{0,11}", letter_case=str.lower),
    IdSpace(r"(?:MONDO|EFO|DOID|HP|CHEBI)[:_]\d{1,7}", ("obo",), bare=r"(?P<id>(?:MONDO|EFO|DOID|HP)[:_]\d{4,7})"),
    IdSpace(r"\d{1,7}", ("orphanet.ordo", "ordo", "orpha", "orphanet"), template="ORPHA:{}"),
    IdSpace(r"[1-9]\d{5}", ("omim", "mim"), template="OMIM:{}", pages=("omim.org/entry/{}",)),
    IdSpace(_NUMBER, ("pmid", "pubmed"), template="PMID:{}", pages=("europepmc.org/*/MED/{}",)),
    IdSpace(
        r"(?:PMC)?(?P<id>\d{3,9})(?:\.\d+)?", ("pmc", "pmcid"), bare=r"PMC(?P<id>\d{3,9})(?:\.\d+)?", template="PMC{}"
    ),
    IdSpace(
        rf"(?:CHEMBL[:_-]?)?{_NUMBER}",
        ("chembl", "chembl compound", "chembl target"),
        bare=rf"CHEMBL[:_-]?{_NUMBER}",
        template="CHEMBL:{}",
    ),
    IdSpace(
        r"(?P<id>10\.\d{4,9}/[^\s?#]+)(?:[?#]\S*)?",
        ("doi",),
        bare=r"(?P<id>10\.\d{4,9}/[^\s?#]+)(?:[?#]\S*)?",
        letter_case=str,
    ),
    IdSpace(r"[A-Z]{14}-[A-Z]{10}-[A-Z]", ("inchikey", "inchi key"), bare=r"[A-Z]{14}-[A-Z]{10}-[A-Z]"),
    IdSpace(r"DB\d{5}", ("drugbank",), bare=r"DB\d{5}", template="DrugBank:{}"),
    IdSpace(
        _NUMBER,
        ("pubchem compound", "pubchem cid", "pubchem", "cid"),
        bare=r"(?-i:CID)(?P<id>[1-9]\d{2,9})",
        template="PUBCHEM.COMPOUND:{}",
        pages=("pubchem.ncbi.nlm.nih.gov/compound/{}",),
    ),
    IdSpace(_NUMBER, ("chebi",), template="CHEBI:{}"),
    IdSpace(r"[CD]\d{5}", ("kegg", "kegg compound", "kegg drug", "kegg ligand", "cpd", "dr"), template="KEGG:{}"),
    IdSpace(r"[A-Z0-9]{10}", ("unii", "fdasrs"), template="UNII:{}"),
    IdSpace(r"HMDB\d{5,7}", ("hmdb",), bare=r"HMDB\d{5,7}", template="HMDB:{}"),
    IdSpace(_NUMBER, ("drugcentral",), template="DRUGCENTRAL:{}", pages=("drugcentral.org/drugcard/{}",)),
    IdSpace(
        _NUMBER,
        ("gtopdb", "gtopdb ligand", "iuphar ligand"),
        template="GTOPDB:{}",
        pages=("guidetopharmacology.org/GRAC/LigandDisplayForward?ligandId={}",),
    ),
    IdSpace(r"DTXSID\d{5,12}", ("comptox", "dsstox", "dsstox substance"), bare=r"DTXSID\d{5,12}"),
    IdSpace(r"\d{2,7}-\d\d-\d", ("cas", "cas rn", "casrn"), bare=r"\d{2,7}-\d\d-\d", template="CAS:{}"),
)

_ANY_SPACE = re.compile(
    "|".join(form.replace("(?P<id>", "(?:") for space in _SPACES for form in space.forms), re.IGNORECASE | re.ASCII
)
"""Any of these IDs: most names are none, which one expression shows sooner than each."""
_REGISTRIES = ("identifiers.org", "bioregistry.io", "n2t.net")
"""Hosts whose paths are CURIEs."""
_LONGEST = 2000
_PAIRS = {"(": ")", "[": "]", "<": ">", "{": "}", '"': '"', "'": "'", "`": "`", "\u201c": "\u201d", "\u2018": "\u2019"}
_END_MARKS = " ,;.\"'`\u201c\u201d\u2018\u2019"
_DOI_IN_ADDRESS = re.compile(r"(?<=[/=:])10\.\d{4,9}/[^\s?#&]+", re.ASCII)
_DOI_PAGE = re.compile(
    r"(?:v\d+)?(?:[./](?:full|abstract|e?pdf|fulltext|full-text|meta|html|xml|summary|references|short))+$|/$"
)
"""The parts that publishers add to a DOI in the address of its page."""
_FILE_SUFFIX = re.compile(r"\.(?:json|xml|txt|html?|fasta|rdf|tsv|gff)$", re.IGNORECASE)

Reader = Callable[[str], str | None]
_page_readers: list[Reader] = []


def declare_page_reader(reader: Reader) -> Reader:
    """Add a reader of web addresses without their scheme: of the one thing that a page is about, as sources read it."""
    _page_readers.append(reader)
    return reader


def declare_page(form: str, reader: Reader) -> None:
    """Add the web address of records, such as ``ncbi.nlm.nih.gov/gene/{}`` or ``ensembl.org/*/Gene/*?g={}``.

    ``*`` is any part of a path, ``{}`` the ID, from which ``reader`` makes the form that sources read. Other
    subdomains, parameters and later parts make no difference.
    """
    address, _, parameter = form.partition("?")
    path = re.escape(address).replace(r"\*", r"[^/?#]+").replace(re.escape("{}"), r"(?P<id>[^/?#&;]+)")
    query = rf"/?\?(?:[^#]*[&;])?{re.escape(parameter).replace(re.escape('{}'), '(?P<id>[^/?#&;]+)')}"
    tail = r"(?:[/?#&;].*)?"
    pattern = re.compile(rf"(?:[\w-]+\.)*{path}{query if parameter else ''}{tail}", re.IGNORECASE | re.ASCII)

    def read_page(address: str) -> str | None:
        match = pattern.fullmatch(address)
        return reader(_FILE_SUFFIX.sub("", unquote(match["id"]))) if match else None

    declare_page_reader(read_page)


for _space in _SPACES:
    for _page in _space.pages:
        declare_page(_page, _space.read_local)


def without_marks(text: str) -> str:
    """``text`` without the quotes, brackets and marks of a sentence around it."""
    while True:
        bare = text.strip(" ,;").removesuffix(".").strip()
        closing = _PAIRS.get(bare[:1])
        if closing and len(bare) > 1 and bare.endswith(closing):
            bare = bare[1:-1]
        elif bare.endswith((")", "]")) and bare.count("(") + bare.count("[") < bare.count(")") + bare.count("]"):
            bare = bare[:-1]
        elif bare != (without_quotes := bare.strip(_END_MARKS)):
            bare = without_quotes
        if bare == text:
            return text
        text = bare


def is_address(text: str) -> bool:
    """Whether ``text`` is a web address."""
    return without_scheme(without_marks(text)) is not None


_ADDRESS = re.compile(r"(?:(?:https?|ftp)://(?:www\.)?|www\.)(\S+)", re.IGNORECASE)
_HOST = re.compile(r"(?:[\w-]+\.)+(?:org|gov|io|net|edu|com|uk|eu)/\S+", re.IGNORECASE | re.ASCII)


def without_scheme(text: str) -> str | None:
    """A web address from its host on; None where ``text`` is none."""
    match = _ADDRESS.fullmatch(text)
    if match:
        return match[1]
    return text if _HOST.fullmatch(text) else None


def read_id(text: str) -> str | None:
    """The one ID that ``text`` writes, links to or has marks around, in the form that sources read; else None.

    A text without prefix or address that only may be an ID, such as ``P38398`` or ``672``, is read by no one here.
    """
    if len(text) > _LONGEST or not re.search(r"\d|-", text):
        return None
    plain = without_marks(text)
    address = without_scheme(plain)
    return _in_space(plain) if address is None else _in_address(address)


def _in_space(text: str) -> str | None:
    if _ANY_SPACE.fullmatch(text) is None:
        return None
    return next((written_id for space in _SPACES if (written_id := space.read(text))), None)


def _in_address(address: str) -> str | None:
    """The ID of the page at an address: of a registry, with a DOI, declared, or with one ID that shows what it is."""
    host, _, path = address.partition("/")
    if host.lower().endswith(_REGISTRIES) and (registered := _in_space(unquote(path).rstrip("/"))):
        return registered
    if doi := _DOI_IN_ADDRESS.search(unquote(address)):
        return _DOI_PAGE.sub("", doi[0])
    if page_id := next(filter(None, (reader(address) for reader in _page_readers)), None):
        return page_id
    ids = {part_id for part in _parts(address) if (part_id := _in_space(part))}
    return ids.pop() if len(ids) == 1 else None


def _parts(address: str) -> Iterator[str]:
    return (_FILE_SUFFIX.sub("", unquote(part)) for part in re.split(r"[/?#&;=,|]", address) if part)
