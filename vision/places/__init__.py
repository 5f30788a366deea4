"""Beside the betting line: card spots, muck, pot and the middle of the table."""
