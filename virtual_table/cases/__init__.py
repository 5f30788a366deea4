"""Cases acted out by virtual players: chips, words, gestures and keys go in, and what the bus says is compared."""
