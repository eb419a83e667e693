import { expect, test } from '@jest/globals';
import { TimelineEntry, timelineEntryView } from '../../../src/api/schemas/timeline.ts';
import type { EscrowEvent } from '../../../src/domain/escrow/commands.ts';
import { toWire, type Wire } from '../../../src/domain/messages/wire.ts';

/** The entry of every event has exactly the fields of its schema. */

const ID = '01900000-0000-7000-8000-000000000001';
const AT = '2026-01-31T09:30:00.000Z';
const shares = { systemFeeCents: 1n, serviceFeeCents: 2n, sellerPayoutCents: 3n, buyerRefundCents: 4n };
const items = [{ itemId: ID, quantity: 2, pricePerItemCents: 500n }];
const settled = { shares, transactionId: ID };
const nobody = { adminId: null, apiKeyId: null };
const negotiation = {
  negotiationId: ID,
  milestoneId: null,
  proposer: 'BUYER',
  plan: { systemFeeCents: 1n, serviceFeeCents: 2n, sellerPayoutCents: 3n },
  status: 'PENDING',
  lapsesAt: AT,
};

/** Events whose details are not their fields as they are; the compiler matches every event's details with their schema. */
const EVENTS: { readonly [Type in EscrowEvent['type']]?: object } = {
  INITIATED: { terms: {}, fees: null, shares, milestones: [], heldCents: 10n },
  FUNDED: { heldCents: 10n },
  DELIVERY_NOTED: { items, isPartial: true },
  GOODS_RECEIVED: { items, isPartial: false },
  MILESTONE_RELEASED: { ...settled, ...nobody, milestoneId: ID },
  FUNDS_RELEASED: { ...settled, adminId: null, apiKeyId: ID },
  AUTO_RELEASED: settled,
  RELEASE_BLOCKED: { reason: 'user_blacklisted', retryAt: AT },
  AUTO_RELEASE_EXTENDED: { autoReleaseAt: AT },
  AUTO_RELEASE_STOPPED: { requestId: ID, until: AT },
  AUTO_RELEASE_RESUMED: { requestId: ID },
  NEGOTIATION_PROPOSED: { negotiation },
  NEGOTIATION_ACCEPTED: { negotiationId: ID },
  NEGOTIATION_REJECTED: { negotiationId: ID },
  NEGOTIATION_LAPSED: { negotiationId: ID },
  DISPUTED: { disputeId: ID, openedBy: 'BUYER' },
  EVIDENCE_ADDED: nobody,
  RESOLVED: { ...settled, adminId: ID, apiKeyId: null },
  CANCELLED: { ...nobody, refundCents: 4n, transactionId: null },
  CHARGED_BACK: { change: 'charged_back', amountCents: 10n, transactionId: ID },
  CHARGEBACK_REVERSED: { amountCents: 10n, transactionId: ID },
};

test.each(Object.entries(EVENTS))('%s', (type, fields) => {
  const event = toWire({ type, commandId: ID, actor: 'SYSTEM', at: AT, ...fields });
  const entry = timelineEntryView({
    event: event as unknown as Wire<EscrowEvent>, // made from the table above, whose ids are not branded
    actor: 'SYSTEM',
    at: new Date(AT),
    source: 'API',
    files: [],
    content: { notes: 'As agreed', documentUrl: 'https://market.example/a.pdf' },
  });
  expect(TimelineEntry.parse(entry)).toEqual(entry);
  expect(entry.details).toMatchObject({ notes: 'As agreed' });
});
