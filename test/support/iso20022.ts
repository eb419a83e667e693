import { parseXml, type XmlNode } from '../../src/iso20022/read.ts';

/** The rules of ISO 20022's schemas for the elements that we use: their names, order, number and content. */

type Occurs = '1' | '?' | '*' | '+';
type Part = readonly [name: string, occurs: Occurs, type: string | RegExp];
type Structure = Readonly<Record<string, readonly Part[]>>;

const text = (most: number) => new RegExp(`^[^]{1,${most}}$`, 'u');
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const AMOUNT = /^\d{1,16}(\.\d{1,5})?$/;
/** A total of amounts, without a currency. */
const SUM = /^\d{1,17}(\.\d{1,17})?$/;
const INDICATOR = /^(CRDT|DBIT)$/;
const CURRENCY = /^[A-Z]{3}$/;

const CAMT_053: Structure = {
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
  balanceCode: [['Cd', '1', /^(OPBD|CLBD|OPAV|CLAV)$/]],
  date: [['DtTm', '1', DATE_TIME]],
  // One of them.
  valueDate: [
    ['Dt', '?', /^\d{4}-\d{2}-\d{2}$/],
    ['DtTm', '?', DATE_TIME],
  ],
  summary: [
    ['TtlNtries', '?', 'entriesAndNet'],
    ['TtlCdtNtries', '?', 'entriesAndSum'],
    ['TtlDbtNtries', '?', 'entriesAndSum'],
  ],
  entriesAndNet: [
    ['NbOfNtries', '?', /^\d{1,15}$/],
    ['Sum', '?', SUM],
    ['TtlNetNtry', '?', 'net'],
  ],
  entriesAndSum: [
    ['NbOfNtries', '?', /^\d{1,15}$/],
    ['Sum', '?', SUM],
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
    ['ValDt', '?', 'valueDate'],
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
    ['AmtDtls', '?', 'amounts'],
    ['Chrgs', '?', 'charges'],
    ['RltdPties', '?', 'parties'],
    ['RmtInf', '?', 'remittance'],
    ['Tax', '?', 'tax'],
  ],
  amounts: [['InstdAmt', '?', 'instructed']],
  instructed: [['Amt', '1', AMOUNT]],
  charges: [['TtlChrgsAndTaxAmt', '?', AMOUNT]],
  parties: [
    ['Dbtr', '?', 'partyChoice'],
    ['Cdtr', '?', 'partyChoice'],
  ],
  partyChoice: [['Pty', '1', 'named']],
  tax: [['TtlTaxAmt', '?', AMOUNT]],
  references: [
    ['AcctSvcrRef', '?', text(35)],
    ['EndToEndId', '?', text(35)],
  ],
  remittance: [['Ustrd', '*', text(140)]],
};

const PAIN_001: Structure = {
  Document: [['CstmrCdtTrfInitn', '1', 'message']],
  message: [
    ['GrpHdr', '1', 'header'],
    ['PmtInf', '+', 'batch'],
  ],
  header: [
    ['MsgId', '1', text(35)],
    ['CreDtTm', '1', DATE_TIME],
    ['NbOfTxs', '1', /^\d{1,15}$/],
    ['CtrlSum', '?', SUM],
    ['InitgPty', '1', 'party'],
  ],
  batch: [
    ['PmtInfId', '1', text(35)],
    ['PmtMtd', '1', /^(CHK|TRF|TRA)$/],
    ['NbOfTxs', '?', /^\d{1,15}$/],
    ['CtrlSum', '?', SUM],
    ['ReqdExctnDt', '1', 'dateChoice'],
    ['Dbtr', '1', 'party'],
    ['DbtrAcct', '1', 'account'],
    ['DbtrAgt', '1', 'agent'],
    ['CdtTrfTxInf', '+', 'transfer'],
  ],
  dateChoice: [['Dt', '1', /^\d{4}-\d\d-\d\d$/]],
  party: [['Nm', '?', text(140)]],
  account: [
    ['Id', '1', 'accountId'],
    ['Ccy', '?', CURRENCY],
  ],
  accountId: [['Othr', '1', 'otherId']],
  otherId: [['Id', '1', text(34)]],
  agent: [['FinInstnId', '1', 'institution']],
  institution: [
    ['ClrSysMmbId', '?', 'member'],
    ['Nm', '?', text(140)],
  ],
  member: [['MmbId', '1', text(35)]],
  transfer: [
    ['PmtId', '1', 'paymentId'],
    ['Amt', '1', 'amountChoice'],
    // The schema does not require these three; a payment to a bank account does.
    ['CdtrAgt', '1', 'agent'],
    ['Cdtr', '1', 'party'],
    ['CdtrAcct', '1', 'account'],
    ['RmtInf', '?', 'remittance'],
  ],
  paymentId: [
    ['InstrId', '?', text(35)],
    ['EndToEndId', '1', text(35)],
  ],
  amountChoice: [['InstdAmt', '1', AMOUNT]],
  remittance: [['Ustrd', '*', text(140)]],
};

const MESSAGES = {
  'camt.053.001.08': { structure: CAMT_053, withoutCurrency: ['TtlNetNtry'] },
  'pain.001.001.09': { structure: PAIN_001, withoutCurrency: [] },
} as const satisfies Record<string, { structure: Structure; withoutCurrency: readonly string[] }>;
type Message = keyof typeof MESSAGES;

/** Reads the file, and returns all violations of the message's schema. */
export function checkFile(file: string, message: Message): { root: XmlNode; faults: string[] } {
  const { structure, withoutCurrency } = MESSAGES[message];
  const namespace = `urn:iso:std:iso:20022:tech:xsd:${message}`;
  const root = parseXml(file, namespace);
  const faults = root.name === 'Document' && root.namespace === namespace ? [] : [`root is ${root.name}`];

  const check = (node: XmlNode, type: string, path: string): void => {
    const children = node.children();
    let at = 0;
    for (const [name, occurs, held] of structure[type] ?? []) {
      let count = 0;
      for (let child = children[at]; child?.name === name; child = children[at]) {
        const where = `${path}/${name}`;
        if (typeof held === 'string') check(child, held, where);
        else if (!held.test(child.text)) faults.push(`${where} holds "${child.text}"`);
        if (held === AMOUNT && !CURRENCY.test(child.attribute('Ccy') ?? ''))
          if (!withoutCurrency.some((parent) => parent === node.name)) faults.push(`${where} has no currency`);
        at += 1;
        count += 1;
      }
      if (count === 0 && (occurs === '1' || occurs === '+')) faults.push(`${path}/${name} is missing`);
      if (count > 1 && (occurs === '1' || occurs === '?')) faults.push(`${path}/${name} comes ${count} times`);
    }
    if (at < children.length) faults.push(`${path}/${children[at]?.name} is not expected there`);
  };
  check(root, 'Document', 'Document');
  return { root, faults };
}

/** A statement, and the faults of its file. */
export function checkCamt053(file: string): { statement: XmlNode; faults: string[] } {
  const { root, faults } = checkFile(file, 'camt.053.001.08');
  const statement = root.at('BkToCstmrStmt', 'Stmt');
  if (statement === undefined) throw new Error('no statement');
  return { statement, faults };
}

/** Cents of an amount with its indicator; a debit is negative. */
export function camtCents(node: XmlNode | undefined): bigint {
  const amount = BigInt((node?.textAt('Amt') ?? '').replace('.', ''));
  return node?.textAt('CdtDbtInd') === 'DBIT' ? -amount : amount;
}
