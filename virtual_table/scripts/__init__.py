"""What is going to happen at the table: scripts, cases, hand histories and random evenings."""
