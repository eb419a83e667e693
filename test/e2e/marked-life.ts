import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bare, sql } from '../support/api.ts';
import { writeBankFile } from '../support/bank-writer.ts';
import { documentForm, pdf } from '../support/documents.ts';
import { eventually } from '../support/eventually.ts';
import { nextMobileNumber } from '../support/mobile-numbers.ts';
import { actOnPage, switchOn } from '../support/order-pages.ts';
import {
  type Answer,
  companyClient,
  done,
  newUser,
  type RequestOptions,
  type TestCompany,
  type TestService,
  type TestUser,
} from '../support/service.ts';

/**
 * The life of a person in whose every field and file the marker stands: orders on both sides, payments, payouts, notes, disputes,
 * registrations at the checkout, decisions of the platform, and the answers of a receiver of webhooks that repeats what it gets.
 */

export const MARKER = 'Zyxwvuq';

export type Sent = { readonly method: string; readonly path: string; readonly options: RequestOptions };

/** The service with a note of every request. */
export function noted<Service extends TestService>(service: Service, sent: Sent[]): Service {
  const request: TestService['request'] = (method, path, options = {}) => {
    sent.push({ method, path, options });
    return service.request(method, path, options);
  };
  return { ...service, request };
}

/** A receiver of webhooks that answers what it gets. */
export async function echo() {
  const server = createServer((request, response) => request.pipe(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, // it listens on TCP
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export class MarkedLife {
  /** What the export has to contain. */
  readonly words: string[] = [];
  readonly mobileNumber = nextMobileNumber();
  /** The phone that paid a link of the person. */
  readonly otherPhone = nextMobileNumber();
  id = '';
  withdrawalId = '';
  /** That of the registration without a link. */
  registrationId = '';
  readonly escrowIds: string[] = [];
  readonly linkIds: string[] = [];
  private ledgerId = '';
  private accountId = '';
  private partner: TestUser | undefined;
  private readonly service: TestService;
  private readonly company: TestCompany;
  private readonly platform: TestCompany;

  constructor(service: TestService, company: TestCompany) {
    this.service = service;
    this.company = company;
    this.platform = companyClient(service, { ...company, apiKey: service.platform.apiKey });
  }

  async live(webhookUrl: string): Promise<void> {
    await this.send('POST', '/v1/webhooks', { url: webhookUrl, events: ['*'] });
    await this.register();
    this.partner = await newUser(this.company);
    await this.pay();
    await this.owe();
    await this.trade();
    await this.settle();
    await this.ask();
    await this.sell();
    await this.payLinks();
    await this.checkOut();
    await this.changeTheirMind();
    await this.withdraw(9_000);
    await this.readTheBank();
    await this.beJudged();
    await this.beSoughtAndRefused();
  }

  /** Takes the rest of the money away, so that nothing is open. */
  async leave(): Promise<void> {
    const { body: accounts } = await this.company.get(`/v1/ledger/user/${this.id}/accounts`);
    await this.withdraw(Number(accounts.find(({ id }: { id: string }) => id === this.accountId).balance));
    const status = `/v1/identity/admin/users/${this.id}/status`;
    await done(this.platform.post(status, { status: 'BLACKLISTED', reason: `${MARKER} last judgement` }));
  }

  private marked(field: string): string {
    this.words.push(`${MARKER} ${field}`);
    return `${MARKER} ${field}`;
  }

  // biome-ignore lint/suspicious/noExplicitAny: asserted on, never trusted
  private async send(method: string, path: string, body?: unknown): Promise<any> {
    const options = body === undefined ? {} : { body };
    const sent = method === 'POST' ? this.company.post(path, body) : this.company.request(method, path, options);
    return (await done(sent)).body;
  }

  private bank(of: string) {
    return {
      bank_name: this.marked(`${of} bank`),
      branch_code: `${MARKER}1`,
      account_number: `${MARKER}4000${of.length}`,
      account_name: this.marked(`${of} holder`),
    };
  }

  private items(of: string) {
    return [
      { name: this.marked(`${of} item`), description: this.marked(`${of} words`), quantity: 1, pricePerUnit: 300 },
    ];
  }

  private async register(): Promise<void> {
    await this.send('POST', '/v1/identity/financial-institutions/seed');
    const [institution] = await this.send('GET', '/v1/identity/financial-institutions');
    const user = await this.send('POST', '/v1/identity/users', {
      mobileNumber: this.mobileNumber,
      idNumber: `${MARKER}-first`,
      firstName: this.marked('first'),
      lastName: this.marked('last'),
      email: `${MARKER}@person.example`,
      metadata: { note: this.marked('metadata') },
      customReference: `${MARKER} first reference`,
      bankAccount: {
        institutionId: institution.id,
        accountNumber: this.marked('number'),
        accountName: this.marked('account holder'),
        branchName: this.marked('branch'),
        branchCode: this.marked('branch code'),
      },
    });
    Object.assign(this, { id: user.id, ledgerId: user.ledgerId });
    this.accountId = user.accounts.find(({ currency }: { currency: string }) => currency === 'USD').id;
    const form = documentForm(pdf(this.marked('document')), `${MARKER}.pdf`);
    await done(this.company.request('POST', `/v1/identity/users/${this.id}/document`, { form }));
    const linked = { idNumber: this.marked('second id'), customReference: this.marked('reference') };
    await this.send('POST', `/v1/identity/users/${this.id}/link-id`, linked);
    // An id in another form names the same ledger.
    const ledger = this.ledgerId.replace(bare(this.ledgerId), bare(this.ledgerId).toUpperCase());
    await this.send('PATCH', `/v1/ledger/${ledger}/bank-details`, this.bank('first'));
    await this.send('PATCH', `/v1/ledger/${this.ledgerId}/bank-details`, this.bank('default'));
  }

  private deposit(amount: number) {
    return this.send('POST', '/v1/payments/deposit', { userId: this.id, amount, currency: 'USD' });
  }

  private async pay(): Promise<void> {
    await this.deposit(10_000);
    const { id } = await this.deposit(300);
    await this.send('POST', `/v1/payments/transaction/${id}/reverse`, { reason: this.marked('reversal') });
    for (const is_frozen of [true, false]) {
      const freeze = { is_frozen, reason: this.marked('freeze') };
      await this.send('PATCH', `/v1/ledger/accounts/${this.accountId}`, freeze);
    }
  }

  /** A payment is taken back when its money is held; the person pays the debt. */
  private async owe(): Promise<void> {
    const { id: deposit } = await this.deposit(300);
    const pricePerUnit = 10_300;
    const escrow = await this.begin('owing', { items: [{ ...this.items('owing')[0], pricePerUnit }] });
    const reversal = { reason: this.marked('chargeback'), isChargeback: true };
    const { id } = await this.send('POST', `/v1/payments/transaction/${deposit}/reverse`, reversal);
    const [debt] = (await this.send('GET', '/v1/treasury/receivables')).data;
    await this.deposit(300);
    const settlement = { source: 'BALANCE', reason: this.marked('settlement') };
    await this.send('POST', `/v1/treasury/receivables/${debt?.id ?? id}/settle`, settlement);
    await this.cancel(escrow, 'owing');
  }

  private async begin(of: string, fields: Record<string, unknown> = {}): Promise<string> {
    const externalReference = `${of}-${Date.now()}`;
    const parties = { buyerId: this.id, buyerAccountId: this.accountId, sellerId: this.partner?.id };
    const order = { ...parties, items: this.items(of), externalReference, ...fields };
    const { id } = await this.send('POST', '/v1/escrow/initiate', order);
    this.escrowIds.push(id);
    return id;
  }

  private cancel(escrow: string, of: string) {
    const reason = this.marked(`${of} cancellation`);
    return this.send('POST', `/v1/escrow/${escrow}/cancel`, { actor: 'ADMIN', reason });
  }

  private async trade(): Promise<void> {
    const escrow = await this.begin('order');
    const path = `/v1/escrow/${escrow}`;
    const detail = await this.send('GET', path);
    const items = [{ itemId: detail.items[0].id, quantity: 1, price_per_item: 300 }];
    await this.send('POST', `${path}/delivery-note`, { items, notes: this.marked('note') });
    const newSplitPlan = { system_fee_cents: 0, service_fee_cents: 0, seller_payout_cents: 0 };
    const proposal = { newSplitPlan, actor: 'BUYER', notes: this.marked('proposal') };
    await this.send('POST', `${path}/negotiate`, proposal);
    await this.send('POST', `${path}/dispute`, { actor: 'BUYER', reason: this.marked('reason') });
    const documentUrl = `https://files.example/${MARKER}.pdf`;
    const evidence = { actor: 'BUYER', note: this.marked('evidence'), documentUrl };
    await this.send('POST', `${path}/dispute/evidence`, evidence);
    await this.send('POST', `${path}/dispute/notes`, { note: this.marked('staff note') });
    await this.send('POST', `${path}/dispute/assign`, { adminId: this.company.owner.id });
    await switchOn(this.company, { ask_cancel: 'ask', payout_details: 'direct', payout: 'direct' });
    const { buyerUrl: url } = await this.send('POST', `${path}/order-pages`);
    const files = [new Blob([new Uint8Array(pdf(this.marked('file')))])];
    const fields = { reason: this.marked('shown evidence') };
    await this.onPage(url, 'evidence', fields, files);
    const decision = { newSplitPlan, adminId: this.company.owner.id, reason: this.marked('decision') };
    await this.send('POST', `${path}/admin-resolve`, decision);
  }

  /** Milestones, and a receipt of goods. */
  private async settle(): Promise<void> {
    const milestones = [
      { title: this.marked('milestone'), description: this.marked('milestone words'), percentage: 100 },
    ];
    const escrow = await this.begin('staged', { milestones, orderPages: true });
    const path = `/v1/escrow/${escrow}`;
    const detail = await this.send('GET', path);
    const items = [{ itemId: detail.items[0].id, quantity: 1, price_per_item: 300 }];
    await this.send('POST', `${path}/goods-received`, { items, notes: this.marked('receipt') });
    const adjustment = { actor: 'SELLER', proposedSellerPayoutCents: 10, reason: this.marked('adjustment') };
    await this.send('POST', `${path}/milestones/${detail.milestones[0].id}/adjust`, adjustment);
    await this.cancel(escrow, 'staged');
  }

  /** On the page of another order, the person asks for its end, is refused, and gets it. */
  private async ask(): Promise<void> {
    const escrow = await this.begin('asked');
    const { buyerUrl: url } = await this.send('POST', `/v1/escrow/${escrow}/order-pages`);
    const fields = { reason: this.marked('request') };
    await this.onPage(url, 'ask_cancel', fields);
    const [request] = (await this.send('GET', `/v1/escrow/${escrow}/requests`)).data;
    const refusal = { reason: this.marked('refusal') };
    await this.send('POST', `/v1/escrow/${escrow}/requests/${request.id}/refuse`, refusal);
    await this.cancel(escrow, 'asked');
  }

  /** The person sells, and acts on the page of the sale. */
  private async sell(): Promise<void> {
    const { partner } = this;
    if (partner === undefined) throw new Error('there is no partner');
    await done(this.company.post('/v1/payments/deposit', { userId: partner.id, amount: 300, currency: 'USD' }));
    const buyer = { buyerId: partner.id, buyerAccountId: partner.usdAccountId, sellerId: this.id };
    const escrow = await this.begin('sold', buyer);
    const { sellerUrl: url } = await this.send('POST', `/v1/escrow/${escrow}/order-pages`);
    const detail = await this.send('GET', `/v1/escrow/${escrow}`);
    await this.onPage(url, 'dispatch', {
      [`pieces-${bare(detail.items[0].id)}`]: '1',
      note: this.marked('dispatch'),
      carrier: this.marked('carrier'),
      'tracking-number': this.marked('tracking'),
      'tracking-url': `https://carrier.example/${MARKER}`,
    });
    await this.onPage(url, 'payout_details', this.bank('page'));
    await this.cancel(escrow, 'sold');
  }

  private async onPage(url: string, act: string, fields: Record<string, string>, files: readonly Blob[] = []) {
    await this.codesAgain();
    await actOnPage(this.service, { url, mobileNumber: this.mobileNumber, act, fields, files });
  }

  /** As if the minutes between two codes were over. */
  private codesAgain() {
    return sql(this.service, `update one_time_password set created_at = created_at - interval '11 minutes'`);
  }

  private async offer(of: string) {
    const parties = { buyerId: this.id, sellerId: this.partner?.id, amount: 300, currency: 'USD' };
    const milestones = [
      { title: this.marked(`${of} stage`), description: this.marked(`${of} stage words`), percentage: 100 },
    ];
    const texts = { items: this.items(of), milestones, userReference: this.marked(`${of} memo`) };
    const link = await this.send('POST', '/v1/payments/generate-escrow-payment-link', {
      ...parties,
      ...texts,
    });
    this.escrowIds.push(link.escrowId);
    this.linkIds.push(link.id);
    return link;
  }

  private async payLinks(): Promise<void> {
    const say = async (path: string, body: unknown): Promise<Answer['body']> =>
      (await done(this.service.request('POST', `/v1/payments/${path}`, { body }))).body;
    const rejected = await this.offer('rejected');
    await say('reject-payment', { paymentSlug: rejected.hash });
    const byBalance = await this.offer('own');
    await this.codesAgain();
    await say('request-checkout-otp', { messagingNumber: this.mobileNumber, paymentSlug: byBalance.hash });
    const otp = await this.service.sandbox.codeFor(this.mobileNumber);
    const proof = { messagingNumber: this.mobileNumber, otp };
    await say('accept-payment', { paymentSlug: byBalance.hash, ...proof });
    const byPhone = await this.offer('phone');
    await say('accept-payment', { paymentSlug: byPhone.hash, phoneNumber: this.otherPhone });
    // The person's own phone pays for somebody else.
    const { id: buyerId } = await newUser(this.company);
    const items = [{ name: 'A chair', quantity: 1, pricePerUnit: 300 }];
    const gift = { buyerId, sellerId: this.partner?.id, amount: 300, currency: 'USD', items };
    const { hash: paymentSlug } = await this.send('POST', '/v1/payments/generate-escrow-payment-link', gift);
    await say('accept-payment', { paymentSlug, phoneNumber: this.mobileNumber });
    for (const { escrowId } of [byBalance, byPhone]) await this.cancel(escrowId, 'paid');
  }

  /** Registrations of a known number: with a link, and without, which stands for the person everywhere. */
  private async checkOut(): Promise<void> {
    const person = { mobileNumber: this.mobileNumber, idNumber: `${MARKER}-typed` };
    const names = { firstName: `${MARKER} typed`, lastName: `${MARKER} typed` };
    const { hash: paymentSlug } = await this.offer('registered');
    for (const link of [{ paymentSlug }, {}]) {
      const body = { ...person, ...names, ...link };
      const registering = this.service.request('POST', '/v1/payments/register-checkout-user', { body });
      this.registrationId = (await done(registering)).body.userId;
    }
    await done(this.service.request('POST', '/v1/payments/reject-payment', { body: { paymentSlug } }));
  }

  private async withdraw(amount: number): Promise<void> {
    const payout = { accountId: this.accountId, amount, ...this.bank('payout') };
    await this.send('POST', '/v1/treasury/quote', payout);
    const externalReference = `payout-${amount}-${Date.now()}`;
    const { id } = await this.send('POST', '/v1/treasury/withdraw', { ...payout, externalReference });
    const until = async () => (await this.company.get(`/v1/treasury/withdrawals/${id}`)).body.status === 'COMPLETED';
    await eventually(until);
    this.withdrawalId = id;
  }

  /** The bank says what it paid, and to whom. */
  private async readTheBank(): Promise<void> {
    const { end_to_end_id: endToEndId } = await this.send('GET', `/v1/treasury/withdrawals/${this.withdrawalId}`);
    const paid = { amount: '90.00', sign: 'DBIT', endToEndId, text: this.marked('bank line') } as const;
    const day = new Date().toISOString().slice(0, 10);
    const form = new FormData();
    form.set('file', new Blob([writeBankFile({ day, opening: '100.00', lines: [paid] })]));
    await done(this.company.request('POST', '/v1/treasury/bank/statements', { form }));
  }

  /** A payout that is cancelled while the bank is away. */
  private async changeTheirMind(): Promise<void> {
    await this.service.sandbox.outage('payout', 600);
    const payout = { accountId: this.accountId, amount: 100, externalReference: `mistake-${Date.now()}` };
    const { id } = await this.send('POST', '/v1/treasury/withdraw', { ...payout, ...this.bank('wrong') });
    await this.send('POST', `/v1/treasury/withdrawals/${id}/cancel`, { reason: this.marked('mistake') });
    await this.service.sandbox.outage('payout', 0);
  }

  private async beJudged(): Promise<void> {
    const path = `/v1/identity/admin/users/${this.id}`;
    for (const status of ['BLACKLISTED', 'CLEAR'])
      await done(this.platform.post(`${path}/status`, { status, reason: `${MARKER} judgement` }));
  }

  /** What is only asked for, and what is refused. */
  private async beSoughtAndRefused(): Promise<void> {
    const said = encodeURIComponent(MARKER);
    const number = encodeURIComponent(this.mobileNumber);
    for (const query of [`q=${said}`, `mobileNumber=${number}`, `customReference=${said}`])
      await this.send('GET', `/v1/identity/users?${query}`);
    await done(this.platform.get(`/v1/identity/admin/users?search=${said}`));
    await done(this.company.get(`/v1/sandbox/messages?to=${number}`));
    await this.company.post(`/v1/identity/users/${said}/link-id`, { idNumber: MARKER });
    await this.company.post(`/v1/escrow/${this.escrowIds[0]}/cancel`, { actor: MARKER, reason: `${MARKER} again` });
    await this.company.post(`/v1/escrow/${this.escrowIds[0]}/dispute`, { actor: 'BUYER', reason: `${MARKER} late` });
  }
}
