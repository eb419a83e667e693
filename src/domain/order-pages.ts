import type { Party } from './escrow/escrow.ts';

/** What the order pages of a company let buyers and sellers do. */

/** Of each act: who may do it, and whether it is on unless the company decides otherwise. */
const ORDER_ACTS = {
  confirm_receipt: { parties: ['BUYER'], mode: 'direct' },
  release: { parties: ['BUYER'], mode: 'off' },
  extend: { parties: ['BUYER'], mode: 'direct' },
  ask_cancel: { parties: ['BUYER'], mode: 'direct' },
  dispatch: { parties: ['SELLER'], mode: 'direct' },
  dispute: { parties: ['BUYER', 'SELLER'], mode: 'direct' },
  evidence: { parties: ['BUYER', 'SELLER'], mode: 'direct' },
  propose: { parties: ['BUYER', 'SELLER'], mode: 'direct' },
  answer: { parties: ['BUYER', 'SELLER'], mode: 'direct' },
} as const satisfies Record<string, { readonly parties: readonly Party[]; readonly mode: ActMode }>;
export type OrderAct = keyof typeof ORDER_ACTS;
export const ORDER_ACT_NAMES = Object.keys(ORDER_ACTS) as [OrderAct, ...OrderAct[]]; // Object.keys loses the key types

export const ACT_MODES = ['off', 'direct'] as const;
export type ActMode = (typeof ACT_MODES)[number];

export type OrderPageSettings = {
  readonly enabled: boolean;
  readonly acts: { readonly [Act in OrderAct]: ActMode };
};
/** What a company has set; the rest is as `ORDER_ACTS` has it. */
export type OrderPageChoices = {
  readonly enabled?: boolean | undefined;
  readonly acts?: { readonly [Act in OrderAct]?: ActMode | undefined } | undefined;
};

export function orderPageSettings({ enabled = false, acts = {} }: OrderPageChoices): OrderPageSettings {
  const modes = ORDER_ACT_NAMES.map((act) => [act, acts[act] ?? ORDER_ACTS[act].mode]);
  return { enabled, acts: Object.fromEntries(modes) as OrderPageSettings['acts'] }; // of each act
}

/** The choices after a change, field by field. */
export function changedChoices(before: OrderPageChoices, change: OrderPageChoices): OrderPageChoices {
  const enabled = change.enabled ?? before.enabled;
  const chosen = Object.entries(change.acts ?? {}).filter(([, mode]) => mode !== undefined);
  return { ...(enabled === undefined ? {} : { enabled }), acts: { ...before.acts, ...Object.fromEntries(chosen) } };
}

export function maySee(act: OrderAct, party: Party, { acts }: OrderPageSettings): boolean {
  const parties: readonly Party[] = ORDER_ACTS[act].parties;
  return parties.includes(party) && acts[act] !== 'off';
}
