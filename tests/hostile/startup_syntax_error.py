# verdict: startup
# Is no Python at all.

exec("def bot(:")
