"""The detector: frames in, bet-line events and snapshots out."""
