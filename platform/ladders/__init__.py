"""Ladders, the bots entered on them, and how strong those seem."""
