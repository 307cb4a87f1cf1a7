"""ChEMBL's side of the wire, with UniChem's and PDBe's."""
