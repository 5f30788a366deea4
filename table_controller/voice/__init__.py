"""The voice: a client of the bus that says aloud what the table announces. It is no part of the controller."""
