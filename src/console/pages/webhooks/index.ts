import type { ConsolePage } from '../../page.ts';
import { endpoint } from './endpoint.ts';
import { endpoints, newEndpoint } from './list.ts';

/** Webhook endpoints: the list, a new one, and one with its deliveries. */
export const webhookPages: readonly ConsolePage[] = [...endpoints, newEndpoint, endpoint];
