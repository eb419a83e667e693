import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { documentForm, pdf } from '../support/documents.ts';
import { eventually } from '../support/eventually.ts';
import type { Answer, TestCompany, TestService } from '../support/service.ts';

/** A day of a company whose people have names and words that are easy to recognise. */

/** Must not be found in clear anywhere. */
export const SECRET = {
  buyerIdNumber: '63-7391846Q58',
  linkedIdNumber: '63-5582917W34',
  sellerIdNumber: '29-4471629K07',
  checkoutIdNumber: '75-9920384T61',
  accountNumber: '10048837261955',
  payoutAccountNumber: '40071955263388',
  withdrawalAccountNumber: '70093318254416',
} as const;

/** May be found in the database only. */
export const PERSONAL = {
  buyerNumber: '+263771648203',
  sellerNumber: '+263783920174',
  checkoutNumber: '+263719385046',
  buyerFirstName: 'Zvikomborero',
  buyerLastName: 'Chinamhora',
  sellerFirstName: 'Nyaradzai',
  email: 'zvikomborero.chinamhora@test.example',
  customReference: 'CHINAMHORA-FARM',
  metadata: 'guardian of Tafadzwa',
  accountName: 'Chinamhora and Daughters',
  item: 'Grandmother’s wedding necklace',
  itemDescription: 'engraved to Mavis 1961',
  milestone: 'Surgery deposit',
  deliveryNote: 'left with the neighbour at 14 Baobab',
  receiptNote: 'clasp is bent, see Dr Mutasa',
  negotiationNote: 'because of my divorce',
  adjustReason: 'hospital bill of my son',
  disputeReason: 'he threatened me on Tuesday',
  evidence: 'recording of the phone call',
  evidenceUrl: 'https://files.example/mutasa-xray.pdf',
  cancelReason: 'a death in the family',
  orderReference: 'order-for-mavis-1961',
  invoiceNumber: 'INV-MAVIS-7',
  document: 'Passport of Zvikomborero',
  documentName: 'chinamhora-passport.pdf',
} as const;

const items = [{ name: PERSONAL.item, description: PERSONAL.itemDescription, quantity: 1, pricePerUnit: 25_000 }];

type Party = { readonly id: string; readonly ledgerId: string; readonly account: string };

export async function done(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`it was refused: ${JSON.stringify(body)}`);
  return body;
}

export class PersonalDay {
  readonly refusals: Answer[] = [];
  /** Codes that the day created. */
  readonly made: string[] = [];
  private readonly service: TestService;
  private readonly company: TestCompany;

  constructor(service: TestService, company: TestCompany) {
    this.service = service;
    this.company = company;
  }

  async live(): Promise<void> {
    const { buyer, seller } = await this.registerPeople();
    await this.tradeToTheEnd(buyer, seller);
    await this.tradeInMilestones(buyer, seller);
    await this.quarrel(buyer, seller);
    await this.payOverLinks(buyer, seller);
    await this.withdraw(seller);
    await this.beRefused(buyer, seller);
  }

  private async refusedBy(answer: Promise<Answer>): Promise<void> {
    const refusal = await answer;
    expect(refusal.status).toBeGreaterThanOrEqual(400);
    this.refusals.push(refusal);
  }

  private async registerPeople(): Promise<{ buyer: Party; seller: Party }> {
    await done(this.company.post('/v1/identity/financial-institutions/seed'));
    const [bank] = (await this.company.get('/v1/identity/financial-institutions')).body;
    const register = async (person: Record<string, unknown>): Promise<Party> => {
      const user = await done(this.company.post('/v1/identity/users', person));
      return { id: user.id, ledgerId: user.ledgerId, account: user.accounts[0].id };
    };
    const buyer = await register({
      mobileNumber: PERSONAL.buyerNumber,
      idNumber: SECRET.buyerIdNumber,
      firstName: PERSONAL.buyerFirstName,
      lastName: PERSONAL.buyerLastName,
      email: PERSONAL.email,
      metadata: { note: PERSONAL.metadata },
      bankAccount: {
        institutionId: bank.id,
        accountNumber: SECRET.accountNumber,
        accountName: PERSONAL.accountName,
      },
    });
    const seller = await register({
      mobileNumber: PERSONAL.sellerNumber,
      idNumber: SECRET.sellerIdNumber,
      firstName: PERSONAL.sellerFirstName,
    });
    const form = documentForm(pdf(PERSONAL.document), PERSONAL.documentName);
    await done(this.company.request('POST', `/v1/identity/users/${buyer.id}/document`, { form }));
    const linked = { idNumber: SECRET.linkedIdNumber, customReference: PERSONAL.customReference };
    await done(this.company.post(`/v1/identity/users/${buyer.id}/link-id`, linked));
    const bankDetails = {
      bank_name: 'CBZ Bank',
      branch_code: '6101',
      account_number: SECRET.payoutAccountNumber,
      account_name: PERSONAL.accountName,
    };
    await done(this.company.request('PATCH', `/v1/ledger/${seller.ledgerId}/bank-details`, { body: bankDetails }));
    const money = { amount: 1_000_000, currency: 'USD' };
    await done(this.company.post('/v1/payments/deposit', { ...money, userReference: PERSONAL.customReference }));
    return { buyer, seller };
  }

