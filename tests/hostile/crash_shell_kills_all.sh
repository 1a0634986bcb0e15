# verdict: crashed (kept: none)
# Is a shell that kills everything, itself too.
# modes: kept fresh bubblewrap

echo '{"type":"ready"}'
read start
while read question; do
    kill -9 -1
    kill -9 $$
    id=${question#*'"id":'}
    legal=${question#*'"legal":["'}
    echo "{\"id\":${id%%,*},\"move\":\"${legal%%'"'*}\"}"
done
