"""Which of several versions of an article counts: the last, in the order of the files."""

import numpy as np
from numpy.typing import NDArray

from biofact.corpus.survey import NO_PMID, Identifiers, Places

_LARGEST_IN_BITMAP = 1 << 28
"""PubMed's are below 100 million; what is larger is kept one by one."""


class LaterVersions:
    """What the files read so far have; the last file is read first."""

    def __init__(self) -> None:
        self._bits = np.zeros(1 << 16, dtype=np.bool_)
        self._others: set[int] = set()

    def superseded(self, file: Identifiers) -> Places:
        """The places of entries that a later file has again or deletes, or that this one has again further down.
        Entries without a PMID stay. The file then counts as read.
        """
        is_replaced = self._holds(file.pmids) | _is_repeated(file.pmids)
        self._add(file.pmids)
        self._add(file.deleted)
        return np.flatnonzero(is_replaced & (file.pmids != NO_PMID))

    def _holds(self, pmids: Places) -> NDArray[np.bool_]:
        is_within = (pmids >= 0) & (pmids < len(self._bits))
        found = self._bits[np.where(is_within, pmids, 0)] & is_within
        for place in np.flatnonzero(pmids >= _LARGEST_IN_BITMAP).tolist():
            found[place] = int(pmids[place]) in self._others
        return found

    def _add(self, pmids: Places) -> None:
        small = pmids[(pmids >= 0) & (pmids < _LARGEST_IN_BITMAP)]
        if small.size and small.max() >= len(self._bits):
            self._bits = np.concatenate([self._bits, np.zeros(2 * int(small.max()) - len(self._bits), np.bool_)])
        self._bits[small] = True
        self._others.update(pmids[pmids >= _LARGEST_IN_BITMAP].tolist())


def _is_repeated(pmids: Places) -> NDArray[np.bool_]:
    """Where the same PMID stands again further down."""
    result = np.ones(len(pmids), dtype=np.bool_)
    _, last_from_behind = np.unique(pmids[::-1], return_index=True)
    result[len(pmids) - 1 - last_from_behind] = False
    return result
