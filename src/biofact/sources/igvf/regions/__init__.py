"""From a region to what lies there: each kind side by side, rows checked against the region and the filters."""

from biofact.sources.igvf.regions.contents import USUAL, Include, RegionSearch
from biofact.sources.igvf.regions.filters import VariantFilters

__all__ = ["USUAL", "Include", "RegionSearch", "VariantFilters"]
