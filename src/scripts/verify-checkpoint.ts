import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { connect } from '../db/core/orm.ts';
import { isSignedBy, keyIdOf } from '../db/ledger/audit/checkpoint.ts';
import { verifyLedger } from '../db/ledger/verify.ts';

/**
 * `DATABASE_URL=… npm run verify-checkpoint -- checkpoint.json public-key.pem`: for an auditor who has a restored dump, a
 * checkpoint that was kept elsewhere, and the public key. Checks the signature, then compares the dump with the checkpoint and
 * audits it in full. The exit code is 0 if there is no mismatch, else 1.
 */

const CheckpointFile = z.object({
  version: z.literal(1),
  seq: z.string().regex(/^\d{1,18}$/),
  at: z.iso.datetime(),
  root: z.string().regex(/^[0-9a-f]{64}$/),
  keyId: z.string().nullable(),
  signature: z.string().nullable(),
});

const [checkpointFile, keyFile] = process.argv.slice(2);
const databaseUrl = process.env.DATABASE_URL;
if (checkpointFile === undefined || keyFile === undefined || databaseUrl === undefined) {
  console.error('Usage: DATABASE_URL=postgres://… npm run verify-checkpoint -- checkpoint.json public-key.pem');
  process.exit(1);
}

const checkpoint = CheckpointFile.parse(JSON.parse(readFileSync(checkpointFile, 'utf8')));
const publicKey = createPublicKey(readFileSync(keyFile));
if (!isSignedBy(checkpoint, publicKey)) {
  console.error(`The checkpoint is not signed by key ${keyIdOf(publicKey)}.`);
  process.exit(1);
}
console.log(`Signed by key ${keyIdOf(publicKey)}: audit ${checkpoint.seq} of ${checkpoint.at}.`);

const orm = await connect({ databaseUrl, poolMax: 1, applicationName: 'escrow-verify-checkpoint' });
try {
  const audit = await verifyLedger(orm.em.fork(), null, { checkpoint });
  const { ok, checkedTransactions, mismatches, unauditedEntities } = audit;
  for (const mismatch of mismatches) console.error(JSON.stringify(mismatch));
  console.log(
    `${checkedTransactions} transactions checked, ${mismatches.length} mismatches, ${unauditedEntities} unaudited entities.`,
  );
  process.exitCode = ok ? 0 : 1;
} finally {
  await orm.close();
}
