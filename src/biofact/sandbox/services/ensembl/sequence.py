"""``sequence``: made-up letters of IDs and regions, of the right length, in the shape of recorded answers."""

import re
from collections.abc import Iterable

from biofact.dialects.genomic.genomes import ASSEMBLIES, Organism
from biofact.sandbox.services.ensembl.genes import CurrentRecord
from biofact.sandbox.services.ensembl.lookup import is_asked_for
from biofact.sandbox.services.ensembl.made_up import bases, reverse_complement, translated
from biofact.sandbox.services.ensembl.requests import EndpointRequest
from biofact.sandbox.standin import Reply, refused, written
from biofact.sandbox.tables import Row

OF_ID = frozenset({"type", "species", "object_type", "db_type"})
_TYPES = {"genomic", "cdna", "cds", "protein"}
_REGION = re.compile(r"(?P<name>[^:]+):(?P<start>\d+)(?:-|\.\.)(?P<end>\d+)(?::(?P<strand>-?1))?")
_MOST_BASES = 10_000_000
_ORGANISMS: dict[str, Organism] = {"homo_sapiens": "human", "mus_musculus": "mouse"}
_NONE = "No sequences returned, please check the type specified is compatible with the object requested"


def by_region(request: EndpointRequest) -> Reply:
    """GET sequence/region: as far as the chromosome goes."""
    name, text = request.parts
    species = request.species(name)
    found = _REGION.fullmatch(text)
    if found is None or int(found["start"]) > int(found["end"]):
        raise refused(f"{text} is not a valid region")
    start, end, strand = int(found["start"]), int(found["end"]), int(found["strand"] or 1)
    assembly = request.assembly or species["assembly"]
    end = min(end, chromosome_length(species["name"], found["name"], assembly) or end)
    if start > end:
        raise refused(f"No slice found for location '{text}'")
    if end - start >= _MOST_BASES:
        raise refused(f"{end - start + 1} is greater than the maximum allowed length of {_MOST_BASES}")
    place = ":".join(("chromosome", assembly, found["name"], str(start), str(end), str(strand)))
    letters = _genomic(species["name"], found["name"], (start, end), strand)
    return written({"query": text, "id": place, "molecule": "dna", "seq": letters})


def by_id(request: EndpointRequest) -> Reply:
    """GET sequence/id: one sequence; a gene's products may be several, which is refused."""
    asked = request.parts[0]
    ensembl_id, version = request.genes.versioned(asked)
    found = request.genes.find(ensembl_id)
    if found is None or not is_asked_for(request, found, version):
        raise refused(f"ID '{asked}' not found")
    wanted = request.text("type", "genomic")
    if wanted not in _TYPES:
        raise refused(f"The type '{wanted}' is not understood by this service")
    if found.level == "gene" and wanted != "genomic":
        raise refused('Requesting a gene and type not equal to "genomic" can result in multiple sequences.')
    is_protein = wanted == "protein" or found.level == "translation"
    record: Row = {"query": asked, "id": ensembl_id, "desc": None, "molecule": "protein" if is_protein else "dna"}
    if "version" in found.record:
        record["version"] = found.record["version"]
    if is_protein and found.level == "transcript":
        record["id"] = found.record.get("Translation", {}).get("id", ensembl_id)
    return written({**record, "seq": _letters(found, "protein" if is_protein else wanted)})


def chromosome_length(species: str, name: str, assembly: str) -> int | None:
    """Bases of a chromosome of the assemblies whose lengths are known."""
    organism = _ORGANISMS.get(species)
    known = ASSEMBLIES[organism] if organism else None
    chromosome = known.chromosomes.get(name) if known and known.name == assembly else None
    return chromosome.length if chromosome else None


def _letters(found: CurrentRecord, wanted: str) -> str:
    if wanted == "genomic":
        record = found.record
        if "start" not in record:
            raise refused(_NONE)
        span = (record["start"], record["end"])
        return _genomic(found.gene["species"], record["seq_region_name"], span, record["strand"])
    (transcript,) = found.transcripts
    if wanted == "cdna":
        return _cdna(found.gene, transcript)
    cds = _cds(found.gene, transcript)
    return cds if wanted == "cds" else translated(cds)


def _genomic(species: str, name: str, span: tuple[int, int], strand: int) -> str:
    letters = bases(f"{species} {name}", *span)
    return letters if strand == 1 else reverse_complement(letters)


def _cdna(gene: Row, transcript: Row) -> str:
    exons = transcript.get("Exon", ())
    if exons:
        return _spliced(gene, transcript, ((exon["start"], exon["end"]) for exon in exons))
    if "length" in transcript:
        return bases(f"{transcript['id']} cdna", 1, transcript["length"])
    raise refused(_NONE)


def _cds(gene: Row, transcript: Row) -> str:
    """From the first codon to the stop codon, which made-up letters do not spell."""
    translation, exons = transcript.get("Translation"), transcript.get("Exon", ())
    if not translation:
        raise refused(_NONE)
    if not exons or "start" not in translation:
        return bases(f"{transcript['id']} cds", 1, 3 * (translation["length"] + 1))
    first, last = translation["start"], translation["end"]
    coding = ((max(exon["start"], first), min(exon["end"], last)) for exon in exons)
    return _spliced(gene, transcript, (span for span in coding if span[0] <= span[1]))


def _spliced(gene: Row, transcript: Row, spans: Iterable[tuple[int, int]]) -> str:
    species, name, strand = gene["species"], transcript["seq_region_name"], transcript["strand"]
    return "".join(_genomic(species, name, span, strand) for span in spans)
