"""One frame against the reference: what differs, whose arm it is, whether camera or light has changed."""
