"""A site with many tables: what they have written in one place, and the work of the room."""
