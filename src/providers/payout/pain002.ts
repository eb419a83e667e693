import type { PayoutStatus } from '../../domain/withdrawal/payout.ts';
import { parseXml, type XmlNode } from '../../iso20022/read.ts';

/** ISO 20022 pain.002, the payment status report: what the bank says of a file and of each payment in it. */

export const PAIN_002_FAMILY = 'urn:iso:std:iso:20022:tech:xsd:pain.002.001.';

/** ISO's codes that mean an end. Every other code means that the bank has the payment and has not decided. */
const ENDS: Readonly<Record<string, 'settled' | 'rejected'>> = {
  ACSC: 'settled', // settled on the debtor's account
  ACCC: 'settled', // credited to the creditor's
  RJCT: 'rejected',
  CANC: 'rejected', // cancelled before it was made
};

/** Reasons by which a bank refuses not the payment but its repetition: it has the first one. */
const DUPLICATE_REASONS: ReadonlySet<string> = new Set(['AM05', 'DU01', 'DU02', 'DU03', 'DU04', 'DU05']);
/** ISO's reason for "as told", where a bank gives none. */
const NO_REASON = 'NARR';
const REASON_CODE = /^[A-Z0-9]{1,4}$/;

/**
 * What a report says of one payment, by its own line or else by what is said of the batch or the file that has its id as
 * theirs (we send a payment in a file of that name); `undefined` where it does not speak of it. A later report replaces an
 * earlier one. Throws XmlError for what is no report.
 */
export function statusIn(report: string, endToEndId: string): PayoutStatus | undefined {
  const document = parseXml(report, PAIN_002_FAMILY);
  const body = document.at('CstmrPmtStsRpt');
  if (body === undefined) return undefined;
  const batches = body.children('OrgnlPmtInfAndSts');
  const lines = batches.flatMap((batch) => batch.children('TxInfAndSts'));
  const line = lines.find((one) => one.textAt('OrgnlEndToEndId') === endToEndId);
  if (line !== undefined) return statusOf(line, 'TxSts');
  const batch = batches.find((one) => one.textAt('OrgnlPmtInfId') === endToEndId && one.at('PmtInfSts') !== undefined);
  if (batch !== undefined) return statusOf(batch, 'PmtInfSts');
  const file = body.at('OrgnlGrpInfAndSts');
  return file?.textAt('OrgnlMsgId') === endToEndId && file.at('GrpSts') !== undefined
    ? statusOf(file, 'GrpSts')
    : undefined;
}

function statusOf(part: XmlNode, statusElement: string): PayoutStatus {
  const end = ENDS[part.textAt(statusElement) ?? ''];
  if (end === 'settled') return { kind: 'settled' };
  if (end === undefined) return { kind: 'pending' };
  const reason = part.textAt('StsRsnInf', 'Rsn', 'Cd') ?? NO_REASON;
  if (DUPLICATE_REASONS.has(reason)) return { kind: 'pending' };
  return { kind: 'rejected', reason: REASON_CODE.test(reason) ? reason : NO_REASON };
}
