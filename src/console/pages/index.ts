import type { ConsolePage } from '../page.ts';
import { actForPage } from './act-for.ts';
import { clockPage } from './clock.ts';
import { companyPages } from './company/index.ts';
import { DISPUTE_PAGES } from './disputes/index.ts';
import { ESCROW_PAGES } from './escrows/index.ts';
import { eventPages } from './events.ts';
import { ledgerPages } from './ledger/index.ts';
import { linkPages } from './links/index.ts';
import { overviewPage } from './overview.ts';
import { passwordPage } from './password.ts';
import { platformPages } from './platform/index.ts';
import { receiptPages } from './receipts/index.ts';
import { searchPage } from './search.ts';
import { userPages } from './users/index.ts';
import { webhookPages } from './webhooks/index.ts';
import { withdrawalPages } from './withdrawals/index.ts';

/**
 * Every page of the console, in the order of the menu. Routes, the menu and the access tests are made from this table. A path
 * without parameters stands before the paths that would match it.
 */
export const PAGES: readonly ConsolePage[] = [
  overviewPage,
  ...ESCROW_PAGES,
  ...DISPUTE_PAGES,
  ...linkPages,
  ...userPages,
  ...ledgerPages,
  ...withdrawalPages,
  ...receiptPages,
  ...eventPages,
  ...webhookPages,
  ...companyPages,
  clockPage,
  searchPage,
  actForPage,
  ...platformPages,
  passwordPage,
];
