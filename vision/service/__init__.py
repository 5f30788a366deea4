"""The camera on the bus, and recorded films through the same detector."""
