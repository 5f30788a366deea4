"""Between hands: seating, stakes, clocks, races and chips that move outside betting."""
