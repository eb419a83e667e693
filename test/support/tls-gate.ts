import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';

export type Certificate = { readonly cert: string; readonly key: string };

/** A TLS proxy in front of a server without TLS, which admits one client certificate. */
export type TlsGate = {
  /** host:port */
  readonly address: string;
  readonly server: Certificate;
  /** Admits this certificate from now on, and ends open connections. */
  admit(client: Certificate): void;
  stop(): Promise<void>;
};

export async function startTlsGate(target: string, client: Certificate): Promise<TlsGate> {
  const [host = '', port = ''] = target.split(':');
  const server = newCertificate('localhost');
  const sockets = new Set<TLSSocket>();
  const secured = ({ cert }: Certificate) => ({ ...server, ca: [cert], requestCert: true, rejectUnauthorized: true });
  const gate = createServer({ ...secured(client), ALPNProtocols: ['h2'] }, (inner) => {
    const outer = connect(Number(port), host);
    sockets.add(inner);
    inner.on('close', () => {
      sockets.delete(inner);
      outer.destroy();
    });
    inner.on('error', () => outer.destroy());
    outer.on('error', () => inner.destroy());
    outer.on('close', () => inner.destroy());
    inner.pipe(outer).pipe(inner);
  });
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
  const address = gate.address();
  if (typeof address !== 'object' || address === null) throw new Error('the gate listens nowhere');
  const disconnect = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    address: `127.0.0.1:${address.port}`,
    server,
    admit(next) {
      gate.setSecureContext(secured(next));
      disconnect();
    },
    async stop() {
      disconnect();
      await new Promise((resolve) => gate.close(resolve));
    },
  };
}

/** A self-signed certificate for a name. */
export function newCertificate(name: string): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const subject = [
    '-subj',
    `/CN=${name}`,
    '-addext',
    `subjectAltName=DNS:${name}`,
    '-addext',
    'basicConstraints=critical,CA:FALSE',
    '-days',
    '2',
  ];
  execFileSync('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', keyFile, '-out', certFile], {
    stdio: 'ignore',
  });
  const made = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  rmSync(folder, { recursive: true });
  return made;
}
