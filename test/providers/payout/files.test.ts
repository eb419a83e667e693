import { describe, expect, test } from '@jest/globals';
import { renderPain001 } from '../../../src/providers/payout/pain001.ts';
import { statusIn } from '../../../src/providers/payout/pain002.ts';
import type { PayoutInstruction } from '../../../src/providers/payout/port.ts';
import { FileRefused, readPain001 } from '../../../src/sandbox/providers/bank-files.ts';
import { checkFile } from '../../support/iso20022.ts';

const DEBTOR = { name: 'Escrow Service', accountNumber: '1000000000001', bankCode: '00001' };
const ID = 'WD0190A1B2C3D47E5F8A9B0C1D2E3F4A5B';

const payment = (fields: Partial<PayoutInstruction> = {}): PayoutInstruction => ({
  endToEndId: ID,
  amountCents: 10_050n,
  currency: 'ZIG',
  createdAt: new Date('2026-01-31T09:30:00.000Z'),
  reference: 'payout-1',
  creditor: { name: 'T. Moyo', accountNumber: '0123456789', bankName: 'CBZ', branchCode: '6101' },
  ...fields,
});
const render = (...payments: PayoutInstruction[]) => renderPain001(ID, DEBTOR, payments);

/** What the schema can do without. */
const OPTIONAL = ['CtrlSum', 'Nm', 'Ccy', 'ClrSysMmbId', 'RmtInf', 'Ustrd'];

const isAccepted = (file: string): boolean => {
  try {
    return checkFile(file, 'pain.001.001.09').faults.length === 0;
  } catch {
    return false; // no XML, or another message
  }
};

describe('a pain.001.001.09', () => {
  test('says who pays whom, how much, when and why, element by element in the order of the schema', () => {
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
        `<CdtTrfTxInf><PmtId><EndToEndId>${ID}</EndToEndId></PmtId><Amt><InstdAmt Ccy="ZWG">100.50</InstdAmt></Amt>`,
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
  ])('is what the schema wants of its elements, their order and what they hold: %s', (_what, fields) => {
    expect(checkFile(render(payment(fields), payment()), 'pain.001.001.09').faults).toEqual([]);
  });

  test('is the same file, byte for byte, when it is made again', () => {
    expect(render(payment())).toBe(render(payment()));
  });

  test('of several payments adds them up exactly, past what a number could', () => {
    const big = 9_007_199_254_740_991n;
    const file = readPain001(render(payment({ amountCents: big }), payment({ endToEndId: 'WD2', amountCents: big })));
    expect(file.payments.map(({ amount }) => amount)).toEqual(['90071992547409.91', '90071992547409.91']);
  });

  test.each([
    ['markup', `<b>&amp; "quoted" 'so'</b> ]]>`],
    ['another script and an emoji', '市場 Été 🧾'],
    ['255 characters', 'x'.repeat(255)],
    ['255 characters outside the basic plane', '🧾'.repeat(255)],
  ])('carries %s to the receiver unchanged', (_what, reference) => {
    const [read] = readPain001(
      render(payment({ reference, creditor: { ...payment().creditor, name: 'O<&>' } })),
    ).payments;
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
  ])('with %s is turned away by the sandbox bank', (_what, spoil) => {
    expect(() => readPain001(spoil(render(payment())))).toThrow(FileRefused);
  });

  test.each([...new Set(render(payment()).match(/(?<=<)[A-Z]\w+/g))].filter((name) => !OPTIONAL.includes(name)))(
    'without its first %s is one that the schema does not accept',
    (name) => {
      const spoiled = render(payment()).replace(new RegExp(`<${name}[ >].*?</${name}>`), '');
      expect(isAccepted(spoiled)).toBe(false);
    },
  );
});

describe('a pain.002', () => {
  const report = (inner: string, version = '10') =>
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.${version}"><CstmrPmtStsRpt>${inner}</CstmrPmtStsRpt></Document>`;
  const because = (code: string | null) => (code === null ? '' : `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf>`);
  const line = (status: string, code: string | null = null, id = ID) =>
    report(
      `<OrgnlPmtInfAndSts><OrgnlPmtInfId>B</OrgnlPmtInfId><TxInfAndSts><OrgnlEndToEndId>${id}</OrgnlEndToEndId><TxSts>${status}</TxSts>${because(code)}</TxInfAndSts></OrgnlPmtInfAndSts>`,
    );
  const group = (status: string, code: string | null = null, id = ID) =>
    report(
      `<OrgnlGrpInfAndSts><OrgnlMsgId>${id}</OrgnlMsgId><GrpSts>${status}</GrpSts>${because(code)}</OrgnlGrpInfAndSts>`,
    );

  test.each([
    ['settled', line('ACSC'), { kind: 'settled' }],
    ['credited', line('ACCC'), { kind: 'settled' }],
    ['received', line('RCVD'), { kind: 'pending' }],
    ['pending', line('PDNG'), { kind: 'pending' }],
    ['accepted, but not settled', line('ACSP'), { kind: 'pending' }],
    ['something no standard has', line('XXXX'), { kind: 'pending' }],
    ['rejected', line('RJCT', 'AC04'), { kind: 'rejected', reason: 'AC04' }],
    ['rejected without a reason', line('RJCT'), { kind: 'rejected', reason: 'NARR' }],
    ['rejected with a story for a reason', line('RJCT', 'because of T. Moyo'), { kind: 'rejected', reason: 'NARR' }],
    ['cancelled', line('CANC', 'CUST'), { kind: 'rejected', reason: 'CUST' }],
    ['a duplicate, which the bank has already', line('RJCT', 'AM05'), { kind: 'pending' }],
    ['a duplicate file', group('RJCT', 'DU01'), { kind: 'pending' }],
    ['in a file that is refused', group('RJCT', 'FF01'), { kind: 'rejected', reason: 'FF01' }],
    ['in a file that is accepted', group('ACTC'), { kind: 'pending' }],
    ['another', line('RJCT', 'AC04', 'WD2'), undefined],
    ['in another file', group('RJCT', 'FF01', 'WD2'), undefined],
    ['of which nothing is said', report(''), undefined],
  ])('about a payment that is %s', (_what, content, expected) => {
    expect(statusIn(content, ID)).toEqual(expected);
  });

  test.each(['03', '10', '12'])('is understood in version %s', (version) => {
    expect(statusIn(line('ACSC').replace('002.001.10', `002.001.${version}`), ID)).toEqual({ kind: 'settled' });
  });

  test.each([
    ['another message', '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"/>'],
    ['a document type', `<!DOCTYPE x>${line('RJCT')}`],
    ['half of one', line('RJCT').slice(0, 100)],
    ['nothing', ''],
  ])('that is %s says nothing of the payment', (_what, content) => {
    expect(() => statusIn(content, ID)).toThrow('');
  });
});
