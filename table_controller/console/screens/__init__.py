"""The screens: the table, and the pages and dialogs opened from it."""
