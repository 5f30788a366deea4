"""All journals of all tables of a site in one PostgreSQL, each entry once and in order (docs/site-record.md)."""
