"""Every message on the bus, each defined once: what all share, what sensors tell, what the table tells."""
