"""The dealer: betting, positions, rulings, sensing, journal, announcements, console and the service."""
