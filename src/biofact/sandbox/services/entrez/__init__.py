"""NCBI Gene's side of the wire: what the sandbox answers, from facts written for the purpose or recorded ones."""

from biofact.sandbox.services.entrez.database import GeneDatabase, docsum, stand_ins

__all__ = ["GeneDatabase", "docsum", "stand_ins"]
