"""Protocols and formats that several sources share."""
