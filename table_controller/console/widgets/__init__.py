"""The widgets of the table screen: each draws its part of a snapshot on a canvas and knows nothing of the bus."""
