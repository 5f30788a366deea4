"""What happens at a table, as it is told beyond the bus: to a house, to a webhook."""
