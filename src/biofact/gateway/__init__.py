"""Modules that only a hosted server needs: authentication, audit, metrics, health, limits, replicas and quotas."""
