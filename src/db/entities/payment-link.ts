import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CommandId, CompanyId, EscrowId, Id, UserId } from '../../domain/ids.ts';
import type { Locale } from '../../domain/locale.ts';
import { toWire, type Wire } from '../../domain/messages/wire.ts';
import type { Currency } from '../../domain/money.ts';
import type { AttemptId, AttemptKind, LinkEvent, LinkStatus, PaymentLink } from '../../domain/payment-link/link.ts';
import type { Source } from '../../domain/source.ts';
import type { FullRow } from '../core/read-model.ts';

/** What the company says of a link besides its terms: sent, stored and answered alike. */
const OFFER = {
  externalReference: p.text().nullable(),
  userReference: p.text().nullable(),
  successUrl: p.text().nullable(),
  cancelUrl: p.text().nullable(),
  locale: p.text().$type<Locale>().nullable(),
};

export const PaymentLinkRow = defineEntity({
  name: 'PaymentLinkRow',
  tableName: 'payment_link',
  properties: {
    id: p.uuid().primary().$type<Id<'paymentLink'>>(),
    companyId: p.uuid().$type<CompanyId>(),
    escrowId: p.uuid().$type<EscrowId>(),
    hash: p.text(),
    status: p.text().$type<LinkStatus>(),
    seq: p.integer(),
    buyerId: p.uuid().$type<UserId>(),
    currency: p.text().$type<Currency>(),
    amountCents: p.bigint(),
    ...OFFER,
    expiresAt: p.datetime(),
    state: p.json<Wire<PaymentLink>>(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export type PaymentLinkRow = InferEntity<typeof PaymentLinkRow>;

export type LinkOffer = Readonly<Pick<FullRow<PaymentLinkRow>, keyof typeof OFFER>>;

/** The offer in a request, a stored text or a record; null for what was not said. */
export function offerOf(said: { readonly [Name in keyof LinkOffer]?: LinkOffer[Name] | undefined }): LinkOffer {
  const names = Object.keys(OFFER) as (keyof LinkOffer)[]; // its only keys
  return Object.fromEntries(names.map((name) => [name, said[name] ?? null])) as LinkOffer; // each of them
}

/** The row of a new link. The caller then writes its first step. */
export function newLinkRow(state: PaymentLink, hash: string, offer: Partial<LinkOffer>): FullRow<PaymentLinkRow> {
  const { linkId, companyId, escrowId, buyerId, currency, amountCents, expiresAt } = state.terms;
  return {
    ...{ id: linkId, companyId, escrowId, hash, buyerId, currency, amountCents },
    ...offerOf(offer),
    expiresAt: new Date(expiresAt),
    status: state.status,
    seq: 0, // the first step makes it 1
    state: toWire(state),
    createdAt: new Date(state.createdAt),
    updatedAt: new Date(state.updatedAt),
  };
}

export const PaymentLinkEventRow = defineEntity({
  name: 'PaymentLinkEventRow',
  tableName: 'payment_link_event',
  properties: {
    linkId: p.uuid().primary().$type<Id<'paymentLink'>>(),
    seq: p.integer().primary(),
    companyId: p.uuid().$type<CompanyId>(),
    commandId: p.uuid().$type<CommandId>(),
    type: p.text().$type<LinkEvent['type']>(),
    actor: p.text().$type<LinkEvent['actor']>(),
    at: p.datetime(),
    status: p.text().$type<LinkStatus>(),
    data: p.json<Wire<LinkEvent>>(),
    source: p.text().$type<Source>(),
  },
});

export const PaymentAttemptRow = defineEntity({
  name: 'PaymentAttemptRow',
  tableName: 'payment_attempt',
  properties: {
    id: p.uuid().primary().$type<AttemptId>(),
    companyId: p.uuid().$type<CompanyId>(),
    linkId: p.uuid().$type<Id<'paymentLink'>>(),
    kind: p.text().$type<AttemptKind>(),
    provider: p.text(),
    checkoutId: p.text().nullable(),
    scriptUrl: p.text().nullable(),
    integrity: p.text().nullable(),
    phone: p.text().nullable(),
    sentAt: p.datetime().nullable(),
    paymentId: p.text().nullable(),
    refundAskedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});
export type PaymentAttemptRow = InferEntity<typeof PaymentAttemptRow>;
