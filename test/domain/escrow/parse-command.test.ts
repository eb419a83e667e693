import { describe, expect, test } from '@jest/globals';
import { formatCommand, MESSAGE_TYPES, type MessageType, parseCommand } from '../../../src/domain/escrow/commands.ts';
import type { CommandId } from '../../../src/domain/ids.ts';
import { ESCROW_MESSAGE_TEXTS } from '../../../src/workflows/details/message-texts.ts';

/** The names and the units of each message, as docs/operations/temporal.md and the Temporal UI show them, against the command's fields. */

const UUID = '01900000-0000-7000-8000-000000000001';
const plan = { system_fee_cents: 1, service_fee_cents: 2, seller_payout_cents: 3 };
const PLAN = { systemFeeCents: 1n, serviceFeeCents: 2n, sellerPayoutCents: 3n };
const items = [{ itemId: `itm_${UUID}`, quantity: 4, price_per_item: 5 }];
const ITEMS = [{ itemId: UUID, quantity: 4, pricePerItemCents: 5n }];
const orderedBy = { adminId: `adm_${UUID}` };
const ORDERED_BY = { adminId: UUID, apiKeyId: null };
const answer = { actor: 'SELLER', negotiationId: `neg_${UUID}`, milestoneId: `mst_${UUID}` };
const ANSWER = { actor: 'SELLER', negotiationId: UUID, milestoneId: UUID };

/** The messages whose fields are ids, amounts or absent. The others read as they are written. */
const ROWS: { readonly [Type in MessageType]?: readonly [message: object, fields: object] } = {
  'delivery-note': [{ items }, { items: ITEMS }],
  'goods-received': [{ items }, { items: ITEMS }],
  release: [orderedBy, ORDERED_BY],
  'release-milestone': [
    { ...orderedBy, milestoneId: `mst_${UUID}` },
    { ...ORDERED_BY, milestoneId: UUID },
  ],
  negotiate: [
    { actor: 'BUYER', newSplitPlan: plan },
    { actor: 'BUYER', plan: PLAN },
  ],
  'adjust-milestone': [
    { actor: 'BUYER', milestoneId: `mst_${UUID}`, proposedSellerPayoutCents: 6 },
    { actor: 'BUYER', milestoneId: UUID, sellerPayoutCents: 6n },
  ],
  'accept-negotiation': [answer, ANSWER],
  'reject-negotiation': [answer, ANSWER],
  'stop-auto-release': [
    { requestId: `req_${UUID}`, hours: 48 },
    { requestId: UUID, hours: 48 },
  ],
  'resume-auto-release': [{ requestId: `req_${UUID}` }, { requestId: UUID }],
  'add-evidence': [
    { ...orderedBy, actor: 'ADMIN' },
    { ...ORDERED_BY, actor: 'ADMIN' },
  ],
  cancel: [
    { ...orderedBy, actor: 'ADMIN' },
    { ...ORDERED_BY, actor: 'ADMIN' },
  ],
  'admin-resolve': [
    { ...orderedBy, newSplitPlan: plan },
    { ...ORDERED_BY, plan: PLAN },
  ],
};

describe.each(MESSAGE_TYPES)('the message %s', (type) => {
  const sample: object = JSON.parse(ESCROW_MESSAGE_TEXTS[type].sample);
  const [message, fields] = ROWS[type] ?? [sample, sample];
  const commandId = UUID as CommandId;

  test('is the command with these fields', () => {
    expect(parseCommand(type, commandId, message)).toEqual({ type, commandId, ...fields });
  });

  test('is what the API sends for them', () => {
    expect(parseCommand(type, commandId, formatCommand(type, fields as never))).toEqual({ type, commandId, ...fields });
  });

  test('is refused without any of its fields, but for the key or the administrator', () => {
    for (const name of Object.keys(message).filter((one) => !['adminId', 'milestoneId'].includes(one))) {
      const { [name]: _, ...rest } = message as Record<string, unknown>;
      expect([name, parseCommand(type, commandId, rest)]).toEqual([name, undefined]);
    }
  });
});
