"""The endpoints ``sequence`` and ``map``: made-up letters of the right length, and regions on another assembly.

Sequences and places are made up where no row has one: nothing in them is a fact. The sandbox holds no genome. A base is
computed from its position, and is A, C or G but never T: it cannot be mistaken for a real one, and no stop codon stands
in it on either strand, so that any splicing of it can be translated.
"""

import hashlib
import re
from collections.abc import Iterable
from itertools import product

from biofact.dialects.genomic.genomes import ASSEMBLIES, Organism
from biofact.sandbox.services.ensembl.corpus import CurrentRecord
from biofact.sandbox.services.ensembl.requests import EndpointRequest
from biofact.sandbox.standin import Reply, json_refusal, json_reply
from biofact.sandbox.tables import Row, pick_fields, starter_rows

SEQUENCE_ID_PARAMETERS = frozenset({"type", "species", "object_type", "db_type"})
_SEQUENCE_TYPES = {"genomic", "cdna", "cds", "protein"}
_REGION = re.compile(r"(?P<name>[^:]+):(?P<start>\d+)(?:-|\.\.)(?P<end>\d+)(?::(?P<strand>-?1))?")
_MOST_BASES = 10_000_000
_ORGANISMS: dict[str, Organism] = {"homo_sapiens": "human", "mus_musculus": "mouse"}
_NO_SEQUENCE = "No sequences returned, please check the type specified is compatible with the object requested"


def sequence_region(request: EndpointRequest) -> Reply:
    """GET sequence/region: as far as the chromosome goes."""
    name, text = request.parts
    species = request.species(name)
    match = _REGION.fullmatch(text)
    if match is None or int(match["start"]) > int(match["end"]):
        raise json_refusal(f"{text} is not a valid region")
    start, end, strand = int(match["start"]), int(match["end"]), int(match["strand"] or 1)
    assembly = request.assembly or species["assembly"]
    end = min(end, chromosome_length(species["name"], match["name"], assembly) or end)
    if start > end:
        raise json_refusal(f"No slice found for location '{text}'")
    if end - start >= _MOST_BASES:
        raise json_refusal(f"{end - start + 1} is greater than the maximum allowed length of {_MOST_BASES}")
    place = ":".join(("chromosome", assembly, match["name"], str(start), str(end), str(strand)))
    letters = _genomic(species["name"], match["name"], (start, end), strand)
    return json_reply({"query": text, "id": place, "molecule": "dna", "seq": letters})


def sequence_id(request: EndpointRequest) -> Reply:
    """GET sequence/id: one sequence; a gene's products may be several, which is refused."""
    stable_id = request.parts[0]
    current = request.current(stable_id)
    sequence_type = request.text("type", "genomic")
    if sequence_type not in _SEQUENCE_TYPES:
        raise json_refusal(f"The type '{sequence_type}' is not understood by this service")
    if current.level == "gene" and sequence_type != "genomic":
        raise json_refusal('Requesting a gene and type not equal to "genomic" can result in multiple sequences.')
    record, molecule = current.record, "dna"
    if sequence_type == "protein" or current.level == "translation":
        sequence_type = molecule = "protein"
    translation = record.get("Translation", {}) if molecule == "protein" else {}
    head = {"query": stable_id, "id": translation.get("id", record["id"]), "desc": None, "molecule": molecule}
    return json_reply({**head, **pick_fields(record, "version~"), "seq": _letters(current, sequence_type)})


def chromosome_length(species: str, name: str, assembly: str) -> int | None:
    """Bases of a chromosome of the assemblies whose lengths are known."""
    organism = _ORGANISMS.get(species)
    if organism is None or ASSEMBLIES[organism].name != assembly:
        return None
    chromosome = ASSEMBLIES[organism].chromosomes.get(name)
    return chromosome.length if chromosome else None


def _letters(current: CurrentRecord, sequence_type: str) -> str:
    if sequence_type == "genomic":
        record = current.record
        if "start" not in record:
            raise json_refusal(_NO_SEQUENCE)
        span = (record["start"], record["end"])
        return _genomic(current.gene["species"], record["seq_region_name"], span, record["strand"])
    (transcript,) = current.transcripts
    if sequence_type == "cdna":
        return _cdna(current.gene, transcript)
    cds = _cds(current.gene, transcript)
    return cds if sequence_type == "cds" else translated(cds)


def _genomic(species: str, name: str, span: tuple[int, int], strand: int) -> str:
    letters = bases(f"{species} {name}", *span)
    return letters if strand == 1 else reverse_complement(letters)


def _cdna(gene: Row, transcript: Row) -> str:
    exons = transcript.get("Exon", ())
    if exons:
        return _splice(gene, transcript, ((exon["start"], exon["end"]) for exon in exons))
    if "length" in transcript:
        return bases(f"{transcript['id']} cdna", 1, transcript["length"])
    raise json_refusal(_NO_SEQUENCE)


