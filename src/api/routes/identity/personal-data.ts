import { z } from '@hono/zod-openapi';
import { eraseUser, HELD_LISTS, type HeldList, heldLedger, heldPages } from '../../../db/identity/personal-data.ts';
import { findUserFacts, requireUser } from '../../../db/identity/users.ts';
import { publicId } from '../../../domain/ids.ts';
import { loggedFile } from '../../../observability/logged-file.ts';
import { jsonOfPages } from '../../../turns/turns.ts';
import { forget } from '../../bodies/documents.ts';
import { changeAudited } from '../../commands/idempotency.ts';
import type { ApiDependencies } from '../../context.ts';
import { type Operations, ok, responses, tenant } from '../../operation.ts';
import { note, pathIds, timestamp } from '../../schemas/common.ts';
import { User, userView } from '../../schemas/identity.ts';

const tag = 'Identity';

const row = () => z.record(z.string(), z.unknown());
const rows = (what: string) => z.array(row()).describe(what);

const PersonalData = z
  .object({
    exportedAt: timestamp().describe('When it was read.'),
    user: User.describe('What the API answers about them.'),
    ledger: row().describe("The person's ledger."),
    ...({
      bankDetails: rows('The default bank details of their ledger, with those before.'),
      freezes: rows('When their accounts were frozen and unfrozen, and why.'),
      transactions: rows('Every entry of their accounts.'),
      escrows: rows('The escrows in which they are a party.'),
      texts: rows(
        'What was written about their escrows, payment links, payouts and transactions: items, notes, reasons.',
      ),
      disputeNotes: rows('What staff noted about their disputes.'),
      requests: rows('What they asked for on order pages.'),
      files: rows('The files that they sent on order pages, without their bytes.'),
      paymentLinks: rows('The links that they were to pay.'),
      paymentPhones: z.array(z.string()).describe('The phones whose mobile money they used.'),
      withdrawals: rows('Their payouts, with the bank account of each.'),
      bankLines: rows("The lines of the bank's files that confirm their receipts and payouts."),
      registrations: rows('Their registrations at the checkout.'),
      messages: rows('Messages to them that a sandbox keeps.'),
      events: rows('The events about them.'),
    } satisfies Record<HeldList, z.ZodType>),
  })
  .openapi('PersonalData');

const Erase = z.object({ reason: note().describe('Why, in words.') }).openapi('Erase');
const Erased = z
  .object({
    userId: z.string().describe('The user.'),
    erasedAt: timestamp().describe('When the person was erased, now or before.'),
  })
  .openapi('Erased');

export function registerPersonalData(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, reads, cipher, settings } = dependencies;

  operation(
    {
      method: 'get',
      path: '/v1/identity/users/{id}/export',
      tag,
      summary: 'All that is held about a person',
      description:
        'The identity document is at `user.documentUrl`. Ids in rows have no prefix. The file is sent while it is read, so a connection ' +
        'that ends before the last `}` means that it is incomplete.',
      access: tenant('manage_company'),
      params: pathIds({ id: 'user' }),
      success: responses({
        200: { description: 'The data.', content: { 'application/json': { schema: PersonalData } } },
      }),
      refusals: ['not_found'],
    },
    async ({ params: { id }, companyId, c }) => {
      const { userId, ...held } = await reads(companyId, async (em) => {
        const row = await requireUser(em, companyId, id);
        const user = userView(row, await findUserFacts(em, row), cipher, settings.baseUrl);
        return { userId: row.id, user, ledger: await heldLedger(em, companyId, row.id) };
      });
      const lists = HELD_LISTS.map(
        (list) => [list, heldPages((work) => reads(companyId, work), cipher, userId, list)] as const,
      );
      c.header('Cache-Control', 'private, no-store');
      const file = jsonOfPages({ exportedAt: new Date().toISOString(), ...held }, lists);
      return c.body(loggedFile(file, c.var), 200, { 'Content-Type': 'application/json' });
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/identity/users/{id}/erase',
      tag,
      summary: 'Erase a person; ids, amounts and times stay',
      description:
        'Names, numbers, e-mail, metadata, documents, bank details and what was written about their orders are gone. It is refused ' +
        'while money, an escrow, a payment link, a payout or a debt of theirs is open, and within the retention period of the ' +
        'installation. References in the ledger and lines of the bank that match nothing of theirs stay, and backups keep what they have ' +
        'until they expire.',
      access: tenant('manage_company'),
      params: pathIds({ id: 'user' }),
      body: Erase,
      success: ok(Erased),
      refusals: ['not_found', 'wrong_state'],
    },
    async ({ params: { id }, body: { reason }, companyId, c }) => {
      const retentionDays = settings.personalDataRetentionDays;
      const { userId, erasedAt, documentIds } = await changeAudited(c, { orm }, async (em) => {
        const { id: userId } = await requireUser(em, companyId, id);
        return { userId, ...(await eraseUser(em, companyId, userId, { reason, retentionDays })) };
      });
      for (const documentId of documentIds) await forget(dependencies, companyId, documentId);
      return { userId: publicId('user', userId), erasedAt: erasedAt.toISOString() };
    },
  );
}
