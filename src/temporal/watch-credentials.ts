import { readFileSync } from 'node:fs';

/** Credentials of a connection in files, which are read again when they change. */
export type CredentialFiles = {
  readonly temporalApiKeyFile?: string | undefined;
  readonly temporalTlsServerCaFile?: string | undefined;
  readonly temporalTlsClientCertFile?: string | undefined;
  readonly temporalTlsClientKeyFile?: string | undefined;
  /** How often the files are compared with what was read. */
  readonly temporalCredentialsCheckMs?: number | undefined;
};

const CHECK_MS = 30_000;

/**
 * Calls `onChange` when a file of the connection has new content: certificates and API keys expire, and operators
 * replace the files. The content is compared, because a mounted secret is replaced by a link to another directory. While a
 * file is missing or `onChange` fails, the next check tries again. Returns the function that stops the checks.
 */
export function onCredentialsChanged(settings: CredentialFiles, onChange: () => void | Promise<void>): () => void {
  const files = [
    settings.temporalApiKeyFile,
    settings.temporalTlsServerCaFile,
    settings.temporalTlsClientCertFile,
    settings.temporalTlsClientKeyFile,
  ].filter((file) => file !== undefined);
  if (files.length === 0) return () => undefined;
  const read = () => files.map((file) => readFileSync(file, 'utf8')).join('\n');
  let known = read();
  let isAtWork = false;
  const check = async () => {
    if (isAtWork) return;
    isAtWork = true;
    try {
      const found = read();
      if (found === known) return;
      await onChange();
      known = found;
    } catch {
      // the files are being replaced, or the server does not accept them yet
    } finally {
      isAtWork = false;
    }
  };
  const timer = setInterval(() => void check(), settings.temporalCredentialsCheckMs ?? CHECK_MS).unref();
  return () => clearInterval(timer);
}
