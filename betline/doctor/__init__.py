"""What stands between this machine and a hand: looked at from Python to the antennas, each with what to do about it."""
