import { z } from '@hono/zod-openapi';
import type { EntityManager } from '@mikro-orm/postgresql';
import { inTenant } from '../../../db/core/orm.ts';
import { changePassword, findAdministrator } from '../../../db/identity/sessions.ts';
import { writeAuditLines } from '../../../db/requests/audit-log.ts';
import { Refusal } from '../../../domain/errors.ts';
import type { LoginGuard } from '../../auth/login-guard.ts';
import { hashPassword, isOwnEmail, verifyPassword } from '../../auth/passwords.ts';
import type { ApiDependencies } from '../../context.ts';
import { administratorLine } from '../../middleware/audit.ts';
import { bearer, type Operations, ok } from '../../operation.ts';
import { InvalidRequest } from '../../problem.ts';
import { secret, text } from '../../schemas/common.ts';
import { NOT_THE_EMAIL, newPassword } from '../../schemas/company.ts';
import { knownPassword, Session, type SessionAnswers } from './answers.ts';

/** Changing a password: with the current one, or with a link that came by mail. */

const tag = 'Authentication';

const PasswordChange = z
  .object({
    currentPassword: knownPassword().describe('The password that stands.'),
    newPassword: newPassword().describe('The new password, at least 10 characters.'),
  })
  .refine((body) => body.currentPassword !== body.newPassword, {
    message: 'must differ from the current password',
    path: ['newPassword'],
  })
  .openapi('PasswordChange');
const ForgottenPassword = z
  .object({ email: text(254).describe('The e-mail address of an administrator.') })
  .openapi('ForgottenPassword');
const PasswordReset = z
  .object({
    token: secret().describe('The token of the link.'),
    newPassword: newPassword().describe('The new password, at least 10 characters.'),
  })
  .openapi('PasswordReset');

export function registerPasswords(
  operation: Operations,
  dependencies: ApiDependencies,
  { requireAdministrator, newSession }: SessionAnswers,
  { tryPassword, forgive, countReset }: LoginGuard,
): void {
  const { orm, credentials, tokens, mails, log } = dependencies;

  const hashOfNew = (chosen: string, email: string) => {
    if (isOwnEmail(chosen, email))
      throw new InvalidRequest('validation_failed', [{ path: 'newPassword', message: NOT_THE_EMAIL }]);
    return hashPassword(chosen);
  };
  const sendLink = async (email: string) => {
    const administrator = await findAdministrator(orm.em.fork(), credentials, { email });
    if (administrator !== null) mails.resetLink(administrator.email, tokens.newResetToken(administrator));
  };

  operation(
    {
      method: 'post',
      path: '/v1/auth/password',
      tag,
      summary: 'Change the password; all sessions end, and the response is a new one',
      description: 'Also ends a temporary password, with which everything but reading is refused.',
      access: bearer('read', { temporaryPassword: 'accepted', missingFactor: 'accepted' }),
      body: PasswordChange,
      success: ok(Session),
      refusals: ['invalid_credentials', 'too_many_requests'],
    },
    async ({ body: { currentPassword, newPassword: chosen }, principal, c }) => {
      const administrator = await requireAdministrator(principal);
      const isRight = await tryPassword({
        of: { administratorId: administrator.id },
        clientAddress: c.var.clientAddress,
        verify: () => verifyPassword(administrator.passwordHash, currentPassword),
      });
      if (!isRight) throw new Refusal('invalid_credentials');
      const passwordHash = await hashOfNew(chosen, administrator.email);
      const change = (em: EntityManager) => changePassword(em, credentials, administrator, passwordHash);
      const session = await newSession(c, administrator, { change });
      mails.passwordChanged(administrator.email);
      return session;
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/auth/password/forgot',
      tag,
      summary: 'Mail a link with which a forgotten password can be replaced',
      description:
        'The answer is the same whether or not an administrator has the address. An address gets at most five links an hour.',
      access: 'public',
      body: ForgottenPassword,
      success: ok(z.object({ sent: z.boolean().describe('Always true.') })),
    },
    async ({ body: { email } }) => {
      // Not awaited: the time of the answer would tell whether there is an account.
      if (await countReset(email))
        sendLink(email).catch((error: unknown) => log.error({ err: error }, 'a link to reset a password was not sent'));
      return { sent: true };
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/auth/password/reset',
      tag,
      summary: 'Choose a new password with a link from a mail; all sessions end',
      description: 'The token works once, for 30 minutes. A second factor stays as it is.',
      access: 'public',
      body: PasswordReset,
      success: ok(z.object({ success: z.boolean().describe('Always true.') })),
      refusals: ['invalid_credentials'],
    },
    async ({ body: { token, newPassword: chosen }, c }) => {
      const id = tokens.resetTokenFor(token);
      const administrator = id === undefined ? null : await findAdministrator(orm.em.fork(), credentials, { id });
      if (administrator === null || !tokens.isResetTokenOf(administrator, token))
        throw new Refusal('invalid_credentials', 'the link was used or has expired');
      const passwordHash = await hashOfNew(chosen, administrator.email);
      await inTenant(orm, administrator.companyId, async (em) => {
        await changePassword(em, credentials, administrator, passwordHash);
        await writeAuditLines(em, [administratorLine(c, administrator)]);
      });
      await forgive({ of: { administratorId: administrator.id }, clientAddress: c.var.clientAddress });
      mails.passwordChanged(administrator.email);
      return { success: true };
    },
  );
}
