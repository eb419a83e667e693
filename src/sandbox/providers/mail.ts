import { createServer, type Socket } from 'node:net';
import type { Mail } from '../../providers/mail/port.ts';
import { LOOPBACK } from '../stack/ports.ts';
import { Recent } from './requests.ts';
import type { SandboxPart } from './sandbox.ts';

/** The mail server: the part of SMTP (RFC 5321) that one mail needs, without TLS and credentials. It delivers nothing. */

export type SentMail = Mail & { readonly at: string };

type MailSandbox = {
  readonly part: SandboxPart;
  /** Listens at any free port, and resolves with it. */
  listen(): Promise<number>;
  stop(): Promise<void>;
};

const MAX_MAIL_CHARACTERS = 1_048_576;
const CRLF = '\r\n';

export function mailSandbox(): MailSandbox {
  const kept = new Recent<SentMail>();
  let isDown = () => false;
  let count = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    if (isDown()) return socket.end(`421 not available${CRLF}`);
    serve(socket, (mail) => kept.keep(String(count++), mail));
  });
  return {
    part: {
      provider: 'mail',
      wire: (_app, _door, isOut) => {
        isDown = isOut;
      },
      control(app) {
        app.get('/mails', (c) => {
          const to = c.req.query('to')?.toLowerCase();
          return c.json(kept.values().filter((mail) => to === undefined || mail.to.toLowerCase() === to));
        });
      },
    },
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject).listen(0, LOOPBACK, () => {
          const address = server.address();
          resolve(typeof address === 'object' && address !== null ? address.port : 0);
        });
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function serve(socket: Socket, keep: (mail: SentMail) => void): void {
  let received = '';
  let recipients: string[] = [];
  let isData = false;
  const say = (line: string) => socket.write(`${line}${CRLF}`);

  /** Takes one command, or the mail after DATA. False: more has to be received first. */
  const taken = (): boolean => {
    const end = isData ? `${CRLF}.${CRLF}` : CRLF;
    const at = received.indexOf(end);
    if (at < 0) return false;
    const text = received.slice(0, at);
    received = received.slice(at + end.length);
    if (isData) {
      isData = false;
      for (const to of recipients) keep({ to, ...contentOf(text), at: new Date().toISOString() });
      recipients = [];
      say('250 kept');
      return true;
    }
    const [, verb = '', address] = /^(\w*)(?:.*<([^<>]*)>)?/.exec(text) ?? [];
    if (verb.toUpperCase() === 'RCPT' && address !== undefined) recipients.push(address);
    if (verb.toUpperCase() === 'DATA') isData = true;
    if (verb.toUpperCase() === 'QUIT') socket.end(`221 bye${CRLF}`);
    else say(isData ? '354 end with a dot' : '250 ok');
    return true;
  };

  say('220 sandbox');
  socket.setEncoding('utf8').on('data', (part: string) => {
    received += part;
    if (received.length > MAX_MAIL_CHARACTERS) return socket.destroy();
    while (taken());
  });
}

/** Subject and text of a mail with one part. */
function contentOf(raw: string): Pick<Mail, 'subject' | 'text'> {
  const mail = raw.replace(/^\.\./gm, '.');
  const at = mail.indexOf(CRLF + CRLF);
  const headers = mail.slice(0, at).replace(/\r\n[ \t]+/g, ' ');
  const header = (name: string) => new RegExp(`^${name}: *(.*)$`, 'im').exec(headers)?.[1]?.trim() ?? '';
  const body = mail.slice(at + 2 * CRLF.length);
  return {
    subject: header('Subject').replace(/=\?utf-8\?([bq])\?([^?]*)\?=\s*/gi, (_, kind: string, text: string) =>
      decoded(text.replaceAll('_', ' '), kind.toLowerCase() === 'b' ? 'base64' : 'quoted-printable'),
    ),
    text: decoded(body, header('Content-Transfer-Encoding').toLowerCase()).replaceAll(CRLF, '\n').trim(),
  };
}

function decoded(text: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return text;
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
