"""Spellings of ontology term IDs: ``MONDO:0009861`` by us, ``MONDO_0009861`` by the Catalog. Pure."""

import re

_COLLECTION = re.compile(r"[a-z_]+/")
_NATIVE = re.compile(r"([A-Za-z]+)_(\w+)", re.ASCII)


def curie(term_id: str) -> str:
    """``MONDO:0009861`` for ``ontology_terms/MONDO_0009861``; Cellosaurus keeps its underscore."""
    bare = without_collection(term_id)
    match = _NATIVE.fullmatch(bare)
    return f"{match[1]}:{match[2]}" if match and match[1] != "CVCL" else bare


def native(term_id: str) -> str:
    """``MONDO_0009861`` for ``MONDO:0009861``."""
    return term_id.replace(":", "_", 1)


def prefix(term_id: str) -> str:
    """``MONDO``, in either spelling."""
    return re.split("[_:]", term_id, maxsplit=1)[0]


def without_collection(reference: str) -> str:
    """``ENSG00000012048`` for ``genes/ENSG00000012048``: the part after the name of a collection."""
    match = _COLLECTION.match(reference)
    return reference[match.end() :] if match else reference
