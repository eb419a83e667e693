import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Api } from '../context.ts';
import { completeDescription } from './description.ts';

const DESCRIPTION = `Holds a buyer's money and releases it to a seller when both did what they agreed.

Amounts are integer cents; in responses they are strings. Errors are RFC 9457 problems with a stable \`code\`. Every
operation with a credential needs \`x-company-id\`. Ids carry the prefix of their kind and may be sent with or without it.`;

/** The reference page and its assets, all from this server. */
const ASSETS = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
} as const;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Escrow Payments Service: API reference</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
const START = "SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true });\n";
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

/** The OpenAPI 3.1 description of `app`, from the schemas that its routes validate with. */
export function documentOf(app: Api, version: string, baseUrl: string) {
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Escrow Payments Service',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: baseUrl }],
  });
  return completeDescription(document);
}

/** Serves the description at `/openapi.json`, and a reference page at `/docs`. */
export function describeApi(app: Api, version: string, baseUrl: string): void {
  app.openAPIRegistry.registerComponent('securitySchemes', 'apiKey', {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
  });
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
  });
  let description: string | undefined;
  app.get('/openapi.json', (c) => {
    description ??= JSON.stringify(documentOf(app, version, baseUrl));
    return c.body(description, 200, { 'Content-Type': 'application/json' });
  });

  const directory = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const [name, type] of Object.entries(ASSETS)) {
    const content = readFileSync(join(directory, name));
    app.get(`/docs/${name}`, (c) =>
      c.body(content, 200, { 'Content-Type': type, 'Cache-Control': 'public, max-age=86400' }),
    );
  }
  app.get('/docs/start.js', (c) => c.body(START, 200, { 'Content-Type': 'text/javascript' }));
  app.get('/docs', (c) => {
    c.header('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    return c.html(PAGE);
  });
}
