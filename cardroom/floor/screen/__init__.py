"""The floor on a terminal: rows of tables, one of them chosen; its board; the ruling that waits at it."""
