"""Pictures and where they come from: cameras, files and streams."""
