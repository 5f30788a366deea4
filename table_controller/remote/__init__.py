"""The dealer's and the host's remote: a console for a phone, one a browser, on the path of every console."""
