"""Associations of an entity: endpoints queried side by side, rows checked, one list."""
