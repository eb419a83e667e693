import type { ConsolePage } from '../../page.ts';
import { list, made } from './list.ts';
import { queue } from './queue.ts';
import { document, one } from './user.ts';

/** Users: search, one user with accounts and document, the queue of identities to approve. */
export const userPages: readonly ConsolePage[] = [...list, made, document, one, ...queue];
