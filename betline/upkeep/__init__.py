"""What keeps a table in order between its evenings: backup, restore, update."""
