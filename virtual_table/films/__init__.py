"""Films by the virtual camera from scripts, with the truth of each frame and event."""
