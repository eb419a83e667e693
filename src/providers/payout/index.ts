import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { BankCharacterSet } from '../../domain/withdrawal/bank-text.ts';
import { folderTransport } from './folder-transport.ts';
import { httpTransport } from './http-transport.ts';
import { type BankTransport, createIso20022 } from './iso20022.ts';
import type { Debtor } from './pain001.ts';
import type { PayoutBank } from './port.ts';

export type PayoutSettings = {
  /** `https://…` of a bank that accepts files over HTTP, or `file:///…` of a folder that a file-transfer program empties. */
  readonly address: string;
  /** For HTTP only. */
  readonly token?: string | undefined;
  /** The account from which withdrawals are paid. */
  readonly debtor: Debtor;
  /** Absent: SWIFT's. */
  readonly characterSet?: BankCharacterSet;
};

export function createPayoutBank(settings: PayoutSettings, log?: Logger): PayoutBank {
  return createIso20022(transportOf(settings, log), settings.debtor, settings.characterSet);
}

function transportOf({ address, token = '' }: PayoutSettings, log?: Logger): BankTransport {
  if (address.startsWith('file:')) return folderTransport(fileURLToPath(address));
  return httpTransport({ host: address, token }, log);
}
