# Stands in for the official image of PostgreSQL, as far as docker-compose.yml uses it.
FROM debian:bookworm-slim
ARG DEBIAN_FRONTEND=noninteractive
RUN groupadd --system --gid 999 postgres && useradd --system --uid 999 --gid 999 postgres \
    && mkdir -p /etc/postgresql-common && echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf \
    && apt-get update && apt-get install --yes --no-install-recommends postgresql-15 && rm -rf /var/lib/apt/lists/* \
    && install -d -o postgres -g postgres /var/lib/postgresql/data
COPY postgres.sh /usr/local/bin/docker-entrypoint.sh
ENV PATH=$PATH:/usr/lib/postgresql/15/bin PGDATA=/var/lib/postgresql/data
VOLUME /var/lib/postgresql/data
STOPSIGNAL SIGINT
ENTRYPOINT ["sh", "/usr/local/bin/docker-entrypoint.sh"]
