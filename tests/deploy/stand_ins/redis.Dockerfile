# Stands in for the official image of Redis, as far as docker-compose.yml uses it.
FROM debian:bookworm-slim
ARG DEBIAN_FRONTEND=noninteractive
RUN groupadd --system --gid 999 redis && useradd --system --uid 999 --gid 999 redis \
    && apt-get update && apt-get install --yes --no-install-recommends redis-server && rm -rf /var/lib/apt/lists/* \
    && install -d -o redis -g redis /data
VOLUME /data
WORKDIR /data
ENTRYPOINT ["setpriv", "--reuid=redis", "--regid=redis", "--clear-groups"]
