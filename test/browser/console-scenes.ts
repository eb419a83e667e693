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
  { name: 'links', as: 'manager', heading: /Payment links/, path: () => '/links' },
  { name: 'link', as: 'owner', heading: /Payment link/, path: ({ linkId }) => `/links/${linkId}` },
  { name: 'link-new', as: 'manager', heading: /New payment link/, path: () => '/links/new' },
  { name: 'users', as: 'manager', heading: /Users/, path: () => '/users' },
  { name: 'user', as: 'platform', heading: /Sam/, path: ({ sellerId }) => `/users/${sellerId}` },
  { name: 'ledger', as: 'admin', heading: /Ledger/, path: () => '/ledger' },
  { name: 'account', as: 'owner', heading: /User, USD/, path: ({ accountId }) => `/ledger/accounts/${accountId}` },
  { name: 'transactions', as: 'manager', heading: /Transactions/, path: ({ ledgerId }) => `/ledger/${ledgerId}` },
  { name: 'withdrawals', as: 'manager', heading: /Withdrawals/, path: () => '/withdrawals' },
  { name: 'withdrawal', as: 'platform', heading: /Withdrawal/, path: ({ payoutId }) => `/withdrawals/${payoutId}` },
  {
    name: 'withdrawal-new',
    as: 'admin',
    heading: /New withdrawal/,
    path: ({ accountId }) => `/withdrawals/new?${new URLSearchParams({ accountId, amount: '10000' })}`,
  },
  { name: 'receipts', as: 'admin', heading: /receipts/, path: () => '/receipts' },
  { name: 'receipt', as: 'admin', heading: /Receipt/, path: ({ receipt }) => `/receipts/${receipt}` },
  { name: 'events', as: 'manager', heading: /Events/, path: () => '/events' },
  { name: 'webhooks', as: 'admin', heading: /Webhooks/, path: () => '/webhooks' },
  { name: 'webhook', as: 'admin', heading: /hook/, path: ({ webhookId }) => `/webhooks/${webhookId}` },
  { name: 'keys', as: 'owner', heading: /API keys/, path: () => '/keys' },
  { name: 'administrators', as: 'owner', heading: /Administrators/, path: () => '/administrators' },
  { name: 'settings', as: 'owner', heading: /Settings/, path: () => '/settings' },
  { name: 'audit', as: 'owner', heading: /Audit log/, path: () => '/audit' },
  { name: 'clock', as: 'admin', heading: /Test clock/, path: () => '/clock' },
  { name: 'identities', as: 'platform', heading: /Identities/, path: () => '/identities?status=ALL' },
  { name: 'platform', as: 'platform', heading: /State of the service/, path: () => '/platform' },
  { name: 'companies', as: 'platform', heading: /Companies/, path: () => '/companies' },
  { name: 'act-for', as: 'platform', heading: /Act for/, path: () => '/act-for' },
  { name: 'password', as: 'manager', heading: /password/, path: () => '/password' },
];
