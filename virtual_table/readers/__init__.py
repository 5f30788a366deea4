"""Virtual RFID readers: on the wire as real as the codecs can make them, and as faulty as a real line."""
