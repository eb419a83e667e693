import type { ConsolePage } from '../../page.ts';
import { list } from './list.ts';
import { made } from './new.ts';
import { one } from './receipt.ts';
import { owed } from './receivables.ts';

/** Money that the bank reported, money whose owner is unknown, and money that others owe the company. */
export const receiptPages: readonly ConsolePage[] = [...list, made, one, ...owed];
