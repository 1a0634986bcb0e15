"""Playing matches: no database, no web site."""
