/** Plots that clients play to the end on an escrow, and the expected books after each. */

type Answer = { readonly [field: string]: unknown };

export type Scene = {
  /** The event that it leaves in the escrow's timeline. */
  readonly event: string;
  readonly path: string;
  readonly body?: object;
};

export type Cast = { readonly adminId: string };

/** The data of an escrow that has begun. */
export type Begun = {
  readonly escrowId: string;
  readonly items: readonly object[];
  readonly milestoneIds: readonly string[];
};

export type Plot = {
  readonly milestones?: readonly { title: string; percentage: number }[];
  readonly scenes: (begun: Begun, cast: Cast) => readonly Scene[];
  /** The amounts that the seller has received and the buyer has paid at the end. */
  readonly payoutCents: bigint;
  readonly costCents: bigint;
  /** Transactions of the escrow, by type. */
  readonly transactions: Readonly<Record<string, number>>;
};

export const TOTAL_CENTS = 10_000;

export const PLOTS = {
  paid: {
    scenes: ({ items }) => [
      { event: 'DELIVERY_NOTED', path: '/delivery-note', body: { items } },
      { event: 'GOODS_RECEIVED', path: '/goods-received', body: { items } },
      { event: 'FUNDS_RELEASED', path: '/release' },
    ],
    payoutCents: 9_900n,
    costCents: 10_000n,
    transactions: { ESCROW_HOLD: 1, PAYMENT: 1 },
  },
  inParts: {
    milestones: [
      { title: 'First half', percentage: 50 },
      { title: 'Second half', percentage: 50 },
    ],
    scenes: ({ milestoneIds }) => [
      { event: 'MILESTONE_RELEASED', path: `/release?milestoneId=${milestoneIds[0]}` },
      { event: 'FUNDS_RELEASED', path: '/release' },
    ],
    payoutCents: 9_900n,
    costCents: 10_000n,
    transactions: { ESCROW_HOLD: 1, PAYMENT: 2 },
  },
  cancelled: {
    scenes: () => [{ event: 'CANCELLED', path: '/cancel', body: { actor: 'BUYER', reason: 'Changed my mind' } }],
    payoutCents: 0n,
    costCents: 0n,
    transactions: { ESCROW_HOLD: 1, REFUND: 1 },
  },
  resolved: {
    scenes: (_begun, { adminId }) => [
      { event: 'DISPUTED', path: '/dispute', body: { actor: 'SELLER', reason: 'No word from the buyer' } },
      {
        event: 'RESOLVED',
        path: '/admin-resolve',
        body: {
          adminId,
          newSplitPlan: { system_fee_cents: 100, service_fee_cents: 0, seller_payout_cents: 4_000 },
        },
      },
    ],
    payoutCents: 4_000n,
    costCents: 4_100n,
    transactions: { ESCROW_HOLD: 1, PAYMENT: 1, REFUND: 1 },
  },
} as const satisfies Record<string, Plot>;

export type PlotName = keyof typeof PLOTS;
export const PLOT_NAMES: readonly PlotName[] = ['paid', 'inParts', 'cancelled', 'resolved'];

/** The fields of an escrow's `GET` that the plots need. */
export function begunOf(detail: Answer): Begun {
  const { id, items, milestones } = detail as {
    id: string;
    items: { id: string; quantity: number; pricePerUnit: number }[];
    milestones: { id: string }[];
  }; // the API's own answer, which other tests check
  return {
    escrowId: id,
    items: items.map((item) => ({ itemId: item.id, quantity: item.quantity, price_per_item: item.pricePerUnit })),
    milestoneIds: milestones.map((milestone) => milestone.id),
  };
}
