"""The processes of the virtual table: the world, and the whole system as a demonstration."""
