"""The house's chips: register and history, enrolment, where each chip lay last, and which ones raise an alert."""
