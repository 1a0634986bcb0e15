"""The documentation on the site, from the same files that are read in the repository."""
