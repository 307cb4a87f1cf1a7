"""The IGVF Catalog's side of the wire."""
