import type { ConsolePage } from '../../page.ts';
import { one } from './link.ts';
import { list } from './list.ts';
import { made } from './new.ts';

/** Payment links: the list, one link with its attempts, and a new one. */
export const linkPages: readonly ConsolePage[] = [...list, made, one];
