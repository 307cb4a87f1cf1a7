"""Slots of a service's rate: queue, budget, ledgers."""
