"""How strong bots are and how sure that is: numbers in, numbers out; no database, no files, no clock."""
