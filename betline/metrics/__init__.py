"""The figures of a table's programs for Prometheus (docs/observability.md): read from what is counted anyway."""
