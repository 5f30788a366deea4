"""`betline web`: the table's other faces in a browser, a client of the bus like any other."""
