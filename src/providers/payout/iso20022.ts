import type { BankAnswer, StatusLine } from '../../domain/withdrawal/bank-reports.ts';
import type { BankCharacterSet } from '../../domain/withdrawal/bank-text.ts';
import { XmlError } from '../../iso20022/read.ts';
import { ProviderError } from '../provider-error.ts';
import { type Debtor, MAX_ACCOUNT_CHARACTERS, MAX_BRANCH_CHARACTERS, renderPain001 } from './pain001.ts';
import { linesIn } from './pain002.ts';
import type { PayoutBank } from './port.ts';

/** The payout port with ISO 20022 files over any transport: one pain.001 file out for each payment, pain.002 reports back. */

/** How files reach the bank and how reports come back. */
export type BankTransport = {
  /** Hands over a file. A repetition with the same name is the same file. Returns a report if there is one immediately. */
  send(file: { readonly name: string; readonly content: string }): Promise<string | null>;
  /** The reports on a payment; `accepted` if the bank has the payment but no report; null if it does not have it. */
  reports(endToEndId: string): Promise<readonly string[] | 'accepted' | null>;
};

const PROVIDER = 'payout';

/**
 * One payment is one file. The file name, message id and batch id are its EndToEndId, so the bank can recognise a duplicate by
 * any of them.
 */
export function createIso20022(transport: BankTransport, debtor: Debtor, set?: BankCharacterSet): PayoutBank {
  return {
    async send(instruction) {
      const { endToEndId, creditor } = instruction;
      if ([...creditor.accountNumber].length > MAX_ACCOUNT_CHARACTERS)
        throw new Error(`the account number of ${endToEndId} is too long for a bank`);
      if ([...creditor.branchCode].length > MAX_BRANCH_CHARACTERS)
        throw new Error(`the branch code of ${endToEndId} is too long for a bank`);
      const content = renderPain001(endToEndId, debtor, [instruction], set);
      const report = await transport.send({ name: `${endToEndId}.xml`, content });
      return { kind: 'known', lines: report === null ? [] : read(report, endToEndId) };
    },
    async status(endToEndId): Promise<BankAnswer> {
      const found = await transport.reports(endToEndId);
      if (found === null) return { kind: 'unknown' };
      if (found === 'accepted') return { kind: 'known', lines: [] };
      const lines = found.flatMap((report) => read(report, endToEndId));
      return lines.length === 0 ? { kind: 'unknown' } : { kind: 'known', lines };
    },
  };
}

/** A report that cannot be read has no effect. In particular it does not count as a refusal. */
function read(report: string, endToEndId: string): readonly StatusLine[] {
  try {
    return linesIn(report, endToEndId);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new ProviderError(PROVIDER, 'unknown', `an unreadable report (${error.message})`, {
      cause: error,
    });
  }
}
