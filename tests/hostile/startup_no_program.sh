# verdict: startup
# Becomes a program that is not there.

exec /nothing/of/this/name