  private async begin(buyer: Party, seller: Party, fields: Record<string, unknown> = {}) {
    const { id } = await done(
      this.company.post('/v1/escrow/initiate', {
        buyerId: buyer.id,
        sellerId: seller.id,
        buyerAccountId: buyer.account,
        items,
        externalReference: `${PERSONAL.orderReference} ${randomUUID()}`,
        externalInvoiceNumber: PERSONAL.invoiceNumber,
        ...fields,
      }),
    );
    const path = `/v1/escrow/${id}`;
    return { path, escrow: (await this.company.get(path)).body };
  }

  private async tradeToTheEnd(buyer: Party, seller: Party): Promise<void> {
    const { path, escrow } = await this.begin(buyer, seller);
    const counted = [{ itemId: escrow.items[0].id, quantity: 1, price_per_item: 25_000 }];
    await done(this.company.post(`${path}/delivery-note`, { items: counted, notes: PERSONAL.deliveryNote }));
    await done(this.company.post(`${path}/goods-received`, { items: counted, notes: PERSONAL.receiptNote }));
    await done(this.company.post(`${path}/release`));
  }

  private async tradeInMilestones(buyer: Party, seller: Party): Promise<void> {
    const milestones = [
      { title: PERSONAL.milestone, description: PERSONAL.itemDescription, percentage: 50 },
      { title: 'Rest', percentage: 50 },
    ];
    const { path, escrow } = await this.begin(buyer, seller, { milestones });
    const adjustment = { actor: 'BUYER', proposedSellerPayoutCents: 1_000, reason: PERSONAL.adjustReason };
    await done(this.company.post(`${path}/milestones/${escrow.milestones[0].id}/adjust`, adjustment));
    await done(this.company.post(`${path}/cancel`, { actor: 'SELLER', reason: PERSONAL.cancelReason }));
  }

  private async quarrel(buyer: Party, seller: Party): Promise<void> {
    const { path } = await this.begin(buyer, seller);
    const newSplitPlan = { system_fee_cents: 0, service_fee_cents: 0, seller_payout_cents: 10_000 };
    await done(
      this.company.post(`${path}/negotiate`, { actor: 'BUYER', newSplitPlan, notes: PERSONAL.negotiationNote }),
    );
    await done(this.company.post(`${path}/dispute`, { actor: 'BUYER', reason: PERSONAL.disputeReason }));
    const evidence = { actor: 'SELLER', note: PERSONAL.evidence, documentUrl: PERSONAL.evidenceUrl };
    await done(this.company.post(`${path}/dispute/evidence`, evidence));
    await done(this.company.post(`${path}/admin-resolve`, { newSplitPlan, adminId: this.company.owner.id }));
  }

