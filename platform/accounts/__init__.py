"""People: accounts, their tokens and notices, what the operator may switch, and what was done."""
