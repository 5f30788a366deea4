"""Short stretches of pictures around every act, kept for a dispute."""
