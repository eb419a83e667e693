import { formatCents, sumCents } from '../../domain/money.ts';
import { isoCurrency } from '../currency.ts';
import type { PayoutInstruction } from './port.ts';
import { renderXml, type XmlElement, xml } from './xml.ts';

/** ISO 20022 pain.001.001.09, the customer credit transfer initiation: the batch file that banks import. */

export const PAIN_001 = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';

/** Who pays: our account at the bank. */
export type Debtor = { readonly name: string; readonly accountNumber: string; readonly bankCode: string };

export const MAX_ID_CHARACTERS = 35;
const MAX_NAME_CHARACTERS = 140;
/** ISO 20022's Max34Text: more is no account number, and is refused rather than cut. */
export const MAX_ACCOUNT_CHARACTERS = 34;
/** The same for ClrSysMmbId, which holds a branch code. */
export const MAX_BRANCH_CHARACTERS = 35;
const MAX_REMITTANCE_CHARACTERS = 140;

/**
 * One batch of payments in one currency as a file. Pure: the same payments make the same file, byte for byte, so that the bank
 * recognises one that it gets again. `messageId` names the file, at most 35 characters.
 */
export function renderPain001(messageId: string, debtor: Debtor, payments: readonly PayoutInstruction[]): string {
  const [first] = payments;
  if (first === undefined) throw new Error('a batch needs a payment');
  if (messageId.length > MAX_ID_CHARACTERS) throw new Error('the message id is too long');
  if (payments.some(({ currency }) => currency !== first.currency)) throw new Error('a batch has one currency');
  const totals = [
    xml('NbOfTxs', String(payments.length)),
    xml('CtrlSum', formatCents(sumCents(payments.map(({ amountCents }) => amountCents)))),
  ];
  return renderXml(
    xml(
      'Document',
      [
        xml('CstmrCdtTrfInitn', [
          xml('GrpHdr', [
            xml('MsgId', messageId),
            xml('CreDtTm', first.createdAt.toISOString()),
            ...totals,
            xml('InitgPty', [named(debtor.name)]),
          ]),
          xml('PmtInf', [
            xml('PmtInfId', messageId),
            xml('PmtMtd', 'TRF'),
            ...totals,
            xml('ReqdExctnDt', [xml('Dt', first.createdAt.toISOString().slice(0, 10))]),
            xml('Dbtr', [named(debtor.name)]),
            xml('DbtrAcct', [account(debtor.accountNumber), xml('Ccy', isoCurrency(first.currency))]),
            xml('DbtrAgt', [agent(debtor.bankCode)]),
            ...payments.map(transfer),
          ]),
        ]),
      ],
      { xmlns: PAIN_001 },
    ),
  );
}

function transfer({ endToEndId, amountCents, currency, reference, creditor }: PayoutInstruction): XmlElement {
  return xml('CdtTrfTxInf', [
    xml('PmtId', [xml('EndToEndId', endToEndId)]),
    xml('Amt', [xml('InstdAmt', formatCents(amountCents), { Ccy: isoCurrency(currency) })]),
    xml('CdtrAgt', [agent(creditor.branchCode, creditor.bankName)]),
    xml('Cdtr', [named(creditor.name)]),
    xml('CdtrAcct', [account(creditor.accountNumber)]),
    xml(
      'RmtInf',
      chunks(reference).map((chunk) => xml('Ustrd', chunk)),
    ),
  ]);
}

function named(name: string): XmlElement {
  return xml('Nm', cut(name, MAX_NAME_CHARACTERS));
}

function account(number: string): XmlElement {
  return xml('Id', [xml('Othr', [xml('Id', number)])]);
}

function agent(code: string, name?: string): XmlElement {
  const clearing = xml('ClrSysMmbId', [xml('MmbId', code)]);
  return xml('FinInstnId', name === undefined ? [clearing] : [clearing, named(name)]);
}

/** The text in lines as long as the format allows; a receiver reads them one after the other. */
function chunks(text: string): string[] {
  const characters = [...text];
  const count = Math.ceil(characters.length / MAX_REMITTANCE_CHARACTERS);
  return Array.from({ length: count }, (_, index) =>
    characters.slice(index * MAX_REMITTANCE_CHARACTERS, (index + 1) * MAX_REMITTANCE_CHARACTERS).join(''),
  );
}

function cut(text: string, maxCharacters: number): string {
  return [...text].slice(0, maxCharacters).join('');
}
