"""The controller as a program on the bus: what comes in, the session and the journal, what goes out."""
