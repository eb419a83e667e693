import type { BankWord, StatusLine } from '../../domain/withdrawal/bank-reports.ts';
import { XmlError } from '../../iso20022/read.ts';
import { ProviderError } from '../outcome.ts';
import { type Debtor, MAX_ACCOUNT_CHARACTERS, MAX_BRANCH_CHARACTERS, renderPain001 } from './pain001.ts';
import { linesIn } from './pain002.ts';
import type { PayoutBank } from './port.ts';

/** The payout port in ISO 20022 files: a pain.001 out for each payment, pain.002 reports back, over any transport. */

/** How files get to the bank and reports come back. */
export type BankTransport = {
  /** Hands over a file; the same name again is the same file. Answers a report, if there is one at once. */
  send(file: { readonly name: string; readonly content: string }): Promise<string | null>;
  /** The reports that speak of a payment; `accepted`: the bank has it, and says no more; null: it has not. */
  reports(endToEndId: string): Promise<readonly string[] | 'accepted' | null>;
};

const PROVIDER = 'payout';

/**
 * One payment is one file, whose name, message id and batch id are its EndToEndId: whatever the bank compares, it recognises a
 * file that comes twice.
 */
export function createIso20022(transport: BankTransport, debtor: Debtor): PayoutBank {
  return {
    async send(instruction) {
      const { endToEndId, creditor } = instruction;
      if ([...creditor.accountNumber].length > MAX_ACCOUNT_CHARACTERS)
        throw new Error(`the account number of ${endToEndId} is too long for a bank`);
      if ([...creditor.branchCode].length > MAX_BRANCH_CHARACTERS)
        throw new Error(`the branch code of ${endToEndId} is too long for a bank`);
      const content = renderPain001(endToEndId, debtor, [instruction]);
      const report = await transport.send({ name: `${endToEndId}.xml`, content });
      return { kind: 'known', lines: report === null ? [] : read(report, endToEndId) };
    },
    async status(endToEndId): Promise<BankWord> {
      const found = await transport.reports(endToEndId);
      if (found === null) return { kind: 'unknown' };
      if (found === 'accepted') return { kind: 'known', lines: [] };
      const lines = found.flatMap((report) => read(report, endToEndId));
      return lines.length === 0 ? { kind: 'unknown' } : { kind: 'known', lines };
    },
  };
}

/** A report that cannot be read says nothing: least of all that the payment was refused. */
function read(report: string, endToEndId: string): readonly StatusLine[] {
  try {
    return linesIn(report, endToEndId);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new ProviderError(PROVIDER, 'unknown', `a report that is not understood (${error.message})`, {
      cause: error,
    });
  }
}
