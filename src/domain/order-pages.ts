import type { Party } from './escrow/escrow.ts';
import { type EscrowId, publicId } from './ids.ts';
import type { Permission } from './roles.ts';

/** What the order pages of a company let buyers and sellers do. */

type ActRow = {
  /** Who may do it. */
  readonly parties: readonly Party[];
  /** How it is done unless the company decides otherwise. */
  readonly mode: ActMode;
  /** What a credential needs to approve a request for it. */
  readonly permission: Permission;
  /** Whether a buyer's waiting request stops the automatic release. */
  readonly stopsRelease?: true;
};

export const ORDER_ACTS = {
  confirm_receipt: { parties: ['BUYER'], mode: 'direct', permission: 'operate' },
  release: { parties: ['BUYER'], mode: 'off', permission: 'operate' },
  extend: { parties: ['BUYER'], mode: 'direct', permission: 'operate' },
  ask_cancel: { parties: ['BUYER'], mode: 'direct', permission: 'operate', stopsRelease: true },
  dispatch: { parties: ['SELLER'], mode: 'direct', permission: 'operate' },
  dispute: { parties: ['BUYER', 'SELLER'], mode: 'direct', permission: 'operate', stopsRelease: true },
  evidence: { parties: ['BUYER', 'SELLER'], mode: 'direct', permission: 'operate' },
  propose: { parties: ['BUYER', 'SELLER'], mode: 'direct', permission: 'operate', stopsRelease: true },
  answer: { parties: ['BUYER', 'SELLER'], mode: 'direct', permission: 'operate' },
  payout_details: { parties: ['SELLER'], mode: 'off', permission: 'manage_money' },
  payout: { parties: ['SELLER'], mode: 'off', permission: 'manage_money' },
} as const satisfies Record<string, ActRow>;
export type OrderAct = keyof typeof ORDER_ACTS;
export const ORDER_ACT_NAMES = Object.keys(ORDER_ACTS) as [OrderAct, ...OrderAct[]]; // Object.keys loses the key types

/** `direct`: it happens at once. `ask`: it happens when the company approves. */
export const ACT_MODES = ['off', 'direct', 'ask'] as const;
export type ActMode = (typeof ACT_MODES)[number];

export const REQUEST_STATUSES = ['PENDING', 'APPROVED', 'REFUSED', 'LAPSED'] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** How long a request waits for the company unless it decides otherwise. */
const ASK_HOURS = 48;
export const MAX_ASK_HOURS = 720;

export type OrderPageSettings = {
  readonly enabled: boolean;
  /** Whether the service sends the messages to the parties. */
  readonly messages: boolean;
  readonly askHours: number;
  readonly acts: { readonly [Act in OrderAct]: ActMode };
};
/** What a company has set; the rest is as `ORDER_ACTS` has it. */
export type OrderPageChoices = {
  readonly enabled?: boolean | undefined;
  readonly messages?: boolean | undefined;
  readonly askHours?: number | undefined;
  readonly acts?: { readonly [Act in OrderAct]?: ActMode | undefined } | undefined;
};

export function orderPageSettings({
  enabled = false,
  messages = true,
  askHours = ASK_HOURS,
  acts = {},
}: OrderPageChoices): OrderPageSettings {
  const modes = ORDER_ACT_NAMES.map((act) => [act, acts[act] ?? ORDER_ACTS[act].mode]);
  return { enabled, messages, askHours, acts: Object.fromEntries(modes) as OrderPageSettings['acts'] }; // of each act
}

/** The choices after a change, field by field. */
export function changedChoices(before: OrderPageChoices, change: OrderPageChoices): OrderPageChoices {
  const { acts = {}, ...rest } = change;
  const chosen = Object.entries({ ...before.acts, ...given(acts) });
  return { ...before, ...given(rest), acts: Object.fromEntries(chosen) };
}

function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** How the act is done. A receipt that pays a milestone is asked for, unless the company lets buyers release money. */
export function modeOf(act: OrderAct, paysMilestone: boolean, { acts }: OrderPageSettings): ActMode {
  const mode = acts[act];
  return act === 'confirm_receipt' && paysMilestone && mode === 'direct' && acts.release !== 'direct' ? 'ask' : mode;
}

export function maySee(act: OrderAct, party: Party, { acts }: OrderPageSettings): boolean {
  const parties: readonly Party[] = ORDER_ACTS[act].parties;
  return parties.includes(party) && acts[act] !== 'off';
}

/** Whether a request of the party for the act stops the automatic release while it waits. */
export function stopsRelease(act: OrderAct, party: Party): boolean {
  const row: ActRow = ORDER_ACTS[act];
  return party === 'BUYER' && row.stopsRelease === true;
}

/** One word of 64 characters. */
const ORDER_NUMBER = /^[\p{L}\p{N}#/_-]{1,64}$/u;

/**
 * The order as a message to a person names it: the merchant's reference, or our id where that has not the form of an order number. Free
 * text would let the merchant write under the name of the service, for example an address.
 */
export function orderName(externalReference: string | null, escrowId: EscrowId): string {
  const isNumber = externalReference !== null && ORDER_NUMBER.test(externalReference);
  return isNumber ? externalReference : publicId('escrow', escrowId);
}
