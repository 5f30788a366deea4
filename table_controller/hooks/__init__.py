"""Webhooks: what happens at a table, posted to an address on the web, signed and repeated until it is taken."""
