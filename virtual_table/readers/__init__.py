"""Virtual RFID readers: as real on the wire as the codec can make them, and as nasty as a real line."""
