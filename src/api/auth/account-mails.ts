import type { Logger } from 'pino';
import type { Mail, MailServer } from '../../providers/mail/port.ts';

/** The mails that an administrator gets about the own account. They are in English: an account has no language. */

export type AccountMails = {
  /** A link with which a new password can be chosen. */
  readonly resetLink: (to: string, token: string) => void;
  readonly passwordChanged: (to: string) => void;
};

/**
 * No caller waits for a mail: a slow mail server would delay the answer, and tell who has an account. A mail that fails is logged,
 * without its text.
 */
export function createAccountMails(dependencies: {
  readonly mail: MailServer;
  readonly baseUrl: string;
  readonly log: Logger;
}): AccountMails {
  const { mail, baseUrl, log } = dependencies;
  const send = (to: string, subject: Mail['subject'], ...paragraphs: readonly string[]) => {
    mail
      .send({ to, subject, text: paragraphs.join('\n\n') })
      .catch((error: unknown) => log.error({ err: error, subject }, 'a mail to an administrator could not be sent'));
  };
  return {
    resetLink: (to, token) =>
      send(
        to,
        'Choose a new password',
        `Open this link to choose a new password. It works once, for 30 minutes:`,
        `${baseUrl}/console/reset?token=${token}`,
        'If you did not ask for it, you need not do anything: your password stays as it is.',
      ),
    passwordChanged: (to) =>
      send(
        to,
        'Your password was changed',
        'The password of your account was changed, and all of its sessions have ended.',
        `If it was not you, choose a new one at once: ${baseUrl}/console/forgot`,
      ),
  };
}
