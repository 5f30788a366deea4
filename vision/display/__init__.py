"""Pictures for people: overlays, captions, the live page, the small picture of the console."""
