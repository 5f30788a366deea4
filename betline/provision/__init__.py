"""Logins for one table's programs, and the files of a mosquitto that knows them."""
