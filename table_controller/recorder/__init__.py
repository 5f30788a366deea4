"""Recording a table that plays: a client of the bus that only listens, and a reader of the files beside it."""
