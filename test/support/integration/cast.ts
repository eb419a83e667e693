import type { Recorder } from './recorder.ts';

/** The people of the first integration, and what happens outside the API. */

/** Events outside the API: in the sandbox, on the buyer's phone, at the bank. */
/** An act on an order page. */
export type OnPage = {
  readonly url: string;
  readonly mobileNumber: string;
  readonly act: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly files?: readonly Blob[];
};

export type Outside = {
  readonly platform: { readonly email: string; readonly password: string; readonly apiKey: string };
  readonly messaging: { readonly verifyToken: string; readonly appSecret: string };
  /** The one-time password that the number received. */
  codeFor(mobileNumber: string): Promise<string>;
  /** The token of the link that a mail to the address brought. */
  resetTokenFor(email: string): Promise<string>;
  /** A party does something on its order page, after a code to its number. */
  actOnPage(page: OnPage): Promise<void>;
  /** The buyer fills in the gateway's card form. */
  payByCard(checkoutId: string): Promise<void>;
  /** The address at which the integrator receives webhooks. */
  readonly webhookUrl: string;
  /** The bank waits for an operator before it pays. */
  bankWaits(): Promise<void>;
  /** The latest bank details of the ledger are not in effect yet, as after a cooling-off period. */
  detailsWait(ledgerId: string): Promise<void>;
  /** The bank does not answer, until it does again. */
  bankIsAway(isAway: boolean): Promise<void>;
};

export const OWNER = {
  firstName: 'Olive',
  lastName: 'Owner',
  email: 'olive@green-market.example',
  password: 'a long passphrase',
};
export const BUYER = { mobileNumber: '+263771234567', idNumber: '63-1234567A00', firstName: 'Bea', lastName: 'Buyer' };
const SELLER = { mobileNumber: '077 765 4321', idNumber: '63-7654321B00', firstName: 'Sam', lastName: 'Seller' };
export const MAIZE = { name: 'Maize, 50 kg', quantity: 2, pricePerUnit: 12_500 };
export const BANK = {
  bank_name: 'CBZ Bank',
  branch_code: '6101',
  account_number: '01234567890123',
  account_name: 'Sam Seller',
};

/** Registers the buyer and the seller. */
export async function meetPeople(record: Recorder) {
  await record('seedFinancialInstitutions', {});
  const [bank] = await record('listFinancialInstitutions', { as: 'nobody' });
  const buyer = await record('createUser', { body: { ...BUYER, customReference: 'buyer-1001' } });
  const seller = await record('createUser', {
    example: 'withBankAccount',
    body: {
      ...SELLER,
      bankAccount: { institutionId: bank.id, accountNumber: '01234567890123', branchCode: BANK.branch_code },
    },
  });
  await record('uploadDocument', { path: { id: buyer.id }, document: 'passport.png' });
  await record('downloadDocument', { path: { id: buyer.id } });
  await record('linkIdNumber', { path: { id: buyer.id }, body: { idNumber: BUYER.idNumber } });
  await record('listUsers', { query: { q: 'bea' } });
  await record('getUser', { path: { id: buyer.id } });
  await record('getUserLedger', { path: { id: buyer.id } });
  const usd = (of: typeof buyer) => of.accounts.find((one: { currency: string }) => one.currency === 'USD').id;
  return { buyer, seller, buyerAccountId: usd(buyer), sellerAccountId: usd(seller) };
}
export type People = Awaited<ReturnType<typeof meetPeople>>;
