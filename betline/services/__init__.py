"""Betline as services of systemd: units with their sandbox, users, rules for readers, and the console as a kiosk."""
