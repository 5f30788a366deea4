"""The conformance kit: a reader on a port is put through what a table asks of it, and a report says what was seen."""
