import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PLATFORM, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { newHolder, newUndecidedPayout } from '../support/treasury.ts';
import { newVisitor, shownForm, visitorAs } from './support/visitor.ts';

/** What the pages of withdrawals say about them. */

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service?.stop());

test('the list and the page say in the reader’s language why the bank did not pay', async () => {
  const { company, accountId } = await newHolder(service);
  const staff = newVisitor(service);
  await staff.logIn(PLATFORM);
  await staff.submit('/act-for', { companyId: company.id });
  const pathOfRefused = async (reason: string) => {
    const { id } = await newUndecidedPayout(company, accountId, 1_000);
    const path = `/withdrawals/${id}`;
    const form = shownForm((await staff.get(path)).text, path, 'NOT_PAID');
    expect(await staff.send(path, { ...form, reason })).toMatchObject({ status: 303 });
    return path;
  };
  const [closed, unknown] = [await pathOfRefused('AC04'), await pathOfRefused('ZZ99')];
  const owner = await visitorAs(service, company, 'owner');
  const said = {
    en: ['The account is closed.', 'The bank refused the payment with the code ZZ99.'],
    fr: ['Le compte est clôturé.', 'La banque a refusé le paiement avec le code ZZ99.'],
    pt: ['A conta está encerrada.', 'O banco recusou o pagamento com o código ZZ99.'],
  };
  for (const [language, [ofClosed = '', ofUnknown = '']] of Object.entries(said)) {
    await owner.send('/language', { language, next: '/withdrawals' });
    const list = (await owner.get('/withdrawals')).text;
    expect([list.includes(ofClosed), list.includes(ofUnknown)]).toEqual([true, true]);
    expect((await owner.get(closed)).text).toContain(`<p>${ofClosed} `);
    expect((await owner.get(unknown)).text).toContain(`<p>${ofUnknown}</p>`);
  }
});
