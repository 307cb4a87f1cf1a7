"""From a region to what lies there: each kind side by side, rows checked against the region and the filters."""
