import type { ConsolePage } from '../../page.ts';
import { list } from './list.ts';
import { made } from './new.ts';
import { one } from './withdrawal.ts';

/** Withdrawals: the list, one with what the bank said, and a new one with its quote. */
export const withdrawalPages: readonly ConsolePage[] = [...list, made, one];
