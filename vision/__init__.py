"""Camera to bet-line events: sources, zones, reference, blobs, seat watch, service."""
