"""The house's cards with tags: enrolling them."""
