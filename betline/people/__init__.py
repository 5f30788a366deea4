"""The staff of a house: who they are, how they prove it, and what their role lets them do."""
