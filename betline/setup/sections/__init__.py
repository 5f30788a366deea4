"""The sections of the set-up, a module each: its questions, and what its answers mean."""
