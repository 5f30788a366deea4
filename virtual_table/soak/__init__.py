"""A soak: a table that is played for hours while things go wrong, and what that does to it."""
