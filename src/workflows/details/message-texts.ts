import type { MessageType } from '../../domain/escrow/commands.ts';
import type { LinkMessageType } from '../../domain/payment-link/link.ts';
import type { WithdrawalMessageType } from '../../domain/withdrawal/parse-command.ts';

/**
 * The descriptions of all signals and updates in the Temporal UI, each with a message to copy. `npm run docs` writes those
 * of escrows into docs/operations/temporal.md.
 */
export type MessageText = { readonly does: string; readonly sample: string };

export const ESCROW_MESSAGE_TEXTS: Readonly<Record<MessageType, MessageText>> = {
  'admin-resolve': {
    does: 'decides a dispute; the buyer gets back what the plan does not pay out',
    sample:
      '{"adminId":"adm_01900000-0000-7000-8000-000000000001","newSplitPlan":{"system_fee_cents":250,"service_fee_cents":0,"seller_payout_cents":20000}}',
  },
  cancel: {
    does: 'returns everything that is held to the buyer; `BUYER` and `SELLER` need no `adminId`, but cannot end a dispute',
    sample: '{"actor":"ADMIN","adminId":"adm_01900000-0000-7000-8000-000000000001"}',
  },
  release: {
    does: 'pays out everything that is held',
    sample: '{}',
  },
  'release-milestone': {
    does: 'pays out one milestone',
    sample: '{"milestoneId":"mst_01900000-0000-7000-8000-000000000001"}',
  },
  dispute: {
    does: 'opens a dispute, which freezes the escrow',
    sample: '{"actor":"BUYER"}',
  },
  'add-evidence': {
    does: 'records that evidence was handed in; `ADMIN` needs an `adminId`',
    sample: '{"actor":"BUYER"}',
  },
  'delivery-note': {
    does: 'records that the seller sent the items',
    sample: '{"items":[{"itemId":"itm_01900000-0000-7000-8000-000000000001","quantity":2,"price_per_item":12500}]}',
  },
  'goods-received': {
    does: 'records that the buyer received the items',
    sample: '{"items":[{"itemId":"itm_01900000-0000-7000-8000-000000000001","quantity":2,"price_per_item":12500}]}',
  },
  negotiate: {
    does: 'proposes another split',
    sample:
      '{"actor":"BUYER","newSplitPlan":{"system_fee_cents":250,"service_fee_cents":0,"seller_payout_cents":20000}}',
  },
  'adjust-milestone': {
    does: 'proposes another payout of a milestone',
    sample:
      '{"actor":"SELLER","milestoneId":"mst_01900000-0000-7000-8000-000000000001","proposedSellerPayoutCents":10000}',
  },
  'accept-negotiation': {
    does: 'accepts a proposal; a proposal about a milestone needs its `milestoneId`',
    sample: '{"actor":"SELLER","negotiationId":"neg_01900000-0000-7000-8000-000000000001"}',
  },
  'reject-negotiation': {
    does: 'rejects or withdraws a proposal; a proposal about a milestone needs its `milestoneId`',
    sample: '{"actor":"SELLER","negotiationId":"neg_01900000-0000-7000-8000-000000000001"}',
  },
  'stop-auto-release': {
    does: 'stops the automatic release while a request of the buyer waits',
    sample: '{"requestId":"req_01900000-0000-7000-8000-000000000001","hours":48}',
  },
  'resume-auto-release': {
    does: 'plans the automatic release again, because a request was answered',
    sample: '{"requestId":"req_01900000-0000-7000-8000-000000000001"}',
  },
  'extend-auto-release': {
    does: 'postpones the automatic release, once',
    sample: '{"hours":24}',
  },
};

const ATTEMPT = '01900000-0000-7000-8000-000000000001';

export const LINK_MESSAGE_TEXTS: Readonly<Record<LinkMessageType, MessageText>> = {
  'open-checkout': { does: 'opens a card form; only the API sends it', sample: '{}' },
  'start-charge': { does: 'charges mobile money; only the API sends it', sample: '{}' },
  'pay-from-balance': { does: 'pays from the balance of the buyer; only the API sends it', sample: '{}' },
  'take-back': {
    does: 'takes a payment back; only the API sends it',
    sample: `{"attemptId":"${ATTEMPT}","isForced":true}`,
  },
  reject: { does: 'rejects the link, and cancels its escrow', sample: '{}' },
  'check-attempt': {
    does: 'asks the provider what became of an attempt',
    sample: `{"attemptId":"${ATTEMPT}"}`,
  },
};

export const WITHDRAWAL_MESSAGE_TEXTS: Readonly<Record<WithdrawalMessageType, MessageText>> = {
  'check-payout': {
    does:
      'asks the bank now, and sends the payment again if the bank does not know it; ' +
      'with `"mayResend":false` it does not send it again',
    sample: '{"mayResend":false}',
  },
  resume: {
    does: 'sends a payment that was held back, by an administrator; the platform alone resumes what it froze',
    sample: '{"adminId":"adm_01900000-0000-7000-8000-000000000001"}',
  },
  cancel: {
    does: 'gives the money back before the bank has the payment, by an administrator',
    sample: '{"adminId":"adm_01900000-0000-7000-8000-000000000001"}',
  },
  'book-outcome': {
    does: 'books what the statement of the bank says, by an administrator of the platform',
    sample: '{"outcome":"PAID","adminId":"adm_01900000-0000-7000-8000-000000000001"}',
  },
};

/** The Markdown next to the handler in the UI. */
export function messageText({ does, sample }: MessageText): string {
  return `${does}. Input: \`${sample}\``;
}
