"""What only a server that others reach needs: authentication, audit, metrics, health, limits, replicas and quotas."""
