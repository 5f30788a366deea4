"""`betline trace`: each act as a trace of OpenTelemetry, made of the times that messages carry anyway."""
