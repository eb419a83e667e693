import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The addresses and credentials of the embedded stack: printed when it is ready, and stored for tools and tests. */
export type EmbeddedInfo = {
  readonly apiUrl: string;
  readonly docsUrl: string;
  readonly checkoutUrl: string;
  readonly temporalAddress: string;
  readonly temporalUiUrl: string | null;
  readonly databaseUrl: string;
  readonly sandboxUrl: string;
  readonly platformAdmin: {
    readonly email: string;
    readonly password: string;
    readonly companyId: string;
    readonly apiKey: string;
  };
  readonly demo: {
    readonly companyId: string;
    readonly apiKey: string;
    readonly ownerEmail: string;
    readonly ownerPassword: string;
    readonly buyerId: string;
    readonly sellerId: string;
  };
  readonly messaging: { readonly verifyToken: string; readonly appSecret: string };
  readonly gateway: { readonly webhookKey: string };
};

export function embeddedInfoFile(dataDir: string): string {
  return join(dataDir, 'embedded.json');
}

/** Writes `DATA_DIR/embedded.json` atomically, readable by its owner only. */
export function writeEmbeddedInfo(info: EmbeddedInfo, dataDir: string): void {
  const file = embeddedInfoFile(dataDir);
  const unfinished = `${file}.unfinished`;
  writeFileSync(unfinished, `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}

/** What `writeEmbeddedInfo` wrote last; undefined if the file does not exist. */
export function readEmbeddedInfo(dataDir: string): EmbeddedInfo | undefined {
  const file = embeddedInfoFile(dataDir);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** The last lines of a start. */
export function closingBlock(info: EmbeddedInfo, dataDir: string): string {
  const rows: [string, string][] = [
    ['API', info.apiUrl],
    ['Reference', info.docsUrl],
    ['Guides', `${info.apiUrl}/guides`],
    ['Console', `${info.apiUrl}/console`],
    ['Checkout', info.checkoutUrl],
    ['Temporal UI', info.temporalUiUrl ?? 'none'],
    ['Temporal', info.temporalAddress],
    ['PostgreSQL', info.databaseUrl],
    ['Sandbox', info.sandboxUrl],
    ['Platform admin', `${info.platformAdmin.email}  ${info.platformAdmin.password}`],
    ['Demo company', info.demo.companyId],
    ['  API key', info.demo.apiKey],
    ['  owner', `${info.demo.ownerEmail}  ${info.demo.ownerPassword}`],
    ['  buyer', info.demo.buyerId],
    ['  seller', info.demo.sellerId],
  ];
  return [
    '',
    'The escrow service is ready.',
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(16)}${value}`),
    '',
    `All of it is in ${embeddedInfoFile(dataDir)}. Try:`,
    '',
    `  curl -H 'x-api-key: ${info.demo.apiKey}' -H 'x-company-id: ${info.demo.companyId}' ${info.apiUrl}/v1/core/companies/me`,
    '',
    'Ctrl-C stops everything; the next start finds all data.',
    '',
  ].join('\n');
}
