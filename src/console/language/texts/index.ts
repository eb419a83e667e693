import { ACCOUNT } from './account.ts';
import { COMMON } from './common.ts';
import { COMPANY } from './company.ts';
import { DISPUTES } from './disputes.ts';
import { ESCROWS } from './escrows.ts';
import { LEDGER } from './ledger.ts';
import { LINKS } from './links.ts';
import { OVERVIEW } from './overview.ts';
import { PLATFORM } from './platform.ts';
import { PROBLEMS } from './problems.ts';
import { RECEIPTS } from './receipts.ts';
import { STATUSES } from './statuses.ts';
import { TOOLS } from './tools.ts';
import { USERS } from './users.ts';
import { WEBHOOKS } from './webhooks.ts';
import { WITHDRAWALS } from './withdrawals.ts';
import { WORK } from './work.ts';

/** Every table. No text stands in two of them: what several areas use stands in common.ts, and words of the interface in statuses.ts. */
export const TABLES = {
  COMMON,
  STATUSES,
  PROBLEMS,
  WORK,
  OVERVIEW,
  ESCROWS,
  DISPUTES,
  LINKS,
  USERS,
  LEDGER,
  WITHDRAWALS,
  RECEIPTS,
  WEBHOOKS,
  COMPANY,
  PLATFORM,
  TOOLS,
  ACCOUNT,
} as const;

/** Every text of the console with its translations. The keys are the English texts. */
export const TEXTS = {
  ...COMMON,
  ...STATUSES,
  ...PROBLEMS,
  ...WORK,
  ...OVERVIEW,
  ...ESCROWS,
  ...DISPUTES,
  ...LINKS,
  ...USERS,
  ...LEDGER,
  ...WITHDRAWALS,
  ...RECEIPTS,
  ...WEBHOOKS,
  ...COMPANY,
  ...PLATFORM,
  ...TOOLS,
  ...ACCOUNT,
} as const;
