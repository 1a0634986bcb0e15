# verdict: startup
# Eats all memory before it is ready.

eaten = []
while True:
    eaten.append(bytearray(b"x") * (1 << 20))
