"""The detector's thresholds, and changing them while it runs."""
