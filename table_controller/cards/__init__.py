"""Cards at the table, where the house keeps them: what they make, and whom they make a winner. Pure."""
