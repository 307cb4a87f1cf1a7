"""Contents of a region: kinds queried side by side, rows checked against the region and the filters."""
