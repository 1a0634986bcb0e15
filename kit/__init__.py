"""The `kibitz` command for bot authors."""
