import { parseXml, type XmlNode } from '../../src/iso20022/read.ts';

/** What ISO 20022's schema of camt.053.001.08 says of the elements we use: which there may be, in which order, how often. */

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';

type Part = readonly [name: string, occurs: '1' | '?' | '*' | '+', type: keyof typeof STRUCTURE | RegExp];

const text = (most: number) => new RegExp(`^[^]{1,${most}}$`, 'u');
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const AMOUNT = /^\d{1,16}(\.\d{1,5})?$/;
const INDICATOR = /^(CRDT|DBIT)$/;
const CURRENCY = /^[A-Z]{3}$/;

const STRUCTURE = {
  Document: [['BkToCstmrStmt', '1', 'message']],
  message: [
    ['GrpHdr', '1', 'header'],
    ['Stmt', '+', 'statement'],
  ],
  header: [
    ['MsgId', '1', text(35)],
    ['CreDtTm', '1', DATE_TIME],
  ],
  statement: [
    ['Id', '1', text(35)],
    ['CreDtTm', '?', DATE_TIME],
    ['FrToDt', '?', 'window'],
    ['Acct', '1', 'account'],
    ['Bal', '+', 'balance'],
    ['TxsSummry', '?', 'summary'],
    ['Ntry', '*', 'entry'],
  ],
  window: [
    ['FrDtTm', '1', DATE_TIME],
    ['ToDtTm', '1', DATE_TIME],
  ],
  account: [
    ['Id', '1', 'accountId'],
    ['Ccy', '?', CURRENCY],
    ['Nm', '?', text(70)],
    ['Ownr', '?', 'named'],
    ['Svcr', '?', 'servicer'],
  ],
  accountId: [['Othr', '1', 'otherId']],
  otherId: [['Id', '1', text(34)]],
  named: [['Nm', '?', text(140)]],
  servicer: [['FinInstnId', '1', 'named']],
  balance: [
    ['Tp', '1', 'balanceType'],
    ['Amt', '1', AMOUNT],
    ['CdtDbtInd', '1', INDICATOR],
    ['Dt', '1', 'date'],
  ],
  balanceType: [['CdOrPrtry', '1', 'balanceCode']],
  balanceCode: [['Cd', '1', /^(OPBD|CLBD)$/]],
  date: [['DtTm', '1', DATE_TIME]],
  summary: [
    ['TtlNtries', '?', 'entriesAndNet'],
    ['TtlCdtNtries', '?', 'entriesAndSum'],
    ['TtlDbtNtries', '?', 'entriesAndSum'],
  ],
  entriesAndNet: [
    ['NbOfNtries', '?', /^\d{1,15}$/],
    ['Sum', '?', AMOUNT],
    ['TtlNetNtry', '?', 'net'],
  ],
  entriesAndSum: [
    ['NbOfNtries', '?', /^\d{1,15}$/],
    ['Sum', '?', AMOUNT],
  ],
  net: [
    ['Amt', '1', AMOUNT],
    ['CdtDbtInd', '1', INDICATOR],
  ],
  entry: [
    ['NtryRef', '?', text(35)],
    ['Amt', '1', AMOUNT],
    ['CdtDbtInd', '1', INDICATOR],
    ['Sts', '1', 'status'],
    ['BookgDt', '?', 'date'],
    ['ValDt', '?', 'date'],
    ['AcctSvcrRef', '?', text(35)],
    ['BkTxCd', '1', 'code'],
    ['NtryDtls', '*', 'details'],
    ['AddtlNtryInf', '?', text(500)],
  ],
  status: [['Cd', '1', /^BOOK$/]],
  code: [['Prtry', '?', 'proprietary']],
  proprietary: [['Cd', '1', text(35)]],
  details: [['TxDtls', '*', 'transaction']],
  transaction: [
    ['Refs', '?', 'references'],
    ['Amt', '?', AMOUNT],
    ['CdtDbtInd', '?', INDICATOR],
    ['RmtInf', '?', 'remittance'],
  ],
  references: [
    ['AcctSvcrRef', '?', text(35)],
    ['EndToEndId', '?', text(35)],
  ],
  remittance: [['Ustrd', '*', text(140)]],
} as const satisfies Record<string, readonly (readonly [string, '1' | '?' | '*' | '+', string | RegExp])[]>;

/** Reads the file and says everything that the schema would not accept. */
export function checkCamt053(file: string): { statement: XmlNode; faults: string[] } {
  const root = parseXml(file, NAMESPACE);
  const faults = root.name === 'Document' && root.namespace === NAMESPACE ? [] : [`root is ${root.name}`];
  check(root, STRUCTURE.Document, 'Document', faults);
  const statement = root.at('BkToCstmrStmt', 'Stmt');
  if (statement === undefined) throw new Error('no statement');
  return { statement, faults };
}

function check(node: XmlNode, parts: readonly Part[], path: string, faults: string[]): void {
  const children = node.children();
  let at = 0;
  for (const [name, occurs, type] of parts) {
    let count = 0;
    for (; children[at]?.name === name; at += 1, count += 1) {
      const child = children[at] as XmlNode; // the loop's condition
      const where = `${path}/${name}`;
      if (type instanceof RegExp) {
        if (!type.test(child.text)) faults.push(`${where} holds "${child.text}"`);
        if (name === 'Amt' && !CURRENCY.test(child.attribute('Ccy') ?? '') && !path.endsWith('TtlNetNtry'))
          faults.push(`${where} has no currency`);
      } else check(child, STRUCTURE[type], where, faults);
    }
    if (count === 0 && (occurs === '1' || occurs === '+')) faults.push(`${path}/${name} is missing`);
    if (count > 1 && (occurs === '1' || occurs === '?')) faults.push(`${path}/${name} comes ${count} times`);
  }
  if (at < children.length) faults.push(`${path}/${children[at]?.name} is not expected there`);
}

/** Cents of an amount with its indicator; a debit is negative. */
export function camtCents(node: XmlNode | undefined): bigint {
  const amount = BigInt((node?.textAt('Amt') ?? '').replace('.', ''));
  return node?.textAt('CdtDbtInd') === 'DBIT' ? -amount : amount;
}
