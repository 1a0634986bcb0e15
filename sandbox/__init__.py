"""Running strangers' code: no queue, no database, no rules."""
