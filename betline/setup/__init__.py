"""Setting a table up: questions as data, the files that follow from the answers, and a test hand that proves them."""
