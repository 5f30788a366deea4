"""The cardroom: what many tables of one site have in common. No table depends on it."""
