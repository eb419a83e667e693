import { expect } from '@jest/globals';
import { logIn, newKey, newPerson } from '../api.ts';
import { documentForm, pdf } from '../documents.ts';
import { nextMobileNumber } from '../mobile-numbers.ts';
import { done, idNumberOf, newCompany, newUser, requestIdOf, type TestCompany } from '../service.ts';
import { type Act, byPlatform, type Caused, once, requestOf, type Stage, type TypeAbout } from './stage.ts';

/** Users, accounts, API keys, administrators and webhook endpoints. */

type Kinds = 'user' | 'account' | 'bank_details' | 'company' | 'api_key' | 'administrator' | 'webhook_endpoint';

export function peopleActs(stage: Stage) {
  const { service, company } = stage;
  const about = (objectId: string, requestId: Caused['requestId'], data: Caused['data'], of = company): Caused => ({
    ...{ company: of, objectId, requestId, data },
  });
  const user = once(async () => {
    const mobileNumber = nextMobileNumber();
    const body = { mobileNumber, idNumber: idNumberOf(mobileNumber), firstName: 'Una' };
    const created = await done(company.post('/v1/identity/users', body));
    const id = String(created.body.id);
    const decide = (path: string, decision: object) =>
      requestOf(byPlatform(stage, `/v1/identity/admin/users/${id}/${path}`, decision));
    const approved = await decide('approve', { approved: true });
    const withdrawn = await decide('approve', { approved: false });
    const blacklisted = await decide('status', { status: 'BLACKLISTED' });
    const cleared = await decide('status', { status: 'CLEAR' });
    const form = documentForm(pdf());
    const documented = await requestOf(company.request('POST', `/v1/identity/users/${id}/document`, { form }));
    return { id, created: requestIdOf(created), approved, withdrawn, blacklisted, cleared, documented };
  });
  const account = once(async () => {
    const { usdAccountId: id } = await newUser(company);
    const freeze = (isFrozen: boolean) =>
      requestOf(
        company.request('PATCH', `/v1/ledger/accounts/${id}`, { body: { is_frozen: isFrozen, reason: 'A question' } }),
      );
    return { id, frozen: await freeze(true), unfrozen: await freeze(false) };
  });
  const administrator = once(async () => {
    const person = newPerson();
    const added = await done(company.post('/v1/core/companies/admins', { ...person, role: 'manager' }));
    const id = String(added.body.id);
    const removed = await requestOf(company.post(`/v1/core/companies/admins/${id}/remove`));
    return { id, email: person.email, added: requestIdOf(added), removed };
  });
  const endpoint = once(async () => {
    const webhook = { url: 'http://127.0.0.1:9/hook?token=of-the-receiver', events: ['user.created'] };
    const { body } = await done(company.post('/v1/webhooks', webhook));
    const set = (status: string) =>
      requestOf(company.request('PATCH', `/v1/webhooks/${body.id}`, { body: { status } }));
    return { id: String(body.id), disabled: await set('DISABLED'), enabled: await set('ENABLED') };
  });

  return {
    async 'user.created'() {
      const { id, created } = await user();
      return about(id, created, { firstName: 'Una', kycLevel: 1, identityStatus: 'CLEAR', hasDocument: false });
    },
    async 'user.erased'() {
      const body = { mobileNumber: nextMobileNumber(), idNumber: '63-1234567A00', firstName: 'Una' };
      const { id } = (await done(company.post('/v1/identity/users', body))).body;
      const erased = await requestOf(company.post(`/v1/identity/users/${id}/erase`, { reason: 'they asked' }));
      return about(id, erased, { firstName: null, lastName: null, hasDocument: false });
    },
    async 'user.approved'() {
      const { id, approved } = await user();
      return about(id, approved, { kycLevel: 2, identityStatus: 'CLEAR' });
    },
    async 'user.approval_withdrawn'() {
      const { id, withdrawn } = await user();
      return about(id, withdrawn, { kycLevel: 1, identityStatus: 'CLEAR' });
    },
    async 'user.blacklisted'() {
      const { id, blacklisted } = await user();
      return about(id, blacklisted, { kycLevel: 1, identityStatus: 'BLACKLISTED' });
    },
    async 'user.cleared'() {
      const { id, cleared } = await user();
      return about(id, cleared, { identityStatus: 'CLEAR', hasDocument: false });
    },
    async 'user.updated'() {
      const { id } = await newUser(company);
      const body = { idNumber: '63-7654321B00', customReference: `customer ${id}` };
      const updated = await requestOf(company.post(`/v1/identity/users/${id}/link-id`, body));
      return about(id, updated, { changed: ['customReference', 'idNumber'], customReference: `customer ${id}` });
    },
    async 'user.document_changed'() {
      const { id, documented } = await user();
      return about(id, documented, { hasDocument: true });
    },

    async 'account.frozen'() {
      const { id, frozen } = await account();
      return about(id, frozen, { type: 'USER', currency: 'USD', is_frozen: true });
    },
    async 'account.unfrozen'() {
      const { id, unfrozen } = await account();
      return about(id, unfrozen, { type: 'USER', currency: 'USD', is_frozen: false });
    },

    async 'bank_details.changed'() {
      const { ledgerId } = await newUser(company);
      const body = { bank_name: 'CBZ', branch_code: '6101', account_number: '0123456789', account_name: 'T. Moyo' };
      const changed = await requestOf(company.request('PATCH', `/v1/ledger/${ledgerId}/bank-details`, { body }));
      return about(ledgerId, changed, { ledgerId, before: null, after: { ...body, account_number: '******6789' } });
    },
    async 'company.updated'() {
      const body = { checkout_hosts: ['shop.example'], support_email: 'help@shop.example' };
      const updated = await requestOf(company.request('PATCH', '/v1/core/companies/me', { body }));
      return about(company.id, updated, { id: company.id, changed: ['checkout_hosts', 'support_email'] });
    },

    async 'api_key.created'() {
      const owner = await logIn(service, company.id, company.owner);
      const { id, requestId } = await makeKey(owner);
      return about(id, requestId, { is_active: true, active_until: null, created_by: company.owner.id });
    },
    async 'api_key.rolled'() {
      const other = await newCompany(service, 'Rolling');
      const id = await idOfKey(other);
      const graceSeconds = 3_600;
      const rolled = await done(other.post('/v1/core/companies/api-keys/roll', { name: 'the next', graceSeconds }));
      const until = String(rolled.body.message).match(/\d{4}-\S+Z/)?.[0];
      return about(id, requestIdOf(rolled), { name: 'tests', is_active: true, active_until: until }, other);
    },
    async 'api_key.revoked'() {
      const { id } = await newKey(await logIn(service, company.id, company.owner));
      const revoked = await requestOf(company.post(`/v1/core/companies/api-keys/${id}/revoke`));
      return about(id, revoked, { is_active: false });
    },

    async 'administrator.added'() {
      const { id, email, added } = await administrator();
      return about(id, added, { email, role: 'MANAGER' });
    },
    async 'administrator.removed'() {
      const { id, email, removed } = await administrator();
      return about(id, removed, { email, role: 'MANAGER' });
    },

    async 'webhook_endpoint.disabled'() {
      const { id, disabled } = await endpoint();
      const data = { status: 'DISABLED', disabledReason: 'REQUESTED', url: 'http://127.0.0.1:9/hook' };
      return about(id, disabled, data);
    },
    async 'webhook_endpoint.enabled'() {
      const { id, enabled } = await endpoint();
      return about(id, enabled, { status: 'ENABLED', disabledReason: null });
    },
  } satisfies Record<TypeAbout<Kinds>, Act>;
}

async function makeKey(owner: Awaited<ReturnType<typeof logIn>>) {
  const made = await done(owner.post('/v1/core/companies/api-keys', { name: 'shop server' }));
  return { id: String(made.body.id), requestId: requestIdOf(made) };
}

/** The only key of a new company. */
async function idOfKey(company: TestCompany): Promise<string> {
  const { body } = await done(company.get('/v1/core/companies/api-keys'));
  expect(body.length).toBe(1);
  return body[0].id;
}
