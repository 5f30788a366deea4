"""The simulated world in millimetres: chips, hands, cards, and where each is at any time."""
