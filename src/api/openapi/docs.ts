import type { Api } from '../context.ts';
import { serveReference } from '../reference/reference.ts';
import { NegotiationView, SplitPlanRequest } from '../schemas/escrow.ts';
import { BankAccount, BankAccountRequest } from '../schemas/identity.ts';
import { OrderPages } from '../schemas/order-pages.ts';
import { Counterparty } from '../schemas/statement.ts';
import { completeDescription } from './description.ts';
import { withoutWebhooks, withWebhooks } from './event-webhooks.ts';
import { serveDocument } from './serving.ts';

/** Serves the OpenAPI description, and the page that shows it. */

const DESCRIPTION = `Holds a buyer's money and releases it to a seller when both did what they agreed.

Amounts are integer cents; in responses they are strings, except the prices of items and the \`amount\` of a payment link.
A list answers one page; its \`Link\` header has the address of the next one with \`rel="next"\`. Errors are RFC 9457 problems with a stable \`code\`. Every
operation with a credential needs \`x-company-id\`. Ids carry the prefix of their kind and may be sent with or without it.

Texts are trimmed and hold no control characters. Answers gain fields in time, and enumerations with \`x-extensible-enum\` gain
values: read past those that you do not know. Generators of clients take \`/openapi-client.json\`, which leaves the webhooks out.

The [guides](/guides) lead through a first integration, in TypeScript and in Python.`;

/**
 * Objects that may be null where they are used first. The generator would make the component itself nullable; registered ahead,
 * it is an object, and null is described where it is allowed.
 */
const NULLABLE_IN_PLACES = {
  BankAccount,
  BankAccountRequest,
  Counterparty,
  Negotiation: NegotiationView,
  OrderPages,
  SplitPlanRequest,
} as const;

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
  return completeDescription(withWebhooks(document));
}

/**
 * Serves the description at `/openapi.json`, at `/openapi-client.json` without the webhooks, and a reference page at `/docs`.
 */
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
  for (const [name, schema] of Object.entries(NULLABLE_IN_PLACES)) app.openAPIRegistry.register(name, schema);
  let document: ReturnType<typeof documentOf> | undefined;
  const described = () => {
    document ??= documentOf(app, version, baseUrl);
    return document;
  };
  serveDocument(app, '/openapi.json', described);
  serveDocument(app, '/openapi-client.json', () => withoutWebhooks(described()));

  serveReference(app);
}
