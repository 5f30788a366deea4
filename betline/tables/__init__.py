"""Table files: a new one from a few measures, what is wrong with one, its picture, and one thing moved."""
