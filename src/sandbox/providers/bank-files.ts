import { ISO_CURRENCIES } from '../../domain/money.ts';
import { parseXml, XmlError, type XmlNode } from '../../iso20022/read.ts';
import { element, renderFile, type Xml } from '../../iso20022/write.ts';
import { MAX_ID_CHARACTERS, PAIN_001 } from '../../providers/payout/pain001.ts';

/** The bank's handling of files: it validates a pain.001 strictly, and answers with pain.002. */

const ISO_CURRENCY = new RegExp(`^(${ISO_CURRENCIES.join('|')})$`);
const PAIN_002 = 'urn:iso:std:iso:20022:tech:xsd:pain.002.001.10';

export type OrderedPayment = {
  readonly endToEndId: string;
  /** The id of the attempt, which a bank repeats in its reports. Null if the file has none. */
  readonly instructionId: string | null;
  /** As in the file: `92.00`. */
  readonly amount: string;
  readonly currency: string;
  readonly creditorName: string;
  readonly creditorAccount: string;
  readonly branchCode: string;
  /** The remittance lines joined. */
  readonly reference: string;
};

type PaymentFile = { readonly messageId: string; readonly payments: readonly OrderedPayment[] };

/** The reason for which a bank refuses a file. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
}

/** The content of each element, in the order of the schema; `?` means optional, `+` means repeatable. */
const STRUCTURE: Readonly<Record<string, readonly string[]>> = {
  Document: ['CstmrCdtTrfInitn'],
  CstmrCdtTrfInitn: ['GrpHdr', 'PmtInf+'],
  GrpHdr: ['MsgId', 'CreDtTm', 'NbOfTxs', 'CtrlSum?', 'InitgPty'],
  PmtInf: ['PmtInfId', 'PmtMtd', 'NbOfTxs?', 'CtrlSum?', 'ReqdExctnDt', 'Dbtr', 'DbtrAcct', 'DbtrAgt', 'CdtTrfTxInf+'],
  CdtTrfTxInf: ['PmtId', 'Amt', 'CdtrAgt', 'Cdtr', 'CdtrAcct', 'RmtInf?'],
};

/** Reads the payments of a pain.001.001.09. Throws FileRefused with the first violation. */
export function readPain001(text: string): PaymentFile {
  try {
    const document = parseXml(text, PAIN_001);
    checkStructure(document);
    return readDocument(document);
  } catch (error) {
    throw error instanceof XmlError ? new FileRefused(error.message) : error;
  }
}

function checkStructure(node: XmlNode): void {
  const expected = STRUCTURE[node.name];
  if (expected === undefined) return;
  const names = node.children().map(({ name }) => name);
  let position = 0;
  for (const entry of expected) {
    const name = entry.replace(/[?+]$/, '');
    if (names[position] !== name) {
      if (entry.endsWith('?')) continue;
      throw new FileRefused(`${node.name} needs ${name}, and has ${names[position] ?? 'nothing'} there`);
    }
    position += 1;
    while (entry.endsWith('+') && names[position] === name) position += 1;
  }
  if (position < names.length) throw new FileRefused(`${node.name} must not hold ${names[position]}`);
  for (const child of node.children()) checkStructure(child);
}

function readDocument(document: XmlNode): PaymentFile {
  const body = required(document.at('CstmrCdtTrfInitn'), 'CstmrCdtTrfInitn');
  const batches = body.children('PmtInf');
  for (const batch of batches) {
    textOf(batch, ['PmtInfId'], ID);
    textOf(batch, ['PmtMtd'], /^TRF$/);
    textOf(batch, ['ReqdExctnDt', 'Dt'], /^\d{4}-\d{2}-\d{2}$/);
    textOf(batch, ['Dbtr', 'Nm'], NAME);
    textOf(batch, ['DbtrAcct', 'Id', 'Othr', 'Id'], ACCOUNT);
    textOf(batch, ['DbtrAgt', 'FinInstnId', 'ClrSysMmbId', 'MmbId'], ID);
    checkTotals(batch, batch.children('CdtTrfTxInf').map(readPayment));
  }
  const payments = batches.flatMap((batch) => batch.children('CdtTrfTxInf').map(readPayment));
  const header = required(body.at('GrpHdr'), 'GrpHdr');
  textOf(header, ['CreDtTm'], /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/);
  textOf(header, ['InitgPty', 'Nm'], NAME);
  checkTotals(header, payments);
  return { messageId: textOf(header, ['MsgId'], ID), payments };
}

