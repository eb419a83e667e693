import { initiation } from '../escrow/commands.ts';
import { type CommandId, commandThatMade } from '../ids.ts';
import { cents, id, instant, oneOf, record } from '../messages/codec.ts';
import { CURRENCY_CODES } from '../money.ts';
import { LINK_COMMANDS, type LinkCommand, type LinkMessageType, type LinkTerms } from './link.ts';

/** The messages of updates and signals to a payment link. */

type Fields<Type extends LinkCommand['type']> = Omit<Extract<LinkCommand, { type: Type }>, 'type' | 'commandId'>;

export const LINK_MESSAGE_TYPES = Object.entries(LINK_COMMANDS).flatMap(
  ([type, { sentBy }]) =>
    type !== 'create' && (sentBy === 'api' || sentBy === 'anybody') ? [type as LinkMessageType] : [], // of such a row
);

/** The command that `raw` describes; undefined if it is invalid. */
export function parseLinkCommand(type: LinkMessageType, commandId: CommandId, raw: unknown): LinkCommand | undefined {
  const fields = LINK_COMMANDS[type].fields.parse(raw);
  return fields === undefined ? undefined : ({ type, commandId, ...fields } as LinkCommand); // the row pairs type and fields
}

const terms = record<LinkTerms>({
  linkId: id('paymentLink'),
  escrowId: id('escrow'),
  companyId: id('company'),
  buyerId: id('user'),
  buyerAccountId: id('account'),
  clearingAccountIds: record<LinkTerms['clearingAccountIds']>({ card: id('account'), mobile_money: id('account') }),
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
