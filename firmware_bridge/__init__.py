"""RFID readers over serial to the bus: wire protocols, driver, schedule, ports, service."""
