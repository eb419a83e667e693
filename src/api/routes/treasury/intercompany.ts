import { z } from '@hono/zod-openapi';
import type { EntityManager } from '@mikro-orm/postgresql';
import { inTenant } from '../../../db/core/orm.ts';
import { requirePlatformCompany } from '../../../db/identity/platform-company.ts';
import { listDebts, settleDebt } from '../../../db/treasury/intercompany.ts';
import { type CommandId, idMadeBy, publicId } from '../../../domain/ids.ts';
import { changeOnce } from '../../commands/idempotency.ts';
import type { ApiDependencies } from '../../context.ts';
import { describePages } from '../../contract/lists.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { cents, centsOrNull, centsText, currency, pathIds, text, timestamp } from '../../schemas/common.ts';
import { pages } from '../../schemas/lists.ts';

const tag = 'Treasury';

const Debt = z
  .object({
    companyId: z.string().describe('The company.'),
    name: z.string().describe('Its name.'),
    currency: currency(),
    owed_amount: centsText(),
    payable_amount: centsText().openapi({
      description: 'What the company may pay out after it has paid its debt; negative if it lacks cash. Integer cents.',
    }),
  })
  .openapi('IntercompanyDebt');
const DebtPage = z
  .object({
    data: z.array(Debt).describe('The rows of this page.'),
    total: z.int().describe('The number of rows on all pages.'),
    page: z.int().describe('The number of this page, from 1.'),
    limit: z.int().describe('The size of a page.'),
  })
  .openapi('IntercompanyDebtPage');
const Request = z
  .object({
    currency: currency(),
    amount: cents()
      .nullish()
      .openapi({ ...centsOrNull, description: 'Without it: all that is owed.' }),
    reference: text().openapi({
      description: 'Unique among the settlements of the company, so that each happens once.',
    }),
  })
  .openapi('IntercompanySettlementRequest');
const Settlement = z
  .object({
    id: z.string().openapi({ description: "The transaction in the company's books." }),
    receiptId: z.string().openapi({ description: "The transaction in the platform's books." }),
    companyId: z.string().describe('The company.'),
    currency: currency(),
    amount: centsText(),
    remaining_amount: centsText().openapi({ description: 'What the company still owes. Integer cents.' }),
    reference: z.string().describe('The reference of the payment.'),
    created_at: timestamp().describe('When it was made.'),
  })
  .openapi('IntercompanySettlement');

export function registerIntercompany(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, settings } = dependencies;

  operation(
    {
      method: 'get',
      path: '/v1/treasury/intercompany',
      tag,
      summary: 'What companies owe the platform, per currency',
      description: "For the platform's administrators.",
      access: tenant('platform'),
      query: pages(),
      success: ok(DebtPage),
    },
    async ({ query: { page, limit }, c }) => {
      const platformId = await requirePlatformCompany(orm.em.fork());
      const { records, total } = await inTenant(orm, platformId, (em) =>
        listDebts(em, { limit, offset: (page - 1) * limit }),
      );
      describePages(c, page, limit, total);
      const data = records.map((debt) => ({
        companyId: publicId('company', debt.companyId),
        name: debt.name,
        currency: debt.currency,
        owed_amount: debt.owedCents.toString(),
        payable_amount: debt.payableCents.toString(),
      }));
      return { data, total, page, limit };
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/treasury/intercompany/{companyId}/settle',
      tag,
      summary: 'Settle what a company owes the platform',
      description:
        "Moves cash from the company's BANK account to the platform's. A repetition with the same key settles once.",
      access: tenant('platform'),
      idempotency: 'accepted',
      params: pathIds({ companyId: 'company' }),
      body: Request,
      unknownFields: 'refused',
      success: ok(Settlement),
      refusals: ['not_found', 'wrong_state', 'duplicate_reference', 'payout_not_backed', 'idempotency_key_reused'],
    },
    async ({ params: { companyId }, body, c }) => {
      const { currency: settledCurrency, amount, reference } = body;
      const settle = async (em: EntityManager, commandId: CommandId) => {
        const settled = await settleDebt(em, {
          settlementId: idMadeBy('transaction', commandId),
          companyId,
          currency: settledCurrency,
          amountCents: amount ?? null,
          reference,
          mustBeBacked: settings.mustPayoutsBeBacked,
        });
        return {
          id: publicId('transaction', settled.settlementId),
          receiptId: publicId('transaction', settled.receiptId),
          companyId: publicId('company', companyId),
          currency: settledCurrency,
          amount: settled.amountCents.toString(),
          remaining_amount: settled.remainingCents.toString(),
          reference,
          created_at: settled.createdAt.toISOString(),
        };
      };
      return changeOnce(c, dependencies, settle, { tenant: companyId });
    },
  );
}
