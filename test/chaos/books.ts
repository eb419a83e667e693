import { connect } from '../../src/db/core/orm.ts';
import { verifyLedger } from '../../src/db/ledger/verify.ts';
import { imbalances } from '../support/trial-balance.ts';

/** The faults in the books of all companies: trial balances that are not zero, and the mismatches of an incremental and a full audit. */
export async function auditBooks(ownerUrl: string): Promise<string[]> {
  const orm = await connect({ databaseUrl: ownerUrl, poolMax: 1, applicationName: 'chaos' });
  try {
    const unbalanced = await imbalances(orm.em.fork(), null);
    const incremental = await verifyLedger(orm.em.fork(), null, { isNewOnly: true });
    const full = await verifyLedger(orm.em.fork(), null);
    return [
      ...unbalanced.map((imbalance) => `trial balance: ${JSON.stringify(imbalance)}`),
      ...[...incremental.mismatches, ...full.mismatches].map((mismatch) => `integrity: ${JSON.stringify(mismatch)}`),
    ];
  } finally {
    await orm.close();
  }
}
