"""The ground floor shared by every room: settings, geometry, topics, messages, the bus and the front door."""
