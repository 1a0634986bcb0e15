"""Matches: drawing tables, sending them to workers, taking records, keeping replays."""
