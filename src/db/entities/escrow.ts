import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { EscrowEvent } from '../../domain/escrow/commands.ts';
import type { Actor, Escrow, EscrowStatus } from '../../domain/escrow/escrow.ts';
import type { CommandId, CompanyId, EscrowId, UserId } from '../../domain/ids.ts';
import type { Wire } from '../../domain/messages/wire.ts';
import type { Currency } from '../../domain/money.ts';
import type { Source } from '../../domain/source.ts';
import type { FullRow } from '../core/read-model.ts';
import type { LinkOffer } from './payment-link.ts';

export const EscrowRow = defineEntity({
  name: 'EscrowRow',
  tableName: 'escrow',
  properties: {
    id: p.uuid().primary().$type<EscrowId>(),
    companyId: p.uuid().$type<CompanyId>(),
    status: p.text().$type<EscrowStatus>(),
    seq: p.integer(),
    buyerId: p.uuid().$type<UserId>(),
    sellerId: p.uuid().$type<UserId>().nullable(),
    currency: p.text().$type<Currency>(),
    totalCents: p.bigint(),
    externalReference: p.text().nullable(),
    externalInvoiceNumber: p.text().nullable(),
    state: p.json<Wire<Escrow>>(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export type EscrowRow = InferEntity<typeof EscrowRow>;

export const EscrowEventRow = defineEntity({
  name: 'EscrowEventRow',
  tableName: 'escrow_event',
  properties: {
    escrowId: p.uuid().primary().$type<EscrowId>(),
    seq: p.integer().primary(),
    companyId: p.uuid().$type<CompanyId>(),
    commandId: p.uuid().$type<CommandId>(),
    type: p.text().$type<EscrowEvent['type']>(),
    actor: p.text().$type<Actor>(),
    at: p.datetime(),
    status: p.text().$type<EscrowStatus>(),
    data: p.json<Wire<EscrowEvent>>(),
    source: p.text().$type<Source>(),
  },
});
export type EscrowEventRow = InferEntity<typeof EscrowEventRow>;

/** The texts in a command's row; each command fills the fields that it has. */
export type CommandContent = Partial<LinkOffer> & {
  readonly items?: readonly { readonly itemId: string; readonly name: string; readonly description: string | null }[];
  readonly milestones?: readonly {
    readonly milestoneId: string;
    readonly title: string;
    readonly description: string | null;
  }[];
  readonly externalInvoiceNumber?: string | null;
  readonly notes?: string | null;
  readonly reason?: string | null;
  readonly documentUrl?: string | null;
  /** The request that the command carries out. */
  readonly requestId?: string | null;
  readonly carrier?: string | null;
  readonly trackingNumber?: string | null;
  /** For a payment link: its hash, and the id of its escrow. */
  readonly hash?: string;
  readonly escrowId?: string;
};

/** The row of a new escrow. */
export function newEscrowRow(state: Wire<Escrow>, content: CommandContent): FullRow<EscrowRow> {
  const { escrowId, companyId, buyerId, sellerId, currency, totalCents } = state.terms;
  return {
    ...{ id: escrowId, companyId, buyerId, sellerId, currency },
    totalCents: BigInt(totalCents),
    status: state.status,
    seq: state.seq,
    externalReference: content.externalReference ?? null,
    externalInvoiceNumber: content.externalInvoiceNumber ?? null,
    state,
    createdAt: new Date(state.createdAt),
    updatedAt: new Date(state.updatedAt),
  };
}

export const CommandText = defineEntity({
  name: 'CommandText',
  tableName: 'command_text',
  properties: {
    commandId: p.uuid().primary().$type<CommandId>(),
    companyId: p.uuid().$type<CompanyId>(),
    content: p.json<CommandContent>(),
    /** The entity to which the command is sent; null if it was carried out with the text. */
    about: p.uuid().nullable(),
    createdAt: p.datetime(),
  },
});
