import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { interpret, type PayoutStatus } from '../../../src/domain/withdrawal/bank-reports.ts';
import { BANK_CHARACTER_SETS, isBankCode } from '../../../src/domain/withdrawal/bank-text.ts';
import { XmlError } from '../../../src/iso20022/read.ts';
import { renderPain001 } from '../../../src/providers/payout/pain001.ts';
import { linesIn } from '../../../src/providers/payout/pain002.ts';
import type { PayoutInstruction } from '../../../src/providers/payout/port.ts';
import { FileRefused, readPain001 } from '../../../src/sandbox/providers/bank-files.ts';
import { checkFile } from '../../support/iso20022.ts';

const DEBTOR = { name: 'Escrow Service', accountNumber: '1000000000001', bankCode: '00001' };
const ID = 'WD0190A1B2C3D47E5F8A9B0C1D2E3F4A5B';

const payment = (fields: Partial<PayoutInstruction> = {}): PayoutInstruction => ({
  endToEndId: ID,
  instructionId: ID,
  amountCents: 10_050n,
  currency: 'ZIG',
  createdAt: new Date('2026-01-31T09:30:00.000Z'),
  reference: 'payout-1',
  creditor: { name: 'T. Moyo', accountNumber: '0123456789', bankName: 'CBZ', branchCode: '6101' },
  ...fields,
});
const render = (...payments: PayoutInstruction[]) => renderPain001(ID, DEBTOR, payments);

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" } as const;

/** The optional elements of the schema. */
const OPTIONAL = ['CtrlSum', 'InstrId', 'Nm', 'Ccy', 'ClrSysMmbId', 'RmtInf', 'Ustrd'];

const isAccepted = (file: string): boolean => {
  try {
    return checkFile(file, 'pain.001.001.09').faults.length === 0;
  } catch {
    return false; // no XML, or another message
  }
};

