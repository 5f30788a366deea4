"""Wire protocols of RFID readers, one family a module: bytes in, messages out, no port, no clock and no sleep."""
