"""Players and dealer who act out a script against the running controller."""
