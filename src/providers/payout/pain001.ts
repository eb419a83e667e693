import { formatAmount, isoCurrency, sumCents } from '../../domain/money.ts';
import { type BankCharacterSet, bankTextAnyway } from '../../domain/withdrawal/bank-text.ts';
import { cut, element, inPieces, renderFile, type Xml } from '../../iso20022/write.ts';
import type { PayoutInstruction } from './port.ts';

/** ISO 20022 pain.001.001.09, the customer credit transfer initiation: the batch file that banks import. */

export const PAIN_001 = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';

/** The debtor: our account at the bank. */
export type Debtor = { readonly name: string; readonly accountNumber: string; readonly bankCode: string };

export const MAX_ID_CHARACTERS = 35;
const MAX_NAME_CHARACTERS = 140;
/** ISO 20022's Max34Text. A longer account number is refused rather than cut. */
export const MAX_ACCOUNT_CHARACTERS = 34;
/** The maximum length of ClrSysMmbId, which holds a branch code. */
export const MAX_BRANCH_CHARACTERS = 35;
const MAX_REMITTANCE_CHARACTERS = 140;

/**
 * Writes one batch of payments in one currency as a file. Pure: the same payments produce the same bytes, so that the bank
 * recognises a duplicate. `messageId` names the file and has at most 35 characters. Texts have only characters of the bank's set: what
 * cannot be written in it was refused before.
 */
export function renderPain001(
  messageId: string,
  debtor: Debtor,
  payments: readonly PayoutInstruction[],
  set: BankCharacterSet = 'swift',
): string {
  const [first] = payments;
  if (first === undefined) throw new Error('a batch needs a payment');
  if (messageId.length > MAX_ID_CHARACTERS) throw new Error('the message id is too long');
  if (payments.some(({ currency }) => currency !== first.currency)) throw new Error('a batch has one currency');
  const totals = [
    element('NbOfTxs', String(payments.length)),
    element('CtrlSum', formatAmount(sumCents(payments.map(({ amountCents }) => amountCents)), first.currency)),
  ];
  return renderFile(
    element(
      'Document',
      [
        element('CstmrCdtTrfInitn', [
          element('GrpHdr', [
            element('MsgId', messageId),
            element('CreDtTm', first.createdAt.toISOString()),
            ...totals,
            element('InitgPty', [named(debtor.name, set)]),
          ]),
          element('PmtInf', [
            element('PmtInfId', messageId),
            element('PmtMtd', 'TRF'),
            ...totals,
            element('ReqdExctnDt', [element('Dt', first.createdAt.toISOString().slice(0, 10))]),
            element('Dbtr', [named(debtor.name, set)]),
            element('DbtrAcct', [account(debtor.accountNumber, set), element('Ccy', isoCurrency(first.currency))]),
            element('DbtrAgt', [agent(debtor.bankCode, set)]),
            ...payments.map((payment) => transfer(payment, set)),
          ]),
        ]),
      ],
      { xmlns: PAIN_001 },
    ),
  );
}

function transfer(
  { endToEndId, instructionId, amountCents, currency, reference, creditor }: PayoutInstruction,
  set: BankCharacterSet,
): Xml {
  return element('CdtTrfTxInf', [
    element('PmtId', [element('InstrId', instructionId), element('EndToEndId', endToEndId)]),
    element('Amt', [element('InstdAmt', formatAmount(amountCents, currency), { Ccy: isoCurrency(currency) })]),
    element('CdtrAgt', [agent(creditor.branchCode, set, creditor.bankName)]),
    element('Cdtr', [named(creditor.name, set)]),
    element('CdtrAcct', [account(creditor.accountNumber, set)]),
    element(
      'RmtInf',
      inPieces(bankTextAnyway(reference, set), MAX_REMITTANCE_CHARACTERS).map((piece) => element('Ustrd', piece)),
    ),
  ]);
}

function named(name: string, set: BankCharacterSet): Xml {
  return element('Nm', cut(bankTextAnyway(name, set), MAX_NAME_CHARACTERS));
}

function account(number: string, set: BankCharacterSet): Xml {
  return element('Id', [element('Othr', [element('Id', bankTextAnyway(number, set))])]);
}

function agent(code: string, set: BankCharacterSet, name?: string): Xml {
  const clearing = element('ClrSysMmbId', [element('MmbId', bankTextAnyway(code, set))]);
  return element('FinInstnId', name === undefined ? [clearing] : [clearing, named(name, set)]);
}
