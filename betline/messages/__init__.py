"""Every message on the bus, each defined once: what all share, what sensors publish, what the table publishes."""
