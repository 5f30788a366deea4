"""A recorded table replayed: the real session in the recording's time, compared with what was recorded, and looked at."""