describe('a pain.001.001.09', () => {
  test('names debtor, creditor, amount, date and purpose, element by element in the order of the schema', () => {
    const totals = '<NbOfTxs>1</NbOfTxs><CtrlSum>100.50</CtrlSum>';
    expect(render(payment())).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>',
        `<GrpHdr><MsgId>${ID}</MsgId><CreDtTm>2026-01-31T09:30:00.000Z</CreDtTm>${totals}`,
        '<InitgPty><Nm>Escrow Service</Nm></InitgPty></GrpHdr>',
        `<PmtInf><PmtInfId>${ID}</PmtInfId><PmtMtd>TRF</PmtMtd>${totals}<ReqdExctnDt><Dt>2026-01-31</Dt></ReqdExctnDt>`,
        '<Dbtr><Nm>Escrow Service</Nm></Dbtr>',
        '<DbtrAcct><Id><Othr><Id>1000000000001</Id></Othr></Id><Ccy>ZWG</Ccy></DbtrAcct>',
        '<DbtrAgt><FinInstnId><ClrSysMmbId><MmbId>00001</MmbId></ClrSysMmbId></FinInstnId></DbtrAgt>',
        `<CdtTrfTxInf><PmtId><InstrId>${ID}</InstrId><EndToEndId>${ID}</EndToEndId></PmtId><Amt><InstdAmt Ccy="ZWG">100.50</InstdAmt></Amt>`,
        '<CdtrAgt><FinInstnId><ClrSysMmbId><MmbId>6101</MmbId></ClrSysMmbId><Nm>CBZ</Nm></FinInstnId></CdtrAgt>',
        '<Cdtr><Nm>T. Moyo</Nm></Cdtr><CdtrAcct><Id><Othr><Id>0123456789</Id></Othr></Id></CdtrAcct>',
        '<RmtInf><Ustrd>payout-1</Ustrd></RmtInf></CdtTrfTxInf></PmtInf></CstmrCdtTrfInitn></Document>\n',
      ].join(''),
    );
  });

  test.each<[string, Partial<PayoutInstruction>]>([
    ['as they mostly are', {}],
    ['one cent', { amountCents: 1n }],
    [
      'a long reference and names',
      { reference: 'r'.repeat(255), creditor: { ...payment().creditor, name: 'n'.repeat(255) } },
    ],
    ['markup in everything', { reference: ']]>&', creditor: { ...payment().creditor, name: '<Nm>', bankName: '"&"' } }],
    [
      'the longest ids',
      {
        endToEndId: 'E'.repeat(35),
        creditor: { ...payment().creditor, branchCode: '1'.repeat(35), accountNumber: '1'.repeat(34) },
      },
    ],
  ])('follows the schema in its elements, their order and their content: %s', (_what, fields) => {
    expect(checkFile(render(payment(fields), payment()), 'pain.001.001.09').faults).toEqual([]);
  });

  test('has only characters that the bank takes, whatever names and references people gave', () => {
    const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 });
    const fields = fc.record({ reference: anyText, name: anyText, bankName: anyText });
    fc.assert(
      fc.property(fields, fc.constantFrom(...BANK_CHARACTER_SETS), ({ reference, ...names }, set) => {
        const creditor = { ...payment().creditor, ...names };
        const file = renderPain001(ID, DEBTOR, [payment({ reference, creditor })], set);
        const texts = [...file.matchAll(/<(?:Nm|Ustrd|Id|MmbId)>([^<]*)</g)].map(([, text = '']) =>
          text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: keyof typeof ENTITIES) => ENTITIES[name]),
        );
        expect(texts.filter((text) => !isBankCode(text, set))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('is the same file, byte for byte, when it is made again', () => {
    expect(render(payment())).toBe(render(payment()));
  });

  test('sums several payments exactly, beyond the precision of a number', () => {
    const big = 9_007_199_254_740_991n;
    const file = readPain001(render(payment({ amountCents: big }), payment({ endToEndId: 'WD2', amountCents: big })));
    expect(file.payments.map(({ amount }) => amount)).toEqual(['90071992547409.91', '90071992547409.91']);
  });

  test.each([
    ['markup', `<b>&amp; "quoted" 'so'</b> ]]>`],
    ['another script', '市場 Été'],
    ['255 characters', 'x'.repeat(255)],
    ['255 characters outside the basic plane', '𠮷'.repeat(255)],
  ])('carries %s to the receiver unchanged, if the bank takes it', (_what, reference) => {
    const creditor = { ...payment().creditor, name: 'O<&>' };
    const [read] = readPain001(renderPain001(ID, DEBTOR, [payment({ reference, creditor })], 'utf8')).payments;
    expect(read).toMatchObject({ reference, creditorName: 'O<&>' });
  });

  test.each<[string, (file: string) => string]>([
    ['another namespace', (file) => file.replace('pain.001.001.09', 'pain.001.001.03')],
    ['an element out of its order', (file) => file.replace(/(<MsgId>.*?<\/MsgId>)(<CreDtTm>.*?<\/CreDtTm>)/, '$2$1')],
    ['an element too many', (file) => file.replace('<PmtMtd>', '<Odd/><PmtMtd>')],
    ['a sum that is not the sum', (file) => file.replace(/CtrlSum>100.50/g, 'CtrlSum>100.51')],
    ['a count that is wrong', (file) => file.replace(/NbOfTxs>1</g, 'NbOfTxs>2<')],
    ['no amount', (file) => file.replace(/<Amt>.*<\/Amt>/, '<Amt/>')],
    ['a currency that is not ISO’s', (file) => file.replace('Ccy="ZWG"', 'Ccy="ZIG"')],
    ['a name that is too long for an id', (file) => file.replace(/<EndToEndId>/, `<EndToEndId>${'X'.repeat(35)}`)],
    [
      'a document type',
      (file) => file.replace('<Document', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><Document'),
    ],
    ['an end that is missing', (file) => file.slice(0, -20)],
    ['no XML', () => 'hello'],
  ])('with %s is refused by the sandbox bank', (_what, spoil) => {
    expect(() => readPain001(spoil(render(payment())))).toThrow(FileRefused);
  });

  test.each([...new Set(render(payment()).match(/(?<=<)[A-Z]\w+/g))].filter((name) => !OPTIONAL.includes(name)))(
    'without its first %s violates the schema',
    (name) => {
      const spoiled = render(payment()).replace(new RegExp(`<${name}[ >].*?</${name}>`), '');
      expect(isAccepted(spoiled)).toBe(false);
    },
  );
});

describe('a pain.002', () => {
  const AT = '2026-02-01T10:00:00.000Z';
  const report = (inner: string, createdAt = AT, version = '10') =>
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.${version}"><CstmrPmtStsRpt><GrpHdr><MsgId>R</MsgId><CreDtTm>${createdAt}</CreDtTm></GrpHdr>${inner}</CstmrPmtStsRpt></Document>`;
  const code = (text: string) => `<StsRsnInf><Rsn><Cd>${text}</Cd></Rsn></StsRsnInf>`;
  const words = (text: string) => `<StsRsnInf><Rsn><Prtry>${text}</Prtry></Rsn></StsRsnInf>`;
  const narrative = (text: string) => `<StsRsnInf><AddtlInf>${text}</AddtlInf></StsRsnInf>`;
  const payment = (status: string, reasons = '', { id = ID, attempt = '' } = {}) =>
    `<TxInfAndSts>${attempt && `<OrgnlInstrId>${attempt}</OrgnlInstrId>`}<OrgnlEndToEndId>${id}</OrgnlEndToEndId><TxSts>${status}</TxSts>${reasons}</TxInfAndSts>`;
  const batch = (status: string | null, reasons: string, inner = '', id = ID) =>
    `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${id}</OrgnlPmtInfId>${status === null ? '' : `<PmtInfSts>${status}</PmtInfSts>${reasons}`}${inner}</OrgnlPmtInfAndSts>`;
  const file = (status: string, reasons = '', id = ID) =>
    `<OrgnlGrpInfAndSts><OrgnlMsgId>${id}</OrgnlMsgId><GrpSts>${status}</GrpSts>${reasons}</OrgnlGrpInfAndSts>`;
  const lines = (...payments: string[]) => report(batch(null, '', payments.join(''), 'B'));

  const settled = { kind: 'settled', saidAt: AT, concern: null };
  const rejected = (reason: string) => ({ kind: 'rejected', saidAt: AT, reason });
  const pending = (concern: string | null = null, attempt: number | null = null) => ({
    kind: 'pending',
    attempt,
    concern,
  });

  const understand = (content: string, attempts = 1): PayoutStatus =>
    interpret({ kind: 'known', lines: linesIn(content, ID) }, { attempts, acceptedAttempt: null });

  test.each<[string, string, object]>([
    ['settled', lines(payment('ACSC')), settled],
    ['credited', lines(payment('ACCC')), settled],
    ['received', lines(payment('RCVD')), pending()],
    ['pending', lines(payment('PDNG')), pending()],
    ['accepted, but not settled', lines(payment('ACSP', '', { attempt: ID })), pending(null, 1)],
    ['something no standard has', lines(payment('XXXX')), pending()],
    ['rejected', lines(payment('RJCT', code('AC04'))), rejected('AC04')],
    ['rejected without a reason', lines(payment('RJCT')), rejected('NARR')],
    ['rejected with a story for a reason', lines(payment('RJCT', code('because of T. Moyo'))), rejected('NARR')],
    [
      'rejected, and the second reason is the code',
      lines(payment('RJCT', code('NARR') + code('AC04'))),
      rejected('AC04'),
    ],
    ['cancelled, which we never asked for', lines(payment('CANC', code('CUST'))), pending('cancelled')],
    ['a duplicate, which the bank has already', lines(payment('RJCT', code('AM05'))), pending()],
    ['a duplicate by ISO’s newer code', lines(payment('RJCT', code('DUPL'))), pending()],
    ['a duplicate by the second reason', lines(payment('RJCT', code('NARR') + code('DUPL'))), pending()],
    ['a duplicate in the bank’s own words', lines(payment('RJCT', words('Duplicate message id'))), pending()],
    ['a duplicate by the narrative', lines(payment('RJCT', code('NARR') + narrative('is a DUPLICATE'))), pending()],
    ['in a duplicate file', report(file('RJCT', code('DU01'))), pending()],
    ['in a duplicate batch', report(batch('RJCT', code('DU02'))), pending()],
    ['in a file that is refused', report(file('RJCT', code('FF01'))), pending('file_refused')],
    ['in a file that is refused in the bank’s own words', report(file('RJCT', words('17'))), pending('file_refused')],
    ['in a batch that is refused', report(batch('RJCT', code('AC01'))), pending('file_refused')],
    ['in a file that is accepted', report(file('ACTC')), pending()],
    [
      'settled, in a file that is refused',
      report(file('RJCT', words('17')) + batch(null, '', payment('ACSC'))),
      settled,
    ],
    ['rejected and then settled, in one report', lines(payment('RJCT', code('AC04')), payment('ACSC')), settled],
    ['settled and then rejected, in one report', lines(payment('ACSC'), payment('RJCT', code('AC04'))), settled],
    [
      'rejected, in a file that is accepted',
      report(file('ACTC') + batch('ACTC', '', payment('RJCT', code('AC04')))),
      rejected('AC04'),
    ],
  ])('about a payment that is %s', (_what, content, expected) => {
    expect(understand(content)).toEqual(expected);
  });

  test.each<[string, string, object]>([
    ['names no attempt', lines(payment('RJCT', code('AC04'))), pending('rejection_unattributed')],
    [
      'names the copy',
      lines(payment('RJCT', code('AC04'), { attempt: `R2${ID.slice(2)}` })),
      pending('rejection_unattributed'),
    ],
    [
      'names the attempt that the bank accepted',
      lines(
        payment('ACSP', '', { attempt: `R2${ID.slice(2)}` }),
        payment('RJCT', code('AC04'), { attempt: `R2${ID.slice(2)}` }),
      ),
      rejected('AC04'),
    ],
    [
      'names another attempt than the one that it accepted',
      lines(payment('ACSP', '', { attempt: ID }), payment('RJCT', code('AC04'), { attempt: `R2${ID.slice(2)}` })),
      pending('rejection_unattributed', 1),
    ],
  ])('that rejects a payment which was sent twice, and %s', (_what, content, expected) => {
    expect(understand(content, 2)).toEqual(expected);
  });

  test.each([
    ['that mentions another payment', lines(payment('RJCT', code('AC04'), { id: 'WD2' }))],
    ['that mentions another file', report(file('RJCT', code('FF01'), 'WD2'))],
    ['that mentions no payment', report('')],
  ])('%s has no line about this payment', (_what, content) => {
    expect(linesIn(content, ID)).toEqual([]);
  });

  test.each([
    ['2026-02-01T12:00:00+02:00', AT],
    ['2026-02-01T10:00:00', AT],
    ['yesterday', null],
    ['', null],
  ])('dated %j has the time %j', (createdAt, expected) => {
    const [line] = linesIn(report(file('ACTC'), createdAt), ID);
    expect(line?.saidAt).toBe(expected);
  });

  test.each(['03', '10', '12'])('is read in version %s', (version) => {
    expect(understand(report(batch(null, '', payment('ACSC')), AT, version))).toEqual(settled);
  });

  test.each([
    ['another message', '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"/>'],
    ['a document type', `<!DOCTYPE x>${lines(payment('RJCT'))}`],
    ['half of one', lines(payment('RJCT')).slice(0, 100)],
    ['nothing', ''],
  ])('that is %s gives no status of the payment', (_what, content) => {
    expect(() => linesIn(content, ID)).toThrow(XmlError);
  });
});
