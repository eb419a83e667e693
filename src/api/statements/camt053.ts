import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import type { Breakdown, StatementEntry } from '../../domain/ledger/statement.ts';
import { type Currency, formatAmount, isoCurrency } from '../../domain/money.ts';
import { cut, element, inPieces, startTag, XML_DECLARATION, type Xml } from '../../iso20022/write.ts';
import { inTurn, piecesOf } from '../../turns/turns.ts';
import { type EntryPages, lastInstant, publicIdsOf, type StatementHead } from './document.ts';

/**
 * ISO 20022 BankToCustomerStatementV08. Its identifications have at most 35 characters (an account's 34), so our ids are
 * written as the 32 hexadecimal digits of their UUIDs; longer references are written in full in the remittance information.
 */
const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';
const MAX_REFERENCE = 35;
const MAX_ACCOUNT_NAME = 70;
const MAX_NAME = 140;
const MAX_REMITTANCE = 140;
const MAX_INFORMATION = 500;

export function camt053Statement(head: StatementHead, pages: EntryPages): ReadableStream {
  return Readable.toWeb(Readable.from(parts(head, pages), { objectMode: false }));
}

async function* parts(head: StatementHead, pages: EntryPages): AsyncGenerator<string> {
  const { statement, account, createdAt } = head;
  const { currency } = account;
  const created = element('CreDtTm', createdAt.toISOString());
  yield `${XML_DECLARATION}${startTag('Document', { xmlns: NAMESPACE })}<BkToCstmrStmt>`;
  yield element('GrpHdr', [element('MsgId', hex(uuidv7())), created]);
  yield '<Stmt>';
  yield element('Id', statementId(head));
  yield created;
  yield element('FrToDt', [
    element('FrDtTm', statement.from.toISOString()),
    element('ToDtTm', lastInstant(statement).toISOString()),
  ]);
  yield accountElement(head);
  yield balance('OPBD', statement.openingCents, currency, statement.from);
  yield balance('CLBD', statement.closingCents, currency, lastInstant(statement));
  // The balances less what is on hold.
  yield balance('OPAV', statement.openingCents - statement.openingHeldCents, currency, statement.from);
  yield balance('CLAV', statement.closingCents - statement.closingHeldCents, currency, lastInstant(statement));
  yield summary(head);
  for await (const page of pages)
    for (const piece of piecesOf(page))
      yield await inTurn(() => piece.map((entry) => `\n${entryElement(entry, currency)}`).join(''));
  yield '</Stmt></BkToCstmrStmt></Document>\n';
}

function accountElement({ account, company }: StatementHead): Xml {
  return element('Acct', [
    element('Id', [element('Othr', [element('Id', hex(account.id))])]),
    element('Ccy', isoCurrency(account.currency)),
    element('Nm', cut(`${account.ledgerName} ${account.type}`, MAX_ACCOUNT_NAME)),
    element('Ownr', [element('Nm', cut(account.ledgerName, MAX_NAME))]),
    element('Svcr', [element('FinInstnId', [element('Nm', cut(company.name, MAX_NAME))])]),
  ]);
}

function balance(code: 'OPBD' | 'CLBD' | 'OPAV' | 'CLAV', amountCents: bigint, currency: Currency, at: Date): Xml {
  return element('Bal', [
    element('Tp', [element('CdOrPrtry', [element('Cd', code)])]),
    ...amount(amountCents, currency),
    element('Dt', [element('DtTm', at.toISOString())]),
  ]);
}

function summary({ account, statement }: StatementHead): Xml {
  const { credits, debits } = statement;
  const net = statement.totalCreditsCents - statement.totalDebitsCents;
  const count = (entries: number, sumCents: bigint) => [
    element('NbOfNtries', String(entries)),
    element('Sum', formatAmount(sumCents, account.currency)),
  ];
  return element('TxsSummry', [
    element('TtlNtries', [
      ...count(credits + debits, statement.totalCreditsCents + statement.totalDebitsCents),
      element('TtlNetNtry', [
        element('Amt', formatAmount(magnitude(net), account.currency)),
        element('CdtDbtInd', indicator(net)),
      ]),
    ]),
    element('TtlCdtNtries', count(credits, statement.totalCreditsCents)),
    element('TtlDbtNtries', count(debits, statement.totalDebitsCents)),
  ]);
}

