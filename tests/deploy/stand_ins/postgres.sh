set -eu
if [ "$(id -u)" = 0 ]; then
    install -d -o postgres -g postgres -m 700 "$PGDATA"
    install -d -o postgres -g postgres /var/run/postgresql
    exec setpriv --reuid=postgres --regid=postgres --clear-groups sh "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    initdb --encoding=UTF8 --locale=C.UTF-8 --auth-local=trust --auth-host=scram-sha-256 \
        --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" >/dev/null
    echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
    pg_ctl --wait --silent --options="-c listen_addresses=" start
    createdb --username="$POSTGRES_USER" "$POSTGRES_USER"
    pg_ctl --wait --silent --mode=fast stop
fi
exec postgres -c listen_addresses='*'
