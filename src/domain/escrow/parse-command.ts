import type { CommandId } from '../ids.ts';
import { type Codec, cents, id, instant, integer, list, named, oneOf, optional, record } from '../messages/codec.ts';
import { CURRENCY_CODES } from '../money.ts';
import {
  type CommandOf,
  type CountedItem,
  type EscrowCommand,
  type EscrowTerms,
  MAX_AUTO_RELEASE_HOURS,
  MAX_BASIS_POINTS,
  MAX_EXTENSION_HOURS,
  MAX_ITEMS,
  MAX_MILESTONES,
  MAX_QUANTITY,
  type OrderedItem,
  PARTIES,
} from './escrow.ts';
import { FEE_PAYERS, type SplitPlan } from './shares.ts';
import type { MessageType } from './transitions.ts';

/** The messages of updates and signals to an escrow: one codec per command. */

type Fields<Type extends EscrowCommand['type']> = Omit<CommandOf<Type>, 'type' | 'commandId'>;

const party = oneOf(...PARTIES);
const partyOrAdmin = oneOf(...PARTIES, 'ADMIN');
const splitPlan = record<SplitPlan>({
  systemFeeCents: named('system_fee_cents', cents),
  serviceFeeCents: named('service_fee_cents', cents),
  sellerPayoutCents: named('seller_payout_cents', cents),
});
const countedItems = list(
  record<CountedItem>({
    itemId: id('item'),
    quantity: integer(1, MAX_QUANTITY),
    pricePerItemCents: named('price_per_item', cents),
  }),
  1,
  MAX_ITEMS,
);
const answer = record<Fields<'accept-negotiation'>>({
  actor: party,
  negotiationId: id('negotiation'),
  milestoneId: optional(id('milestone')),
});
const orderedBy = { adminId: optional(id('administrator')), apiKeyId: optional(id('apiKey')) };

/** All commands that a client or support may send, with their fields. */
const MESSAGE_FIELDS = {
  'delivery-note': record<Fields<'delivery-note'>>({ items: countedItems }),
  'goods-received': record<Fields<'goods-received'>>({ items: countedItems }),
  release: record<Fields<'release'>>(orderedBy),
  'release-milestone': record<Fields<'release-milestone'>>({ ...orderedBy, milestoneId: id('milestone') }),
  negotiate: record<Fields<'negotiate'>>({ actor: party, plan: named('newSplitPlan', splitPlan) }),
  'adjust-milestone': record<Fields<'adjust-milestone'>>({
    actor: party,
    milestoneId: id('milestone'),
    sellerPayoutCents: named('proposedSellerPayoutCents', cents),
  }),
  'accept-negotiation': answer,
  'reject-negotiation': answer,
  'extend-auto-release': record<Fields<'extend-auto-release'>>({ hours: integer(1, MAX_EXTENSION_HOURS) }),
  dispute: record<Fields<'dispute'>>({ actor: party }),
  'add-evidence': record<Fields<'add-evidence'>>({ ...orderedBy, actor: partyOrAdmin }),
  cancel: record<Fields<'cancel'>>({ ...orderedBy, actor: oneOf(...PARTIES, 'ADMIN', 'SYSTEM') }),
  'admin-resolve': record<Fields<'admin-resolve'>>({
    plan: named('newSplitPlan', splitPlan),
    adminId: id('administrator'),
    apiKeyId: orderedBy.apiKeyId,
  }),
} as const satisfies { readonly [Type in MessageType]: Codec<Fields<Type>> };

export const MESSAGE_TYPES = Object.keys(MESSAGE_FIELDS) as readonly MessageType[]; // Object.keys loses the key types

/** The command that `raw` describes; undefined if it is invalid. A command that only an administrator may send must name one. */
export function parseCommand(type: MessageType, commandId: CommandId, raw: unknown): EscrowCommand | undefined {
  const fields = MESSAGE_FIELDS[type].parse(raw);
  if (fields === undefined) return undefined;
  const command = { type, commandId, ...fields } as EscrowCommand; // the table pairs type and fields
  return isAnonymous(command) ? undefined : command;
}

/** Acting as ADMIN must name an administrator; SYSTEM is reserved for the service, for a link that ended. */
function isAnonymous(command: EscrowCommand): boolean {
  if (command.type !== 'cancel' && command.type !== 'add-evidence') return false;
  return (
    command.actor === 'SYSTEM' || (command.actor === 'ADMIN' && command.adminId === null && command.apiKeyId === null)
  );
}

/** The message with these fields. */
export function formatCommand<Type extends MessageType>(type: Type, fields: Fields<Type>): object {
  const codec: Codec<Fields<MessageType>> = MESSAGE_FIELDS[type] as Codec<Fields<MessageType>>; // the table pairs type and fields
  return codec.format(fields) as object; // every row is a record
}

const terms = record<EscrowTerms>({
  escrowId: id('escrow'),
  companyId: id('company'),
  buyerId: id('user'),
  sellerId: optional(id('user')),
  buyerAccountId: id('account'),
  sellerAccountId: id('account'),
  serviceFeeAccountId: id('account'),
  systemFeeAccountId: id('account'),
  currency: oneOf(...CURRENCY_CODES),
  totalCents: cents,
  feePayer: oneOf(...FEE_PAYERS),
  items: list(
    record<OrderedItem>({ itemId: id('item'), quantity: integer(1, MAX_QUANTITY), pricePerUnitCents: cents }),
    1,
    MAX_ITEMS,
  ),
  autoReleaseHours: optional(integer(1, MAX_AUTO_RELEASE_HOURS)),
});

/** The command that starts an escrow. Only the service sends it. */
export const initiation = record<Fields<'initiate'>>({
  terms,
  fees: record<Fields<'initiate'>['fees']>({
    systemFeeBasisPoints: integer(0, MAX_BASIS_POINTS),
    serviceFeeBasisPoints: integer(0, MAX_BASIS_POINTS),
    systemFeeSince: instant,
    serviceFeeSince: instant,
  }),
  splitPlan: optional(splitPlan),
  milestones: list(
    record<Fields<'initiate'>['milestones'][number]>({
      milestoneId: id('milestone'),
      weightHundredths: integer(0, MAX_BASIS_POINTS),
    }),
    0,
    MAX_MILESTONES,
  ),
  funding: oneOf('now', 'awaited'),
});

/** The message that starts an escrow. */
export function formatInitiation(fields: Fields<'initiate'>): object {
  return initiation.format(fields) as object; // a record
}

export function parseInitiation(commandId: CommandId, raw: unknown): CommandOf<'initiate'> | undefined {
  const fields = initiation.parse(raw);
  return fields === undefined ? undefined : { type: 'initiate', commandId, ...fields };
}
