import type { ConsoleRole, ConsoleWorld } from './console-world.ts';

/** The pages of the console in typical states, for the tests of each page and for the screenshots. */

export type ConsoleScene = {
  readonly name: string;
  readonly as: ConsoleRole;
  /** Below `/console`. */
  readonly path: (world: ConsoleWorld) => string | Promise<string>;
  readonly heading: RegExp;
  /** Another test looks at the page: it is opened for pictures only. */
  readonly isForPictures?: boolean;
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
  { name: 'links', isForPictures: true, as: 'manager', heading: /Payment links/, path: () => '/links' },
  { name: 'link', isForPictures: true, as: 'owner', heading: /Payment link/, path: ({ linkId }) => `/links/${linkId}` },
  { name: 'link-new', isForPictures: true, as: 'manager', heading: /New payment link/, path: () => '/links/new' },
  { name: 'users', isForPictures: true, as: 'manager', heading: /Users/, path: () => '/users' },
  { name: 'user', isForPictures: true, as: 'platform', heading: /Sam/, path: ({ sellerId }) => `/users/${sellerId}` },
  { name: 'ledger', isForPictures: true, as: 'admin', heading: /Ledger/, path: () => '/ledger' },
  {
    name: 'account',
    isForPictures: true,
    as: 'owner',
    heading: /User, USD/,
    path: ({ accountId }) => `/ledger/accounts/${accountId}`,
  },
  {
    name: 'transactions',
    isForPictures: true,
    as: 'manager',
    heading: /Transactions/,
    path: ({ ledgerId }) => `/ledger/${ledgerId}`,
  },
  { name: 'reports', as: 'manager', heading: /Trial balance/, path: () => '/reports' },
  { name: 'revenue', isForPictures: true, as: 'owner', heading: /Revenue/, path: () => '/reports?report=revenue' },
  { name: 'liabilities', isForPictures: true, as: 'admin', heading: /Liab/, path: () => '/reports?report=liabilities' },
  { name: 'bank', isForPictures: true, as: 'owner', heading: /Bank reconciliation/, path: () => '/bank' },
  { name: 'withdrawals', isForPictures: true, as: 'manager', heading: /Withdrawals/, path: () => '/withdrawals' },
  {
    name: 'withdrawal',
    isForPictures: true,
    as: 'platform',
    heading: /Withdrawal/,
    path: ({ payoutId }) => `/withdrawals/${payoutId}`,
  },
  {
    name: 'withdrawal-new',
    isForPictures: true,
    as: 'admin',
    heading: /New withdrawal/,
    path: ({ accountId }) => `/withdrawals/new?${new URLSearchParams({ accountId, amount: '10000' })}`,
  },
  { name: 'receipts', isForPictures: true, as: 'admin', heading: /receipts/, path: () => '/receipts' },
  {
    name: 'receipt',
    isForPictures: true,
    as: 'admin',
    heading: /Receipt/,
    path: ({ receipt }) => `/receipts/${receipt}`,
  },
  { name: 'events', isForPictures: true, as: 'manager', heading: /Events/, path: () => '/events' },
  { name: 'webhooks', isForPictures: true, as: 'admin', heading: /Webhooks/, path: () => '/webhooks' },
  {
    name: 'webhook',
    isForPictures: true,
    as: 'admin',
    heading: /hook/,
    path: ({ webhookId }) => `/webhooks/${webhookId}`,
  },
  { name: 'keys', isForPictures: true, as: 'owner', heading: /API keys/, path: () => '/keys' },
  {
    name: 'administrators',
    isForPictures: true,
    as: 'owner',
    heading: /Administrators/,
    path: () => '/administrators',
  },
  { name: 'settings', isForPictures: true, as: 'owner', heading: /Settings/, path: () => '/settings' },
  { name: 'audit', isForPictures: true, as: 'owner', heading: /Audit log/, path: () => '/audit' },
  { name: 'clock', as: 'admin', heading: /Test clock/, path: () => '/clock' },
  {
    name: 'identities',
    isForPictures: true,
    as: 'platform',
    heading: /Identities/,
    path: () => '/identities?status=ALL',
  },
  { name: 'platform', as: 'platform', heading: /State of the service/, path: () => '/platform' },
  { name: 'companies', as: 'platform', heading: /Companies/, path: () => '/companies' },
  { name: 'act-for', as: 'platform', heading: /Act for/, path: () => '/act-for' },
  { name: 'password', as: 'manager', heading: /password/, path: () => '/password' },
];
