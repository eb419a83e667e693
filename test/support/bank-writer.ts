/**
 * A bank that writes its own statements: an independent writer of camt.053, which shares no code with the reader. Amounts are decimal
 * texts, as banks write them.
 */

export type BankLine = {
  readonly amount: string;
  readonly sign: 'CRDT' | 'DBIT';
  readonly day?: string;
  /** From when on it counts, if not from that day. */
  readonly valueDay?: string;
  /** The bank's own reference. */
  readonly ref?: string;
  readonly endToEndId?: string;
  readonly text?: string | readonly string[];
  readonly structured?: string;
  readonly status?: 'BOOK' | 'PDNG' | 'INFO';
  readonly isReversal?: boolean;
  /** The payments of a batch. */
  readonly batch?: readonly { readonly amount: string; readonly endToEndId?: string; readonly text?: string }[];
  /** As a bank writes it that keeps the details for another message: of a batch, only how many payments it has. */
  readonly isSummary?: boolean;
  readonly currency?: string;
};

export type BankDay = {
  readonly version?: '02' | '08';
  readonly account?: string;
  readonly currency?: string;
  /** The bank's id of the statement, if not made of the day. */
  readonly id?: string;
  readonly day: string;
  readonly opening: string;
  readonly lines: readonly BankLine[];
  /** Otherwise what the opening balance and the booked lines come to. */
  readonly closing?: string;
  readonly encoding?: string;
};

export const IBAN = 'ZW12CBZ00000000000001';

const xmlText = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const tag = (name: string, content: string | undefined) =>
  content === undefined ? '' : `<${name}>${content}</${name}>`;
const toCents = (amount: string) => BigInt(amount.replace('.', ''));
const fromCents = (cents: bigint) => {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** The closing balance, with its sign. */
export function closingOf({ opening, lines }: Pick<BankDay, 'opening' | 'lines'>): string {
  const booked = lines.filter(({ status = 'BOOK' }) => status === 'BOOK');
  const cents = booked.reduce(
    (sum, { amount, sign }) => sum + (sign === 'CRDT' ? toCents(amount) : -toCents(amount)),
    toCents(opening),
  );
  return `${cents < 0n ? '-' : ''}${fromCents(cents)}`;
}

export function writeBankFile(day: BankDay): string {
  const { version = '08', account = IBAN, currency = 'USD', encoding = 'UTF-8' } = day;
  const money = (amount: string, iso = currency) => `<Amt Ccy="${iso}">${amount.replace('-', '')}</Amt>`;
  const balance = (code: string, amount: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${money(amount)}<CdtDbtInd>${amount.startsWith('-') ? 'DBIT' : 'CRDT'}</CdtDbtInd><Dt><Dt>${day.day}</Dt></Dt></Bal>`;
  const remittance = (text: BankLine['text'], structured?: string) => {
    const lines = text === undefined ? [] : [text].flat();
    const parts = `${lines.map((line) => tag('Ustrd', xmlText(line))).join('')}${structured === undefined ? '' : `<Strd><CdtrRefInf><Ref>${xmlText(structured)}</Ref></CdtrRefInf></Strd>`}`;
    return parts === '' ? '' : tag('RmtInf', parts);
  };
  const detail = (
    one: { amount: string; endToEndId?: string; text?: BankLine['text']; structured?: string },
    sign: string,
  ) =>
    `<TxDtls><Refs><EndToEndId>${xmlText(one.endToEndId ?? 'NOTPROVIDED')}</EndToEndId></Refs>${
      version === '08'
        ? `${money(one.amount)}<CdtDbtInd>${sign}</CdtDbtInd>`
        : `<AmtDtls><TxAmt>${money(one.amount)}</TxAmt></AmtDtls>`
    }${remittance(one.text, one.structured)}</TxDtls>`;
  const entry = (line: BankLine) => {
    const status = line.status ?? 'BOOK';
    const at = line.day ?? day.day;
    const details = line.isSummary
      ? tag('Btch', line.batch && tag('NbOfTxs', String(line.batch.length)))
      : (line.batch ?? [line]).map((one) => detail(one, line.sign)).join('');
    return `<Ntry>${money(line.amount, line.currency)}<CdtDbtInd>${line.sign}</CdtDbtInd>${tag('RvslInd', line.isReversal ? 'true' : undefined)}<Sts>${
      version === '08' ? `<Cd>${status}</Cd>` : status
    }</Sts><BookgDt><Dt>${at}</Dt></BookgDt><ValDt><Dt>${line.valueDay ?? at}</Dt></ValDt>${tag('AcctSvcrRef', line.ref && xmlText(line.ref))}<BkTxCd/><NtryDtls>${details}</NtryDtls></Ntry>`;
  };
  return `<?xml version="1.0" encoding="${encoding}"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt><GrpHdr><MsgId>M-${day.day}</MsgId><CreDtTm>${day.day}T20:00:00Z</CreDtTm></GrpHdr><Stmt><Id>${day.id ?? `S-${day.day}`}</Id><CreDtTm>${day.day}T20:00:00Z</CreDtTm><Acct><Id>${
    /^[A-Z]{2}\d\d/.test(account) ? tag('IBAN', account) : `<Othr><Id>${account}</Id></Othr>`
  }</Id><Ccy>${currency}</Ccy></Acct>${balance('OPBD', day.opening)}${balance('CLBD', day.closing ?? closingOf(day))}
${day.lines.map(entry).join('\n')}
</Stmt></BkToCstmrStmt></Document>
`;
}

/** One file with a statement of each of these days. */
export function writeBankFiles(days: readonly BankDay[]): string {
  const written = days.map(writeBankFile);
  const statements = written.map((file) =>
    file.slice(file.indexOf('<Stmt>'), file.indexOf('</Stmt>') + '</Stmt>'.length),
  );
  return (written[0] ?? '').replace(/<Stmt>.*<\/Stmt>/s, () => statements.join('\n'));
}
