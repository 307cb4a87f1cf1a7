"""What only a chemistry library can tell: whether a structure agrees with its formula and InChIKey, and its picture.

RDKit comes with the extra ``chem`` and is loaded when first needed; without it nothing is checked.
"""

import functools
import importlib.util
import re
from collections import Counter

from biofact.core.errors import UpstreamError
from biofact.core.extras import install_command
from biofact.core.records import Notice
from biofact.sources.chembl.records import Compound

_WIDTH, _HEIGHT = 400, 300  # pixels


@functools.cache
def is_installed() -> bool:
    """Whether structures can be checked and drawn."""
    return importlib.util.find_spec("rdkit") is not None


def contradictions(compound: Compound) -> list[Notice]:
    """Where the SMILES of a compound tells another formula or InChIKey than the record. Takes milliseconds of work."""
    from rdkit import Chem, rdBase  # noqa: PLC0415  # only where it is installed
    from rdkit.Chem import inchi, rdMolDescriptors  # noqa: PLC0415

    with rdBase.BlockLogs():  # it writes on stderr what it thinks of a structure
        molecule = Chem.MolFromSmiles(compound.smiles or "")
        if molecule is None:
            return [_mismatch(f"The SMILES {compound.smiles!r:.80} cannot be read")]
        formula, key = rdMolDescriptors.CalcMolFormula(molecule), inchi.MolToInchiKey(molecule)
    notices = []
    if compound.molecular_formula and _elements(formula) != _elements(compound.molecular_formula):
        notices.append(_mismatch(f"The SMILES tells the formula {formula}, the record {compound.molecular_formula}"))
    if compound.inchi_key and key and key != compound.inchi_key:
        notices.append(_mismatch(f"The SMILES tells the InChIKey {key}, the record {compound.inchi_key}"))
    return notices


def _elements(formula: str) -> Counter[str]:
    """How many atoms of each element; isotopes of hydrogen are hydrogen, and charges count for nothing."""
    counts: Counter[str] = Counter()
    for element, number in re.findall(r"([A-Z][a-z]?)(\d*)", formula):
        counts["H" if element in {"D", "T"} else element] += int(number or 1)
    return counts


def drawn(compound: Compound) -> str:
    """The structure as SVG.

    Raises:
        UpstreamError: RDKit is not installed, or cannot read the structure.
    """
    if not is_installed():
        hint = f"Install it: {install_command('chem')}."
        raise UpstreamError("Drawing needs RDKit, which is not installed.", hint=hint)
    from rdkit import Chem, rdBase  # noqa: PLC0415
    from rdkit.Chem.Draw import rdMolDraw2D  # noqa: PLC0415

    with rdBase.BlockLogs():
        molecule = Chem.MolFromSmiles(compound.smiles or "")
    if molecule is None:
        raise UpstreamError(f"The structure of {compound.id} cannot be read.", hint="Report it to ChEMBL.")
    drawing = rdMolDraw2D.MolDraw2DSVG(_WIDTH, _HEIGHT)
    rdMolDraw2D.PrepareAndDrawMolecule(drawing, molecule, legend=compound.name)
    drawing.FinishDrawing()
    return str(drawing.GetDrawingText())


def _mismatch(words: str) -> Notice:
    return Notice(code="MISMATCH", message=f"{words}.")
