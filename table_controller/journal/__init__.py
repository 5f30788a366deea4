"""The journal: every observation, command, act and ruling of a table, chained by SHA-256 and on disk first."""
