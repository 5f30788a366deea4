"""A whole site on this machine: pits on bridged brokers, simulated tables, and each part cut, killed and restored."""
