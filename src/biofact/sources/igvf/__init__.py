"""The IGVF Catalog."""
