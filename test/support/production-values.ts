import { generateKeyPairSync, randomBytes } from 'node:crypto';

/** A value for a variable that production accepts, for tests of what operators fill in. */
export function sampleOf(name: string): string {
  if (name === 'FIELD_ENCRYPTION_KEYS') return `2026-01:${randomBytes(32).toString('base64')}`;
  if (name === 'AUDIT_SIGNING_KEY')
    return generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  if (name === 'GATEWAY_WEBHOOK_KEY') return '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0';
  if (name === 'WHATSAPP_PHONE_NUMBER_ID') return '106540352242922';
  if (/^DATABASE_(\w+_)?URL$/.test(name)) return `postgres://escrow_api:${wordFor(name)}@database.invalid:5432/escrow`;
  if (name === 'SMTP_URL') return `smtps://ops:${wordFor(name)}@mail.invalid:465`;
  if (name === 'MAIL_FROM') return 'no-reply@company.invalid';
  if (name.endsWith('_HOST') || name.endsWith('_URL') || name === 'PAYOUT_ADDRESS') return 'https://provider.invalid';
  if (name.endsWith('_EMAIL')) return 'ops@company.invalid';
  return wordFor(name);
}

function wordFor(name: string): string {
  return `t8-${Buffer.from(name).toString('base64url')}-Wm4Zq7Rk2Vx9Lp3Nf6`.slice(0, 34);
}
