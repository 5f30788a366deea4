"""The journal: every observation, command, act and ruling of a table, hash-chained, durable before anyone is told."""
