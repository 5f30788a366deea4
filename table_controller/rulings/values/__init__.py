"""What rulings are made of: the table state, words, motions, the situation and the ruling."""
