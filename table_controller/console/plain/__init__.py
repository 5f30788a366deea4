"""The console without a screen: one line a change, for screen readers, pipes and remote hands."""
