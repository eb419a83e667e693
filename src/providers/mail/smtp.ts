import { createTransport } from 'nodemailer';
import { codeOf } from '../../observability/thrown.ts';
import { ProviderError } from '../provider-error.ts';
import type { MailServer } from './port.ts';

export type SmtpSettings = {
  /** smtp://user:password@host:port, or smtps://. */
  readonly url: string;
  /** The sender: an address, or `Name <address>`. */
  readonly from: string;
};

const CONNECT_WITHIN_MS = 5_000;
const SILENT_MS = 10_000;

/** One connection for each mail. Except to this machine, nothing is sent without TLS. */
export function createSmtp({ url, from }: SmtpSettings): MailServer {
  const transport = createTransport(
    {
      url,
      requireTLS: !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(url).hostname),
      connectionTimeout: CONNECT_WITHIN_MS,
      greetingTimeout: CONNECT_WITHIN_MS,
      socketTimeout: SILENT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  return {
    async send({ to, subject, text }) {
      try {
        await transport.sendMail({ to: { name: '', address: to }, subject, text });
      } catch (error) {
        // The library's message can contain the text of the mail, which may hold a secret.
        throw new ProviderError('mail', 'unreachable', `refused a mail (${codeOf(error) ?? 'unknown'})`);
      }
    },
  };
}
