"""Announcements: what is said to the player to act, as text and, where a house wants it, as speech."""
