import type { ConsoleRole, ConsoleWorld } from './console-world.ts';

/** The pages of the console in typical states, for the tests of each page and for the screenshots. */

export type ConsoleScene = {
  readonly name: string;
  readonly as: ConsoleRole;
  /** Below `/console`. */
  readonly path: (world: ConsoleWorld) => string | Promise<string>;
  readonly heading: RegExp;
};

export const CONSOLE_SCENES: readonly ConsoleScene[] = [
  { name: 'overview', as: 'owner', heading: /Overview/, path: () => '' },
  { name: 'escrows', as: 'manager', heading: /Escrows/, path: () => '/escrows' },
  { name: 'escrow', as: 'admin', heading: /order-/, path: ({ active }) => `/escrows/${active}` },
  { name: 'escrow-milestones', as: 'manager', heading: /order-/, path: ({ staged }) => `/escrows/${staged}` },
  { name: 'escrow-final', as: 'platform', heading: /order-/, path: ({ done }) => `/escrows/${done}` },
  { name: 'release', as: 'owner', heading: /Release/, path: ({ active }) => `/escrows/${active}/release` },
  { name: 'answer', as: 'owner', heading: /Answer/, path: ({ active }) => `/escrows/${active}/answer` },
  { name: 'delivery', as: 'owner', heading: /delivery/, path: ({ active }) => `/escrows/${active}/delivery-note` },
  { name: 'propose', as: 'owner', heading: /split/, path: ({ staged }) => `/escrows/${staged}/propose` },
  { name: 'cancel', as: 'owner', heading: /Cancel/, path: ({ staged }) => `/escrows/${staged}/cancel` },
  {
    name: 'disputes',
    as: 'admin',
    heading: /Disputes/,
    path: async (world) => `/disputes?currency=USD&${await world.newDispute().then(() => 'sort=-amount')}`,
  },
  { name: 'dispute', as: 'admin', heading: /Dispute/, path: async (world) => `/disputes/${await world.newDispute()}` },
  { name: 'search', as: 'manager', heading: /Search/, path: () => '/search?q=Bea' },
  { name: 'password', as: 'manager', heading: /password/, path: () => '/password' },
];
