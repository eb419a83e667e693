import { type Codec, cents, flag, id, instant, internalId, oneOf, record } from '../codec.ts';
import { initiation } from '../escrow/parse-command.ts';
import { type CommandId, commandThatMade } from '../ids.ts';
import { CURRENCY_CODES } from '../money.ts';
import type { LinkCommand, LinkTerms } from './link.ts';

/** The messages of updates and signals to a payment link: one codec per command. */

type Fields<Type extends LinkCommand['type']> = Omit<Extract<LinkCommand, { type: Type }>, 'type' | 'commandId'>;

const nothing = record<object>({});

/**
 * `sentBy` 'service': only the API may send it. A payment from a balance or a phone needs a one-time password, which the API
 * has checked.
 */
export const LINK_MESSAGES = {
  'take-back': {
    sentBy: 'service',
    fields: record<Fields<'take-back'>>({ attemptId: internalId<'attempt'>(), isForced: flag }),
  },
  'open-checkout': { sentBy: 'service', fields: nothing },
  'start-charge': { sentBy: 'service', fields: nothing },
  'pay-from-balance': { sentBy: 'service', fields: nothing },
  reject: { sentBy: 'anybody', fields: nothing },
  'check-attempt': {
    sentBy: 'anybody',
    fields: record<Fields<'check-attempt'>>({ attemptId: internalId<'attempt'>() }),
  },
} as const satisfies {
  readonly [Type in LinkCommand['type']]?: { sentBy: 'service' | 'anybody'; fields: Codec<Fields<Type>> };
};

export type LinkMessageType = keyof typeof LINK_MESSAGES;
export const LINK_MESSAGE_TYPES = Object.keys(LINK_MESSAGES) as readonly LinkMessageType[]; // Object.keys loses the key types

/** The command that `raw` describes; undefined if it is invalid. */
export function parseLinkCommand(type: LinkMessageType, commandId: CommandId, raw: unknown): LinkCommand | undefined {
  const fields = LINK_MESSAGES[type].fields.parse(raw);
  return fields === undefined ? undefined : ({ type, commandId, ...fields } as LinkCommand); // the table pairs type and fields
}

const terms = record<LinkTerms>({
  linkId: id('paymentLink'),
  escrowId: id('escrow'),
  companyId: id('company'),
  buyerId: id('user'),
  buyerAccountId: id('account'),
  bankAccountId: id('account'),
  amountCents: cents,
  currency: oneOf(...CURRENCY_CODES),
  expiresAt: instant,
});

/** The command that creates a link together with its escrow. Only the service sends it. */
const creation = record<{ terms: LinkTerms; escrow: Omit<Fields<'create'>['escrow'], 'type' | 'commandId'> }>({
  terms,
  escrow: initiation,
});

export function parseCreation(commandId: CommandId, raw: unknown): LinkCommand | undefined {
  const fields = creation.parse(raw);
  if (fields === undefined) return undefined;
  const { escrow } = fields;
  const initiate = { type: 'initiate', commandId: commandThatMade(escrow.terms.escrowId), ...escrow } as const;
  return { type: 'create', commandId, terms: fields.terms, escrow: initiate };
}

/** The message that creates a link. */
export function formatCreation({ terms: linkTerms, escrow }: Fields<'create'>): object {
  return creation.format({ terms: linkTerms, escrow }) as object; // a record
}
