"""`betline rule`: one act ruled on and explained, with its arithmetic and the house options that decided."""
