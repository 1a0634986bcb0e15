# verdict: none
# Is a fork bomb of the shell.
# modes: kept fresh
# limits: bank_ms=20000 wall_ms=20000

bomb() { bomb & bomb & }
echo '{"type":"ready"}'
read start
while read question; do
    # Only once: a shell that cannot fork any more ends, and this one means to play on.
    [ "$thrown" ] || (bomb) 2>/dev/null
    thrown=yes
    id=${question#*'"id":'}
    legal=${question#*'"legal":["'}
    echo "{\"id\":${id%%,*},\"move\":\"${legal%%'"'*}\"}"
done
