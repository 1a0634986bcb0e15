"""The queue of record: jobs with their attempts and leases, and the workers that claim them."""
