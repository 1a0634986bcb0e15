"""What all of the API shares: problems, pages, throttles, strict reading, its schema and addresses."""
