"""Running Kibitz: all of it as one command on one machine, and what its containers need."""
