"""Measurements of speed and strength; none of them is a test."""