function readPayment(node: XmlNode): OrderedPayment {
  const lines = (node.at('RmtInf')?.children('Ustrd') ?? []).map(({ text }) => text);
  if (lines.some((line) => [...line].length > MAX_LINE)) throw new FileRefused('a remittance line is too long');
  const amount = node.at('Amt', 'InstdAmt');
  return {
    endToEndId: textOf(node, ['PmtId', 'EndToEndId'], ID),
    instructionId: node.textAt('PmtId', 'InstrId') ?? null,
    amount: textOf(node, ['Amt', 'InstdAmt'], /^\d{1,16}\.\d{2}$/),
    currency: matching(amount?.attribute('Ccy'), ISO_CURRENCY, 'InstdAmt@Ccy'),
    creditorName: textOf(node, ['Cdtr', 'Nm'], NAME),
    creditorAccount: textOf(node, ['CdtrAcct', 'Id', 'Othr', 'Id'], ACCOUNT),
    branchCode: textOf(node, ['CdtrAgt', 'FinInstnId', 'ClrSysMmbId', 'MmbId'], ID),
    reference: lines.join(''),
  };
}

const MAX_LINE = 140;
const ID = new RegExp(`^.{1,${MAX_ID_CHARACTERS}}$`, 'u');
const NAME = /^.{1,140}$/u;
const ACCOUNT = /^.{1,34}$/u;

function checkTotals(node: XmlNode, payments: readonly OrderedPayment[]): void {
  const sum = payments.reduce((total, { amount }) => total + BigInt(amount.replace('.', '')), 0n);
  const stated = node.textAt('CtrlSum');
  if (node.textAt('NbOfTxs') !== String(payments.length)) throw new FileRefused(`NbOfTxs of ${node.name} is wrong`);
  if (stated !== undefined && BigInt(stated.replace('.', '')) !== sum)
    throw new FileRefused(`CtrlSum of ${node.name} is wrong`);
}

function textOf(node: XmlNode, path: readonly string[], pattern: RegExp): string {
  return matching(node.textAt(...path), pattern, path.join('/'));
}

function matching(text: string | undefined, pattern: RegExp, what: string): string {
  if (text === undefined || !pattern.test(text)) throw new FileRefused(`${what} is missing or malformed`);
  return text;
}

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new FileRefused(`${what} is missing`);
  return value;
}

type Reason = { readonly code: string } | { readonly proprietary: string };
export type Verdict = {
  readonly status: string;
  readonly reason?: string | undefined;
  /** Replaces `reason` if there are several reasons, or if the bank uses its own words. */
  readonly reasons?: readonly Reason[];
};

/** A status of one payment. `instructionId`: the attempt to which it refers. */
type PaymentLine = Verdict & { readonly endToEndId: string; readonly instructionId?: string | null };

type Report = {
  /** The bank's time; now if absent. */
  readonly saidAt?: Date;
  readonly messageId: string;
  readonly file?: Verdict;
  readonly batch?: Verdict;
  readonly payments?: readonly PaymentLine[];
};

/** A pain.002 about a file, its batch (which has the file's id) and its payments. */
export function renderReport({ saidAt = new Date(), messageId, file, batch, payments = [] }: Report): string {
  const hasBatch = batch !== undefined || payments.length > 0;
  return renderFile(
    element(
      'Document',
      [
        element('CstmrPmtStsRpt', [
          element('GrpHdr', [element('MsgId', `R${saidAt.getTime()}`), element('CreDtTm', saidAt.toISOString())]),
          element('OrgnlGrpInfAndSts', [
            element('OrgnlMsgId', messageId),
            element('OrgnlMsgNmId', 'pain.001.001.09'),
            ...(file === undefined ? [] : [element('GrpSts', file.status), ...reasonsOf(file)]),
          ]),
          ...(hasBatch
            ? [
                element('OrgnlPmtInfAndSts', [
                  element('OrgnlPmtInfId', messageId),
                  ...(batch === undefined ? [] : [element('PmtInfSts', batch.status), ...reasonsOf(batch)]),
                  ...payments.map(paymentLine),
                ]),
              ]
            : []),
        ]),
      ],
      { xmlns: PAIN_002 },
    ),
  );
}

/** A report about one payment. */
export function renderPaymentReport(endToEndId: string, verdict: Verdict, saidAt?: Date): string {
  return renderReport({
    messageId: endToEndId,
    payments: [{ endToEndId, ...verdict }],
    ...(saidAt === undefined ? {} : { saidAt }),
  });
}

/** A report that a whole file is refused, with the reason. */
export function renderFileReport(messageId: string, verdict: Verdict): string {
  return renderReport({ messageId, file: verdict });
}

function paymentLine(line: PaymentLine): Xml {
  return element('TxInfAndSts', [
    ...(line.instructionId == null ? [] : [element('OrgnlInstrId', line.instructionId)]),
    element('OrgnlEndToEndId', line.endToEndId),
    element('TxSts', line.status),
    ...reasonsOf(line),
  ]);
}

function reasonsOf({ reason, reasons }: Verdict): Xml[] {
  const given = reasons ?? (reason === undefined ? [] : [{ code: reason }]);
  return given.map((one) =>
    element('StsRsnInf', [
      element('Rsn', ['code' in one ? element('Cd', one.code) : element('Prtry', one.proprietary)]),
    ]),
  );
}
