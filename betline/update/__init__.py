"""A new version beside the one that runs: tried on a copy first, then one link is moved, which is the way back too."""
