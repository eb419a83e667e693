import type { Logger } from 'pino';
import type { Mail, MailServer } from '../../providers/mail/port.ts';

/** The mails that an administrator gets about the own account. They are in English: an account has no language. */

export type AccountMails = {
  /** A link with which a new password can be chosen. */
  readonly resetLink: (to: string, token: string) => void;
  readonly passwordChanged: (to: string) => void;
  readonly newLogin: (to: string, login: Login) => void;
  /** `owners`: of the company for which the key works. */
  readonly newKey: (owners: readonly string[], key: { readonly name: string; readonly keyPrefix: string }) => void;
  /** `owners`: of the company whose own money goes to the account. */
  readonly bankDetailsChanged: (owners: readonly string[], account: string) => void;
  readonly factorChanged: (to: string, change: FactorChange) => void;
};

type Login = { readonly ip: string; readonly userAgent: string | null; readonly at: Date };

const FACTOR_CHANGES = {
  enabled: 'A second factor is needed from now on when you log in, and for operations by which money leaves.',
  disabled: 'Your second factor was disabled with one of its codes.',
  reset: 'An administrator took your second factor away. All sessions of your account have ended.',
} as const;
type FactorChange = keyof typeof FACTOR_CHANGES;

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
  const ifNotYou = `If it was not you, choose a new password at once: ${baseUrl}/console/forgot`;
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
        ifNotYou,
      ),
    newLogin: (to, { ip, userAgent, at }) =>
      send(
        to,
        'New login to your account',
        `${at.toISOString()}, from ${ip}, with ${userAgent ?? 'an unknown program'}.`,
        `Your sessions: ${baseUrl}/console/sessions`,
        ifNotYou,
      ),
    newKey: (owners, { name, keyPrefix }) => {
      for (const to of owners)
        send(
          to,
          'New API key of your company',
          `The key "${name}", which shows as ${keyPrefix}, was made.`,
          `Keys of the company: ${baseUrl}/console/keys`,
        );
    },
    bankDetailsChanged: (owners, account) => {
      for (const to of owners)
        send(
          to,
          'New bank details of your company',
          `The money of your company's own accounts goes to ${account}, at once or after a wait.`,
          `If it was not agreed, change the bank details and revoke the credential that set them: ${baseUrl}/console/audit`,
        );
    },
    factorChanged: (to, change) => send(to, 'Your second factor was changed', FACTOR_CHANGES[change], ifNotYou),
  };
}