function entryElement(entry: StatementEntry, currency: Currency): Xml {
  const { reference, type, createdAt, breakdown, valueDate } = entry;
  const endToEndId = publicIdsOf(entry).endToEndId ?? reference;
  const date = [element('DtTm', createdAt.toISOString())];
  return element('Ntry', [
    element('NtryRef', entry.id),
    ...amount(entry.amountCents, currency),
    element('Sts', [element('Cd', 'BOOK')]),
    element('BookgDt', date),
    element('ValDt', valueDate === null ? date : [element('Dt', valueDate)]),
    element('AcctSvcrRef', hex(entry.transactionId)),
    element('BkTxCd', [element('Prtry', [element('Cd', type)])]),
    element('NtryDtls', [
      element('TxDtls', [
        element('Refs', [
          element('AcctSvcrRef', hex(entry.transactionId)),
          endToEndId === null ? null : element('EndToEndId', cut(endToEndId, MAX_REFERENCE)),
        ]),
        ...amount(entry.amountCents, currency),
        ...(breakdown === null ? [] : charges(breakdown, currency)),
        otherParty(entry),
        reference === null
          ? null
          : element(
              'RmtInf',
              inPieces(reference, MAX_REMITTANCE).map((piece) => element('Ustrd', piece)),
            ),
        breakdown === null || breakdown.taxCents === 0n
          ? null
          : element('Tax', [sum('TtlTaxAmt', breakdown.taxCents, currency)]),
      ]),
    ]),
    element('AddtlNtryInf', cut(entry.description, MAX_INFORMATION)),
  ]);
}

/** The gross amount and the fee, for a transaction with a fee or tax. */
function charges({ grossCents, feeCents, taxCents }: Breakdown, currency: Currency): (Xml | null)[] {
  if (feeCents === 0n && taxCents === 0n) return [];
  return [
    element('AmtDtls', [element('InstdAmt', [sum('Amt', grossCents, currency)])]),
    feeCents === 0n ? null : element('Chrgs', [sum('TtlChrgsAndTaxAmt', feeCents, currency)]),
  ];
}

/** The other side of the entry: it pays a credit and receives a debit. */
function otherParty({ counterparty, amountCents }: StatementEntry): Xml | null {
  if (counterparty === null || counterparty.name === null) return null;
  const party = element('Pty', [element('Nm', cut(counterparty.name, MAX_NAME))]);
  return element('RltdPties', [element(amountCents < 0n ? 'Cdtr' : 'Dbtr', [party])]);
}

function sum(name: string, cents: bigint, currency: Currency): Xml {
  return element(name, formatAmount(cents, currency), { Ccy: isoCurrency(currency) });
}

function amount(cents: bigint, currency: Currency): Xml[] {
  return [
    element('Amt', formatAmount(magnitude(cents), currency), { Ccy: isoCurrency(currency) }),
    element('CdtDbtInd', indicator(cents)),
  ];
}

function indicator(cents: bigint): 'CRDT' | 'DBIT' {
  return cents < 0n ? 'DBIT' : 'CRDT';
}

function magnitude(cents: bigint): bigint {
  return cents < 0n ? -cents : cents;
}

/** The id is the same for the same account and window. */
function statementId({ statement, account }: StatementHead): string {
  const window = `${account.id} ${statement.from.toISOString()} ${statement.to.toISOString()}`;
  return createHash('sha256').update(window).digest('hex').slice(0, 32);
}

function hex(uuid: string): string {
  return uuid.replaceAll('-', '');
}
