"""One hand of a journal on paper, for a dispute, and the check of such a print."""
