import type { StatementDocument } from '../../src/api/statements/document.ts';
import type { AccountId, CompanyId, LedgerId, TransactionId, UserId } from '../../src/domain/ids.ts';
import { entriesOf, type StatementLine } from '../../src/domain/ledger/statement.ts';
import { sumCents } from '../../src/domain/money.ts';

/** Statements without a database. */

const id = <Id>(digit: number) => `00000000-0000-7000-8000-${String(digit).padStart(12, '0')}` as Id; // an id of the kind asked for
const AT = new Date('2026-03-02T10:15:00.000Z');

/** A payment from a person with this name. */
export function statementLine(name: string, number: number): StatementLine {
  return {
    id: String(number),
    transactionId: id<TransactionId>(number),
    type: 'PAYMENT',
    amountCents: number % 2 === 0 ? -1_000n : 24_125n,
    reference: `order-${number}`,
    memo: null,
    escrowId: null,
    withdrawalId: null,
    counterparty: { kind: 'USER', id: id<UserId>(number), name },
    breakdown: {
      ...{ grossCents: 25_000n, feeCents: 875n, taxCents: 0n },
      rates: [
        { kind: 'SERVICE_FEE', cents: 625n, basisPoints: 250 },
        { kind: 'SYSTEM_FEE', cents: 250n, basisPoints: null },
      ],
    },
    valueDate: null,
    createdAt: AT,
  };
}

export function documentOf(lines: readonly StatementLine[], holder = 'Tariro Moyo'): StatementDocument {
  const period = { from: new Date('2026-03-01T00:00:00.000Z'), to: new Date('2026-04-01T00:00:00.000Z') };
  const openingCents = 100_000n;
  const amounts = lines.map(({ amountCents }) => amountCents);
  const credits = amounts.filter((amount) => amount > 0n);
  const debits = amounts.filter((amount) => amount < 0n);
  return {
    statement: {
      accountId: id<AccountId>(1),
      ...period,
      openingCents,
      closingCents: openingCents + sumCents(amounts),
      openingHeldCents: 2_500n,
      closingHeldCents: 5_000n,
      totalCreditsCents: sumCents(credits),
      totalDebitsCents: -sumCents(debits),
      credits: credits.length,
      debits: debits.length,
      entries: entriesOf(openingCents, lines),
    },
    account: {
      id: id<AccountId>(1),
      companyId: id<CompanyId>(2),
      ledgerId: id<LedgerId>(3),
      ledgerName: holder,
      userId: id<UserId>(4),
      userFirstName: null,
      userLastName: null,
      type: 'USER',
      currency: 'USD',
      balanceCents: 0n,
      heldCents: 0n,
      isFrozen: false,
      createdAt: AT,
      updatedAt: AT,
    },
    company: {
      name: 'Harvest Market',
      lines: ['12 Samora Machel Avenue, Harare', 'Tax no. 10012345', 'Registration no. 1234/2020'],
    },
    timeZone: 'UTC',
    createdAt: AT,
  };
}

/** One payment for each name. */
export function statementDocument(names: readonly string[]): StatementDocument {
  return documentOf(names.map((name, index) => statementLine(name, index + 1)));
}
