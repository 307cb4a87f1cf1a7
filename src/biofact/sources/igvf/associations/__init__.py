"""From an entity to what the graph joins it with: endpoints queried side by side, rows checked, one list."""