def _cds(gene: Row, transcript: Row) -> str:
    """The coding sequence with its stop codon, which made-up letters do not spell."""
    translation, exons = transcript.get("Translation"), transcript.get("Exon", ())
    if not translation:
        raise json_refusal(_NO_SEQUENCE)
    if not exons or "start" not in translation:
        cds = bases(f"{transcript['id']} cds", 1, 3 * (translation["length"] + 1))  # with the stop codon
        return _with_stops(cds, translation.get("stops", ()))
    first, last = translation["start"], translation["end"]
    coding = ((max(exon["start"], first), min(exon["end"], last)) for exon in exons)
    return _splice(gene, transcript, (span for span in coding if span[0] <= span[1]))


def _with_stops(cds: str, stops: Iterable[int]) -> str:
    """The coding sequence with a stop codon in place of these codons, counted from 1."""
    for number in stops:
        cds = f"{cds[: 3 * number - 3]}TAG{cds[3 * number :]}"
    return cds


def _splice(gene: Row, transcript: Row, spans: Iterable[tuple[int, int]]) -> str:
    species, name, strand = gene["species"], transcript["seq_region_name"], transcript["strand"]
    return "".join(_genomic(species, name, span, strand) for span in spans)


MADE_UP_PLACE = {"seq_region_name": "unplaced", "start": 1, "end": 1, "strand": 1}
"""Place of a gene or transcript without one in its row: Ensembl always reports one."""
_BASES = "ACG"
_BLOCK = 32  # bases that one digest gives
_COMPLEMENT = str.maketrans("ACGTN", "TGCAN")
_AMINO_ACIDS = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"  # the standard code, in TCAG order
_CODONS = dict(zip(map("".join, product("TCAG", repeat=3)), _AMINO_ACIDS, strict=True))


def bases(name: str, start: int, end: int) -> str:
    """The bases of the sequence ``name`` from one position to another, counted from 1."""
    blocks = range((start - 1) // _BLOCK, (end - 1) // _BLOCK + 1)
    text = "".join(_block(name, number) for number in blocks)
    offset = (start - 1) % _BLOCK
    return text[offset : offset + end - start + 1]


def _block(name: str, number: int) -> str:
    digest = hashlib.sha256(f"{name} {number}".encode()).digest()
    return "".join(_BASES[byte % len(_BASES)] for byte in digest)


def reverse_complement(sequence: str) -> str:
    """The other strand, 5' to 3'."""
    return sequence.translate(_COMPLEMENT)[::-1]


def translated(cds: str) -> str:
    """The protein of a coding sequence, without the residue in place of its stop codon."""
    codons = (cds[position : position + 3] for position in range(0, len(cds), 3))
    return "".join(_CODONS[codon] for codon in codons if codon in _CODONS)[:-1]


_BLOCKS = starter_rows(__package__, "block.jsonl")


def map_region(request: EndpointRequest) -> Reply:
    """GET map: an empty list where nothing of the region is known on the other assembly."""
    name, before, text, after = request.parts
    species = request.species(name)["name"]
    assemblies = {assembly for block in _BLOCKS if block["species"] == species for assembly in block["assemblies"]}
    if unknown := next((assembly for assembly in (before, after) if assembly not in assemblies), None):
        raise json_refusal(f"The sandbox knows no coordinate system of version {unknown} of {species}")
    match = _REGION.fullmatch(text)
    if match is None:
        raise json_refusal(f"{text} is not a valid region")
    span = int(match["start"]), int(match["end"])
    blocks = [_reversed_block(block, before) for block in _BLOCKS if {before, after} == set(block["assemblies"])]
    return json_reply({"mappings": [row for block in blocks for row in _mapped(block, match["name"], span)]})


def _reversed_block(block: Row, before: str) -> Row:
    """The block as it is read from ``before`` on."""
    if block["assemblies"][0] == before:
        return block
    ends = {name: block[name] + block["offset"] for name in ("start", "end")}
    return {**block, **ends, "offset": -block["offset"], "assemblies": block["assemblies"][::-1]}


def _mapped(block: Row, name: str, span: tuple[int, int]) -> list[Row]:
    start, end = max(span[0], block["start"]), min(span[1], block["end"])
    if name != block["seq_region_name"] or start > end:
        return []
    before, after = block["assemblies"]
    usual = {"seq_region_name": name, "coord_system": "chromosome", "strand": 1}
    mapped = {**usual, "assembly": after, "start": start + block["offset"], "end": end + block["offset"]}
    return [{"original": {**usual, "assembly": before, "start": start, "end": end}, "mapped": mapped}]
