"""What is wrong at the table, as a function of what is believed: no alert is remembered, none is forgotten.

Each module has one idea: single chips, a seat's bets, pot, payout, tray, sensors. `standing` is what holds now,
`raised` what people are told of it: once, and again only when it grows.
"""
