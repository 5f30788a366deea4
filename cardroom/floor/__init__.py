"""The floor: all tables of a site on one screen, and a ruling that waits for the floor taken from there.

The core is pure: what is heard of the tables is folded into a `Floor` (`floor`, `table`, `pace`), and `view` says in
words what of it is shown, the tables that need a person first. The shell listens to the site (`ear`), draws
(`screen`), and speaks with one table while a ruling of it is taken (`desk`).
"""
