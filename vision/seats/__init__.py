"""A seat's bet zone from frame to frame: what is seen in it, and what that means."""