  private async payOverLinks(buyer: Party, seller: Party): Promise<void> {
    const offer = async (): Promise<string> => {
      const link = { buyerId: buyer.id, sellerId: seller.id, amount: 25_000, currency: 'USD', items };
      const reference = { externalReference: `${PERSONAL.orderReference} ${randomUUID()}` };
      return (await done(this.company.post('/v1/payments/generate-escrow-payment-link', { ...link, ...reference })))
        .hash;
    };
    const say = (path: string, body: unknown) => this.service.request('POST', `/v1/payments/${path}`, { body });
    const fromBalance = await offer();
    await done(say('request-checkout-otp', { messagingNumber: PERSONAL.buyerNumber }));
    const otp = await this.service.sandbox.codeFor(PERSONAL.buyerNumber);
    this.made.push(otp);
    const proof = { messagingNumber: PERSONAL.buyerNumber, otp };
    await done(say('accept-payment', { paymentSlug: fromBalance, ...proof }));
    await done(say('accept-payment', { paymentSlug: await offer(), phoneNumber: PERSONAL.buyerNumber }));
    const byCard = await offer();
    const { checkoutId } = await done(say('eft-pay/initiate', { paymentSlug: byCard }));
    await this.service.sandbox.settle(checkoutId, 'success');
    await eventually(
      async () => (await this.company.get(`/v1/payments/link-details/${byCard}`)).body.status === 'ACCEPTED',
    );
    await done(
      say('register-checkout-user', {
        mobileNumber: PERSONAL.checkoutNumber,
        idNumber: SECRET.checkoutIdNumber,
        firstName: PERSONAL.sellerFirstName,
        paymentSlug: await offer(),
      }),
    );
  }

  private async withdraw(seller: Party): Promise<void> {
    const { id } = await done(
      this.company.post('/v1/treasury/withdraw', {
        accountId: seller.account,
        amount: 5_000,
        externalReference: `${PERSONAL.orderReference} ${randomUUID()}`,
        bank_name: 'CBZ Bank',
        branch_code: '6101',
        account_number: SECRET.withdrawalAccountNumber,
        account_name: PERSONAL.accountName,
      }),
    );
    const path = `/v1/treasury/withdrawals/${id}`;
    await eventually(async () => (await this.company.get(path)).body.status === 'COMPLETED');
  }

  /** The answer to an invalid request never repeats the request's content. */
  private async beRefused(buyer: Party, seller: Party): Promise<void> {
    const person = { mobileNumber: PERSONAL.buyerNumber, idNumber: SECRET.buyerIdNumber, email: PERSONAL.email };
    const user = (fields: Record<string, unknown>) => this.company.post('/v1/identity/users', { ...person, ...fields });
    await this.refusedBy(user({}));
    await this.refusedBy(user({ mobileNumber: `${PERSONAL.buyerNumber} ${PERSONAL.buyerLastName}` }));
    await this.refusedBy(user({ idNumber: [SECRET.buyerIdNumber] }));
    await this.refusedBy(user({ idNumber: `${SECRET.buyerIdNumber}\u0007` }));
    await this.refusedBy(user({ idNumber: SECRET.buyerIdNumber.repeat(30) }));
    await this.refusedBy(user({ mobileNumber: '+263770000009', customReference: PERSONAL.customReference }));
    await this.refusedBy(user({ email: `${PERSONAL.buyerLastName}@` }));
    await this.refusedBy(user({ bankAccount: { institutionId: randomUUID(), accountNumber: SECRET.accountNumber } }));
    await this.refusedBy(
      user({ bankAccount: { institutionId: SECRET.accountNumber, accountNumber: SECRET.accountNumber } }),
    );
    await this.refusedBy(
      this.company.request('POST', '/v1/identity/users', {
        headers: { 'content-type': 'application/json' },
        rawBody: `{"idNumber":"${SECRET.buyerIdNumber}","firstName":${PERSONAL.buyerFirstName}`,
      }),
    );
    await this.refusedBy(this.company.get(`/v1/identity/users/${encodeURIComponent(SECRET.buyerIdNumber)}`));
    await this.refusedBy(this.company.get(`/v1/identity/${encodeURIComponent(PERSONAL.buyerFirstName)}`));
    const form = documentForm(Buffer.from(PERSONAL.document), PERSONAL.documentName);
    await this.refusedBy(this.company.request('POST', `/v1/identity/users/${buyer.id}/document`, { form }));
    const { path } = await this.begin(buyer, seller);
    await this.refusedBy(
      this.company.post(`${path}/cancel`, { actor: PERSONAL.buyerFirstName, reason: PERSONAL.cancelReason }),
    );
    await this.refusedBy(this.company.post(`${path}/delivery-note`, { items: [], notes: PERSONAL.deliveryNote }));
    await done(this.company.post(`${path}/cancel`, { actor: 'BUYER', reason: PERSONAL.cancelReason }));
    await this.refusedBy(this.company.post(`${path}/dispute`, { actor: 'BUYER', reason: PERSONAL.disputeReason }));
  }
}
