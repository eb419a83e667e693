import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { EventObject } from '../../src/domain/events/event-types.ts';
import type { TestService } from './service.ts';

/** The schemas of events as the service publishes them: the `webhooks` of its description. */

type Description = {
  readonly webhooks: Readonly<
    Record<string, { post: { requestBody: { content: { 'application/json': { schema: { $ref: string } } } } } }>
  >;
};

export type Event = {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly companyId: string;
  readonly object: { readonly kind: EventObject; readonly id: string };
  readonly data: Record<string, unknown>;
  readonly requestId: string | null;
  readonly position: number;
};

/**
 * Returns a function that names what an event and its published schema disagree on: nothing, for a good event. Its data may have
 * no field that the schema does not name.
 */
export async function publishedEvents({ request }: TestService): Promise<(event: Event) => readonly string[]> {
  const description: Description = (await request('GET', '/openapi.json')).body;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(description, 'description');
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (type: string) => {
    const schema = description.webhooks[type]?.post.requestBody.content['application/json'].schema.$ref;
    if (schema === undefined) throw new Error(`no webhook is described for ${type}`);
    const whole = { $ref: `description${schema}` };
    const data = { $ref: `description${schema}/properties/data`, unevaluatedProperties: false };
    return ajv.compile({ allOf: [whole, { properties: { data } }] });
  };
  return (event) => {
    const validate = validators.get(event.type) ?? validatorOf(event.type);
    validators.set(event.type, validate);
    validate({ ...event, timestamp: event.createdAt }); // a webhook names the time of the change so
    return (validate.errors ?? []).map(({ instancePath, message, params }) => {
      return `${instancePath} ${message} ${JSON.stringify(params)}`;
    });
  };
}
