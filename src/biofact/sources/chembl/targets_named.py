"""Proteins under the accessions of UniProt, as targets of one protein."""

from biofact.core.xrefs import uniprot_curie
from biofact.protocol.names import NamedEntity
from biofact.sources.chembl.questions import ChEMBLQuestions


def is_uniprot(name: str) -> bool:
    """Whether it is written like an accession of UniProt."""
    return uniprot_curie(name) is not None


async def protein_of_uniprot(questions: ChEMBLQuestions, name: str) -> list[NamedEntity]:
    """The protein with an accession, where it is a target by itself: complexes and families are other things.

    Raises:
        RateLimited, UpstreamError: it is not known.
    """
    curie = uniprot_curie(name) or ""
    accession = curie.partition(":")[2]
    targets = await questions.targets_with(accession)
    alone = next((target for target in targets if target.is_protein and target.accessions == (accession,)), None)
    if alone is None:
        return []
    protein = NamedEntity(
        id=curie,
        label=alone.name or accession,
        kind="protein",
        match="id",
        score=1.0,
        organism=alone.organism,
        elsewhere={"uniprot": curie},
    )
    return [protein]
