"""A recorded table replayed: the real session in the recording's time, compared with the recording, and looked at."""
