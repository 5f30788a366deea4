"""What keeps a table in order between its evenings: backup and restore."""
