"""The table in Home Assistant: what the board may show, as one device with its entities, events and triggers."""
