/** What needs a person. */

export const WORK_KINDS = [
  'DISPUTE',
  'PAYOUT',
  'WEBHOOK',
  'SUSPENSE',
  'LATE_MONEY',
  'IDENTITY',
  'PROPOSAL',
  'CHARGEBACK',
  'BANK_DETAILS',
  'REQUEST',
] as const;
export type WorkKind = (typeof WORK_KINDS)[number];
