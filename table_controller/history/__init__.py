"""What a table's journals hold, told to the site that asks: a program beside the controller that only reads."""
