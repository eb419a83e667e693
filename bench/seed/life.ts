import { postingToJson } from '../../src/db/ledger/post.ts';
import type { EscrowCommand, EscrowEvent } from '../../src/domain/escrow/commands.ts';
import { decide } from '../../src/domain/escrow/decide.ts';
import type { EscrowState, EscrowTerms } from '../../src/domain/escrow/escrow.ts';
import { evolve } from '../../src/domain/escrow/evolve.ts';
import {
  type AccountId,
  type AdministratorId,
  type CompanyId,
  commandThatMade,
  type EscrowId,
  type ItemId,
  type TransactionId,
  type UserId,
} from '../../src/domain/ids.ts';
import { depositPosting } from '../../src/domain/ledger/deposits.ts';
import type { Posting } from '../../src/domain/ledger/postings.ts';
import { toWire } from '../../src/domain/messages/wire.ts';

/**
 * The life of every seeded escrow: a deposit, an initiation that holds it, and a release. The domain decides it once, with markers
 * instead of the values that differ from one escrow to the next. SQL puts those values in.
 */

/** The values that differ. Each is the argument of `format` at its place. */
const VALUES = [
  ...['number', 'deposit', 'escrow', 'release', 'item', 'buyer', 'seller', 'buyerAccount', 'sellerAccount'],
  ...['initiatedAt', 'releasedAt'],
] as const;
type Value = (typeof VALUES)[number];

const AMOUNT_CENTS = 10_000n;
const FEES = { systemFeeBasisPoints: 100, serviceFeeBasisPoints: 250 } as const;

export type Fixed = {
  readonly companyId: CompanyId;
  readonly administratorId: AdministratorId;
  readonly bank: AccountId;
  readonly serviceFee: AccountId;
  readonly systemFee: AccountId;
  /** When the fees began to apply, ISO 8601. */
  readonly feesSince: string;
};

/** A step of an escrow: its event and the state after it. */
export type Step = { readonly event: string; readonly state: string };

/** Formats (of PostgreSQL's function `format`) of JSON documents. */
export type Life = {
  /** In the order in which they are posted. */
  readonly postings: readonly string[];
  readonly initiated: Step;
  readonly released: Step;
  /** The row of command_text. */
  readonly text: string;
};

export function formatsOfLife(fixed: Fixed): Life {
  const escrowId = marker<EscrowId>('escrow');
  const terms: EscrowTerms = {
    escrowId,
    companyId: fixed.companyId,
    buyerId: marker<UserId>('buyer'),
    sellerId: marker<UserId>('seller'),
    buyerAccountId: marker<AccountId>('buyerAccount'),
    sellerAccountId: marker<AccountId>('sellerAccount'),
    serviceFeeAccountId: fixed.serviceFee,
    systemFeeAccountId: fixed.systemFee,
    currency: 'USD',
    totalCents: AMOUNT_CENTS,
    feePayer: 'SELLER',
    items: [{ itemId: marker<ItemId>('item'), quantity: 1, pricePerUnitCents: AMOUNT_CENTS }],
    autoReleaseHours: null,
  };
  const deposit = depositPosting({
    transactionId: marker<TransactionId>('deposit'),
    companyId: fixed.companyId,
    accountId: terms.buyerAccountId,
    contraAccountId: fixed.bank,
    amountCents: AMOUNT_CENTS,
    currency: 'USD',
    externalReference: `receipt ${marker('number')}`,
    userReference: null,
    isTransit: false,
  });
  const initiation: EscrowCommand = {
    type: 'initiate',
    commandId: commandThatMade(escrowId),
    terms,
    fees: { ...FEES, systemFeeSince: fixed.feesSince, serviceFeeSince: fixed.feesSince },
    splitPlan: null,
    milestones: [],
    funding: 'now',
  };
  const initiated = carryOut(null, initiation, marker('initiatedAt'));
  const release: EscrowCommand = {
    type: 'release',
    commandId: commandThatMade(marker<TransactionId>('release')),
    adminId: fixed.administratorId,
    apiKeyId: null,
  };
  const released = carryOut(initiated.state, release, marker('releasedAt'));
  const text = {
    items: [{ itemId: marker('item'), name: 'Maize, 50 kg', description: null }],
    milestones: [],
    externalReference: `order ${marker('number')}`,
    externalInvoiceNumber: null,
  };
  return {
    postings: [deposit, ...initiated.postings, ...released.postings].map((posting) => formatOf(postingToJson(posting))),
    initiated: stepOf(initiated),
    released: stepOf(released),
    text: formatOf(text),
  };
}

type Done = { readonly event: EscrowEvent; readonly state: EscrowState; readonly postings: readonly Posting[] };

function carryOut(before: EscrowState, command: EscrowCommand, now: string): Done {
  const decision = decide(before, command, now);
  if (decision.kind === 'refused') throw new Error(`the seeded ${command.type} was refused: ${decision.detail}`);
  return { ...decision, state: evolve(before, decision.event) };
}

function stepOf({ event, state }: Done): Step {
  return { event: formatOf(toWire(event)), state: formatOf(toWire(state)) };
}

/** Stands for a value. Ids and instants are plain text for the domain. */
function marker<Text extends string>(value: Value): Text {
  return `<${value}>` as Text; // SQL replaces it by such a text
}

function formatOf(document: unknown): string {
  const text = JSON.stringify(document).replaceAll('%', '%%');
  return VALUES.reduce((format, value, index) => format.replaceAll(marker(value), `%${index + 1}$s`), text);
}
