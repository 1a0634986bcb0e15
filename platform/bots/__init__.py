"""Bots, their versions and archives, and the check that each version must pass."""
