"""What the kit knows of each family: its frames, requests that must fail, resets, and what its manual says."""
