import type { Instant } from '../../domain/time.ts';
import type { ReportLevel, StatusLine, StatusReason } from '../../domain/withdrawal/bank-reports.ts';
import { attemptOf } from '../../domain/withdrawal/payout.ts';
import { parseXml, type XmlNode } from '../../iso20022/read.ts';

/** ISO 20022 pain.002, the payment status report: the bank's statuses for a file, its batches and each payment. */

const PAIN_002_FAMILY = 'urn:iso:std:iso:20022:tech:xsd:pain.002.001.';

/**
 * All statuses in a report that concern one payment: those on its own lines, and those of the batch and the file with its id
 * (each payment is a file of its own). Empty if the report does not mention the payment. Throws XmlError if the document is not
 * a report.
 */
export function linesIn(report: string, endToEndId: string): readonly StatusLine[] {
  const body = parseXml(report, PAIN_002_FAMILY).at('CstmrPmtStsRpt');
  if (body === undefined) return [];
  const saidAt = instantOf(body.textAt('GrpHdr', 'CreDtTm'));
  const line = (node: XmlNode, level: ReportLevel, statusElement: string): readonly StatusLine[] => {
    const status = node.textAt(statusElement);
    if (status === undefined) return [];
    const attempt = attemptOf(endToEndId, node.textAt('OrgnlInstrId') ?? null);
    return [{ level, status, reasons: reasonsOf(node), attempt, saidAt }];
  };
  const files = body.children('OrgnlGrpInfAndSts').filter((file) => file.textAt('OrgnlMsgId') === endToEndId);
  const batches = body.children('OrgnlPmtInfAndSts');
  const payments = batches.flatMap((batch) => batch.children('TxInfAndSts'));
  return [
    ...files.flatMap((file) => line(file, 'file', 'GrpSts')),
    ...batches
      .filter((batch) => batch.textAt('OrgnlPmtInfId') === endToEndId)
      .flatMap((batch) => line(batch, 'batch', 'PmtInfSts')),
    ...payments
      .filter((payment) => payment.textAt('OrgnlEndToEndId') === endToEndId)
      .flatMap((payment) => line(payment, 'payment', 'TxSts')),
  ];
}

function reasonsOf(node: XmlNode): readonly StatusReason[] {
  return node.children('StsRsnInf').map((information) => ({
    code: information.textAt('Rsn', 'Cd') ?? null,
    text: [information.textAt('Rsn', 'Prtry') ?? '', ...information.children('AddtlInf').map(({ text }) => text)].join(
      ' ',
    ),
  }));
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/;

/** Parses an ISO 20022 date-time. Without an offset it is read as UTC. */
function instantOf(text: string | undefined): Instant | null {
  const [, , offset] = DATE_TIME.exec(text ?? '') ?? [];
  const milliseconds = Date.parse(offset === undefined ? `${text}Z` : (text ?? ''));
  return text === undefined || Number.isNaN(milliseconds) ? null : new Date(milliseconds).toISOString();
}
